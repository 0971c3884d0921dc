"""Citations: which events stand behind a claim, chosen the same way every time and kept few.

At most four Traces and three events of each: enough for a person to check, few enough to read. One Trace per
attempt family comes first. Paper: 5.3 (each claim cites its supporting events).
"""

from collections.abc import Iterable

from skillc.core.skill.claim import Citation
from skillc.core.skill.contract import event_order
from skillc.engines.offline.calls import Call

MAX_TRACES = 4
MAX_EVENTS = 3


def cite(found: Iterable[tuple[str, str, tuple[str, ...]]]) -> tuple[Citation, ...]:
    """Returns citations of (attempt family, trace id, events), one Trace per family before any second one."""
    events: dict[str, dict[str, None]] = {}
    families: dict[str, str] = {}
    for family, trace_id, ids in found:
        families[trace_id] = family
        kept = events.setdefault(trace_id, {})
        for event in ids:
            if len(kept) < MAX_EVENTS:
                kept.setdefault(event, None)
    turn: dict[str, int] = {}
    ranked = []
    for trace_id in sorted(events, key=lambda t: (families[t], t)):
        number = turn.get(families[trace_id], 0)
        turn[families[trace_id]] = number + 1
        ranked.append((number, families[trace_id], trace_id))
    chosen = sorted(trace_id for _, _, trace_id in sorted(ranked)[:MAX_TRACES])
    return tuple(
        Citation(trace_id=t, events=tuple(sorted(events[t], key=event_order))) for t in chosen if events[t]
    )


def cite_calls(calls: Iterable[Call]) -> tuple[Citation, ...]:
    """Returns citations of calls with their results."""
    return cite((c.family, c.trace_id, c.events) for c in sorted(calls, key=lambda c: (c.trace_id, c.position)))


def cite_results(calls: Iterable[Call]) -> tuple[Citation, ...]:
    """Returns citations of the results of calls, the call itself beside them."""
    ordered = sorted(calls, key=lambda c: (c.trace_id, c.position))
    return cite(
        (c.family, c.trace_id, (c.result_event, c.call_event)) for c in ordered if c.result_event is not None
    )
