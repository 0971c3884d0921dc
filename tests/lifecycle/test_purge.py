"""`forget --purge`: old bytes leave the history of this clone, everything else stays, and there is a way back."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from skillc.core.skill.contract import PublishedFrom
from skillc.core.skill.publication import published_contract
from skillc.errors import RepoError, UsageError
from skillc.lifecycle import purge as module
from skillc.lifecycle.audit_verify import verify_audit
from skillc.lifecycle.check import check
from skillc.lifecycle.context import open_context
from skillc.lifecycle.forget import ForgetReport, forget
from skillc.lifecycle.init import init
from skillc.lifecycle.purge import plan_purge, purge, require_purgeable, targets_of
from skillc.lifecycle.skills import current_skills
from tests.makers import make_contract
from tests.repositories import run_git
from tests.reward_world import FAMILY
from tests.skill_folders import put_skill
from tests.world import World

pytestmark = pytest.mark.skipif(shutil.which("git-filter-repo") is None, reason="git-filter-repo is not installed")


def cited(shop: World) -> str:
    contract = current_skills(shop.context())[FAMILY].contract
    assert contract is not None
    return contract.steps[0].citations[0].trace_id


def objects(world: World) -> str:
    return world.git("cat-file", "--batch-all-objects", "--batch-check")


def forgotten(shop: World, trace_id: str) -> ForgetReport:
    return forget(shop.context(), [trace_id], by="ada", reason="asked")


def test_old_bytes_of_the_trace_and_the_skill_that_rested_on_it_leave_every_ref_and_every_object(
    shop: World, tmp_path: Path
):
    trace_id = cited(shop)
    shop.git("branch", "work")
    shop.git("tag", "v1")
    other = shop.commit({"other.txt": "mine\n"}, "other work")
    planned = plan_purge(shop.context(), {trace_id: None})
    report = forgotten(shop, trace_id)
    told = {p.code for p in verify_audit(shop.context()).problems}
    made = purge(shop.context(), targets_of(report), backup=tmp_path / "b.bundle")
    assert set(planned.blobs) >= set(made.blobs)
    assert made.left == ()
    assert {"refs/heads/main", "refs/heads/work", "refs/tags/v1"} <= set(made.refs)
    there = objects(shop)
    assert not any(blob in there for blob in made.blobs)
    assert shop.git("log", "--all", "--format=%s", "--", f".claude/skills/{FAMILY}/SKILL.md") == ""
    assert shop.git("show", "main:other.txt") == "mine"
    assert other not in shop.git("log", "--all", "--format=%H")
    assert shop.git("status", "--porcelain") == ""
    assert shop.git("fsck", "--full", "--strict") == ""
    assert check(shop.context()).problems == ()
    assert {p.code for p in verify_audit(shop.context()).problems} <= told  # the ledger is as it was


def test_the_backup_is_the_way_back(shop: World, tmp_path: Path):
    report = forgotten(shop, cited(shop))
    before = shop.git("for-each-ref")
    made = purge(shop.context(), targets_of(report), backup=tmp_path / "b.bundle")
    assert shop.git("for-each-ref") != before
    assert (tmp_path / "b.bundle").stat().st_mode & 0o077 == 0
    assert any(str(tmp_path / "b.bundle") in line for line in made.next)
    shop.git("fetch", "--quiet", "--update-head-ok", str(tmp_path / "b.bundle"), "+refs/*:refs/*")
    shop.git("reset", "--quiet", "--hard")
    assert shop.git("for-each-ref") == before


def test_a_second_purge_finds_nothing_and_writes_no_backup(shop: World, tmp_path: Path):
    targets = targets_of(forgotten(shop, cited(shop)))
    purge(shop.context(), targets, backup=tmp_path / "b.bundle")
    again = purge(shop.context(), targets, backup=tmp_path / "c.bundle")
    assert (again.blobs, again.backup, (tmp_path / "c.bundle").exists()) == ((), None, False)


def test_a_plan_changes_nothing(shop: World):
    before = shop.git("for-each-ref"), objects(shop)
    assert plan_purge(shop.context(), {cited(shop): None}).refs
    assert (shop.git("for-each-ref"), objects(shop)) == before


def test_a_remote_is_never_pushed_to_and_the_line_for_it_is_told(shop: World, tmp_path: Path):
    shop.git("clone", "--quiet", "--bare", str(shop.root), str(tmp_path / "remote.git"))
    shop.git("remote", "add", "origin", str(tmp_path / "remote.git"))
    shop.git("fetch", "--quiet", "origin")
    report = forgotten(shop, cited(shop))
    there = shop.git("ls-remote", "origin")
    made = purge(shop.context(), targets_of(report), backup=tmp_path / "b.bundle")
    assert shop.git("ls-remote", "origin") == there
    assert any("git push --force origin main" in line for line in made.next)
    assert shop.git("remote", "get-url", "origin") == str(tmp_path / "remote.git")


@pytest.mark.parametrize("what", ["dirty", "staged", "merge", "worktree", "stash"])
def test_it_is_refused_before_anything_is_deleted_where_work_could_be_lost(shop: World, what: str, tmp_path: Path):
    shop.commit({"file": "1\n"})
    if what == "merge":
        (shop.root / ".git" / "MERGE_HEAD").write_text(shop.git("rev-parse", "HEAD") + "\n")
    elif what == "worktree":
        shop.git("worktree", "add", "--quiet", "-b", "more", str(tmp_path / "more"))
    else:
        shop.write("file", "2\n")
        if what == "staged":
            shop.git("add", "file")
        elif what == "stash":
            shop.git("stash", "--quiet")
    with pytest.raises(RepoError, match="history is not rewritten here"):
        require_purgeable(shop.context())


def test_a_folder_whose_removal_waits_stops_it(shop: World, tmp_path: Path):
    shop.set_policy("protected_base: false", "protected_base: true")
    report = forgotten(shop, cited(shop))
    with pytest.raises(RepoError, match="is still in HEAD"):
        purge(shop.context(), targets_of(report), backup=tmp_path / "b.bundle")
    assert not (tmp_path / "b.bundle").exists()


def test_without_the_program_it_says_how_to_get_it(shop: World, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "is_installed", lambda: False)
    with pytest.raises(UsageError, match="git-filter-repo is not installed"):
        require_purgeable(shop.context())


def test_the_command_plans_and_purges(shop: World):
    trace_id = cited(shop)
    done = shop.run("forget", trace_id, "--purge", "--dry-run")
    assert (done.returncode, "would purge" in done.stdout, "refs/heads/main" in done.stdout) == (0, True, True)
    done = shop.run("forget", trace_id, "--purge", "--yes")
    assert (done.returncode, "purged" in done.stdout) == (0, True), done.stderr
    (bundle,) = shop.root.parent.glob("*-before-purge-*.bundle")
    assert str(bundle) in done.stdout + done.stderr


def test_a_single_event_goes_from_history_and_the_rest_of_the_trace_stays(shop: World, tmp_path: Path):
    contract = current_skills(shop.context())[FAMILY].contract
    assert contract is not None
    citation = contract.steps[0].citations[0]
    report = forget(shop.context(), [f"{citation.trace_id}#{citation.events[0]}"], by="ada")
    purge(shop.context(), targets_of(report), backup=tmp_path / "b.bundle")
    trace = next(t for t in shop.context().traces.read_all() if t.trace_id == citation.trace_id)
    assert trace.events
    assert check(shop.context()).problems == ()


def test_a_file_that_another_version_without_the_citation_has_too_stays(shop: World, tmp_path: Path):
    """The page is the same and rests on other attempts: nothing of it must go."""
    trace_id = cited(shop)
    old = current_skills(shop.context())[FAMILY].contract
    assert old is not None
    put_skill(shop, make_contract(name="other", skill_id="s-fedcba9876543210"))
    page = shop.git("rev-parse", f"main:.claude/skills/{FAMILY}/SKILL.md")
    bare = published_contract(old, PublishedFrom(namespace="x", commit="c", contract="d"), name=FAMILY)
    put_skill(shop, bare)
    made = plan_purge(shop.context(), {trace_id: None})
    assert page not in made.blobs
    assert made.blobs


def test_a_sha256_repository_is_refused_before_anything_is_deleted(
    new_repository: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
):
    root = new_repository(object_format="sha256", files={"README.md": "hello\n"})
    init(root)
    run_git(root, "add", "-A")
    run_git(root, "commit", "--quiet", "-m", "namespace")
    before = run_git(root, "for-each-ref")
    with pytest.raises(RepoError, match="cannot rewrite a repository of sha256 objects"):
        require_purgeable(open_context(root))
    done = World(root.parent, root).run("forget", "t-00000001", "--purge", "--yes")
    assert (done.returncode, "sha256" in done.stderr) == (4, True)
    assert run_git(root, "for-each-ref") == before
