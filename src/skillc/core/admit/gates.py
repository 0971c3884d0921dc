"""The gates before admission, as one table: each gives pass, hold or reject, a reason and a next step.

A gate that holds waits for a person; one that rejects stops the group. Paper: 5.4, Admission gates.
Not here: the approval itself (lifecycle.admit).
"""

from collections.abc import Callable, Iterable
from enum import StrEnum
from fnmatch import fnmatchcase

from skillc.core.admission_policy import PersonFor
from skillc.core.compile.group import Change, ResultGroup
from skillc.core.policy import CHARS_PER_TOKEN, ApprovalMode, KeyClass, Policy
from skillc.core.record import Moment, Record
from skillc.core.scan.finding import Finding, Severity
from skillc.core.skill.contract import Contract
from skillc.core.skill.render import render_agent_view
from skillc.core.trace.operation import Effect
from skillc.core.trace.verification import Assurance, Standing

MAX_NAMED = 10
_REQUIRED = "evaluations.required"
RISKY = (Effect.MESSAGE, Effect.MONEY, Effect.DELETE)  # what nobody can take back


class GateResult(StrEnum):
    """What a gate says."""

    PASS = "pass"  # noqa: S105 - a verdict, no password
    HOLD = "hold"
    REJECT = "reject"


class GateVerdict(Record):
    """The answer of one gate. `next` says what to do when it does not pass, `setting` what of policy it rests on."""

    gate: str
    result: GateResult
    reason: str
    next: str = ""
    setting: str | None = None


class GateInput(Record):
    """What the gates look at. `standings` are those of every cited Trace, `trees` the current folder ids.

    `outside` are lines of applicability that no cited Trace shows, `open_conflicts` ids of conflicts of the changed
    Skills; `contradicted` names lines as `<skill> <field> <id>`, `by_people` those of people that base does not have.
    `unsigned` are Skills whose version was made by a run that no registered key signed, `unmade` those whose version no
    recorded run made at all; `refused` says who rejected this very run, and why. `approved_by` signed exactly this
    group, `at` is today.
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
    outside: tuple[str, ...] = ()
    by_people: tuple[str, ...] = ()
    unsigned: tuple[str, ...] = ()
    unmade: tuple[str, ...] = ()
    refused: str | None = None
    approved_by: str | None = None
    at: Moment | None = None
    is_draft: bool = False

    @property
    def written(self) -> tuple[Change, ...]:
        """The changes that leave a folder behind."""
        return tuple(c for c in self.group.changes if c.has_folder)

    @property
    def least(self) -> Assurance:
        """The weakest assurance of the evidence."""
        return min((s.assurance for s in self.standings.values()), default=Assurance.NONE)


_CLASS = {
    KeyClass.LOCAL: Assurance.LOCAL,
    KeyClass.ATTENDED: Assurance.ATTENDED,
    KeyClass.ISOLATED: Assurance.ISOLATED,
}


def _verification(given: GateInput) -> GateVerdict:
    if not given.written:
        return _pass("verification", "nothing is added, so nothing needs evidence")
    ended = sorted(
        c.contract.name
        for c in given.written
        if given.at is not None and (until := c.contract.validity.valid_until) is not None and until <= given.at
    )
    if ended:
        return _reject("verification", f"no longer valid: {_named(ended)}", "skillc compile, from newer attempts")
    weak = sorted(t for t, s in given.standings.items() if not s.strength.is_strong or s.conflicted)
    if weak:
        return _hold("verification", f"{len(weak)} cited Traces are no longer strongly verified", "skillc traces")
    if given.least < _CLASS[given.policy.approval.auto.minimum_assurance]:
        return _hold(
            "verification",
            f"the weakest assurance of the evidence is {given.least.label}",
            "a person merges, or CI verifies the Traces",
            "approval.auto.minimum_assurance",
        )
    return _pass("verification", f"all evidence is strong, assurance {given.least.label} or better")


def _applicability(given: GateInput) -> GateVerdict:
    """What a Skill says it is for stays within what its evidence shows."""
    if given.outside:
        return _reject("applicability", f"no cited Trace shows: {_named(given.outside)}", "skillc compile")
    single = [c.contract.name for c in given.written if c.contract.is_single_source]
    if single:
        return _pass("applicability", f"single-source, the stricter rules hold: {', '.join(single)}")
    return _pass("applicability", "several attempt families support every change")


def _stale_base(given: GateInput) -> GateVerdict:
    """A Skill that changed since the proposal was made is never silently replaced."""
    for change in given.group.changes:
        wanted = {change.contract.name: change.base_tree} | {r.skill: r.tree for r in change.removes}
        moved = sorted(name for name, tree in wanted.items() if given.trees.get(name) != tree)
        if moved:
            return _reject("stale base", f"{moved[0]} changed since the proposal was made", "skillc compile")
    return _pass("stale base", "every change is made against the current version")


def _conflicts(given: GateInput) -> GateVerdict:
    """Opposite rules wait for a person: a recorded conflict, or lines that some verified attempts contradict."""
    if given.open_conflicts:
        following = "skillc resolve SKILL --keep A|B --reason TEXT"
        return _reject(
            "conflicts", f"a conflict of this Skill is not resolved: {_named(given.open_conflicts)}", following
        )
    if given.contradicted:
        reason = f"verified attempts contradict: {_named(given.contradicted)}"
        return _hold("conflicts", reason, "look at both sides in skillc review")
    return _pass("conflicts", "no verified attempt contradicts a line")


def _merges(given: GateInput) -> GateVerdict:
    """Skills that go for another one are looked at by a person, whatever the evidence is."""
    gone = [r.skill for c in given.group.changes for r in c.removes]
    if gone:
        return _hold("merges", f"takes the place of {_named(gone)}", "a person merges the candidate")
    return _pass("merges", "no other Skill goes")


def _losses(given: GateInput) -> GateVerdict:
    """A line that a new version leaves out needs a recorded reason, or a person who looks; a person's never has one."""
    lost = [f"{x.skill} {x.field} {x.claim_id}" for c in given.group.changes for x in c.lost if not x.reason]
    if lost:
        return _hold("losses", f"lines are lost without a reason: {_named(lost)}", "look at them in skillc review")
    return _pass("losses", "no line of a current Skill is lost without a reason")


