"""The summary of a Trace: what was tried and what came of it, every line with the events that show it.

A summary helps people and later stages to find their way; it is never evidence, and no claim may cite it.
Paper: 5.1 (TraceSummary). Not here: writing one (core.compile.roles.Summarizer, engines).
"""

from typing import Literal

from skillc.core.record import Record
from skillc.core.trace.codec import Trace
from skillc.core.trace.records import Event, EventKind

MAX_CLAIMS = 40
MAX_TEXT_CHARS = 400
SUMMARY_FIELDS = ("objective", "approach", "effective", "ineffective", "errors", "recoveries", "tools")
_CALLS = frozenset({EventKind.TOOL_CALL, EventKind.SKILL_USE, EventKind.TOOL_RESULT})
_SHOWS: dict[str, frozenset[EventKind]] = {
    "objective": frozenset({EventKind.USER_MESSAGE, EventKind.NOTE}),
    "errors": frozenset({EventKind.TOOL_RESULT, EventKind.ERROR}),
    "tools": frozenset({EventKind.TOOL_CALL, EventKind.SKILL_USE}),
}


class SummaryClaim(Record):
    """One line of a summary and the events that show it."""

    text: str
    events: tuple[str, ...]


class TraceSummary(Record):
    """What happened in one Trace, by one engine. Kept once per Trace digest, engine and version."""

    format: Literal["skillc.summary/1"] = "skillc.summary/1"
    trace_id: str
    trace_digest: str
    engine: str
    version: str
    objective: tuple[SummaryClaim, ...] = ()
    approach: tuple[SummaryClaim, ...] = ()
    effective: tuple[SummaryClaim, ...] = ()
    ineffective: tuple[SummaryClaim, ...] = ()
    errors: tuple[SummaryClaim, ...] = ()
    recoveries: tuple[SummaryClaim, ...] = ()
    tools: tuple[SummaryClaim, ...] = ()


def checked_summary(trace: Trace, summary: TraceSummary) -> TraceSummary:
    """Returns the summary with what its Trace does not show dropped, as if a stranger had written it.

    A claim stays when it has words, each event that it names is in the Trace and is not restricted, and one of
    them is of a kind that can show such a thing. A summary of other bytes keeps nothing.
    """
    if summary.trace_id != trace.trace_id or summary.trace_digest != trace.digest:
        empty: dict[str, tuple[SummaryClaim, ...]] = dict.fromkeys(SUMMARY_FIELDS, ())
        return summary.model_copy(update={**empty, "trace_id": trace.trace_id, "trace_digest": trace.digest})
    kept = {
        field: tuple(c for c in getattr(summary, field)[:MAX_CLAIMS] if _is_shown(trace, field, c))
        for field in SUMMARY_FIELDS
    }
    return summary.model_copy(update=kept)


def _is_shown(trace: Trace, field: str, claim: SummaryClaim) -> bool:
    if not claim.text.strip() or len(claim.text) > MAX_TEXT_CHARS or not claim.events:
        return False
    events: list[Event] = []
    for event_id in claim.events:
        event = trace.event(event_id)
        if event is None or event.restricted is not None:
            return False
        events.append(event)
    return any(event.kind in _SHOWS.get(field, _CALLS) for event in events)
