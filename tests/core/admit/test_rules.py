"""`policy explain`: every setting that a gate reads is told, and the one that decided is named."""

from typing import Any

import pytest

from skillc.core.admit.gates import GateInput, check_gates
from skillc.core.admit.rules import decision_of, rules_for
from skillc.core.skill.claim import Action, Effect, EffectClaim, StepClaim
from skillc.core.trace.verification import Assurance
from tests.core.admit.test_gates import given, policy
from tests.makers import make_citation, make_standing


def with_effect(effect: Effect) -> dict[str, Any]:
    return {"effects": (EffectClaim(id="e-1", text="x", effect=effect, citations=(make_citation(),)),)}


def decided(facts: GateInput) -> tuple[str, str]:
    found = decision_of(facts, check_gates(facts))
    return found.result.value, found.decided_by


def test_where_all_gates_pass_the_families_of_auto_decided():
    assert decided(given()) == ("pass", "approval.auto.families")


def test_by_merge_the_mode_decides_whatever_else_waits_for_the_same_person():
    facts = given(policy=policy(approval={"mode": "pr"}), contract=with_effect(Effect.MONEY))
    assert decided(facts) == ("hold", "approval.mode")


@pytest.mark.parametrize(
    ("facts", "setting"),
    [
        (given(standings={"t-00000001": make_standing(assurance=Assurance.LOCAL)}), "approval.auto.minimum_assurance"),
        (given(contract=with_effect(Effect.MONEY)), "approval.person_for.effects"),
        (given(policy=policy(evaluations={"required": {"some-family": ["e"]}})), "evaluations.required"),
        (given(policy=policy(approval={"mode": "auto", "auto": {"families": []}})), "approval.auto.families"),
        (given(is_draft=True), "skillc.yaml is not on base"),
    ],
)
def test_the_rule_that_decided_is_named(facts: GateInput, setting: str):
    assert decided(facts) == ("hold", setting)


def test_a_message_on_local_evidence_is_held_by_the_assurance_that_risky_effects_need():
    facts = given(
        policy=policy(approval={"mode": "auto", "auto": {"minimum_assurance": "local"}}),
        contract=with_effect(Effect.MESSAGE),
        standings={"t-00000001": make_standing(assurance=Assurance.LOCAL)},
    )
    assert decided(facts) == ("hold", "approval.risky_assurance")


def test_a_tool_is_kept_for_a_person_by_name_or_glob():
    step = StepClaim(id="s-1", text="Pay.", action=Action(tool="mcp__bank__pay"), citations=(make_citation(),))
    for glob in ("mcp__bank__pay", "mcp__bank__*"):
        rule = policy(approval={"mode": "auto", "person_for": {"effects": [], "tools": [glob]}})
        assert decided(given(policy=rule, contract={"steps": (step,)})) == ("hold", "approval.person_for.tools")


def test_an_evaluation_that_is_missing_decides_before_the_merge():
    wanted = policy(approval={"mode": "pr"}, evaluations={"required": {"*": ["e"]}})
    assert decided(given(policy=wanted)) == ("hold", "evaluations.required")


def test_every_setting_of_admission_has_a_row():
    told = {rule.setting for rule in rules_for(given())}
    assert told == {
        "approval.auto.minimum_assurance", "evaluations.required", "scan.ignore", "limits",
        "approval.person_for.effects", "approval.person_for.tools", "approval.risky_assurance", "approval.mode",
        "approval.auto.families",
    }  # fmt: skip
