"""Citations: which events stand behind a claim, chosen the same way every time and kept few.

At most four Traces and three events of each: enough for a person to check, few enough to read. One Trace per
attempt family comes first. Paper: 5.3 (each claim cites its supporting events).
"""

from collections.abc import Iterable
from typing import NamedTuple

from skillc.core.skill.claim import Citation
from skillc.core.skill.contract import event_order
from skillc.engines.offline.calls import Call

MAX_TRACES = 4
MAX_EVENTS = 3
MAX_PART_EVENTS = 6


def cite(
    found: Iterable[tuple[str, str, tuple[str, ...]]],
    *,
    traces: int = MAX_TRACES,
    events_each: int = MAX_EVENTS,
) -> tuple[Citation, ...]:
    """Returns citations of (attempt family, trace id, events), one Trace per family before any second one."""
    events: dict[str, dict[str, None]] = {}
    families: dict[str, str] = {}
    for family, trace_id, ids in found:
        families[trace_id] = family
        kept = events.setdefault(trace_id, {})
        for event in ids:
            if len(kept) < events_each:
                kept.setdefault(event, None)
    turn: dict[str, int] = {}
    ranked = []
    for trace_id in sorted(events, key=lambda t: (families[t], t)):
        number = turn.get(families[trace_id], 0)
        turn[families[trace_id]] = number + 1
        ranked.append((number, families[trace_id], trace_id))
    chosen = sorted(trace_id for _, _, trace_id in sorted(ranked)[:traces])
    return tuple(Citation(trace_id=t, events=tuple(sorted(events[t], key=event_order))) for t in chosen if events[t])


def cite_calls(calls: Iterable[Call]) -> tuple[Citation, ...]:
    """Returns citations of calls with their results."""
    return cite((c.family, c.trace_id, c.events) for c in sorted(calls, key=lambda c: (c.trace_id, c.position)))


def cite_results(calls: Iterable[Call]) -> tuple[Citation, ...]:
    """Returns citations of the results of calls, the call itself beside them."""
    ordered = sorted(calls, key=lambda c: (c.trace_id, c.position))
    return cite((c.family, c.trace_id, (c.result_event, c.call_event)) for c in ordered if c.result_event is not None)


class Shows(NamedTuple):
    """Events of one Trace that show one part of a claim: a name that it says, or a source that it gives."""

    part: str
    family: str
    trace_id: str
    events: tuple[str, ...]


def cite_parts(found: Iterable[Shows]) -> tuple[Citation, ...]:
    """Returns citations that together show every part of a claim, if four Traces can.

    Picks the Trace that shows most parts that are still open, the first of equals, then fills up with one
    Trace per family. Events that show an open part come first.
    """
    by_trace: dict[str, dict[str, tuple[str, ...]]] = {}
    families: dict[str, str] = {}
    for item in found:
        families[item.trace_id] = item.family
        by_trace.setdefault(item.trace_id, {}).setdefault(item.part, item.events)
    open_parts = {part for parts in by_trace.values() for part in parts}
    events: dict[str, list[str]] = {}
    used: set[str] = set()
    for _ in range(MAX_TRACES):
        left = [t for t in by_trace if t not in events and (open_parts & set(by_trace[t]) or families[t] not in used)]
        if not left:
            break
        best = min(left, key=lambda t: (-len(open_parts & set(by_trace[t])), families[t] in used, families[t], t))
        parts = by_trace[best]
        order = sorted(parts, key=lambda p: (p not in open_parts, p))
        events[best] = list(dict.fromkeys(e for p in order for e in parts[p]))[:MAX_PART_EVENTS]
        open_parts -= {p for p in parts if set(parts[p]) <= set(events[best])}
        used.add(families[best])
    return tuple(Citation(trace_id=t, events=tuple(sorted(ids, key=event_order))) for t, ids in sorted(events.items()))


def cite_named(calls: Iterable[tuple[str, Call]]) -> tuple[Citation, ...]:
    """Returns citations of calls that together show every name."""
    ordered = sorted(calls, key=lambda item: (item[1].trace_id, item[1].position))
    return cite_parts(Shows(name, c.family, c.trace_id, (c.call_event,)) for name, c in ordered)
