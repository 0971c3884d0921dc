"""A version that base no longer holds is seen by the identity of its folder alone."""

from skillc.lifecycle.reject import reject
from skillc.lifecycle.reverts import closed_proposals, reverted_proposals
from tests.world import FIELD, FIX, World


def outcomes(world: World) -> list[str]:
    return [p.outcome for p in reverted_proposals(world.context(), FIELD)]


def test_an_admitted_version_is_not_reverted(world: World):
    world.compile(FIELD)
    assert outcomes(world) == []
    world.merge(FIELD)
    assert outcomes(world) == []


def test_a_revert_counts_without_its_message(world: World):
    world.compile(FIELD)
    world.merge(FIELD)
    world.git("rm", "-r", "--quiet", f".claude/skills/{FIELD}")
    world.git("commit", "--quiet", "-m", "tidy up")
    assert outcomes(world) == ["reverted"]


def test_the_revert_of_the_revert_opens_it_again(world: World):
    world.compile(FIELD)
    world.merge(FIELD)
    world.git("revert", "--no-edit", "-m", "1", "HEAD")
    assert outcomes(world) == ["reverted"]
    world.git("revert", "--no-edit", "HEAD")
    assert outcomes(world) == []


def test_a_reverted_proposal_carries_the_sources_that_it_read(world: World):
    world.compile(FIELD)
    world.merge(FIELD)
    world.git("revert", "--no-edit", "-m", "1", "HEAD")
    past = reverted_proposals(world.context(), FIELD)[0]
    assert len(past.sources) == 5
    assert past.content


def test_a_candidate_whose_branch_is_gone_was_closed_and_is_not_made_again(world: World):
    """Also when the policy changed meanwhile: only new evidence, or a person, opens it again."""
    first = world.compile_one(FIELD)
    assert closed_proposals(world.context(), FIELD) == ()
    world.git("branch", "--quiet", "-D", f"skillc/candidate/{FIELD}")
    (past,) = closed_proposals(world.context(), FIELD)
    assert (past.run, past.outcome) == (first.run, "closed")
    world.set_policy("retain_runs: 3", "retain_runs: 4")
    again = world.compile_one(FIELD)
    assert again.group.versions == ()
    assert "closed" in again.note
    assert world.git("branch", "--list", f"skillc/candidate/{FIELD}") == ""
    trace = first.read[0]
    assert world.compile(FIELD, traces=(trace,)).families[0].group.versions


def test_a_merged_a_rejected_and_a_superseded_candidate_were_not_closed(world: World):
    world.compile(FIELD)
    world.merge(FIELD)
    world.git("branch", "--quiet", "-D", f"skillc/candidate/{FIELD}")
    assert closed_proposals(world.context(), FIELD) == ()
    world.compile(FIX)
    reject(world.context(), FIX, None, reason="r", by="ada")
    assert closed_proposals(world.context(), FIX) == ()
