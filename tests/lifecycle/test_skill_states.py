"""The Skills in the status: on whose word each is there, and why one is gone."""

from skillc.lifecycle.forget import forget
from skillc.lifecycle.restore import restore
from skillc.lifecycle.skills import current_skills
from skillc.lifecycle.status import status
from skillc.lifecycle.withdrawal import retire
from tests.world import FIELD, World


def test_a_skill_that_no_approval_stands_for_is_told(world: World):
    world.compile(FIELD)
    world.merge(FIELD)
    (skill,) = status(world.context()).skills
    assert (skill.proof, skill.approved_by) == ("unproven", None)
    assert f"unproven: no approval stands for {FIELD}" in world.run("status").stdout


def test_a_retired_skill_is_told_with_its_reason_until_it_is_back(world: World):
    world.compile(FIELD)
    world.merge(FIELD)
    retire(world.context(), FIELD, reason="not needed", by="Ada")
    (gone,) = status(world.context()).gone
    assert (gone.skill, gone.reason, gone.detail, gone.by) == (FIELD, "retired", "not needed", "Ada")
    restore(world.context(), FIELD, gone.tree)
    assert status(world.context()).gone == ()


def test_a_skill_whose_evidence_was_deleted_is_told_as_that(world: World):
    world.compile(FIELD)
    world.merge(FIELD)
    contract = current_skills(world.context())[FIELD].contract
    assert contract is not None
    forget(world.context(), [contract.steps[0].citations[0].trace_id], by="Ada")
    assert [g.reason for g in status(world.context()).gone] == ["evidence-deleted"]
    assert f"gone: {FIELD}, evidence-deleted by Ada" in world.run("status").stdout
