"""Detectors: where a text holds a credential, in linear time and almost for nothing where it holds none.

All gates of the table (core.scan.formats) decide first, by the regex engine of pydantic-core; only a text that
passes is searched with the exact patterns. Paper: 5.3, Scanners.

Not here: replacing what was found (core.scan.redact), telling it (core.scan.rules).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import repeat
from typing import NamedTuple

from pydantic_core import SchemaValidator, core_schema

from skillc.core.scan.detector import Detector
from skillc.core.scan.detector import Gate as Gate  # told beside what makes one
from skillc.core.scan.extents import is_one_word
from skillc.core.scan.formats import DETECTORS
from skillc.core.scan.long_lines import matches_in
from skillc.core.scan.personal import PERSONAL
from skillc.core.scan.places import PLACES
from skillc.core.scan.secret_values import is_placeholder, is_real_example
from skillc.core.words import names

# The engine finds a few literals at once by vector instructions, and everything else by an automaton, at one speed
# however much it looks for, until it looks for too much and uses up its states: nine rows take ten times what six do.
# So what needs an automaton shares few gates, and literals stand five in a group for a long text and all together for
# a short one.
_NUMBERS = names("iban payment_card ssn phone ip_address pgpass_password")
_BY_AUTOMATON = names(
    "platform_token app_token payment_token session_cookie option_secret told_secret assigned_key "
    "private_url private_host private_address git_remote url_user email personal_id birth_date street_address "
    "signature_name"
)
_IN_CODE = names("typed_secret argument_secret spaced_secret keyed_header password_hash named_value sql_secret")
_LITERALS_PER_GATE = 5
_ROWS_PER_AUTOMATON = 6
LONG_TEXT_CHARS = 2048
_CHUNK_CHARS = 1024
_REACH = 1024  # no value that holds blanks is longer
# A look ahead or behind, with at most one level of groups inside.
_LOOK_AROUND = re.compile(
    r"\(\?<?[=!](?:[^()\\\[]|\\.|\[(?:[^\]\\]|\\.)*\]|\((?:[^()\\\[]|\\.|\[(?:[^\]\\]|\\.)*\])*\))*\)"
)
_COUNT = re.compile(r"\{(\d+)(?:,\d*)?\}")
_MAX_COUNT = 6
_ASCII_ONLY = bytes(byte if byte < 0x80 else 0x7F for byte in range(256))


class Span(NamedTuple):
    """One detected value: text[start:end] is a `kind`. `value` is what it stands for, where that is encoded."""

    start: int
    end: int
    kind: str
    has_prefix: bool
    value: str = ""


@cache
def gate(pattern: str) -> Gate:
    """Returns a linear-time test: does the pattern match anywhere in the text, or in its UTF-8 bytes?"""
    schema = core_schema.str_schema(pattern=pattern, regex_engine="rust-regex")
    return SchemaValidator(schema).isinstance_python


def gate_for(pattern: re.Pattern[str]) -> Gate:
    """Returns a linear-time test that passes wherever a pattern matches.

    It is the pattern without what it looks around for and without edges of words, which that engine finds slowly;
    a count becomes the least one, and at most six: more makes that engine slow.
    """
    return _gate_for(pattern.pattern)


@cache  # by its source: the hash of a compiled pattern reads all of it each time
def _gate_for(pattern: str) -> Gate:
    source = _LOOK_AROUND.sub("", pattern).replace(r"\b", "")
    return gate(_COUNT.sub(lambda match: f"{{{min(int(match[1]), _MAX_COUNT)},}}", source))


@cache
def row_groups(is_long: bool, personal: bool) -> tuple[tuple[Detector, ...], ...]:
    """Returns the rows that share a gate: what needs an automaton together, literals few at a time in a long text."""
    rows = (*DETECTORS, *PLACES, *PERSONAL) if personal else DETECTORS
    in_code, by_automaton, numbers = (
        tuple(row for row in rows if row.kind in kinds) for kinds in (_IN_CODE, _BY_AUTOMATON, _NUMBERS)
    )
    literals = tuple(row for row in rows if row not in (*in_code, *by_automaton, *numbers))
    groups = (
        *_in_groups(by_automaton, _ROWS_PER_AUTOMATON),
        *_in_groups(literals, _LITERALS_PER_GATE if is_long else len(literals)),
        in_code,
        numbers,
    )
    return tuple(group for group in groups if group)


def _in_groups(rows: tuple[Detector, ...], size: int) -> Iterator[tuple[Detector, ...]]:
    for start in range(0, len(rows), size):
        yield rows[start : start + size]


@cache
def _gates(is_long: bool, personal: bool) -> tuple[Gate, ...]:
    return tuple(gate_of_all(row.gate for row in group) for group in row_groups(is_long, personal))


def gate_of_all(fragments: Iterable[str]) -> Gate:
    """Returns one test for several gates."""
    return gate("|".join(f"(?:{fragment})" for fragment in fragments))


def may_hold_credential(text: str | bytes) -> bool:
    """Says in linear time whether a detector of credentials may match; False is certain. Bytes are UTF-8."""
    if isinstance(text, bytes):
        text = gate_text(text)
    return any(may_match(text) for may_match in _gates(len(text) > LONG_TEXT_CHARS, personal=False))


def gate_text(data: bytes) -> str:
    """Returns UTF-8 bytes as a text for gates alone: what is not ASCII becomes a character that is no blank.

    The engine reads ASCII in place and copies everything else. Gates name ASCII characters only, and what they
    exclude is ASCII, so they match at least where they match in the whole text.
    """
    return (data if data.isascii() else data.translate(_ASCII_ONLY)).decode("ascii")


class _Row(NamedTuple):
    detector: Detector
    may_match: Gate
    pattern: re.Pattern[str]
    in_words: bool


@cache
def _compiled(is_long: bool, personal: bool) -> tuple[tuple[Gate, tuple[_Row, ...]], ...]:
    """Returns each group's gate with its rows; a group whose gate does not pass needs no closer look."""
    groups = row_groups(is_long, personal)
    rows = [tuple(map(_row, group)) for group in groups]
    return tuple(zip(_gates(is_long, personal), rows, strict=True))


