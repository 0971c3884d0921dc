"""The gates: one verdict each, in a fixed order; whatever is missing holds, and nothing passes by default."""

from typing import Any

import pytest

from skillc.core.admit.gates import GATES, GateInput, GateResult, check_gates, is_rejected, may_admit_at_once
from skillc.core.compile.group import Change, LostLine, make_group
from skillc.core.policy import Policy
from skillc.core.scan.finding import Finding, Severity
from skillc.core.skill.claim import Action, Effect, EffectClaim, StepClaim
from skillc.core.skill.contract import ChangeKind, Replaced
from skillc.core.trace.verification import Assurance, Standing
from tests.makers import make_citation, make_contract, make_standing

AUTO = {"mode": "auto"}
ORDER = [
    "verification", "applicability", "conflicts", "stale base", "merges", "losses", "evaluations", "scan", "limits", "effects",
    "signed run", "decisions", "approval",
]  # fmt: skip


def policy(**settings: Any) -> Policy:
    base = {"format": "skillc.namespace/1", "namespace": "acme", "security_domain": "acme", "approval": AUTO}
    return Policy.model_validate(base | settings)


def given(*, contract: dict[str, Any] | None = None, base_tree: str | None = None, **changes: Any) -> GateInput:
    change = Change(
        kind=ChangeKind.ADD, contract=make_contract(**(contract or {})), base_tree=base_tree, proposal_id="p-1"
    )
    fields: dict[str, Any] = {
        "group": make_group("r-1", "some-family", (change,)),
        "policy": policy(),
        "standings": {"t-00000001": make_standing(assurance=Assurance.ATTENDED)},
        "findings": (),
        "trees": {},
    }
    return GateInput(**(fields | changes))


def verdict(gate: str, facts: GateInput) -> GateResult:
    return next(v.result for v in check_gates(facts) if v.gate == gate)


def finding(severity: Severity, *, suppressed: bool = False) -> Finding:
    return Finding(
        path="p",
        line=1,
        column=1,
        rule="r",
        severity=severity,
        title="t",
        excerpt="x",
        fingerprint="f",
        suppressed=suppressed,
    )


def test_everything_in_order_is_admitted_at_once_where_policy_says_auto():
    verdicts = check_gates(given())
    assert [v.gate for v in verdicts] == ORDER
    assert len(GATES) == len(ORDER)
    assert may_admit_at_once(verdicts)
    assert not is_rejected(verdicts)


def test_a_run_that_nobody_signed_is_held_even_where_policy_says_auto_until_an_approver_signs():
    facts = given(unsigned=("some-skill",))
    assert verdict("signed run", facts) is GateResult.HOLD
    assert not may_admit_at_once(check_gates(facts))
    assert verdict("signed run", facts.model_copy(update={"approved_by": "alice"})) is GateResult.PASS


def test_bytes_that_no_run_made_are_rejected_whoever_signed_for_them():
    facts = given(unmade=("some-skill",), approved_by="alice")
    assert verdict("signed run", facts) is GateResult.REJECT
    assert is_rejected(check_gates(facts))


def test_a_run_that_somebody_rejected_waits_for_an_approver_even_where_policy_says_auto():
    facts = given(refused="rejected by ada: too long")
    assert verdict("decisions", facts) is GateResult.HOLD
    assert not may_admit_at_once(check_gates(facts))
    assert verdict("decisions", facts.model_copy(update={"approved_by": "alice"})) is GateResult.PASS


def test_a_gate_that_does_not_pass_says_why_and_what_to_do():
    verdicts = check_gates(
        given(policy=policy(approval={"mode": "pr"}), standings={}, findings=(finding(Severity.WARN),))
    )
    for item in verdicts:
        assert item.reason
        assert item.result is GateResult.PASS or item.next


@pytest.mark.parametrize(
    "standings",
    [
        {},
        {"a": Standing()},
        {"a": make_standing(conflicted=True, assurance=Assurance.ISOLATED)},
        {"a": make_standing(assurance=Assurance.LOCAL)},
        {"a": make_standing(assurance=Assurance.ISOLATED), "b": make_standing(assurance=Assurance.LOCAL)},
    ],
)
def test_weak_evidence_waits_for_a_person(standings: dict[str, Standing]):
    """docs/THREATS.md: a key that this account can use unattended never admits automatically."""
    facts = given(standings=standings)
    assert verdict("verification", facts) is GateResult.HOLD
    assert not may_admit_at_once(check_gates(facts))


def test_what_a_person_wrote_waits_for_a_person_also_where_policy_admits_automatically():
    assert verdict("approval", given(by_people=("refunds steps s-1",))) is GateResult.HOLD
    assert verdict("approval", given(by_people=("refunds steps s-1",), approved_by="alice")) is GateResult.PASS


def test_policy_can_lower_the_assurance():
    lowered = policy(approval={"mode": "auto", "auto": {"minimum_assurance": "local"}})
    facts = given(policy=lowered, standings={"a": make_standing(assurance=Assurance.LOCAL)})
    assert verdict("verification", facts) is GateResult.PASS


