"""Word index: which of many patterns the words of a piece of text call for.

A pattern has ways to match, and each way needs sets of pieces of words (core.scan.literals). A way is looked up by its
surest set. Many places of a text are asked together: for each word, way and set one number tells in which of them it
stands, so that a way costs a few operations for all of them. Paper: 5.3, Scanners.
Not here: the patterns, and trying them (core.scan.phrases).
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from skillc.core.scan.literals import Literals, required, ways_of

MAX_KNOWN_CHARS = 1_000_000  # of the words whose meaning is kept


class _Way(NamedTuple):
    """One way in which the pattern of a number may match, and the sets that it needs beside its surest one."""

    number: int
    needs: tuple[int, ...]


class _Meaning(NamedTuple):
    """What a word tells: the sets that its pieces are in, and the ways that it is the surest sign of."""

    sets: tuple[int, ...]
    ways: tuple[int, ...]


class _Lexicon:
    """The words that were read, and the meaning of those that have any."""

    def __init__(self) -> None:
        self.words: set[str] = set()
        self.chars = 0
        self.meanings: dict[str, _Meaning] = {}
        self.speaking: set[str] = set()


class WordIndex:
    """Numbered patterns by the words that they need."""

    def __init__(self) -> None:
        self.literals = Literals()
        self._ways: list[_Way] = []
        self._by_piece: dict[int, list[int]] = {}  # the ways in whose surest set a piece is
        self._sets: dict[tuple[int, ...], int] = {}  # the number of each other set of pieces
        self._sets_by_piece: dict[int, list[int]] = {}  # the other sets in which a piece is
        self._always: set[int] = set()
        self._lexicon = _Lexicon()

    def add(self, number: int, source: str, beside: Iterable[str] = (), words: Sequence[str] = ()) -> None:
        """Adds a pattern, the others that stand beside it, and whole words one of which a match needs."""
        self._lexicon = _Lexicon()
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
            self._ways.append(_Way(number, tuple({self._number_of(pieces) for pieces in sets[1:]})))

    def _number_of(self, pieces: tuple[int, ...]) -> int:
        """Returns the number of a set of pieces, a new one for a new set."""
        if pieces not in self._sets:
            self._sets[pieces] = len(self._sets)
            for piece in pieces:
                self._sets_by_piece.setdefault(piece, []).append(self._sets[pieces])
        return self._sets[pieces]

    def called_for(self, places: Sequence[set[str]]) -> dict[int, list[int]]:
        """Returns for the words of each place of a text which patterns may match: for each its places, in order."""
        lexicon = self._with(set().union(*places))
        of_sets: dict[int, int] = defaultdict(int)
        of_ways: dict[int, int] = defaultdict(int)
        for word, bits in _where(places, lexicon.speaking).items():
            sets, ways = lexicon.meanings[word]
            for number in sets:
                of_sets[number] |= bits
            for number in ways:
                of_ways[number] |= bits
        found: dict[int, int] = defaultdict(int, dict.fromkeys(self._always, (1 << len(places)) - 1))
        for way, bits in of_ways.items():
            number, needs = self._ways[way]
            for needed in needs:
                bits &= of_sets.get(needed, 0)
            found[number] |= bits
        return {number: list(_set_bits(bits)) for number, bits in found.items() if bits}

    def _with(self, words: set[str]) -> _Lexicon:
        """Returns what is known of words, after reading those that are new."""
        if self._lexicon.chars > MAX_KNOWN_CHARS:
            self._lexicon = _Lexicon()
        lexicon = self._lexicon
        for word in words - lexicon.words:
            pieces = self.literals.held_by(word)
            sets = {number for piece in pieces for number in self._sets_by_piece.get(piece, ())}
            ways = {way for piece in pieces for way in self._by_piece.get(piece, ())}
            lexicon.words.add(word)
            lexicon.chars += len(word)
            if sets or ways:
                lexicon.meanings[word] = _Meaning(tuple(sets), tuple(ways))
                lexicon.speaking.add(word)
        return lexicon


def _where(places: Sequence[set[str]], speaking: set[str]) -> dict[str, int]:
    """Returns for each word that tells something the places where it stands, as bits of a number."""
    where: dict[str, int] = defaultdict(int)
    for place, words in enumerate(places):
        for word in words & speaking:
            where[word] |= 1 << place
    return where


def _set_bits(bits: int) -> Iterator[int]:
    """Yields the places of the bits of a number that are set, in order."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