def _row(row: Detector) -> _Row:
    return _Row(row, gate(row.gate), re.compile(row.pattern), is_one_word(row.pattern))


def find_spans(
    text: str, *, with_examples: bool = False, personal: bool = False, suspect: Sequence[bool] | None = None
) -> list[Span]:
    """Returns the credentials in a text, in order, not overlapping; the earlier row of the table wins.

    With `personal` personal data and private places are given too.

    `with_examples` also gives values that say of themselves that they are examples and look real otherwise:
    a scan leaves them alone, a capture does not bet on it. `suspect` says of each of `row_groups` whether it is worth
    a look, where that is known.
    """
    spans: list[Span] = []
    for row in _rows_for(text, personal, suspect):
        if not row.may_match(text):
            continue
        if row.detector.is_multiline:
            spans.extend(_matches(row, text, 0, with_examples))
            continue
        for start, line in _lines(row.may_match, text):
            spans.extend(_matches(row, line, start, with_examples))
    return spans if len(spans) < 2 else merged(spans)


def _rows_for(text: str, personal: bool, suspect: Sequence[bool] | None) -> Iterator[_Row]:
    """Yields the rows whose own gate is worth asking: those of a group that passes."""
    groups = _compiled(len(text) > LONG_TEXT_CHARS, personal)
    for is_suspect, (may_match, rows) in zip(suspect or repeat(True), groups, strict=False):
        if is_suspect and may_match(text):
            yield from rows


def passing_lines(test: Gate, text: str) -> Iterator[tuple[int, str]]:
    """Yields the lines of a text that pass a gate, with their offset."""
    if test(text):
        yield from _lines(test, text)


def _lines(test: Gate, text: str) -> Iterator[tuple[int, str]]:
    for offset, chunk in _chunks_where(test, text):
        for start, line in _lines_where(test, chunk):
            yield offset + start, line


def _chunks_where(test: Gate, text: str) -> Iterator[tuple[int, str]]:
    """Yields whole lines of about 1,000 characters that pass a test together, with their offset."""
    if len(text) <= _CHUNK_CHARS:
        yield 0, text
        return
    position = 0
    while position <= len(text):
        end = text.find("\n", position + _CHUNK_CHARS)
        end = len(text) if end < 0 else end
        chunk = text[position:end]
        if test(chunk):
            yield position, chunk
        position = end + 1


def _lines_where(test: Gate, chunk: str) -> Iterator[tuple[int, str]]:
    start = 0
    for line in chunk.split("\n"):
        if test(line):
            yield start, line
        start += len(line) + 1


def _matches(row: _Row, text: str, offset: int, with_examples: bool) -> Iterator[Span]:
    detector, pattern = row.detector, row.pattern
    values = [name for name in ("secret", "national", "local") if name in pattern.groupindex]
    if detector.is_multiline:
        found = pattern.finditer(text)
    else:
        found = matches_in(pattern, row.may_match, text, _REACH, in_words=row.in_words)
    for match in found:
        group: str | int = next((name for name in values if match[name] is not None), 0)
        accepted = detector.accept(match) if detector.accept else not is_placeholder(match[group])
        if accepted or (with_examples and is_real_example(match[group])):
            yield Span(match.start(group) + offset, match.end(group) + offset, detector.kind, detector.has_prefix)


@cache
def _ranks() -> dict[str, int]:
    return {detector.kind: index for index, detector in enumerate((*DETECTORS, *PLACES, *PERSONAL))}


def merged(spans: list[Span]) -> list[Span]:
    """Joins overlapping spans into one of the kind that stands first in the table; returns them in order."""
    rank = _ranks()
    kept: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start, rank[span.kind])):
        if not kept or span.start >= kept[-1].end:
            kept.append(span)
            continue
        last = kept[-1]
        first = min(last, span, key=lambda item: rank[item.kind])
        end = max(last.end, span.end)
        is_whole = (last.start, last.end) == (span.start, span.end)
        kept[-1] = first._replace(start=last.start, end=end, value=(last.value or span.value) if is_whole else "")
    return kept
