"""Literals: which words a text must hold for a pattern to match it, so that most patterns need not be tried.

From a pattern follow sets of pieces of words, one of each of which stands in every text that it matches. The pieces of
all patterns share one numbering; a text becomes the number of all pieces that its words hold, by one look-up for each
word. Paper: 5.3, Scanners. Not here: the patterns (core.scan.rules), trying them (core.scan.phrases).
"""

import re
from collections.abc import Iterable

# The standard library's own parser of patterns has no public name; what it does not explain has no pieces.
from re import _constants, _parser  # type: ignore[attr-defined]
from typing import Any

MIN_CHARS = 3
_WORD = re.compile(r"\w+")
_REPEATS = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")


class Literals:
    """A numbering of pieces. A number's bits say which pieces are meant."""

    def __init__(self) -> None:
        self._bits: dict[str, int] = {}
        self._trie: dict[str, Any] = {}
        self._words: dict[str, int] = {}

    def needs(self, pattern: str) -> tuple[int, ...]:
        """Returns for each set of pieces of a pattern its bits; a match needs one bit of each."""
        return tuple(self._number(pieces) for pieces in required(pattern))

    def bits(self, text: str) -> int:
        """Returns the bits of all pieces that stand in the words of a text, in any case."""
        found = 0
        known = self._words
        for word in set(_WORD.findall(text.lower())):
            bits = known.get(word)
            if bits is None:
                bits = self._bits_of_word(word)
                if len(word) <= 32:
                    known[word] = bits
            found |= bits
        return found

    def _number(self, pieces: Iterable[str]) -> int:
        found = 0
        for piece in pieces:
            if piece not in self._bits:
                self._bits[piece] = 1 << len(self._bits)
                self._words.clear()
                place = self._trie
                for char in piece:
                    place = place.setdefault(char, {})
                place[""] = self._bits[piece]
            found |= self._bits[piece]
        return found

    def _bits_of_word(self, word: str) -> int:
        found = 0
        for start in range(len(word)):
            place = self._trie
            for char in word[start:]:
                place = place.get(char)  # type: ignore[assignment]
                if place is None:
                    break
                found |= place.get("", 0)
        return found


def required(pattern: str) -> list[frozenset[str]]:
    """Returns sets of lower-case pieces of words; every text that matches has one of each set in its words."""
    try:
        tree = _parser.parse(pattern, re.IGNORECASE)
    except (re.error, RecursionError):
        return []
    return _of_sequence(tree)


def _of_sequence(items: Any) -> list[frozenset[str]]:
    found: list[frozenset[str]] = []
    run = ""
    for kind, value in items:
        if kind is _constants.LITERAL:
            run += chr(value)
            continue
        found += _of_run(run)
        run = ""
        found += _of_item(str(kind), value)
    return found + _of_run(run)


def _of_run(run: str) -> list[frozenset[str]]:
    words = _WORD.findall(run.lower())
    return [frozenset((word,)) for word in words if len(word) >= MIN_CHARS or not word.isascii()]


def _of_item(kind: str, value: Any) -> list[frozenset[str]]:
    if kind == "SUBPATTERN":
        return _of_sequence(value[-1])
    if kind == "ATOMIC_GROUP" or (kind == "ASSERT" and value[0] >= 0):
        return _of_sequence(value if kind == "ATOMIC_GROUP" else value[1])
    if kind in _REPEATS and value[0] >= 1:
        return _of_sequence(value[2])
    if kind == "BRANCH":
        best = [max(_of_sequence(branch), key=_worth, default=frozenset()) for branch in value[1]]
        return [frozenset().union(*best)] if all(best) else []
    return []


def _worth(pieces: frozenset[str]) -> tuple[int, int]:
    """The longer the shortest piece, and the fewer there are, the fewer texts pass."""
    return min(map(len, pieces)), -len(pieces)
