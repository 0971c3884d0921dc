"""Literals: which words a text must hold for a pattern to match it, so that most patterns need not be tried.

From a pattern follow sets of pieces of words, one of each of which stands in every text that it matches. The pieces of
all patterns share one numbering; a text becomes the number of all pieces that its words hold, by one look-up for each
word. Paper: 5.3, Scanners. Not here: the patterns (core.scan.rules), trying them (core.scan.phrases).
"""

import re
from collections.abc import Iterable

# The standard library's own parser of patterns has no public name; what it does not explain has no pieces.
from re import _parser  # type: ignore[attr-defined]
from typing import Any

from skillc.core.words import names

MIN_CHARS = 2
_WORD = re.compile(r"[^\W_]+")
_LOWER_OR_BLANK = bytes(ord(chr(byte).lower()) if byte < 128 and chr(byte).isalnum() else 32 for byte in range(256))
# Words that stand in every second paragraph of a Skill say little about a pattern that holds one of them.
_COMMON = names(
    "a access agent all and any api are as at be by can check code context create data each every file for from http "
    "if in is it key name new no not of on only or output read run security set skill step system tell test text that "
    "the this to token tool type use user using when with without you your"
)
_COMMON_WEIGHT = 0.05
_REPEATS = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")


class Literals:
    """A numbering of pieces, and of whole words."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._trie: dict[str, Any] = {}

    def numbered(self, sets: Iterable[frozenset[str]]) -> list[tuple[int, ...]]:
        """Returns sets of pieces as numbers, the surest set first."""
        return [tuple(self._number(piece) for piece in sorted(pieces)) for pieces in sorted(sets, key=weight)]

    def whole_words(self, words: Iterable[str]) -> tuple[int, ...]:
        """Returns the numbers of words that count only as whole words."""
        return tuple(self._number(f"^{word.lower()}$") for word in words)

    def held_by(self, word: str) -> tuple[int, ...]:
        """Returns the numbers of the pieces that stand in a word in lower case."""
        found: set[int] = set()
        marked = f"^{word}$"
        for start in range(len(marked) - 1):
            place = self._trie
            for char in marked[start:]:
                place = place.get(char)  # type: ignore[assignment]
                if place is None:
                    break
                if "" in place:
                    found.add(place[""])
        return tuple(found)

    def _number(self, piece: str) -> int:
        number = self._numbers.get(piece)
        if number is None:
            number = self._numbers[piece] = len(self._numbers)
            place = self._trie
            for char in piece:
                place = place.setdefault(char, {})
            place[""] = number
        return number


def words_of(text: str) -> set[str]:
    """Returns the words of a text in lower case."""
    if text.isascii():
        return set(text.encode().translate(_LOWER_OR_BLANK).decode().split())
    return set(_WORD.findall(text.lower()))


def ways_of(pattern: str) -> list[list[frozenset[str]]]:
    """Returns for each way in which a text may match the sets of pieces that it needs; one way, as far as it is known.

    The ways are the alternatives that a pattern ends with: `cat a|dog b` needs `cat` or `dog`, but no `cat` with `b`.
    """
    items = _items(pattern)
    if items and str(items[-1][0]) == "BRANCH":
        return [_sets([*items[:-1], *branch]) for branch in items[-1][1][1]]
    return [_sets(items)]


def required(pattern: str) -> list[frozenset[str]]:
    """Returns sets of lower-case pieces of words; every text that matches has one of each set in its words.

    A piece that begins or ends a word is marked: `^add` is no part of `padding`, `^put$` none of `puts`.
    """
    return _sets(_items(pattern))


def weight(pieces: Iterable[str]) -> float:
    """Returns how often a text is likely to hold one of some pieces, to compare: short ones stand anywhere."""
    return sum(_COMMON_WEIGHT if piece.strip("^$") in _COMMON else 4.0 ** -len(piece) for piece in pieces)


def _items(pattern: str) -> list[Any]:
    try:
        return list(_parser.parse(pattern, re.IGNORECASE))
    except (re.error, RecursionError):
        return []


def _sets(items: list[Any]) -> list[frozenset[str]]:
    return _Reading().of_sequence(items, is_at_edge=False, ends_at_edge=False)


class _Reading:
    """What one part of a pattern needs. An edge is a place where a word begins or ends in every match."""

    def __init__(self) -> None:
        self.found: list[frozenset[str]] = []
        self.run: list[Any] = []
        self.run_at_edge = False

    def of_sequence(self, items: list[Any], *, is_at_edge: bool, ends_at_edge: bool) -> list[frozenset[str]]:
        waiting = list(items)
        while waiting:
            kind, value = waiting.pop(0)
            name = str(kind)
            if name == "LITERAL":
                if not self.run:
                    self.run_at_edge = is_at_edge
                self.run.append((kind, value))
                is_at_edge = False
            elif name == "SUBPATTERN":
                waiting = [*value[-1], *waiting]
            elif name == "BRANCH":
                is_at_edge = self._branch(value[1], is_at_edge, _begins_at_edge(waiting, ends_at_edge))
            elif name == "ASSERT" and value[0] >= 0:
                self.found += _Reading().of_sequence(list(value[1]), is_at_edge=False, ends_at_edge=False)
            elif _is_edge(kind, value):
                self._end_run(at_edge=True)
                is_at_edge = True
            else:
                self._end_run(at_edge=False)
                is_at_edge = self._other(name, value, is_at_edge)
        self._end_run(at_edge=ends_at_edge)
        return self.found

    def _branch(self, branches: list[Any], is_at_edge: bool, ends_at_edge: bool) -> bool:
        """Reads every branch together with the letters before it, which the parser takes out of all of them."""
        starts = self.run_at_edge if self.run else is_at_edge
        sets = [
            _Reading().of_sequence([*self.run, *branch], is_at_edge=starts, ends_at_edge=ends_at_edge)
            for branch in branches
        ]
        self.run = []
        best = [min(found, key=weight, default=frozenset()) for found in sets]
        if all(best):
            self.found.append(frozenset().union(*best))
        return all(_ends_at_edge(list(branch), is_at_edge) for branch in branches)

    def _other(self, name: str, value: Any, is_at_edge: bool) -> bool:
        if name in _REPEATS:
            inner = list(value[2])
            if value[0] >= 1:
                self.found += _Reading().of_sequence(inner, is_at_edge=False, ends_at_edge=False)
            return is_at_edge and _ends_at_edge(inner, True)
        return False

    def _end_run(self, *, at_edge: bool) -> None:
        text = "".join(chr(value) for _, value in self.run).lower()
        for match in _WORD.finditer(text):
            begins = match.start() > 0 or self.run_at_edge
            ends = match.end() < len(text) or at_edge
            word = match.group()
            if len(word) >= MIN_CHARS or not word.isascii():
                self.found.append(frozenset((f"{'^' if begins else ''}{word}{'$' if ends else ''}",)))
        self.run = []


def _is_edge(kind: Any, value: Any) -> bool:
    """Says whether an item stands where no word goes on: a boundary, or at least one character of no word."""
    name = str(kind)
    if name == "AT":
        return str(value) in ("AT_BOUNDARY", "AT_BEGINNING", "AT_END", "AT_BEGINNING_STRING", "AT_END_STRING")
    if name in _REPEATS:
        return value[0] >= 1 and len(value[2]) == 1 and _is_edge(*value[2][0])
    if name == "IN":
        return all(
            (str(k) == "CATEGORY" and str(v) == "CATEGORY_SPACE") or (str(k) == "LITERAL" and not chr(v).isalnum())
            for k, v in value
        )
    return name == "LITERAL" and not chr(value).isalnum()


def _begins_at_edge(items: list[Any], otherwise: bool) -> bool:
    if not items:
        return otherwise
    kind, value = items[0]
    return _begins_at_edge(list(value[-1]), False) if str(kind) == "SUBPATTERN" and value[-1] else _is_edge(kind, value)


def _ends_at_edge(items: list[Any], otherwise: bool) -> bool:
    if not items:
        return otherwise
    kind, value = items[-1]
    if str(kind) == "SUBPATTERN":
        return _ends_at_edge(list(value[-1]), False)
    if str(kind) == "BRANCH":
        return all(_ends_at_edge(list(branch), False) for branch in value[1])
    return _is_edge(kind, value)
