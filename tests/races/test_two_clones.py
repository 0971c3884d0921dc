"""Two clones of one remote, and merges of every kind: whole groups on base, and one ledger with every record."""

from pathlib import Path

import pytest

from skillc.lifecycle.candidates import pending_candidates
from skillc.lifecycle.skills import current_skills
from tests.races.together import (
    CANCEL,
    at_once,
    clone,
    records_ever,
    require_clean_audit,
    require_equal_ledgers,
    require_whole,
    run_now,
    settle,
    shared,
)
from tests.reward_world import FAMILY
from tests.world import World


@pytest.fixture
def clones(guarded: World, tmp_path: Path) -> tuple[World, World]:
    remote = shared(guarded, tmp_path / "remote.git")
    other = clone(remote, tmp_path / "other", guarded.home)
    assert run_now(other, "sync").code == 0
    return guarded, other


def test_two_clones_that_compile_reject_and_sync_at_once_lose_no_record(clones: tuple[World, World]):
    one, other = clones
    for ran in at_once((one, ("compile", "--family", FAMILY)), (other, ("compile", "--family", CANCEL))):
        assert ran.code == 0, ran
    for ran in at_once((one, ("sync",)), (other, ("sync",)), (one, ("sync",)), (other, ("sync",))):
        assert ran.code == 0, ran
    ask = ("--evaluator", "sandbox-eval")
    for ran in at_once(
        (one, ("reject", FAMILY, "--reason", "too long")),
        (other, ("evaluation", "request", CANCEL, *ask)),
        (one, ("sync",)),
    ):
        assert ran.code == 0, ran
    said = records_ever(clones)
    settle(*clones)
    assert said <= require_equal_ledgers(*clones)
    outcomes = other.context().ledger.outcomes
    assert [(o.task_family, o.reason) for o in outcomes] == [(FAMILY, "too long")]
    assert len(one.context().ledger.requests) == 1
    for world in clones:
        assert FAMILY not in pending_candidates(world.context()) or world is other
        require_whole(world)
        require_clean_audit(world)


def _merge(world: World, family: str, kind: str) -> None:
    branch = f"skillc/candidate/{family}"
    if kind == "merge":
        world.merge(family)
    elif kind == "squash":
        world.git("merge", "--quiet", "--squash", branch)
        world.git("commit", "--quiet", "-m", f"Approve {family} (#7)")
    else:
        world.git("switch", "--quiet", "--detach", branch)
        world.git("rebase", "--quiet", "main")
        tip = world.git("rev-parse", "HEAD")
        world.git("switch", "--quiet", "main")
        world.git("merge", "--quiet", "--ff-only", tip)


@pytest.mark.parametrize("kind", ["squash", "rebase"])
def test_a_candidate_merged_behind_another_commit_is_admitted_whole(guarded: World, kind: str):
    guarded.compile(FAMILY)
    guarded.commit({"other.txt": "x\n"})
    _merge(guarded, FAMILY, kind)
    assert set(current_skills(guarded.context())) == {FAMILY}
    assert FAMILY not in pending_candidates(guarded.context())
    require_whole(guarded, checked=1)
    require_clean_audit(guarded)


@pytest.mark.parametrize("kind", ["merge", "squash", "rebase"])
def test_a_merge_queue_admits_both_candidates_whole(guarded: World, kind: str):
    """Both were made on the same base; the second is merged onto the first."""
    guarded.compile()
    for family in (FAMILY, CANCEL):
        _merge(guarded, family, kind)
        require_whole(guarded)
    assert set(current_skills(guarded.context())) == {FAMILY, CANCEL}
    assert not pending_candidates(guarded.context())
    require_clean_audit(guarded)
