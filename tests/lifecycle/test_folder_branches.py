"""Removals and restorations that wait on branches: listed until base has taken them or they are overtaken."""

import pytest

from skillc.errors import UsageError
from skillc.lifecycle.folder_branches import folder_branches
from skillc.lifecycle.restore import restore
from skillc.lifecycle.review import review
from skillc.lifecycle.status import status
from skillc.lifecycle.withdrawal import retire
from tests.world import FIELD, World

BRANCH = f"skillc/candidate/{FIELD}-retire"


@pytest.fixture
def retired(world: World) -> World:
    world.compile(FIELD)
    world.merge(FIELD)
    world.set_policy("protected_base: false", "protected_base: true")
    retire(world.context(), FIELD, reason="nobody uses it", by="Ada")
    return world


def test_a_removal_that_waits_is_told_by_review_and_status(retired: World):
    (branch,) = review(retired.context()).folders
    assert (branch.branch, [c.change for c in branch.changes]) == (BRANCH, ["withdraw"])
    assert branch.local[-1] == f"git merge --no-ff {BRANCH}"
    assert [f.branch for f in status(retired.context()).folders] == [BRANCH]


@pytest.mark.parametrize("name", [BRANCH, FIELD])
def test_review_finds_it_by_branch_and_skill(retired: World, name: str):
    assert [b.branch for b in review(retired.context(), name).folders] == [BRANCH]


def test_a_name_that_is_neither_candidate_nor_branch_is_an_error(retired: World):
    with pytest.raises(UsageError, match="waits for review"):
        review(retired.context(), "nothing")


def test_a_merge_or_a_squash_ends_it(retired: World):
    retired.git("merge", "--quiet", "--squash", BRANCH)
    retired.git("commit", "--quiet", "-m", "gone")
    assert folder_branches(retired.context()) == ()


def test_a_restoration_that_waits_is_told_too(retired: World):
    retired.git("merge", "--quiet", "--no-ff", "-m", "gone", BRANCH)
    restore(retired.context(), FIELD, "1")
    (branch,) = folder_branches(retired.context())
    assert [c.change for c in branch.changes] == ["restore"]


def test_a_branch_of_somebody_elses_work_is_none(world: World):
    world.compile(FIELD)
    world.merge(FIELD)
    world.git("branch", "skillc/candidate/notes")
    assert folder_branches(world.context()) == ()