@pytest.mark.parametrize(("base_tree", "now"), [(None, "t1"), ("t1", None), ("t1", "t2")])
def test_a_change_of_another_version_is_rejected(base_tree: str | None, now: str | None):
    """A hand-written Skill of the same name has a tree too: it is never replaced."""
    facts = given(base_tree=base_tree, trees={"some-family": now} if now else {})
    assert verdict("stale base", facts) is GateResult.REJECT
    assert is_rejected(check_gates(facts))


def test_a_change_of_the_current_version_passes():
    assert verdict("stale base", given(base_tree="t1", trees={"some-family": "t1"})) is GateResult.PASS


def test_a_required_evaluation_must_have_passed():
    wanted = policy(evaluations={"required": {"some-family": ["sandbox"]}})
    assert verdict("evaluations", given(policy=wanted)) is GateResult.HOLD
    assert verdict("evaluations", given(policy=wanted, passed_evaluations=("sandbox",))) is GateResult.PASS
    assert verdict("evaluations", given(policy=wanted, failed_evaluations=("sandbox",))) is GateResult.REJECT
    both = given(policy=wanted, failed_evaluations=("sandbox",), passed_evaluations=("sandbox",))
    assert verdict("evaluations", both) is GateResult.REJECT


@pytest.mark.parametrize(
    ("findings", "result"),
    [
        ((), GateResult.PASS),
        ((finding(Severity.INFO),), GateResult.PASS),
        ((finding(Severity.WARN),), GateResult.HOLD),
        ((finding(Severity.WARN), finding(Severity.BLOCK)), GateResult.REJECT),
        ((finding(Severity.BLOCK, suppressed=True),), GateResult.PASS),
    ],
)
def test_a_finding_holds_or_rejects_by_its_severity(findings: tuple[Finding, ...], result: GateResult):
    assert verdict("scan", given(findings=findings)) is result


@pytest.mark.parametrize("effect", Effect)
def test_an_effect_that_policy_keeps_for_a_person_waits(effect: Effect):
    claim = EffectClaim(id="e", text="x", effect=effect, citations=(make_citation(),))
    kept = effect.value in ("money", "delete")
    assert (verdict("effects", given(contract={"effects": (claim,)})) is GateResult.HOLD) == kept


def test_a_tool_that_policy_keeps_for_a_person_waits():
    step = StepClaim(id="s", text="x", action=Action(tool="deploy"), citations=(make_citation(),))
    kept = policy(approval={"mode": "auto", "person_for": {"tools": ["deploy"]}})
    assert verdict("effects", given(contract={"steps": (step,)}, policy=kept)) is GateResult.HOLD


@pytest.mark.parametrize(
    "changes",
    [
        {"policy": policy(approval={"mode": "pr"})},
        {"is_draft": True},
        {"policy": policy(approval={"mode": "auto", "auto": {"families": ["other"]}})},
    ],
)
def test_approval_is_automatic_only_where_policy_on_base_says_so(changes: dict[str, Any]):
    assert verdict("approval", given(**changes)) is GateResult.HOLD


def test_a_group_is_held_by_its_weakest_change():
    risky = EffectClaim(id="e", text="x", effect=Effect.MONEY, citations=(make_citation(),))
    changes = tuple(
        Change(kind=ChangeKind.ADD, contract=make_contract(name=name, effects=effects), proposal_id=name)
        for name, effects in (("a", ()), ("b", (risky,)))
    )
    assert verdict("effects", given(group=make_group("r-1", "some-family", changes))) is GateResult.HOLD


def lost(reason: str = "") -> LostLine:
    return LostLine(skill="refunds", field="stop_conditions", claim_id="stop-1", text="Stop.", reason=reason)


def changed(**changes: Any) -> GateInput:
    facts = given()
    change = facts.group.changes[0].model_copy(update=changes)
    return facts.model_copy(update={"group": facts.group.model_copy(update={"changes": (change,)})})


def test_a_lost_line_holds_until_a_reason_is_recorded():
    (held,) = [v for v in check_gates(changed(lost=(lost(),))) if v.gate == "losses"]
    assert (held.result, "refunds stop_conditions stop-1" in held.reason) == (GateResult.HOLD, True)
    assert verdict("losses", changed(lost=(lost("not true any more"),))) is GateResult.PASS


def test_opposite_rules_hold_and_an_open_conflict_rejects():
    assert verdict("conflicts", given(contradicted=("refunds steps s-1",))) is GateResult.HOLD
    assert verdict("conflicts", given(open_conflicts=("c-1",))) is GateResult.REJECT


def test_a_change_that_takes_the_place_of_others_waits_and_is_stale_when_they_moved():
    gone = Replaced(skill="other", skill_id="s-fedcba9876543210", tree="t-1")
    assert verdict("merges", changed(removes=(gone,))) is GateResult.HOLD
    moved = changed(removes=(gone,))
    assert verdict("stale base", moved) is GateResult.REJECT
    assert verdict("stale base", moved.model_copy(update={"trees": {"other": "t-1"}})) is GateResult.PASS


def test_what_only_goes_needs_no_evidence_and_no_evaluation():
    facts = changed(kind=ChangeKind.WITHDRAW).model_copy(
        update={"standings": {}, "policy": policy(evaluations={"required": {"some-family": ["e"]}})}
    )
    assert verdict("verification", facts) is GateResult.PASS
    assert verdict("evaluations", facts) is GateResult.PASS