def _evaluations(given: GateInput) -> GateVerdict:
    wanted = given.policy.evaluations.required_for(given.group.task_family) if given.written else ()
    failed = [e for e in wanted if e in given.failed_evaluations]
    missing = [e for e in wanted if e not in given.passed_evaluations]
    if failed:
        return _reject(
            "evaluations", f"failed: {_named(failed)}", "skillc evaluation list, then new evidence", _REQUIRED
        )
    if missing:
        return _hold("evaluations", f"no passing result of {_named(missing)}", "skillc evaluation request", _REQUIRED)
    return _pass("evaluations", "none is required" if not wanted else f"passed: {_named(wanted)}")


def _scan(given: GateInput) -> GateVerdict:
    open_findings = [f for f in given.findings if not f.suppressed]
    blocking = sorted({f.rule for f in open_findings if f.severity is Severity.BLOCK})
    warning = sorted({f.rule for f in open_findings if f.severity is Severity.WARN})
    if blocking:
        return _reject("scan", f"blocked by {_named(blocking)}", "skillc compile, or skillc reject")
    if warning:
        return _hold("scan", f"warnings of {_named(warning)}", "read the findings in skillc review")
    return _pass("scan", "no finding")


def _limits(given: GateInput) -> GateVerdict:
    """Size, of the policy and of the hosts: what is longer, a host cuts or does not load."""
    limits = given.policy.limits
    if len(given.group.changes) > limits.versions:
        reason = f"{len(given.group.changes)} versions in one group, and limits.versions is {limits.versions}"
        return _reject("limits", reason, "skillc compile --family, one family after the other", "limits")
    over = []
    for contract in (c.contract for c in given.written):
        body = render_agent_view(contract)
        sizes = (
            ("body_lines", body.count("\n"), limits.body_lines),
            ("body_tokens", len(body) // CHARS_PER_TOKEN, limits.body_tokens),
            ("description_chars", len(contract.description.text), limits.description_chars),
        )
        over += [f"{contract.name} {name} {size} of {most}" for name, size, most in sizes if size > most]
    if over:
        return _reject(
            "limits", f"too large: {_named(over)}", "split the family, or raise limits in skillc.yaml", "limits"
        )
    return _pass("limits", "every host reads it whole")


def _effects(given: GateInput) -> GateVerdict:
    wanted = given.policy.approval.person_for
    effects = {e.effect.value for c in given.written for e in c.contract.effects}
    kept = kept_for_a_person([c.contract for c in given.written], wanted)
    if kept:
        setting = f"approval.person_for.{'effects' if effects & set(wanted.effects) else 'tools'}"
        return _hold("effects", f"a person must approve: {_named(kept)}", "a person merges, or skillc approve", setting)
    risky = sorted(effects & {e.value for e in RISKY})
    needed = _CLASS[given.policy.approval.risky_assurance]
    if risky and given.least < needed:
        reason = f"{_named(risky)} needs evidence of {needed.label} assurance, and the weakest is {given.least.label}"
        following = "a person merges, or CI verifies the Traces"
        return _hold("effects", reason, following, "approval.risky_assurance")
    return _pass("effects", "no effect or tool that policy keeps for a person")


def _signed_run(given: GateInput) -> GateVerdict:
    if not given.written:
        return _pass("signed run", "nothing is added, so nobody needs to stand for it")
    if given.unmade:
        why = f"no recorded run made these bytes of {_named(given.unmade)}: they were changed after the run"
        return _reject("signed run", why, "take the branch away and compile again; an edit comes in by skillc amend")
    if given.unsigned and given.approved_by is None:
        why = f"no key that policy registers signed the run that made {_named(given.unsigned)}"
        following = "where it was compiled: skillc verifier add, and merge that; or an approver signs: skillc approve"
        return _hold("signed run", why, following, "verifiers")
    who = f"{given.approved_by} signed for exactly this group" if given.unsigned else "a registered key signed it"
    return _pass("signed run", who, "verifiers")


def _decisions(given: GateInput) -> GateVerdict:
    if given.refused is None:
        return _pass("decisions", "nobody rejected it")
    if given.approved_by is not None:
        return _pass("decisions", f"{given.refused}; {given.approved_by} signed for exactly this group all the same")
    return _hold("decisions", given.refused, "new evidence makes another; or an approver signs: skillc approve")


def _approval(given: GateInput) -> GateVerdict:
    approval = given.policy.approval
    if given.is_draft:
        following = "commit skillc.yaml to base first"
        return _hold("approval", "the namespace is a draft", following, "skillc.yaml is not on base")
    if given.approved_by is not None:
        return _pass("approval", f"{given.approved_by} signed for exactly this group", "approval record")
    if approval.mode is not ApprovalMode.AUTO:
        return _hold("approval", "approval is by merge", "merge the candidate branch", "approval.mode")
    families = "approval.auto.families"
    if approval.auto.families is not None and given.group.task_family not in approval.auto.families:
        return _hold("approval", "auto admission does not cover this family", "merge the candidate branch", families)
    if given.by_people:
        why = f"what a person wrote waits for a person: {_named(given.by_people)}"
        return _hold("approval", why, "look at it, then: skillc approve, or merge the candidate branch")
    return _pass("approval", "policy admits this family automatically", families)


GATES: tuple[Callable[[GateInput], GateVerdict], ...] = (
    _verification,
    _applicability,
    _conflicts,
    _stale_base,
    _merges,
    _losses,
    _evaluations,
    _scan,
    _limits,
    _effects,
    _signed_run,
    _decisions,
    _approval,
)


# What a person's signature cannot stand for: an evaluation that somebody else must run.
NOT_SETTLED_BY_A_PERSON = ("evaluations",)


def kept_for_a_person(contracts: Iterable[Contract], wanted: PersonFor) -> list[str]:
    """Returns the effects, then the tools, that policy lets nobody but a person approve."""
    found = tuple(contracts)
    effects = {e.effect.value for c in found for e in c.effects}
    tools = {s.action.tool for c in found for s in c.steps if s.action}
    kept = sorted(t for t in tools if any(fnmatchcase(t, glob) for glob in wanted.tools))
    return [*sorted(effects & set(wanted.effects)), *kept]


def check_gates(given: GateInput) -> tuple[GateVerdict, ...]:
    """Returns one verdict per gate, in the order of GATES; never raises for a gate that does not pass."""
    return tuple(gate(given) for gate in GATES)


def is_rejected(verdicts: Iterable[GateVerdict]) -> bool:
    """Says whether a gate stops the group for good."""
    return any(v.result is GateResult.REJECT for v in verdicts)


def may_admit_at_once(verdicts: Iterable[GateVerdict]) -> bool:
    """Says whether `auto` may admit: every gate passes."""
    return all(v.result is GateResult.PASS for v in verdicts)


def may_admit_approved(given: GateInput, verdicts: Iterable[GateVerdict]) -> bool:
    """Says whether a group that a person signed for may be admitted: what holds is for a person to decide."""
    open_ones = [v for v in verdicts if v.result is not GateResult.PASS]
    is_settled = all(v.result is GateResult.HOLD and v.gate not in NOT_SETTLED_BY_A_PERSON for v in open_ones)
    return is_settled and given.approved_by is not None and not given.is_draft


def _pass(gate: str, reason: str, setting: str | None = None) -> GateVerdict:
    return GateVerdict(gate=gate, result=GateResult.PASS, reason=reason, setting=setting)


def _hold(gate: str, reason: str, following: str, setting: str | None = None) -> GateVerdict:
    return GateVerdict(gate=gate, result=GateResult.HOLD, reason=reason, next=following, setting=setting)


def _reject(gate: str, reason: str, following: str, setting: str | None = None) -> GateVerdict:
    return GateVerdict(gate=gate, result=GateResult.REJECT, reason=reason, next=following, setting=setting)


def _named(names: Iterable[str]) -> str:
    """Returns the first names in one line, and how many more there are."""
    found = list(names)
    more = f" and {len(found) - MAX_NAMED} more" if len(found) > MAX_NAMED else ""
    return ", ".join(found[:MAX_NAMED]) + more
