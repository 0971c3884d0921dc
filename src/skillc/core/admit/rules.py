"""Which settings of the policy speak about a result group, what each says of it, and which one decided.

Every setting that a gate reads is one row, so that a person sees the rule and not only its result. Paper: 5.4.
Not here: the gates (core.admit.gates), the settings (core.admission_policy).
"""

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

from skillc.core.admit.gates import NOT_SETTLED_BY_A_PERSON, RISKY, GateInput, GateResult, GateVerdict
from skillc.core.policy import ApprovalMode
from skillc.core.record import Record


class PolicyRule(Record):
    """One setting: its value, whether it speaks about this group, the gate that reads it, and why."""

    setting: str
    value: str
    gate: str
    applies: bool
    because: str


class PolicyDecision(Record):
    """What the policy says of a group. `decided_by` is the setting or the gate that settled it."""

    result: GateResult
    decided_by: str
    reason: str
    next: str = ""


def rules_for(given: GateInput) -> tuple[PolicyRule, ...]:
    """Returns every setting that a gate reads, in the order of the gates."""
    return tuple(_rules(given))


def decision_of(given: GateInput, verdicts: Sequence[GateVerdict]) -> PolicyDecision:
    """Returns what decided: the first gate that rejects, else the first that holds, else how it gets in.

    Where a person merges anyway, what only waits for a person is settled by that: the mode decides.
    """
    is_merged = given.policy.approval.mode is ApprovalMode.PR and not given.is_draft
    for result in (GateResult.REJECT, GateResult.HOLD):
        found = [v for v in verdicts if v.result is result]
        if result is GateResult.HOLD and is_merged:
            found.sort(key=lambda v: (v.gate not in NOT_SETTLED_BY_A_PERSON, v.gate != "approval"))
        stopped = next(iter(found), None)
        if stopped is not None:
            setting = _decided_by(stopped)
            return PolicyDecision(result=result, decided_by=setting, reason=stopped.reason, next=stopped.next)
    approval = next(v for v in verdicts if v.gate == "approval")
    return PolicyDecision(result=GateResult.PASS, decided_by=_decided_by(approval), reason=approval.reason)


def _rules(given: GateInput) -> Iterator[PolicyRule]:
    approval, group = given.policy.approval, given.group
    effects = sorted({e.effect.value for c in given.written for e in c.contract.effects})
    told = ", ".join(effects) or "no effect"
    is_auto = approval.mode.value == "auto"
    wanted = given.policy.evaluations.required_for(group.task_family)
    limits = given.policy.limits

    def rule(setting: str, value: object, gate: str, applies: bool, because: str) -> PolicyRule:
        return PolicyRule(setting=setting, value=_shown(value), gate=gate, applies=applies, because=because)

    minimum = approval.auto.minimum_assurance
    weakest = f"the weakest assurance of its evidence is {given.least.label}"
    yield rule("approval.auto.minimum_assurance", minimum.value, "verification", is_auto, weakest)
    because = f"required of the family {group.task_family}" if wanted else f"nothing for {group.task_family}"
    yield rule("evaluations.required", wanted, "evaluations", bool(wanted), because)
    yield rule("scan.ignore", len(given.policy.scan.ignore), "scan", _is_let(given), "findings that it lets stand")
    sizes = f"{limits.body_lines} lines, {limits.body_tokens} tokens, {limits.versions} versions"
    yield rule("limits", sizes, "limits", True, "every version is measured")
    kept = sorted(set(effects) & set(approval.person_for.effects))
    yield rule("approval.person_for.effects", approval.person_for.effects, "effects", bool(kept), f"it has {told}")
    tools = sorted({s.action.tool for c in given.written for s in c.contract.steps if s.action})
    named = ", ".join(tools) or "no tool"
    hit = any(fnmatchcase(t, glob) for t in tools for glob in approval.person_for.tools)
    yield rule("approval.person_for.tools", approval.person_for.tools, "effects", hit, f"its steps call {named}")
    risky = sorted(set(effects) & {e.value for e in RISKY})
    because = f"{', '.join(risky)}: {weakest}" if risky else f"it has {told}, which can be taken back"
    yield rule("approval.risky_assurance", approval.risky_assurance.value, "effects", bool(risky), because)
    yield rule("approval.mode", approval.mode.value, "approval", True, "how a candidate gets in")
    families = approval.auto.families
    covered = families is None or group.task_family in families
    because = f"the family {group.task_family} is {'covered' if covered else 'not named'}"
    yield rule("approval.auto.families", "all" if families is None else families, "approval", is_auto, because)


def _is_let(given: GateInput) -> bool:
    return any(f.suppressed for f in given.findings)


def _decided_by(verdict: GateVerdict) -> str:
    """Returns the setting that a verdict rests on; the gate itself where no setting can change it."""
    return verdict.setting or f"gate {verdict.gate}"


def _shown(value: object) -> str:
    return ", ".join(map(str, value)) or "none" if isinstance(value, tuple) else str(value)
