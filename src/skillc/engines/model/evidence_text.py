"""The evidence as a model sees it: events under aliases, as many as fit, the telling ones first.

What a draft, a current Skill or a summary cites is always kept before the rest, then errors, decisions and what
people said. Whatever is left out is counted for each Trace and recorded. Restricted events are never shown.
Paper: 5.3, Evidence selection. Not here: which Traces are sources (core.compile.select).
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from skillc.core.compile.aliases import Aliases, shown_events
from skillc.core.compile.calls import DroppedInput
from skillc.core.compile.evidence import Evidence, Source, SourceRole
from skillc.core.policy import MAX_CITED_EVENT_CHARS, MAX_EVENT_CHARS
from skillc.core.skill.claim import Citation
from skillc.core.skill.contract import Contract, all_citations, iter_claims
from skillc.core.trace.records import Event, EventKind
from skillc.engines.model.quoting import cut, line_of

_TELLING = (EventKind.USER_MESSAGE, EventKind.ERROR, EventKind.DECISION, EventKind.CHECKPOINT)
_ROW_CHARS = 120  # what a row costs beside its texts


class ShownEvidence(NamedTuple):
    """The rows of one request, the aliases that they use, and what did not fit."""

    rows: tuple[Any, ...]
    aliases: Aliases
    dropped: tuple[DroppedInput, ...]


def cited_pairs(contracts: Iterable[Contract]) -> set[tuple[str, str]]:
    """Returns the (Trace, event) pairs that contracts cite."""
    return {
        pair for contract in contracts for _, claim in iter_claims(contract) for pair in pairs_of(all_citations(claim))
    }


def pairs_of(citations: Iterable[Citation]) -> Iterable[tuple[str, str]]:
    """Yields the (Trace, event) pairs of citations."""
    for citation in citations:
        for event in citation.events:
            yield citation.trace_id, event


def show_evidence(
    evidence: Evidence,
    *,
    cited: set[tuple[str, str]],
    limit: int,
    only_cited: bool = False,
    has_verdicts: bool = True,
) -> ShownEvidence:
    """Returns the events of all sources that fit into `limit` characters.

    Args:
        only_cited: shows the cited events and the other halves of cited calls, and nothing else.
        has_verdicts: says how each Trace was verified; a Summarizer is not told.
    """
    readable = shown_events(evidence)
    if only_cited:
        readable = _cited_alone(evidence, readable, cited)
    costs: list[tuple[int, int, int, str, str, int]] = []
    for number, source in enumerate(evidence.sources):
        results = {e.call_id: e for e in source.trace.events if e.kind is EventKind.TOOL_RESULT and e.call_id}
        for event_id in readable.get(source.trace_id, ()):
            event = source.trace.event(event_id)
            assert event is not None
            rank = _rank(event, source, results, cited)
            costs.append((rank, event.seq, number, source.trace_id, event_id, _cost(event, source.trace_id, cited)))
    kept: dict[str, list[str]] = {}
    spent = 0
    for _, _, _, trace_id, event_id, cost in sorted(costs):
        if spent + cost <= limit:
            spent += cost
            kept.setdefault(trace_id, []).append(event_id)
    shown = shown_events(evidence, kept)
    shown = {trace_id: events for trace_id, events in shown.items() if events}
    aliases = Aliases(shown)
    dropped = tuple(
        DroppedInput(trace_id=trace_id, events=len(events) - len(shown.get(trace_id, ())))
        for trace_id, events in readable.items()
        if len(events) > len(shown.get(trace_id, ()))
    )
    return ShownEvidence(tuple(_rows(evidence, shown, aliases, cited, has_verdicts)), aliases, dropped)


def _cited_alone(
    evidence: Evidence, readable: Mapping[str, tuple[str, ...]], cited: set[tuple[str, str]]
) -> dict[str, tuple[str, ...]]:
    found = {}
    for source in evidence.sources:
        own = {event for trace_id, event in cited if trace_id == source.trace_id}
        calls = {e.call_id for e in source.trace.events if e.id in own and e.call_id is not None}
        wanted = {e.id for e in source.trace.events if e.id in own or e.call_id in calls}
        if wanted:
            found[source.trace_id] = tuple(e for e in readable.get(source.trace_id, ()) if e in wanted)
    return found


def _rank(event: Event, source: Source, results: Mapping[str, Event], cited: set[tuple[str, str]]) -> int:
    if (source.trace_id, event.id) in cited:
        return 0
    if event.kind in _TELLING or event.is_error:
        return 1
    result = results.get(event.call_id or "")
    if result is not None and result.is_error:
        return 1
    return 2 if event.kind in (EventKind.TOOL_CALL, EventKind.SKILL_USE) else 3


def _cost(event: Event, trace_id: str, cited: set[tuple[str, str]]) -> int:
    limit = MAX_CITED_EVENT_CHARS if (trace_id, event.id) in cited else MAX_EVENT_CHARS
    arguments = len(json.dumps(event.arguments, ensure_ascii=False)) if event.arguments else 0
    return _ROW_CHARS + min(limit, len(event.text or "")) + min(limit, arguments)


def _rows(
    evidence: Evidence,
    shown: Mapping[str, tuple[str, ...]],
    aliases: Aliases,
    cited: set[tuple[str, str]],
    has_verdicts: bool,
) -> Iterable[Any]:
    families = {name: f"f{n}" for n, name in enumerate(dict.fromkeys(s.attempt_family for s in evidence.sources), 1)}
    for source in evidence.sources:
        if source.trace_id not in shown:
            continue
        row: dict[str, Any] = {"trace": aliases.of_trace(source.trace_id)}
        if has_verdicts:
            supports = source.role is SourceRole.SUPPORT
            row |= {
                "verified": source.standing.outcome.value,
                "may": "support any line" if supports else "support failure_modes, and contrast beside a success",
                "attempt_family": families[source.attempt_family],
            }
        yield row | {"objective": cut(source.trace.header.objective, MAX_EVENT_CHARS)}
        for event_id in shown[source.trace_id]:
            event = source.trace.event(event_id)
            assert event is not None
            limit = MAX_CITED_EVENT_CHARS if (source.trace_id, event_id) in cited else MAX_EVENT_CHARS
            yield event_row(event, aliases.of_event(source.trace_id, event_id), limit)


def event_row(event: Event, alias: str | None, limit: int) -> dict[str, Any]:
    """Returns one event as a row; a call and its result carry the same `call`."""
    row: dict[str, Any] = {"event": alias, "kind": event.kind.value}
    if event.tool:
        row["tool"] = event.tool
    if event.operation:
        row["operation"] = event.operation
    if event.call_id and event.kind in (EventKind.TOOL_CALL, EventKind.TOOL_RESULT):
        row["call"] = cut(event.call_id, 60)
    if event.arguments:
        whole = line_of(event.arguments)
        row["arguments"] = event.arguments if len(whole) <= limit else cut(whole, limit)
    if event.text:
        row["text"] = cut(event.text, limit)
    if event.is_error:
        row["is_error"] = True
    if event.untrusted:
        row["untrusted"] = True
    return row
