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
from skillc.core.scan.personal import PERSONAL, PERSONAL_GROUPS
from skillc.core.scan.secret_values import is_placeholder, is_real_example

_ROWS_PER_GATE = 5
_ROWS_PER_SHORT_GATE = 14
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
def _groups(is_long: bool, personal: bool) -> tuple[tuple[Detector, ...], ...]:
    """Returns the rows that share a gate: few in a group for a long text, all credentials in one for a short one."""
    rows = _ROWS_PER_GATE if is_long else _ROWS_PER_SHORT_GATE
    credentials = tuple(DETECTORS[start : start + rows] for start in range(0, len(DETECTORS), rows))
    return credentials + PERSONAL_GROUPS if personal else credentials


@cache
def _gates(is_long: bool, personal: bool) -> tuple[Callable[[str | bytes], bool], ...]:
    return tuple(gate("|".join(f"(?:{row.gate})" for row in group)) for group in _groups(is_long, personal))


def may_hold_credential(text: str | bytes, *, personal: bool = False) -> bool:
    """Says in linear time whether a detector may match; False is certain. Bytes are UTF-8.

    With `personal` the detectors of personal data and private places are asked too.

    The engine finds a few literals at once by vector instructions, many only by an automaton. So a long text is
    read by several small groups of gates, three times as fast as by one, and a short text by one.
    """
    if isinstance(text, bytes):
        text = gate_text(text)
    return any(may_match(text) for may_match in _gates(len(text) > _LONG_TEXT_CHARS, personal))


def gate_text(data: bytes) -> str:
    """Returns UTF-8 bytes as a text for gates alone: what is not ASCII becomes a character that is no blank.

    The engine reads ASCII in place and copies everything else. Gates name ASCII characters only, and what they
    exclude is ASCII, so they match at least where they match in the whole text.
    """
    return (data if data.isascii() else data.translate(_ASCII_ONLY)).decode("ascii")


def passed_gates(text: str) -> tuple[Callable[[str | bytes], bool], ...]:
    """Returns the gates of redaction that pass for a text of `gate_text`: a part without one of these holds nothing."""
    return tuple(row[1] for row in _detectors_for(text, personal=True))


@cache
def _compiled(detector: Detector) -> tuple[Detector, Callable[[str | bytes], bool], re.Pattern[str]]:
    return detector, gate(detector.gate), re.compile(detector.pattern)


def _detectors_for(
    text: str, *, personal: bool
) -> Iterator[tuple[Detector, Callable[[str | bytes], bool], re.Pattern[str]]]:
    """Yields the detectors whose gate passes; a group of gates that does not pass needs no closer look."""
    is_long = len(text) > _LONG_TEXT_CHARS
    for group, may_match in zip(_groups(is_long, personal), _gates(is_long, personal), strict=True):
        if may_match(text):
            for row in map(_compiled, group):
                if row[1](text):
                    yield row


def find_spans(text: str, *, with_examples: bool = False, personal: bool = False) -> list[Span]:
    """Returns the credentials in a text, in order, not overlapping; the earlier row of the table wins.

    With `personal` personal data and private places are given too.

    `with_examples` also gives values that say of themselves that they are examples and look real otherwise:
    a scan leaves them alone, a capture does not bet on it.
    """
    spans: list[Span] = []
    for detector, may_match_here, pattern in _detectors_for(text, personal=personal):
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
    names = [name for name in ("secret", "national") if name in pattern.groupindex]
    for match in pattern.finditer(text):
        group: str | int = next((name for name in names if match[name] is not None), 0)
        accepted = detector.accept(match) if detector.accept else not is_placeholder(match[group])
        if accepted or (with_examples and is_real_example(match[group])):
            yield Span(match.start(group) + offset, match.end(group) + offset, detector.kind, detector.has_prefix)


def _merged(spans: list[Span]) -> list[Span]:
    """Joins overlapping spans into one of the kind that stands first in the table."""
    rank = {detector.kind: index for index, detector in enumerate((*DETECTORS, *PERSONAL))}
    kept: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start, rank[span.kind])):
        if not kept or span.start >= kept[-1].end:
            kept.append(span)
            continue
        last = kept[-1]
        first = min(last, span, key=lambda item: rank[item.kind])
        kept[-1] = first._replace(start=last.start, end=max(last.end, span.end))
    return kept
