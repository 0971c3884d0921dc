"""What a compilation of now would do, asked before one is offered."""

from skillc.lifecycle.forget import forget
from skillc.lifecycle.repairs import due_repairs, planned
from tests.world import FIELD, World


def test_a_run_is_planned_until_its_evidence_was_read(world: World):
    assert planned(world.context(), FIELD).is_due
    world.compile(FIELD)
    waiting = planned(world.context(), FIELD)
    assert (waiting.waits, waiting.is_due) == (True, False)
    world.merge(FIELD)
    done = planned(world.context(), FIELD)
    assert done.nothing is not None
    assert "nothing new" in done.nothing


def test_a_family_without_attempts_has_no_run(world: World):
    assert not planned(world.context(), "no-such-family").is_due


def test_a_repair_is_due_after_a_deletion_and_not_before(world: World):
    world.compile(FIELD)
    world.merge(FIELD)
    attempts = list(world.attempts().values())
    assert due_repairs(world.context(), attempts) == ()
    forget(world.context(), [next(a.trace.trace_id for a in attempts if a.task_family == FIELD)], by="Ada")
    left = list(world.attempts().values())
    assert [r.task_family for r in due_repairs(world.context(), left)] == [FIELD]
