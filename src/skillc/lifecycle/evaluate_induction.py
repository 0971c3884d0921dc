"""`skillc evaluate induction`: how well the offline engine does on attempts that it did not see, by task family.

Reads the same sources as a compilation, those of earlier runs too, and writes nothing. The engine loses when a
baseline is better over all families together; with a few groups chance decides, so such families are shown and
do not count, unless they are all there is. Paper: 5.3, 6; ADR 0014.
Not here: the cases (engines.offline.held_out), the figures (core.compare).
"""

from collections.abc import Sequence
from typing import Literal

from skillc.core.compare import Case, Measure, measured
from skillc.core.compile.checks import check_contract
from skillc.core.compile.evidence import Evidence
from skillc.core.compile.grouping import grouping_fields, groups_of
from skillc.core.compile.select import Attempt, select_evidence
from skillc.core.policy import Thresholds
from skillc.core.record import Record
from skillc.errors import UsageError
from skillc.lifecycle.attempts import load_attempts
from skillc.lifecycle.context import Context
from skillc.lifecycle.run_inputs import sources_alone

MIN_JUDGED_GROUPS = 4  # with fewer groups chance decides; ADR 0014


class NotMeasured(Record):
    """A measure without a case, and why."""

    name: str
    reason: str


class FamilyInduction(Record):
    """The measures of one task family. `problems` are broken promises of the contract of all its evidence."""

    task_family: str
    attempts: int
    groups: int
    ungrouped: int
    measures: tuple[Measure, ...]
    not_measured: tuple[NotMeasured, ...] = ()
    problems: tuple[str, ...] = ()
    note: str = ""


class InductionReport(Record):
    """The answer of `skillc evaluate induction`. `total` joins the cases of the families that count."""

    format: Literal["skillc.induction/1"] = "skillc.induction/1"
    group_by: str
    families: tuple[FamilyInduction, ...]
    total: tuple[Measure, ...]
    loses: tuple[str, ...]
    ok: bool


_WHY_NOT = {
    "source_at_1": "no argument of a held-out success is shown by anything before it",
    "source_at_2": "no argument of a held-out success is shown by anything before it",
    "next_action": "no group could be left out",
    "exact_value": "no held-out success calls a tool with named arguments",
    "precondition_precision": "no precondition is told, or no held-out success reads its field",
    "condition_holds": "no condition is told, or no held-out success comes to it",
    "recovery_hit": "no held-out success got over an error",
}


def evaluate_induction(context: Context, *, families: Sequence[str], group_by: str | None) -> InductionReport:
    """Returns the measures by task family. Raises UsageError without a usable grouping field."""
    by_family: dict[str, list[Attempt]] = {}
    for attempt in load_attempts(context):
        if attempt.task_family is not None:
            by_family.setdefault(attempt.task_family, []).append(attempt)
    unknown = sorted(set(families) - set(by_family))
    if unknown or not by_family:
        known = ", ".join(sorted(by_family)) or "none yet"
        what = f"no Trace belongs to the family {unknown[0]!r}" if unknown else "no Trace has a task family"
        raise UsageError(what, hint=f"families: {known}; see: skillc families")
    evidences = [_evidence(context, name, by_family[name]) for name in sorted(families or by_family)]
    if group_by is None:
        raise UsageError(
            "held-out figures need a grouping field: who asked, or which repository it was",
            hint=_fields_hint(evidences),
        )
    if not any(groups_of(e.sources, group_by) for e in evidences):
        raise UsageError(f"no Trace has the field {group_by!r}", hint=_fields_hint(evidences))
    found = [_family(evidence, group_by, context.policy.thresholds) for evidence in evidences]
    judged = [(r, cases) for r, cases in found if r.groups >= MIN_JUDGED_GROUPS]
    total = _total(judged or found)
    reports = [report for report, _ in found]
    problems = [f"{r.task_family}: {problem}" for r in reports for problem in r.problems]
    loses = (*(f"{m.name} is below {_best(m)}" for m in total if m.loses and _is_judged(m, judged)), *problems)
    return InductionReport(
        group_by=group_by, families=tuple(reports), total=total, loses=loses, ok=not loses and bool(total)
    )


def _evidence(context: Context, task_family: str, attempts: Sequence[Attempt]) -> Evidence:
    selection = select_evidence(attempts, cited=frozenset(), consumed=frozenset())
    return sources_alone(context, task_family, selection)


def _family(evidence: Evidence, group_by: str, thresholds: Thresholds) -> tuple[FamilyInduction, dict[str, list[Case]]]:
    from skillc.engines.offline.held_out import held_out_cases

    groups = groups_of(evidence.sources, group_by)
    supporting = {groups[s.trace_id] for s in evidence.supports if s.trace_id in groups}
    few = len(supporting) < 2
    cases = {} if few else held_out_cases(evidence, groups, thresholds)
    measures = tuple(m for name, own in cases.items() if (m := measured(name, own)) is not None)
    known = {m.name for m in measures}
    report = FamilyInduction(
        task_family=evidence.task_family,
        attempts=len(evidence.supports),
        groups=len(supporting),
        ungrouped=sum(s.trace_id not in groups for s in evidence.sources),
        measures=measures,
        not_measured=tuple(NotMeasured(name=n, reason=_WHY_NOT[n]) for n in cases if n not in known),
        problems=_problems(evidence, thresholds),
        note="fewer than two groups have a verified success: nothing can be left out" if few else "",
    )
    return report, cases


def _problems(evidence: Evidence, thresholds: Thresholds) -> tuple[str, ...]:
    """Returns what the contract of all evidence breaks: a citation that resolves to nothing, an instance value."""
    from skillc.engines.offline.curate import claim_verdicts
    from skillc.engines.offline.reflect import propose

    found: list[str] = []
    for proposal in propose(evidence, run="evaluation", thresholds=thresholds):
        if proposal.contract is not None:
            found += [f"{f.code}: {f.message}" for f in check_contract(proposal.contract, evidence)]
            verdicts = claim_verdicts(evidence, proposal.contract)
            found += [f"unsupported: {v.field} {v.claim_id}: {v.reason}" for v in verdicts if not v.supported]
    return tuple(found)


def _total(found: Sequence[tuple[FamilyInduction, dict[str, list[Case]]]]) -> tuple[Measure, ...]:
    """Returns the measures over the cases of several families; a group belongs to its family."""
    joined: dict[str, list[Case]] = {}
    for report, cases in found:
        for name, own in cases.items():
            named = (case._replace(group=f"{report.task_family} {case.group}") for case in own)
            joined.setdefault(name, []).extend(named)
    return tuple(m for name, cases in joined.items() if (m := measured(name, cases)) is not None)


def _is_judged(measure: Measure, judged: Sequence[object]) -> bool:
    """A measure that few groups have a case of says nothing, unless no family has more groups than that."""
    return measure.groups >= MIN_JUDGED_GROUPS or not judged


def _best(measure: Measure) -> str:
    return max(measure.baselines, key=lambda b: (measure.baselines[b], b))


def _fields_hint(evidences: Sequence[Evidence]) -> str:
    fields = grouping_fields([s for e in evidences for s in e.sources])
    named = ", ".join(f"{name} ({count} groups)" for name, count in fields) or "none found"
    return f"--group-by FIELD; fields here: {named}"
