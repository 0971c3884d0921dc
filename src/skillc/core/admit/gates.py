"""The gates before admission, as one table: each gives pass, hold or reject, a reason and a next step.

A gate that holds waits for a person; one that rejects stops the group. Paper: 5.4, Admission gates.
Not here: the approval itself (lifecycle.admit).
"""

from collections.abc import Callable
from enum import StrEnum

from skillc.core.compile.group import ResultGroup
from skillc.core.policy import ApprovalMode, KeyClass, Policy
from skillc.core.record import Record
from skillc.core.scan.finding import Finding, Severity
from skillc.core.trace.verification import Assurance, Standing

MAX_NAMED = 10


class GateResult(StrEnum):
    """What a gate says."""

    PASS = "pass"  # noqa: S105 - a verdict, no password
    HOLD = "hold"
    REJECT = "reject"


class GateVerdict(Record):
    """The answer of one gate. `next` says what to do when it does not pass."""

    gate: str
    result: GateResult
    reason: str
    next: str = ""


class GateInput(Record):
    """What the gates look at. `standings` are those of every cited Trace, `trees` the current folder ids.

    `open_conflicts` are ids of conflicts of the changed Skills; `contradicted` names lines as `<skill> <field> <id>`.
    """

    group: ResultGroup
    policy: Policy
    standings: dict[str, Standing]
    findings: tuple[Finding, ...]
    trees: dict[str, str]
    failed_evaluations: tuple[str, ...] = ()
    passed_evaluations: tuple[str, ...] = ()
    open_conflicts: tuple[str, ...] = ()
    contradicted: tuple[str, ...] = ()
    is_draft: bool = False


_CLASS = {
    KeyClass.LOCAL: Assurance.LOCAL,
    KeyClass.ATTENDED: Assurance.ATTENDED,
    KeyClass.ISOLATED: Assurance.ISOLATED,
}


def _verification(given: GateInput) -> GateVerdict:
    if not any(c.has_folder for c in given.group.changes):
        return _pass("verification", "nothing is added, so nothing needs evidence")
    weak = sorted(t for t, s in given.standings.items() if not s.strength.is_strong or s.conflicted)
    if weak:
        return _hold("verification", f"{len(weak)} cited Traces are no longer strongly verified", "skillc traces")
    least = min((s.assurance for s in given.standings.values()), default=Assurance.NONE)
    if least < _CLASS[given.policy.approval.auto.minimum_assurance]:
        return _hold(
            "verification",
            f"the weakest assurance of the evidence is {least.label}",
            "a person merges, or CI verifies the Traces",
        )
    return _pass("verification", f"all evidence is strong, assurance {least.label} or better")


def _applicability(given: GateInput) -> GateVerdict:
    single = [c.contract.name for c in given.group.changes if c.has_folder and c.contract.is_single_source]
    if single:
        return _pass("applicability", f"single-source, the stricter rules hold: {', '.join(single)}")
    return _pass("applicability", "several attempt families support every change")


def _stale_base(given: GateInput) -> GateVerdict:
    for change in given.group.changes:
        wanted = {change.contract.name: change.base_tree} | {r.skill: r.tree for r in change.removes}
        moved = sorted(name for name, tree in wanted.items() if given.trees.get(name) != tree)
        if moved:
            return GateVerdict(
                gate="stale base",
                result=GateResult.REJECT,
                reason=f"{moved[0]} changed since the proposal was made",
                next="skillc compile",
            )
    return _pass("stale base", "every change is made against the current version")


def _conflicts(given: GateInput) -> GateVerdict:
    """Opposite rules wait for a person: a recorded conflict, or lines that some verified attempts contradict."""
    if given.open_conflicts:
        names = ", ".join(given.open_conflicts[:MAX_NAMED])
        return GateVerdict(
            gate="conflicts",
            result=GateResult.REJECT,
            reason=f"a conflict of this Skill is not resolved: {names}",
            next="skillc resolve SKILL --keep A|B --reason TEXT",
        )
    if given.contradicted:
        named = ", ".join(given.contradicted[:MAX_NAMED])
        return _hold("conflicts", f"verified attempts contradict: {named}", "look at both sides in skillc review")
    return _pass("conflicts", "no verified attempt contradicts a line")


