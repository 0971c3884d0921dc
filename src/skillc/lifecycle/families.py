"""Task families: which groups the Traces form, and putting Traces into a family.

A group is what undeclared Traces changed, by operation names only. Accepting one is a record on the ledger,
so that later Traces that change exactly the same things join it. Paper: 5.1.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Literal

from skillc.core.compile.history import FamilyRecord
from skillc.core.compile.select import Attempt
from skillc.core.policy import MAX_NAME_CHARS
from skillc.core.record import Record
from skillc.core.trace.family import OperationGroup, TraceOperations, changing_operations, group_by_operation
from skillc.core.trace.family_score import MIN_GROUPS, ReliabilityBin
from skillc.core.trace.records import FAMILY_PATTERN
from skillc.errors import UsageError
from skillc.lifecycle.attempts import family_model
from skillc.lifecycle.compile_report import SeenGroup
from skillc.lifecycle.context import Context
from skillc.lifecycle.undo import ledger_undo
from skillc.repo.ledger import append_to_ledger, ledger_file


class FamilyLine(Record):
    """One known task family and what supports it."""

    slug: str
    description: str
    traces: int
    attempt_families: int
    verified_families: int


class Calibration(Record):
    """How far the score that infers families can be believed here: measured on the stated families, held out.

    `inferred` Traces got their family by a score of at least `threshold`.
    """

    is_usable: bool
    declared_attempt_families: int
    needed_attempt_families: int
    threshold: float
    inferred: int
    reliability: tuple[ReliabilityBin, ...]


class FamiliesReport(Record):
    """The answer of `skillc families`."""

    format: Literal["skillc.families/1"] = "skillc.families/1"
    families: tuple[FamilyLine, ...]
    groups: tuple[SeenGroup, ...]
    calibration: Calibration


class FamiliesChange(Record):
    """What `families accept` and `families assign` recorded; without a commit it was a dry run, or nothing."""

    format: Literal["skillc.families-change/1"] = "skillc.families-change/1"
    records: tuple[FamilyRecord, ...]
    commit: str | None = None
    undo: str | None = None


def families_report(context: Context, attempts: Sequence[Attempt]) -> FamiliesReport:
    """Returns the known families, and the groups among Traces that belong to none."""
    by_slug: dict[str, list[Attempt]] = {}
    for attempt in attempts:
        if attempt.task_family is not None:
            by_slug.setdefault(attempt.task_family, []).append(attempt)
    known = {f.slug: f.description for f in context.ledger.families} | {
        f.slug: f.description for f in context.policy.families
    }
    lines = [
        FamilyLine(
            slug=slug,
            description=known.get(slug, ""),
            traces=len(by_slug.get(slug, [])),
            attempt_families=len({a.attempt_family for a in by_slug.get(slug, [])}),
            verified_families=_verified(by_slug.get(slug, [])),
        )
        for slug in sorted({*by_slug, *known})
    ]
    return FamiliesReport(
        families=tuple(lines),
        groups=tuple(seen_groups(attempts)),
        calibration=_calibration(context, attempts),
    )


def _calibration(context: Context, attempts: Sequence[Attempt]) -> Calibration:
    model = family_model(context, attempts)
    return Calibration(
        is_usable=model.is_usable,
        declared_attempt_families=model.declared_groups,
        needed_attempt_families=MIN_GROUPS,
        threshold=context.policy.thresholds.family_score,
        inferred=sum(a.is_inferred for a in attempts),
        reliability=model.reliability(),
    )


def seen_groups(attempts: Sequence[Attempt]) -> list[SeenGroup]:
    """Returns the groups among the Traces without a family, most attempt families first."""
    by_id = {a.trace.trace_id: a for a in attempts if a.task_family is None}
    return [
        SeenGroup(
            slug=group.slug,
            operations=group.operations,
            traces=len(group.trace_ids),
            attempt_families=len(group.attempt_families),
            verified_families=_verified([by_id[t] for t in group.trace_ids]),
        )
        for group in _groups(list(by_id.values()))
    ]


def accept_groups(
    context: Context,
    attempts: Sequence[Attempt],
    slugs: Sequence[str],
    *,
    minimum: int,
    name: str | None = None,
    dry_run: bool = False,
) -> FamiliesChange:
    """Accepts the named groups, or with no name every group of at least `minimum` attempt families.

    `name` gives a single accepted group another slug.
    """
    groups = {g.slug: g for g in _groups([a for a in attempts if a.task_family is None])}
    unknown = sorted(set(slugs) - set(groups))
    if unknown:
        raise UsageError(
            f"there is no group {unknown[0]!r} among the Traces without a family", hint="run: skillc families"
        )
    chosen = [groups[s] for s in slugs] or [
        g for g in groups.values() if g.operations and len(g.attempt_families) >= minimum
    ]
    if name is not None and len(chosen) != 1:
        raise UsageError(
            "--name gives one group another name",
            hint="name one group: skillc families accept GROUP --name SLUG",
        )
    slugs_of = {g.slug: require_slug(name) if name else g.slug for g in chosen}
    records = [
        FamilyRecord(
            namespace=context.policy.namespace,
            slug=slugs_of[g.slug],
            description="",
            operations=g.operations,
            trace_ids=g.trace_ids,
            at=context.now,
            previous=context.ledger.heads("families"),
        )
        for g in chosen
    ]
    return _append(context, records, dry_run=dry_run)


def read_assignment(trace_ids: Iterable[str], words: Sequence[str]) -> tuple[tuple[str, ...], str]:
    """Returns which words name Traces and which one the family: the last, or the first where only that fits.

    A word fits as a Trace when an id begins with it. Raises UsageError when both readings fit alike.
    """
    ids = tuple(trace_ids)
    names_trace = [any(trace_id.startswith(word) for trace_id in ids) for word in words]
    is_last, is_first = all(names_trace[:-1]), all(names_trace[1:])
    if is_last and is_first and (words[0] in ids) == (words[-1] in ids):
        raise UsageError(
            f"{words[0]!r} and {words[-1]!r} both begin an id of a Trace, so it is not clear which one is the family",
            hint="the Traces come first, by their whole ids: skillc families assign TRACE FAMILY",
        )
    if is_first and not (is_last and words[0] in ids):
        return tuple(words[1:]), words[0]
    return tuple(words[:-1]), words[-1]


def assign_traces(context: Context, attempts: Sequence[Attempt], slug: str, *, dry_run: bool = False) -> FamiliesChange:
    """Puts the given Traces into a family, whatever they declared."""
    record = FamilyRecord(
        namespace=context.policy.namespace,
        slug=require_slug(slug),
        trace_ids=tuple(sorted(a.trace.trace_id for a in attempts)),
        at=context.now,
        previous=context.ledger.heads("families"),
    )
    return _append(context, [record], dry_run=dry_run)


def require_slug(slug: str) -> str:
    """Returns the slug, or raises UsageError when it cannot name a family."""
    if not re.fullmatch(FAMILY_PATTERN, slug) or len(slug) > MAX_NAME_CHARS:
        raise UsageError(
            f"{slug!r} cannot name a task family",
            hint="use lower-case letters, digits and single hyphens, at most 64",
        )
    return slug


def _append(context: Context, records: Sequence[FamilyRecord], *, dry_run: bool) -> FamiliesChange:
    if not records or dry_run:
        return FamiliesChange(records=tuple(records))
    files = [ledger_file("families", record) for record in records]
    commit = append_to_ledger(context.repository, files, message=f"families: {len(records)}\n", at=context.now)
    context.forget_ledger()
    return FamiliesChange(records=tuple(records), commit=commit, undo=ledger_undo(commit))


def _groups(attempts: Sequence[Attempt]) -> tuple[OperationGroup, ...]:
    return group_by_operation(
        TraceOperations(
            trace_id=a.trace.trace_id,
            attempt_family=a.attempt_family,
            operations=changing_operations(a.trace),
        )
        for a in attempts
    )


def _verified(attempts: Sequence[Attempt]) -> int:
    return len({a.attempt_family for a in attempts if a.standing.is_verified_success})
