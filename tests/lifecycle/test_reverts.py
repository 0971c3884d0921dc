"""A version that base no longer holds is seen by the identity of its folder alone."""

from skillc.lifecycle.reverts import reverted_proposals
from tests.world import FIELD, World


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
