"""Word index: which of many patterns the words of a piece of text call for.

A pattern has ways to match, and each way needs sets of pieces of words (core.scan.literals). A way is looked up by its
surest set; what the pieces of a text hold together decides first which ways are left, so that most pieces cost one
look at their words. Paper: 5.3, Scanners. Not here: the patterns, and trying them (core.scan.phrases).
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from skillc.core.scan.literals import Literals, required, ways_of

MAX_KNOWN_CHARS = 1_000_000  # of the words whose meaning is kept
_NO_WAYS: frozenset[int] = frozenset()


class _Way(NamedTuple):
    """One way in which the pattern of a number may match: the bits of what it needs beside its surest set of pieces."""

    number: int
    needs: int


class _Lexicon:
    """What words tell: the bits of the sets that their pieces are in, and the ways that they are the surest sign of."""

    def __init__(self) -> None:
        self.words: set[str] = set()
        self.chars = 0
        self.bits: dict[str, int] = {}
        self.ways: dict[str, frozenset[int]] = {}
        self.speaking: set[str] = set()  # the words that have any bits
        self.telling: set[str] = set()  # the words that have any ways


class WordIndex:
    """Numbered patterns by the words that they need."""

    def __init__(self) -> None:
        self.literals = Literals()
        self._ways: list[_Way] = []
        self._by_piece: dict[int, list[int]] = {}  # the ways in whose surest set a piece is
        self._sets: dict[tuple[int, ...], int] = {}  # the bit of each other set of pieces
        self._bits: dict[int, int] = {}  # the bits of the other sets in which a piece is
        self._always: frozenset[int] = frozenset()
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
                self._always |= {number}
                continue
            for piece in sets[0]:
                self._by_piece.setdefault(piece, []).append(len(self._ways))
            self._ways.append(_Way(number, sum({self._bit_of(pieces) for pieces in sets[1:]})))

    def _bit_of(self, pieces: tuple[int, ...]) -> int:
        """Returns the bit of a set of pieces, a new one for a new set."""
        if pieces not in self._sets:
            self._sets[pieces] = 1 << len(self._sets)
            for piece in pieces:
                self._bits[piece] = self._bits.get(piece, 0) | self._sets[pieces]
        return self._sets[pieces]

    def called_for(self, pieces: Sequence[set[str]]) -> Iterator[list[int]]:
        """Yields for the words of each piece of a text the numbers of the patterns that may match it, in order."""
        words: set[str] = set().union(*pieces)
        lexicon = self._with(words)
        bits, telling = lexicon.bits, words & lexicon.telling
        left = self._met([bits[word] for word in words & lexicon.speaking], [lexicon.ways[word] for word in telling])
        ways = {word: own for word in telling if (own := lexicon.ways[word] & left)}
        speaking, telling = words & lexicon.speaking, set(ways)
        for words in pieces:
            numbers = self._always
            if not telling.isdisjoint(words):
                met = self._met([bits[word] for word in words & speaking], [ways[word] for word in words & telling])
                numbers = numbers.union(self._ways[way].number for way in met)
            yield sorted(numbers)

    def _met(self, bits: Iterable[int], ways: Iterable[frozenset[int]]) -> set[int]:
        """Returns which ways have all that they need in some bits."""
        held = 0
        for more in bits:
            held |= more
        found = self._ways
        return {way for way in _NO_WAYS.union(*ways) if held & found[way].needs == found[way].needs}

    def _with(self, words: set[str]) -> _Lexicon:
        """Returns what is known of words, after reading those that are new."""
        if self._lexicon.chars > MAX_KNOWN_CHARS:
            self._lexicon = _Lexicon()
        lexicon = self._lexicon
        for word in words - lexicon.words:
            pieces = self.literals.held_by(word)
            ways = frozenset(way for piece in pieces for way in self._by_piece.get(piece, ()))
            bits = 0
            for piece in pieces:
                bits |= self._bits.get(piece, 0)
            lexicon.words.add(word)
            lexicon.chars += len(word)
            if bits:
                lexicon.bits[word] = bits
                lexicon.speaking.add(word)
            if ways:
                lexicon.ways[word] = ways
                lexicon.telling.add(word)
        return lexicon
