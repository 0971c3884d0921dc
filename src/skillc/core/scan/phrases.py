"""Phrases: a rule whose hits are words of a sentence, found over line breaks and markup, with a gate before it.

In a phrase a blank stands for any blanks, line breaks and marks of emphasis. A gate of literals decides for a whole
view, then for each block. Long blocks are read in overlapping pieces, so the time grows with the text.
Paper: 5.3, Scanners. Not here: the phrases themselves (core.scan.rules), who speaks (core.scan.polarity).
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from skillc.core.scan.blocks import Block, BlockKind, blocks_of
from skillc.core.scan.detectors import gate
from skillc.core.scan.finding import Severity
from skillc.core.scan.polarity import is_order
from skillc.core.scan.rule import Find, Hit
from skillc.core.scan.views import View

PIECE_CHARS = 2048
OVERLAP_CHARS = 512
_BLANK = r"[\s*_]{1,24}"

Test = Callable[[Block, re.Match[str]], bool]


class Phrase(NamedTuple):
    """One pattern. `kinds` limits it to some blocks; `accept` decides about a match."""

    pattern: re.Pattern[str]
    severity: Severity | None = None
    kinds: frozenset[BlockKind] | None = None
    accept: Test | None = None


def phrase(
    source: str,
    severity: Severity | None = None,
    *,
    kinds: Iterable[BlockKind] | None = None,
    accept: Test | None = None,
) -> Phrase:
    """Returns a phrase, in any case; a blank in `source` matches any blanks, line breaks and marks of emphasis."""
    compiled = re.compile(source.replace(" ", _BLANK), re.IGNORECASE)
    return Phrase(compiled, severity, frozenset(kinds) if kinds is not None else None, accept)


def finder(gate_source: str, phrases: Iterable[Phrase], *, any_polarity: bool = False) -> Find:
    """Returns what yields the hits of phrases in a view; what a text forbids, quotes or describes is none.

    Args:
        gate_source: a linear-time pattern that matches wherever one of the phrases does.
        any_polarity: yields also what is forbidden or quoted: a compiled Skill quotes what a tool said, not a warning.
    """
    table = tuple(phrases)

    def find(view: View) -> Iterator[Hit]:
        may_match = gate(gate_source)
        if not may_match(view.text):
            return
        for block in blocks_of(view.text):
            for offset, piece in _pieces(block.text):
                if may_match(piece):
                    yield from _hits(table, block, offset, piece, any_polarity)

    return find


def _hits(table: tuple[Phrase, ...], block: Block, offset: int, piece: str, any_polarity: bool) -> Iterator[Hit]:
    for item in table:
        if item.kinds is not None and block.kind not in item.kinds:
            continue
        for match in item.pattern.finditer(piece):
            start, end = match.start() + offset, match.end() + offset
            if item.accept is not None and not item.accept(block, match):
                continue
            if any_polarity or is_order(block, start, end):
                yield Hit(block.start + start, block.start + end, severity=item.severity)


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    if len(text) <= PIECE_CHARS:
        yield 0, text
        return
    for start in range(0, len(text), PIECE_CHARS):
        yield start, text[start : start + PIECE_CHARS + OVERLAP_CHARS]
