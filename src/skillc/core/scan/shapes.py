"""Where shapes stand in a text: many patterns over many small pieces, few of which hold anything.

Pieces are asked together first, so that a shape which none of them holds costs one look of a linear engine, and a long
text is asked part by part. Paper: 5.3, Scanners.
Not here: the shapes (core.scan.case_ids, core.scan.personal_numbers), what a piece is (core.scan.blocks).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from skillc.core.scan.blocks import pieces_of
from skillc.core.scan.detector import Shape
from skillc.core.scan.detectors import gate_for
from skillc.core.scan.long_lines import matches_in

TOGETHER_CHARS = 2048
REACH_CHARS = 512  # no shape is longer
_DIGIT = re.compile(r"\d")
Piece = tuple[int, str]


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


def standing_in(pieces: Iterable[Piece], shapes: Sequence[Shape]) -> Iterator[Standing]:
    """Yields what matches, accepted or not: piece by piece, in each of them shape by shape."""
    gated = [(rank, shape, gate_for(shape.pattern)) for rank, shape in enumerate(shapes)]
    for together in _some_together(pieces):
        text = "\n".join(piece for _, piece in together)
        tried = [item for item in gated if item[2](text)]
        for offset, piece in together if tried else ():
            for rank, shape, may_match in tried:
                if len(together) == 1 or may_match(piece):
                    for match in matches_in(shape.pattern, may_match, piece, REACH_CHARS):
                        yield Standing(rank, shape, offset, match)


def numbered_lines(text: str) -> Iterator[Piece]:
    """Yields the lines of a text that hold a digit of any script, with their offset."""
    end = -1
    while found := _DIGIT.search(text, end + 1):
        start = text.rfind("\n", end + 1, found.start()) + 1 or end + 1
        end = text.find("\n", found.end())
        end = len(text) if end < 0 else end
        yield start, text[start:end]


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
