"""init --forge: workflows of this namespace, nothing of a person's is overwritten, nothing is committed."""

import pytest
import yaml

from skillc.errors import RepoError, UsageError
from skillc.lifecycle.init_forge import WORKFLOWS, init_forge
from tests.world import CHECK, World

PATHS = tuple(f".github/workflows/{name}" for name in WORKFLOWS)
OWNERS = ".github/CODEOWNERS"


def text_of(world: World, path: str) -> str:
    return (world.root / path).read_text("utf-8")


def test_it_writes_workflows_and_owners_and_commits_nothing(world: World):
    head = world.git("rev-parse", "HEAD")
    report = init_forge(world.context(), "github", owners=["@acme/reviewers"])
    assert report.written == (*PATHS, OWNERS)
    assert world.git("rev-parse", "HEAD") == head
    assert "/skillc.yaml @acme/reviewers\n" in text_of(world, OWNERS)
    again = init_forge(world.context(), "github")
    assert (again.written, again.unchanged) == ((), (*PATHS, OWNERS))


def test_a_workflow_is_that_of_this_namespace(world: World):
    init_forge(world.context(), "github")
    verify = yaml.safe_load(text_of(world, ".github/workflows/skillc-verify.yml"))
    policy = world.context().policy
    run = next(v.run for v in policy.verifiers if v.id == CHECK)
    assert verify["jobs"]["test"]["steps"][-1]["run"].split() == list(run)
    assert verify["jobs"]["sign"]["steps"][-1]["env"]["SKILLC_NAMESPACE"] == policy.namespace
    assert verify[True]["push"]["branches"] == ["main"]


def test_a_workflow_names_the_base_branch_of_this_repository(world: World):
    """Else whoever makes a branch `main` in a repository whose base is another one would bring the policy."""
    world.git("branch", "--quiet", "-m", "main", "trunk;id")
    world.git("config", "skillc.base", "trunk;id")
    init_forge(world.context(), "github")
    for path in (PATHS[0], PATHS[1], PATHS[2]):
        assert "git config skillc.base 'trunk;id'\n" in text_of(world, path)
        assert "skillc.base main" not in text_of(world, path)
    check = yaml.safe_load(text_of(world, PATHS[0]))
    assert check[True]["push"]["branches"] == ["trunk;id"]


def test_a_dry_run_says_the_same_and_writes_nothing(world: World):
    report = init_forge(world.context(), "github", dry_run=True)
    assert report.written == (*PATHS, OWNERS)
    assert not (world.root / ".github").exists()


def test_what_a_person_changed_is_kept_and_what_nobody_changed_is_brought_up_to_date(world: World):
    init_forge(world.context(), "github")
    changed = text_of(world, PATHS[0]).replace("ubuntu-latest", "self-hosted")
    world.write(PATHS[0], changed)
    own = "name: mine\n"
    world.write(PATHS[1], own)
    world.set_policy("namespace: stockroom", "namespace: warehouse")
    report = init_forge(world.context(), "github")
    assert report.kept == PATHS[:2]
    assert report.written == (PATHS[3],)
    assert (text_of(world, PATHS[0]), text_of(world, PATHS[1])) == (changed, own)
    assert '"warehouse"' in text_of(world, PATHS[3])


@pytest.mark.parametrize("place", ["CODEOWNERS", "docs/CODEOWNERS"])
def test_owners_go_where_the_forge_reads_them(world: World, place: str):
    world.write(place, "* @everybody")
    init_forge(world.context(), "github", owners=["@acme/reviewers"])
    assert not (world.root / OWNERS).exists()
    assert text_of(world, place).startswith("* @everybody\n# >>> skillc")
    assert f"/{place} @acme/reviewers" in text_of(world, place)


def test_a_block_that_a_person_changed_is_kept(world: World):
    init_forge(world.context(), "github", owners=["@a"])
    changed = text_of(world, OWNERS).replace("/skillc.yaml @a", "/skillc.yaml @b")
    world.write(OWNERS, changed)
    assert init_forge(world.context(), "github", owners=["@c"]).kept == (OWNERS,)
    assert text_of(world, OWNERS) == changed


def test_nothing_is_written_through_a_link(world: World, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (world.root / ".github").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(RepoError, match="is a link"):
        init_forge(world.context(), "github")
    assert list((tmp_path / "elsewhere").iterdir()) == []


@pytest.mark.parametrize(("forge", "owner"), [("gitlab", "@a"), ("github", "no owner"), ("github", "@a\n* @b")])
def test_an_unknown_forge_or_owner_writes_nothing(world: World, forge: str, owner: str):
    with pytest.raises(UsageError):
        init_forge(world.context(), forge, owners=[owner])
    assert not (world.root / ".github").exists()
