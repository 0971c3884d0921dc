"""`policy explain`: which rule decides about a Skill, and on which commit of base that rule stands.

For a candidate that waits; for a Skill on base, what its version would meet today, and on whose word it is there.
Paper: 5.4. Not here: the rules (core.admit.rules), the gates (core.admit.gates).
"""

from collections.abc import Sequence
from typing import Literal

from skillc.core.admit.gates import NOT_SETTLED_BY_A_PERSON, GateInput, GateResult, GateVerdict, check_gates
from skillc.core.admit.rules import PolicyDecision, PolicyRule, decision_of, rules_for
from skillc.core.compile.group import ResultGroup
from skillc.core.record import Record
from skillc.core.skill.contract import ChangeKind
from skillc.lifecycle.admission import change_of, gate_input_of, input_of_group
from skillc.lifecycle.admissions import Admission, Admissions
from skillc.lifecycle.candidates import pending_candidates
from skillc.lifecycle.context import Context
from skillc.lifecycle.run_inputs import evidence_today
from skillc.lifecycle.skills import StoredSkill, require_skill, skill_trees
from skillc.repo.objects import open_reader


class PolicyReport(Record):
    """The answer of `skillc policy explain`. `policy_commit` is None while the namespace is a draft."""

    format: Literal["skillc.policy/1"] = "skillc.policy/1"
    skill: str
    task_family: str
    state: Literal["candidate", "admitted"]
    policy_commit: str | None
    decision: PolicyDecision
    rules: tuple[PolicyRule, ...]
    gates: tuple[GateVerdict, ...]
    admission: Admission | None = None


def explain_policy(context: Context, name: str) -> PolicyReport:
    """Says what the policy of base decides about a candidate or a Skill, by name, id, family or run."""
    candidate = next((c for c in pending_candidates(context).values() if c.is_named(name)), None)
    commit = None if context.is_draft else context.base.policy_commit
    if candidate is not None:
        given = gate_input_of(context, candidate)
        gates = check_gates(given)
        return PolicyReport(
            skill=candidate.versions[0].skill,
            task_family=candidate.task_family,
            state="candidate",
            policy_commit=commit,
            decision=decision_of(given, gates),
            rules=rules_for(given),
            gates=gates,
        )
    skill = require_skill(context, name)
    assert skill.contract is not None
    group = _as_group(skill)
    family = skill.contract.task_family
    given = input_of_group(context, group, evidence_today(context, family), skill_trees(context, context.base.commit))
    gates = check_gates(given)
    with open_reader(context.repository) as reader:
        admission = Admissions(context, reader).of_current().get(skill.name)
    return PolicyReport(
        skill=skill.name,
        task_family=family,
        state="admitted",
        policy_commit=commit,
        decision=_decided(given, gates, admission),
        rules=rules_for(given),
        gates=gates,
        admission=admission,
    )


def _decided(given: GateInput, gates: Sequence[GateVerdict], admission: Admission | None) -> PolicyDecision:
    """What only waits for a person was settled when the version came to base, where something stands for that."""
    decision = decision_of(given, gates)
    is_proven = admission is not None and admission.proof != "unproven"
    still_held = any(g.result is GateResult.HOLD and g.gate in NOT_SETTLED_BY_A_PERSON for g in gates)
    if admission is None or not is_proven or still_held or decision.result is not GateResult.HOLD:
        return decision
    return PolicyDecision(result=GateResult.PASS, decided_by="admission", reason=f"on base: {admission.reason}")


def _as_group(skill: StoredSkill) -> ResultGroup:
    """Returns the version on base as if it were proposed again."""
    assert skill.contract is not None
    change = change_of(ChangeKind.PATCH, skill.contract, skill.tree).model_copy(update={"removes": (), "lost": ()})
    origin = skill.contract.origin
    return ResultGroup(run=origin.run, task_family=skill.contract.task_family, manifest=origin.group, changes=(change,))
