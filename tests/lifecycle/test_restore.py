"""Undo and restore make new versions; plain git revert does the same."""

import pytest

from skillc.errors import RepoError, UsageError
from skillc.lifecycle.check import check
from skillc.lifecycle.explain import log
from skillc.lifecycle.restore import restore, undo
from skillc.lifecycle.skills import current_skills
from tests.world import FIELD, FIX, World, sessions_of

pytestmark = pytest.mark.slow  # a process or a repository for each case


@pytest.fixture
def two_versions(fresh: World) -> World:
    """A Skill with an added and a patched version on base."""
    first, *rest = sessions_of(FIX, passes=True)
    fresh.capture([first], task_family=FIX)
    fresh.verify()
    fresh.compile(FIX)
    fresh.merge(FIX)
    fresh.capture(rest, task_family=FIX)
    fresh.verify()
    fresh.compile(FIX)
    fresh.merge(FIX)
    return fresh


def trees(world: World) -> list[str | None]:
    return [v.tree for v in log(world.context(), FIX).versions]


def test_undo_brings_the_version_before_back_as_a_new_one(two_versions: World):
    one, two = trees(two_versions)
    report = undo(two_versions.context(), FIX)

    assert trees(two_versions) == [one, two, one]
    assert report.to_version == 1
    assert current_skills(two_versions.context())[FIX].tree == one
    assert two_versions.git("status", "--porcelain") == ""
    assert log(two_versions.context(), FIX).versions[-1].restores == 1


def test_undo_of_the_first_version_takes_the_skill_out(world: World):
    world.compile(FIELD)
    world.merge(FIELD)
    report = undo(world.context(), FIELD)

    assert report.tree is None
    assert FIELD not in current_skills(world.context())
    assert not (world.root / ".claude" / "skills" / FIELD).exists()


def test_undo_keeps_other_work_in_the_checkout(two_versions: World):
    two_versions.write("mine.txt", "not committed")
    two_versions.write("staged.txt", "staged")
    two_versions.git("add", "staged.txt")
    undo(two_versions.context(), FIX)

    assert two_versions.git("status", "--porcelain").splitlines() == ["A  staged.txt", "?? mine.txt"]


@pytest.mark.parametrize("by", ["number", "commit", "tree"])
def test_restore_takes_a_number_a_commit_or_a_tree(two_versions: World, by: str):
    undo(two_versions.context(), FIX)
    second = log(two_versions.context(), FIX).versions[1]
    wanted = {"number": "2", "commit": second.commit, "tree": str(second.tree)}[by]
    restore(two_versions.context(), FIX, wanted)

    assert current_skills(two_versions.context())[FIX].tree == second.tree
    assert check(two_versions.context()).ok


def test_git_revert_of_a_version_is_seen_as_a_restore(two_versions: World):
    two_versions.git("revert", "--no-edit", "-m", "1", "HEAD")
    versions = log(two_versions.context(), FIX).versions
    assert [v.change for v in versions] == ["add", "patch", "restore"]
    assert versions[-1].restores == 1


def test_a_changed_skill_file_in_the_checkout_stops_the_undo(two_versions: World):
    two_versions.write(f".claude/skills/{FIX}/SKILL.md", "my edit")
    head = two_versions.git("rev-parse", "HEAD")
    with pytest.raises(RepoError, match="has changes that are not committed"):
        undo(two_versions.context(), FIX)
    assert two_versions.git("rev-parse", "HEAD") == head
    assert (two_versions.root / f".claude/skills/{FIX}/SKILL.md").read_text("utf-8") == "my edit"


def test_a_protected_base_gets_a_branch_instead(two_versions: World):
    two_versions.set_policy("protected_base: false", "protected_base: true")
    head = two_versions.git("rev-parse", "HEAD")
    report = undo(two_versions.context(), FIX)

    assert report.branch == f"skillc/candidate/{FIX}-restore"
    assert two_versions.git("rev-parse", "main") == head
    assert two_versions.git("rev-parse", f"{report.branch}^") == head


def test_what_cannot_be_restored_is_a_usage_error(two_versions: World):
    context = two_versions.context()
    for wanted, why in (("9", "has no version"), ("2", "exactly the content")):
        with pytest.raises(UsageError, match=why):
            restore(context, FIX, wanted)
    with pytest.raises(UsageError, match="there is no Skill"):
        undo(context, "nope")


def test_a_hand_written_skill_is_never_touched(two_versions: World):
    two_versions.commit({".claude/skills/by-hand/SKILL.md": "---\nname: by-hand\n---\n"})
    with pytest.raises(UsageError, match="written by hand"):
        undo(two_versions.context(), "by-hand")


def test_a_dry_run_changes_nothing(two_versions: World):
    refs = two_versions.git("for-each-ref")
    assert undo(two_versions.context(), FIX, dry_run=True).commit is None
    assert two_versions.git("for-each-ref") == refs


def test_a_folder_that_a_person_renamed_is_not_deleted_by_undo(world: World):
    world.compile(FIELD)
    world.merge(FIELD)
    world.git("mv", f".claude/skills/{FIELD}", ".claude/skills/extend-schema")
    world.git("commit", "--quiet", "-m", "rename")
    with pytest.raises(UsageError, match="under a new name") as stop:
        undo(world.context(), "extend-schema")
    assert "git revert" in str(stop.value.hint)
