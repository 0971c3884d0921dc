"""Detectors: where a text holds a credential, in linear time and almost for nothing where it holds none.

All gates of the table (core.scan.formats) decide first, by the regex engine of pydantic-core; only a text that
passes is searched with the exact patterns. Paper: 5.3, Scanners.

Not here: replacing what was found (core.scan.redact), telling it (core.scan.rules).
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from pydantic_core import SchemaValidator, core_schema

from skillc.core.scan.formats import DETECTORS, Detector
from skillc.core.scan.secret_values import is_placeholder, is_real_example

_ROWS_PER_GATE = 5
_LONG_TEXT_CHARS = 2048
_CHUNK_CHARS = 1024
_ASCII_ONLY = bytes(byte if byte < 0x80 else 0x7F for byte in range(256))


class Span(NamedTuple):
    """One detected value: text[start:end] is a `kind`."""

    start: int
    end: int
    kind: str
    has_prefix: bool


@cache
def gate(pattern: str) -> Callable[[str | bytes], bool]:
    """Returns a linear-time test: does the pattern match anywhere in the text, or in its UTF-8 bytes?"""
    schema = core_schema.str_schema(pattern=pattern, regex_engine="rust-regex")
    return SchemaValidator(schema).isinstance_python


@cache
def _credential_gates(rows: int) -> tuple[Callable[[str | bytes], bool], ...]:
    groups = [DETECTORS[start : start + rows] for start in range(0, len(DETECTORS), rows)]
    return tuple(gate("|".join(f"(?:{detector.gate})" for detector in group)) for group in groups)


def may_hold_credential(text: str | bytes) -> bool:
    """Says in linear time whether a detector may match; False is certain. Bytes are UTF-8.

    The engine finds a few literals at once by vector instructions, many only by an automaton. So a long text is
    read by several small groups of gates, three times as fast as by one, and a short text by one.
    """
    if isinstance(text, bytes):
        text = gate_text(text)
    return any(may_match(text) for may_match in _credential_gates(_rows_per_gate(text)))


def gate_text(data: bytes) -> str:
    """Returns UTF-8 bytes as a text for gates alone: what is not ASCII becomes a character that is no blank.

    The engine reads ASCII in place and copies everything else. Gates name ASCII characters only, and what they
    exclude is ASCII, so they match at least where they match in the whole text.
    """
    return (data if data.isascii() else data.translate(_ASCII_ONLY)).decode("ascii")


def passed_gates(text: str) -> tuple[Callable[[str | bytes], bool], ...]:
    """Returns the gates that pass for a text of `gate_text`. A part of it without one of these holds nothing."""
    return tuple(row[1] for row in _detectors_for(text))


def _rows_per_gate(text: str) -> int:
    return _ROWS_PER_GATE if len(text) > _LONG_TEXT_CHARS else len(DETECTORS)


@cache
def _compiled() -> tuple[tuple[Detector, Callable[[str | bytes], bool], re.Pattern[str]], ...]:
    return tuple((d, gate(d.gate), re.compile(d.pattern)) for d in DETECTORS)


def _detectors_for(text: str) -> Iterator[tuple[Detector, Callable[[str | bytes], bool], re.Pattern[str]]]:
    """Yields the detectors whose gate passes; a group of gates that does not pass needs no closer look."""
    rows = _rows_per_gate(text)
    for number, may_match in enumerate(_credential_gates(rows)):
        if may_match(text):
            for row in _compiled()[number * rows : (number + 1) * rows]:
                if row[1](text):
                    yield row


def find_spans(text: str, *, with_examples: bool = False) -> list[Span]:
    """Returns the credentials in a text, in order, not overlapping; the earlier row of the table wins.

    `with_examples` also gives values that say of themselves that they are examples and look real otherwise:
    a scan leaves them alone, a capture does not bet on it.
    """
    spans: list[Span] = []
    for detector, may_match_here, pattern in _detectors_for(text):
        if detector.is_multiline:
            spans.extend(_matches(detector, pattern, text, 0, with_examples))
            continue
        for start, line in _lines_where(may_match_here, text):
            spans.extend(_matches(detector, pattern, line, start, with_examples))
    return spans if len(spans) < 2 else _merged(spans)


def _lines_where(test: Callable[[str | bytes], bool], text: str) -> Iterator[tuple[int, str]]:
    """Yields the lines that pass a test, with their offsets. About 1,000 characters of lines are tested at once."""
    position = 0
    while position <= len(text):
        end = text.find("\n", position + _CHUNK_CHARS)
        end = len(text) if end < 0 else end
        chunk = text[position:end]
        if test(chunk):
            start = position
            for line in chunk.split("\n"):
                if test(line):
                    yield start, line
                start += len(line) + 1
        position = end + 1


def _matches(
    detector: Detector, pattern: re.Pattern[str], text: str, offset: int, with_examples: bool
) -> Iterator[Span]:
    has_group = "secret" in pattern.groupindex
    for match in pattern.finditer(text):
        group: str | int = "secret" if has_group and match["secret"] is not None else 0
        accepted = detector.accept(match) if detector.accept else not is_placeholder(match[group])
        if accepted or (with_examples and is_real_example(match[group])):
            yield Span(match.start(group) + offset, match.end(group) + offset, detector.kind, detector.has_prefix)


def _merged(spans: list[Span]) -> list[Span]:
    """Joins overlapping spans into one of the kind that stands first in the table."""
    rank = {detector.kind: index for index, detector in enumerate(DETECTORS)}
    kept: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start, rank[span.kind])):
        if not kept or span.start >= kept[-1].end:
            kept.append(span)
            continue
        last = kept[-1]
        first = min(last, span, key=lambda item: rank[item.kind])
        kept[-1] = first._replace(start=last.start, end=max(last.end, span.end))
    return kept
