"""Credentials that stored Traces hold in spite of redaction: an older skillc, or another harness, may not have known.

Plain or encoded. Says where and of which kind, never the value. Paper: 5.6.
Not here: what a credential looks like (core.scan).
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from skillc.core.record import Record
from skillc.core.scan.detectors import gate_text
from skillc.core.scan.formats import DETECTORS
from skillc.core.scan.private_values import passed_gates, private_spans
from skillc.core.trace.codec import Trace, parse_trace
from skillc.lifecycle.context import Context
from skillc.repo.objects import open_reader

HEADER = "header"
_CREDENTIALS = frozenset(row.kind for row in DETECTORS)


class StoredSecret(Record):
    """One event, or the header, of a stored Trace with `count` credentials of a kind."""

    trace_id: str
    event_id: str
    kind: str
    count: int


def stored_secrets(context: Context, limit: int = 100) -> list[StoredSecret]:
    """Returns the places of stored Traces that hold a credential, at most `limit`, by Trace and event."""
    found: list[StoredSecret] = []
    with open_reader(context.repository) as reader:
        for stored in sorted(context.traces.stored().values(), key=lambda s: s.trace_id):
            data = reader.read(stored.object_id) or b""
            if not passed_gates(gate_text(data)):
                continue
            for secret in _secrets_of(parse_trace(data, path=stored.path)):
                if len(found) == limit:
                    return found
                found.append(secret)
    return found


def _secrets_of(trace: Trace) -> Iterator[StoredSecret]:
    places = [(HEADER, [trace.header.objective])]
    places += [(e.id, [*([e.text] if e.text else []), *_strings(e.arguments)]) for e in trace.events]
    for event_id, texts in places:
        kinds = Counter(span.kind for text in texts for span in private_spans(text) if span.kind in _CREDENTIALS)
        for kind, count in sorted(kinds.items()):
            yield StoredSecret(trace_id=trace.trace_id, event_id=event_id, kind=kind, count=count)


def _strings(value: Any) -> Iterator[str]:
    """Yields every string of a JSON value, a key with what stands under it."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield f"{key}: {item}" if isinstance(item, str) else key
            yield from () if isinstance(item, str) else _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
