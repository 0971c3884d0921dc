"""Where shapes stand in a text: many patterns over many small pieces, few of which hold anything.

Pieces are asked together first, so that a shape which none of them holds costs one look of a linear engine, and a long
text is asked part by part. Paper: 5.3, Scanners.
Not here: the shapes (core.scan.case_ids, core.scan.personal_numbers), what a piece is (core.scan.blocks).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from typing import NamedTuple

from skillc.core.scan.blocks import pieces_of
from skillc.core.scan.detector import Gate, Shape
from skillc.core.scan.detectors import gate_for
from skillc.core.scan.extents import MAX_AHEAD_CHARS, has_digit, is_one_word
from skillc.core.scan.long_lines import WORDS_CHARS, matches_in

TOGETHER_CHARS = 2048
REACH_CHARS = 512  # no shape is longer
_DIGIT = re.compile(r"\d")
Piece = tuple[int, str]
Span = tuple[int, int]


class Standing(NamedTuple):
    """A shape that stands in a text: what matched in a piece, and where that begins; `rank` is the shape's place."""

    rank: int
    shape: Shape
    offset: int
    match: re.Match[str]

    @property
    def span(self) -> tuple[int, int]:
        """Where its value stands in the text."""
        start, end = self.match.span("value")
        return self.offset + start, self.offset + end


class _Gated(NamedTuple):
    """A shape with its gate, and what its pattern says of its matches (core.scan.extents)."""

    rank: int
    shape: Shape
    may_match: Gate
    is_one_word: bool
    has_digit: bool


def standing_in(pieces: Iterable[Piece], shapes: Sequence[Shape]) -> Iterator[Standing]:
    """Yields what matches, accepted or not: piece by piece, in each of them shape by shape."""
    in_text, in_words = _gated(shapes)
    for together in _some_together(pieces):
        text = "\n".join(piece for _, piece in together)
        tried = [item for item in in_text if item.may_match(text)]
        if in_words:
            words = " ".join(text[start:end] for start, end in _parts_with_digit(text, " "))
            tried += [item for item in in_words if item.may_match(words)]
            tried.sort(key=attrgetter("rank"))
        for offset, piece in together if tried else ():
            for item in tried:
                if len(together) == 1 or item.may_match(piece):
                    for match in _matches(item, piece):
                        yield Standing(item.rank, item.shape, offset, match)


def _gated(shapes: Sequence[Shape]) -> tuple[list[_Gated], list[_Gated]]:
    """Returns the shapes that are looked for in all of a text, and those that are a word with a digit in it."""
    in_text: list[_Gated] = []
    in_words: list[_Gated] = []
    for rank, shape in enumerate(shapes):
        source = shape.pattern.pattern
        item = _Gated(rank, shape, gate_for(shape.pattern), is_one_word(source), has_digit(source))
        (in_words if item.is_one_word and item.has_digit else in_text).append(item)
    return in_text, in_words


def _matches(item: _Gated, piece: str) -> Iterator[re.Match[str]]:
    """Yields the matches of a shape in a piece; in a long one a shape that is a word is tried in few."""
    pattern = item.shape.pattern
    if len(piece) <= 2 * WORDS_CHARS or not (item.is_one_word and item.has_digit):
        yield from matches_in(pattern, item.may_match, piece, REACH_CHARS, in_words=item.is_one_word)
        return
    for start, end in _parts_with_digit(piece, " "):
        if item.may_match(piece[start:end]):
            for match in pattern.finditer(piece, start, end + MAX_AHEAD_CHARS):
                if match.start() >= end:  # the next word is not seen whole
                    break
                yield match


def numbered_lines(text: str) -> Iterator[Piece]:
    """Yields the lines of a text that hold a digit of any script, with their offset."""
    for start, end in _parts_with_digit(text, "\n"):
        yield start, text[start:end]


def _parts_with_digit(text: str, between: str) -> Iterator[Span]:
    """Yields where the parts of a text stand that hold a digit; a character lies between two parts."""
    end = -1
    while found := _DIGIT.search(text, end + 1):
        start = text.rfind(between, end + 1, found.start()) + 1 or end + 1
        end = text.find(between, found.end())
        end = len(text) if end < 0 else end
        yield start, end


def pieces_of_lines(lines: Iterable[Piece]) -> Iterator[Piece]:
    """Yields lines, the long ones in pieces that overlap."""
    for start, line in lines:
        for offset, piece in pieces_of(line):
            yield start + offset, piece


def _some_together(pieces: Iterable[Piece]) -> Iterator[list[Piece]]:
    """Yields pieces in order, as many as make up some thousand characters."""
    some: list[Piece] = []
    chars = 0
    for piece in pieces:
        some.append(piece)
        chars += len(piece[1])
        if chars >= TOGETHER_CHARS:
            yield some
            some, chars = [], 0
    if some:
        yield some