def _merges(given: GateInput) -> GateVerdict:
    """Skills that go for another one are looked at by a person, whatever the evidence is."""
    gone = [r.skill for c in given.group.changes for r in c.removes]
    if gone:
        return _hold("merges", f"takes the place of {', '.join(gone)}", "a person merges the candidate")
    return _pass("merges", "no other Skill goes")


def _losses(given: GateInput) -> GateVerdict:
    """A cited line that a new version leaves out needs a recorded reason, or a person who looks."""
    lost = [line for c in given.group.changes for line in c.lost if not line.reason]
    if lost:
        named = ", ".join(f"{line.skill} {line.field} {line.claim_id}" for line in lost[:MAX_NAMED])
        more = f" and {len(lost) - MAX_NAMED} more" if len(lost) > MAX_NAMED else ""
        return _hold("losses", f"cited lines are lost without a reason: {named}{more}", "look at them in skillc review")
    return _pass("losses", "no cited line of a current Skill is lost without a reason")


def _evaluations(given: GateInput) -> GateVerdict:
    is_added = any(c.has_folder for c in given.group.changes)
    wanted = given.policy.evaluations.required.get(given.group.task_family, ()) if is_added else ()
    failed = [e for e in wanted if e in given.failed_evaluations]
    missing = [e for e in wanted if e not in given.passed_evaluations]
    if failed:
        return GateVerdict(gate="evaluations", result=GateResult.REJECT, reason=f"failed: {', '.join(failed)}")
    if missing:
        return _hold("evaluations", f"no passing result of {', '.join(missing)}", "run it and record the result")
    return _pass("evaluations", "none is required" if not wanted else "all required ones passed")


def _scan(given: GateInput) -> GateVerdict:
    open_findings = [f for f in given.findings if not f.suppressed]
    blocking = sorted({f.rule for f in open_findings if f.severity is Severity.BLOCK})
    warning = sorted({f.rule for f in open_findings if f.severity is Severity.WARN})
    if blocking:
        return GateVerdict(gate="scan", result=GateResult.REJECT, reason=f"blocked by {', '.join(blocking)}")
    if warning:
        return _hold("scan", f"warnings of {', '.join(warning)}", "read the findings in skillc review")
    return _pass("scan", "no finding")


def _effects(given: GateInput) -> GateVerdict:
    wanted = given.policy.approval.person_for
    written = [c for c in given.group.changes if c.has_folder]
    effects = {e.effect.value for c in written for e in c.contract.effects}
    tools = {s.action.tool for c in written for s in c.contract.steps if s.action}
    risky = sorted(effects & set(wanted.effects)) + sorted(tools & set(wanted.tools))
    if risky:
        return _hold("effects", f"a person must approve: {', '.join(risky)}", "a person merges the candidate")
    return _pass("effects", "no effect or tool that policy keeps for a person")


def _approval(given: GateInput) -> GateVerdict:
    approval = given.policy.approval
    if given.is_draft:
        return _hold("approval", "the namespace is a draft", "commit skillc.yaml to base first")
    if approval.mode is not ApprovalMode.AUTO:
        return _hold("approval", "approval is by merge", "merge the candidate branch")
    if approval.auto.families is not None and given.group.task_family not in approval.auto.families:
        return _hold("approval", "auto admission does not cover this family", "merge the candidate branch")
    return _pass("approval", "policy admits this family automatically")


GATES: tuple[Callable[[GateInput], GateVerdict], ...] = (
    _verification,
    _applicability,
    _conflicts,
    _stale_base,
    _merges,
    _losses,
    _evaluations,
    _scan,
    _effects,
    _approval,
)


def check_gates(given: GateInput) -> tuple[GateVerdict, ...]:
    """Returns one verdict per gate, in the order of GATES; never raises for a gate that does not pass."""
    return tuple(gate(given) for gate in GATES)


def is_rejected(verdicts: tuple[GateVerdict, ...]) -> bool:
    """Says whether a gate stops the group for good."""
    return any(v.result is GateResult.REJECT for v in verdicts)


def may_admit_at_once(verdicts: tuple[GateVerdict, ...]) -> bool:
    """Says whether `auto` may admit: every gate passes."""
    return all(v.result is GateResult.PASS for v in verdicts)


def _pass(gate: str, reason: str) -> GateVerdict:
    return GateVerdict(gate=gate, result=GateResult.PASS, reason=reason)


def _hold(gate: str, reason: str, following: str) -> GateVerdict:
    return GateVerdict(gate=gate, result=GateResult.HOLD, reason=reason, next=following)
