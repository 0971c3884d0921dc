"""Suggestions of a model for Traces that belong to no task family. Nothing is assigned: a person accepts each.

The score that assigns by itself is calibrated (core.trace.family_score); a model's confidence is its own word. The
model sees objective, summary and names of tools and operations, no event and no value. Paper: 5.1; ADR 0012.
"""

from collections.abc import Sequence
from typing import Literal

from skillc.core.compile.calls import CallFailure, ModelCall
from skillc.core.compile.roles import FamilyQuestion
from skillc.core.compile.select import Attempt
from skillc.core.record import Record
from skillc.core.trace.family_marks import marks_of
from skillc.core.trace.summary import SUMMARY_FIELDS
from skillc.engines.table import OFFLINE
from skillc.errors import CallFailedError, UsageError
from skillc.lifecycle.compile import CompileOptions
from skillc.lifecycle.context import Context
from skillc.lifecycle.engines import engine_for
from skillc.lifecycle.summaries import summary_of


class FamilySuggestion(Record):
    """What a model would choose for one Trace; None when no family fits."""

    trace_id: str
    task_family: str | None
    confidence: float


class SuggestionsReport(Record):
    """The answer of `skillc families suggest`. After a failure, the Traces that follow were not asked about.

    `would_ask` are the Traces that a dry run would ask about.
    """

    format: Literal["skillc.family-suggestions/1"] = "skillc.family-suggestions/1"
    suggestions: tuple[FamilySuggestion, ...]
    calls: tuple[ModelCall, ...] = ()
    failure: CallFailure | None = None
    would_ask: tuple[str, ...] | None = None


def suggest_families(context: Context, attempts: Sequence[Attempt], options: CompileOptions) -> SuggestionsReport:
    """Asks a model about every Trace without a family, oldest first."""
    if options.engine == OFFLINE:
        raise UsageError(
            "the offline engine suggests no families: what it can tell it infers by itself",
            hint="skillc families suggest --engine claude",
        )
    known = _known(context, attempts)
    if not known:
        raise UsageError("there is no task family to choose from", hint="skillc families accept")
    bare = sorted((a for a in attempts if a.task_family is None), key=lambda a: a.trace.trace_id)
    if options.dry_run:
        return SuggestionsReport(suggestions=(), would_ask=tuple(a.trace.trace_id for a in bare))
    from skillc.engines.model.engine import ModelEngine

    engine = engine_for(context, options.engine, max_cost=options.max_cost, tell=options.tell)
    assert isinstance(engine, ModelEngine)
    found: list[FamilySuggestion] = []
    failure = None
    for attempt in bare:
        try:
            guess = engine.score_family(_question(context, attempt, known))
        except CallFailedError as error:
            failure = CallFailure(
                role=error.role, kind=error.kind, reason=error.message, stops_run=error.stops_run, hint=error.hint
            )
            break
        found.append(
            FamilySuggestion(
                trace_id=attempt.trace.trace_id, task_family=guess.task_family, confidence=guess.confidence
            )
        )
    return SuggestionsReport(suggestions=tuple(found), calls=engine.take_calls(), failure=failure)


def _known(context: Context, attempts: Sequence[Attempt]) -> dict[str, str]:
    used = {a.task_family: "" for a in attempts if a.task_family is not None}
    accepted = {f.slug: f.description for f in context.ledger.families}
    declared = {f.slug: f.description for f in context.policy.families}
    return dict(sorted((used | accepted | declared).items()))


def _question(context: Context, attempt: Attempt, known: dict[str, str]) -> FamilyQuestion:
    summary = summary_of(context, attempt.trace)
    return FamilyQuestion(
        trace_id=attempt.trace.trace_id,
        objective=attempt.trace.header.objective,
        summary=tuple(line.text for field in SUMMARY_FIELDS for line in getattr(summary, field)),
        names=tuple(sorted(marks_of(attempt.trace).names)),
        families=tuple(known.items()),
    )
