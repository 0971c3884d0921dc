"""Everything private in a text that is about to be stored: credentials, personal data and private places, plain or
encoded.

Joins the detectors (core.scan.detectors) with the readings of core.scan.encodings: a value in base64, hex, escapes or
joined literals is found where it stands in the source. Paper: 5.1, 5.6.
Not here: replacing it (core.scan.redact), findings about text that was written (core.scan.rules).
"""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from operator import attrgetter

from skillc.core.scan.detectors import (
    LONG_TEXT_CHARS,
    Gate,
    Span,
    find_spans,
    gate_of_all,
    gate_text,
    merged,
    row_groups,
)
from skillc.core.scan.encodings import ESCAPE_GATES, JOINT_GATE, MAX_DEPTH, RUN_GATES, runs, unescaped, windows
from skillc.core.scan.personal import PERSONAL
from skillc.core.scan.places import PLACES

PRIVATE_KINDS = frozenset(row.kind for row in (*PERSONAL, *PLACES))  # the other kinds are credentials
_JOINTS, _ESCAPES = -1, -3  # the groups of rows whose gates have these too


@cache
def _gates(is_long: bool) -> tuple[Gate, ...]:
    """Returns the gates of the detectors and of what is encoded: joints and escapes too."""
    groups = [[row.gate for row in group] for group in row_groups(is_long, personal=True)]
    groups[_JOINTS].append(JOINT_GATE)
    groups[_ESCAPES].extend(ESCAPE_GATES)
    return tuple(map(gate_of_all, (*groups, RUN_GATES)))


def passed_gates(text: str) -> tuple[Gate, ...]:
    """Returns the gates that pass for a text of `gate_text`: a part of it without one of these holds nothing."""
    return tuple(may_match for may_match in _gates(len(text) > LONG_TEXT_CHARS) if may_match(text))


@lru_cache(maxsize=16)
def shown_spans(text: str) -> tuple[Span, ...]:
    """Returns what stands in a text plain and is no example: credentials, personal data and private places."""
    return tuple(find_spans(text, personal=True))


def private_spans(text: str, gates: Sequence[Gate] | None = None) -> list[Span]:
    """Returns what is private in a text, in order, not overlapping. An encoded value's span covers its whole run.

    `gates` are those that passed for a longer text around this one: no other can pass here.
    """
    spans = _found(text, MAX_DEPTH, gates)
    return spans if len(spans) < 2 else merged(spans)


def _found(text: str, depth: int, gates: Sequence[Gate] | None = None) -> list[Span]:
    """Returns what stands in a text plain, or encoded in up to `depth` layers."""
    shown = _ascii(text)
    own = _gates(len(text) > LONG_TEXT_CHARS)
    if gates is None or not set(gates) <= set(own):  # a long text around a short one has other groups
        gates = own
    passed = [may_match in gates and may_match(shown) for may_match in own]
    if not any(passed):
        return []
    *groups, may_hold_run = passed
    spans = find_spans(text, with_examples=True, personal=True, suspect=groups)
    if depth > 0 and may_hold_run:
        spans.extend(_in_runs(text, depth - 1))
    if depth > 0 and (groups[_ESCAPES] or groups[_JOINTS]) and _may_hold_escape(shown):
        spans.extend(_in_escapes(text, depth - 1))
    return sorted(spans, key=attrgetter("start"))


def _in_runs(text: str, depth: int) -> Iterator[Span]:
    for run in runs(text):
        if inner := _found(run.text, depth):
            first = inner[0]
            value = first.value or run.text[first.start : first.end]
            yield first._replace(start=run.start, end=run.end, value=value)


def _in_escapes(text: str, depth: int) -> Iterator[Span]:
    for offset, window in windows(text):
        reading = unescaped(window) if _may_hold_escape(_ascii(window)) else None
        if reading is None:
            continue
        for span in _found(reading.text, depth):
            start, end = reading.source_span(span.start, span.end)
            value = span.value or reading.text[span.start : span.end]
            yield span._replace(start=offset + start, end=offset + end, value=value)


@cache
def _escape_gates() -> tuple[Gate, Gate]:
    return gate_of_all(ESCAPE_GATES), gate_of_all((JOINT_GATE,))


def _may_hold_escape(text: str) -> bool:
    return any(may_match(text) for may_match in _escape_gates())


def _ascii(text: str) -> str:
    return text if text.isascii() else gate_text(text.encode("utf-8", "replace"))
