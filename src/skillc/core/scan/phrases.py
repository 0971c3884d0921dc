"""Phrases: a rule whose hits are words of a sentence, found over line breaks and markup.

In a phrase a blank stands for any blanks, line breaks and marks of emphasis. Which phrases are tried on a piece of text
is decided by the words that they need (core.scan.literals); patterns are compiled when they are first tried. Long
blocks are read in overlapping pieces, so the time grows with the text. Paper: 5.3, Scanners.
Not here: the phrases themselves (core.scan.rules), who speaks (core.scan.polarity).
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from skillc.core.scan.blocks import Block, BlockKind, blocks_of
from skillc.core.scan.finding import Severity
from skillc.core.scan.literals import Literals
from skillc.core.scan.polarity import is_order, sentence_around
from skillc.core.scan.rule import Find, Hit
from skillc.core.scan.views import View

PIECE_CHARS = 2048
OVERLAP_CHARS = 512
_BLANK = r"[\s*_]{1,24}"
_CLASS_OR_BLANK = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]| ", re.DOTALL)
_LITERALS = Literals()

Test = Callable[[Block, re.Match[str]], bool]


class Phrase(NamedTuple):
    """One pattern. `beside` must stand in the same sentence; `kinds` limits it to some blocks; `accept` decides."""

    source: str
    severity: Severity | None = None
    kinds: frozenset[BlockKind] | None = None
    accept: Test | None = None
    beside: tuple[str, ...] = ()


def phrase(
    source: str,
    severity: Severity | None = None,
    *,
    kinds: Iterable[BlockKind] | None = None,
    accept: Test | None = None,
) -> Phrase:
    """Returns a phrase, in any case; a blank in `source` matches any blanks, line breaks and marks of emphasis."""
    return Phrase(_with_blanks(source), severity, frozenset(kinds) if kinds is not None else None, accept)


def together(
    first: str,
    *others: str,
    severity: Severity | None = None,
    kinds: Iterable[BlockKind] | None = None,
    accept: Test | None = None,
) -> Phrase:
    """Returns a phrase for ideas that stand in one sentence in any order; the hit is where the first one stands."""
    found = phrase(first, severity, kinds=kinds, accept=accept)
    return found._replace(beside=tuple(_with_blanks(other) for other in others))


def _with_blanks(source: str) -> str:
    """Returns a pattern with its blanks widened; those inside a class of characters stay."""
    return _CLASS_OR_BLANK.sub(lambda match: _BLANK if match.group() == " " else match.group(), source)


class _Piece(NamedTuple):
    block: Block
    offset: int
    text: str
    bits: int


@lru_cache(maxsize=4096)
def _compiled(source: str) -> re.Pattern[str]:
    return re.compile(source, re.IGNORECASE)


@lru_cache(maxsize=4096)
def _needs(item: Phrase) -> tuple[int, ...]:
    return tuple(bits for source in (item.source, *item.beside) for bits in _LITERALS.needs(source))


@lru_cache(maxsize=16)
def _pieces(text: str) -> tuple[int, tuple[_Piece, ...]]:
    """Returns the pieces of a text, and the bits of all of them."""
    pieces = [
        _Piece(block, start, piece, _LITERALS.bits(piece))
        for block in blocks_of(text)
        for start, piece in _cut(block.text)
    ]
    everything = 0
    for piece in pieces:
        everything |= piece.bits
    return everything, tuple(pieces)


def _cut(text: str) -> Iterator[tuple[int, str]]:
    if len(text) <= PIECE_CHARS:
        yield 0, text
        return
    for start in range(0, len(text), PIECE_CHARS):
        yield start, text[start : start + PIECE_CHARS + OVERLAP_CHARS]


def prepare(phrases: Iterable[Phrase]) -> None:
    """Numbers the pieces of phrases before the first text is read, so that no number changes afterwards."""
    for item in phrases:
        _needs(item)


def finder(phrases: Iterable[Phrase], *, any_polarity: bool = False) -> Find:
    """Returns what yields the hits of phrases in a view; what a text forbids, quotes or describes is none.

    Args:
        any_polarity: yields also what is forbidden or quoted: a compiled Skill quotes what a tool said, not a warning.
    """
    table = tuple(phrases)
    _ALL.extend(table)

    def find(view: View) -> Iterator[Hit]:
        if _ALL:
            prepare(_ALL)
            _ALL.clear()
        everything, pieces = _pieces(view.text)
        for item in table:
            needs = _needs(item)
            if not all(everything & bits for bits in needs):
                continue
            for piece in pieces:
                bits_of_piece = piece.bits
                if all(bits_of_piece & bits for bits in needs) and (
                    item.kinds is None or piece.block.kind in item.kinds
                ):
                    yield from _hits(item, piece, any_polarity)

    return find


_ALL: list[Phrase] = []


def _hits(item: Phrase, piece: _Piece, any_polarity: bool) -> Iterator[Hit]:
    block = piece.block
    for match in _compiled(item.source).finditer(piece.text):
        start, end = match.start() + piece.offset, match.end() + piece.offset
        if item.accept is not None and not item.accept(block, match):
            continue
        if item.beside:
            sentence = sentence_around(block.text, start, end)
            if not all(_compiled(other).search(sentence) for other in item.beside):
                continue
        if any_polarity or is_order(block, start, end):
            yield Hit(block.start + start, block.start + end, severity=item.severity)
