"""The gates see the same of a candidate that waits as the run that made it."""

import pytest

from skillc.core.admit.gates import GateResult
from skillc.core.skill.contract import ChangeKind
from skillc.lifecycle.admission import candidate_gates, change_of, gate_input_of, group_of
from skillc.lifecycle.candidates import candidate_named
from tests.world import FIELD, World


def verdicts(world: World) -> dict[str, GateResult]:
    context = world.context()
    return {v.gate: v.result for v in candidate_gates(context, candidate_named(context, FIELD))}


def test_a_candidate_that_waits_meets_the_gates_of_its_run(world: World):
    report = world.compile_one(FIELD)
    assert verdicts(world) == {v.gate: v.result for v in report.group.gates}


def test_the_group_is_the_one_that_the_run_wrote(world: World):
    report = world.compile_one(FIELD)
    context = world.context()
    group = group_of(context, candidate_named(context, FIELD))
    assert group.manifest == candidate_named(context, FIELD).group
    assert [(c.kind, c.base_tree) for c in group.changes] == [(ChangeKind.ADD, None)]
    assert [c.contract.name for c in group.changes] == [v.skill for v in report.group.versions]


def test_a_skill_that_changed_on_base_since_is_never_silently_replaced(world: World):
    world.compile(FIELD)
    world.commit({f".claude/skills/{FIELD}/SKILL.md": "written by hand meanwhile\n"})
    assert verdicts(world)["stale base"] is GateResult.REJECT


def test_evidence_that_is_no_longer_verified_holds_it(world: World):
    world.compile(FIELD)
    world.set_policy("kind: tool,", "kind: tool, may_assert: [failure],")
    context = world.context()
    given = gate_input_of(context, candidate_named(context, FIELD))
    assert given.standings == {}
    assert verdicts(world)["verification"] is GateResult.HOLD


@pytest.mark.parametrize("kind", [ChangeKind.PATCH, ChangeKind.WITHDRAW])
def test_what_a_change_lost_is_read_from_the_contracts_own_notes(world: World, kind: ChangeKind):
    from skillc.core.skill.contract import OriginNote

    world.compile(FIELD)
    contract = candidate_named(world.context(), FIELD).versions[0].contract
    assert contract is not None
    note = OriginNote(kind="lost", field="steps", claim_id="s-1", note="")
    noted = contract.model_copy(update={"origin": contract.origin.model_copy(update={"notes": (note,)})})
    lost = [line.claim_id for line in change_of(kind, noted, None).lost]
    assert lost == ([] if kind is ChangeKind.WITHDRAW else ["s-1"])


def test_a_trailer_with_a_word_that_is_no_change_stops_nothing(world: World):
    world.compile(FIELD)
    branch = f"skillc/candidate/{FIELD}"
    message = world.git("log", "-1", "--format=%B", branch).replace("Skillc-Change: add", "Skillc-Change: explode")
    world.git("switch", "--quiet", branch)
    world.git("commit", "--quiet", "--amend", "-m", message)
    world.git("switch", "--quiet", "main")
    assert verdicts(world)["scan"] is GateResult.PASS
    assert world.run("review", FIELD).returncode == 0
