"""Excerpts: the words around a finding, with nothing private in them, not even the part of it that a cut would leave.

What is private is found in the whole text first, then the words around are cut out: a key that begins before the
excerpt or ends after it is a placeholder too. Not here: where a rule hits (core.scan.scanner).
"""

from bisect import bisect_left
from functools import lru_cache
from itertools import islice

from skillc.core.scan.detectors import Span, merged
from skillc.core.scan.private_values import private_spans, shown_spans
from skillc.core.scan.redact import Redactor

EXCERPT_CHARS = 120
MIN_SECRET_CHARS = 8
MAX_VALUES = 200
NEAR_CHARS = 1000
_WINDOW_STEP = 500  # findings that stand close together share what is near them


def excerpt_of(text: str, start: int, end: int, shown: str | None) -> str:
    """Returns the line around text[start:end], at most 120 characters, control characters replaced.

    Args:
        shown: stands in place of what was found; None where that is no secret.
    """
    first, last = max(0, start - EXCERPT_CHARS // 3), min(len(text), end + EXCERPT_CHARS // 3)
    line_start = text.rfind("\n", first, start) + 1
    line_end = text.find("\n", start, last)
    line_end = last if line_end < 0 else line_end
    before = _masked(text, max(line_start, first), start)
    after = _masked(text, end, line_end) if end <= line_end else ""
    if shown is None:
        shown = _masked(text, start, min(end, line_end, start + EXCERPT_CHARS))
    redacted = Redactor().text(f"{before}\x00{after}").replace("\x00", Redactor().text(shown), 1)
    return "".join(c if c.isprintable() else "\ufffd" for c in redacted)[:EXCERPT_CHARS].strip()


def _masked(text: str, start: int, end: int) -> str:
    """Returns text[start:end] with each private value that stands in it, or reaches into it, as its kind."""
    parts, at = [], start
    for span in _near(text, start, end):
        parts += [text[at : max(at, span.start)], f"<{span.kind}>"]
        at = span.end
    masked = "".join((*parts, text[at:end]))
    for value, kind in _values(text):  # once more, and run into another word
        masked = masked.replace(value, f"<{kind}>")
    return masked


def _near(text: str, start: int, end: int) -> list[Span]:
    """Returns the private values that reach into text[start:end]: plain ones of all the text, encoded ones near by."""
    spans, ends = _spans(text)
    found = []
    for span in islice(spans, bisect_left(ends, start + 1), None):
        if span.start >= end:
            break
        found.append(span)
    first = max(0, start - NEAR_CHARS) // _WINDOW_STEP * _WINDOW_STEP
    last = -(-(end + NEAR_CHARS) // _WINDOW_STEP) * _WINDOW_STEP
    found += (
        span._replace(start=span.start + first, end=span.end + first)
        for span in _private_spans(text[first:last])
        if span.start + first < end and span.end + first > start
    )
    return merged(found)


@lru_cache(maxsize=256)  # each rule goes through the whole text
def _private_spans(window: str) -> tuple[Span, ...]:
    return tuple(private_spans(window))


@lru_cache(maxsize=4)
def _values(text: str) -> tuple[tuple[str, str], ...]:
    """Returns the private values that are long enough to tell, the longest first."""
    spans, _ = _spans(text)
    found = {text[span.start : span.end]: span.kind for span in spans[:MAX_VALUES]}
    return tuple(
        sorted(((v, k) for v, k in found.items() if len(v) >= MIN_SECRET_CHARS), key=lambda item: -len(item[0]))
    )


@lru_cache(maxsize=4)
def _spans(text: str) -> tuple[list[Span], list[int]]:
    """Returns the private values of a text in order, and their ends; the findings of a view ask in a row."""
    spans = list(shown_spans(text))
    return spans, [span.end for span in spans]
