"""Word index: which of many patterns the words of a piece of text call for.

A pattern has ways to match, and each way needs sets of pieces of words (core.scan.literals). A way is looked up by its
surest set; what the pieces of a text hold together decides first which ways are left, so that most pieces cost one
look at their words. Paper: 5.3, Scanners. Not here: the patterns, and trying them (core.scan.phrases).
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from skillc.core.scan.literals import Literals, required, ways_of

MAX_KNOWN_CHARS = 32
MAX_KNOWN_WORDS = 100_000


class _Way(NamedTuple):
    """One way in which the pattern of a number may match: the bits of the sets of pieces it needs beside the surest."""

    number: int
    others: tuple[int, ...]


class _Told(NamedTuple):
    """What a word tells: the ways that it is the surest sign of, by number, and the bits of its pieces."""

    ways: frozenset[int]
    bits: int


class WordIndex:
    """Numbered patterns by the words that they need."""

    def __init__(self) -> None:
        self.literals = Literals()
        self._ways: list[_Way] = []
        self._by_piece: dict[int, list[int]] = {}
        self._always: set[int] = set()
        self._told: dict[str, _Told] = {}

    def add(self, number: int, source: str, beside: Iterable[str] = (), words: Sequence[str] = ()) -> None:
        """Adds a pattern, the others that stand beside it, and whole words one of which a match needs."""
        self._told.clear()
        others = [pieces for pattern in beside for pieces in required(pattern)]
        for way in ways_of(source):
            sets = self.literals.numbered((*way, *others))
            if words:
                sets.insert(0, self.literals.whole_words(words))
            if not sets:
                self._always.add(number)
                continue
            for piece in sets[0]:
                self._by_piece.setdefault(piece, []).append(len(self._ways))
            self._ways.append(_Way(number, tuple(map(self.literals.bits_of, sets[1:]))))

    def called_for(self, pieces: Sequence[set[str]]) -> Iterator[list[int]]:
        """Yields for the words of each piece of a text the numbers of the patterns that may match it, in order."""
        told = self._told_by(set().union(*pieces))
        bits = {word: found.bits for word, found in told.items()}
        ways = {word: found.ways for word, found in told.items() if found.ways}
        left = self._met(bits.values(), ways.values())
        ways = {word: own for word, found in ways.items() if (own := found & left)}
        speaking, telling = set(bits), set(ways)
        for words in pieces:
            numbers = self._always
            if not telling.isdisjoint(words):
                met = self._met(map(bits.__getitem__, words & speaking), map(ways.__getitem__, words & telling))
                numbers = numbers.union(self._ways[way].number for way in met)
            yield sorted(numbers)

    def _met(self, bits: Iterable[int], ways: Iterable[frozenset[int]]) -> set[int]:
        """Returns which of the ways that some words call for have all pieces in their bits."""
        held = 0
        for more in bits:
            held |= more
        met = set()
        for way in frozenset().union(*ways):
            for need in self._ways[way].others:
                if not held & need:
                    break
            else:
                met.add(way)
        return met

    def _told_by(self, words: set[str]) -> dict[str, _Told]:
        """Returns what words tell, without those that tell nothing."""
        known = self._told
        told: dict[str, _Told] = {}
        for word in words:
            found = known.get(word) or self._read(word)
            if found.bits:
                told[word] = found
        return told

    def _read(self, word: str) -> _Told:
        """Returns what a word tells; it is kept for the next time, if it is short."""
        pieces, bits = self.literals.held_by(word)
        told = _Told(frozenset(way for piece in pieces for way in self._by_piece.get(piece, ())), bits)
        if len(word) <= MAX_KNOWN_CHARS:
            if len(self._told) >= MAX_KNOWN_WORDS:
                self._told.clear()
            self._told[word] = told
        return told
