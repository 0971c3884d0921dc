"""Extents: what every match of a pattern holds or never holds, read from the pattern itself.

A pattern whose matches hold no blank is looked for word by word, and one whose matches hold a digit only where digits
stand. Both are certain when they are said; a pattern that is not understood is said nothing of. Paper: 5.3, Scanners.
Not here: where a pattern is tried (core.scan.long_lines, core.scan.shapes).
"""

from collections.abc import Iterable
from functools import cache

# The standard library's own parser of patterns has no public name; what it does not explain counts as anything.
from re import _parser  # type: ignore[attr-defined]
from typing import Any

MAX_AHEAD_CHARS = 16  # so far a pattern may look ahead of a word
_BLANK = ord(" ")
_DIGITS = range(ord("0"), ord("9") + 1)
_REPEATS = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")
_WITH_BLANK = ("CATEGORY_SPACE", "CATEGORY_NOT_WORD", "CATEGORY_NOT_DIGIT")


@cache
def is_one_word(pattern: str) -> bool:
    """Says whether no match of a pattern holds a blank, and what it looks at ahead holds none or is near."""
    return not _may_hold_blank(_parser.parse(pattern))


@cache
def has_digit(pattern: str) -> bool:
    """Says whether every match of a pattern holds a digit."""
    return _holds_digit(_parser.parse(pattern))


def _may_hold_blank(items: Iterable[Any]) -> bool:
    return any(_is_blank(str(kind), value) for kind, value in items)


def _is_blank(name: str, value: Any) -> bool:
    if name == "LITERAL":
        return bool(value == _BLANK)
    if name == "NOT_LITERAL":
        return bool(value != _BLANK)
    if name == "IN":
        return _class_has_blank(value)
    if name in ("AT", "GROUPREF"):
        return False
    if name in ("ASSERT", "ASSERT_NOT"):
        is_near = value[0] < 0 or value[1].getwidth()[1] <= MAX_AHEAD_CHARS
        return not is_near and _may_hold_blank(value[1])
    return any(map(_may_hold_blank, parts)) if (parts := _parts(name, value)) else True


def _class_has_blank(members: list[Any]) -> bool:
    is_negated, has_blank = False, False
    for kind, value in members:
        name = str(kind)
        is_negated |= name == "NEGATE"
        has_blank |= (
            (name == "LITERAL" and value == _BLANK)
            or (name == "RANGE" and value[0] <= _BLANK <= value[1])
            or (name == "CATEGORY" and str(value) in _WITH_BLANK)
        )
    return has_blank != is_negated


def _holds_digit(items: Iterable[Any]) -> bool:
    return any(_is_digit(str(kind), value) for kind, value in items)


def _is_digit(name: str, value: Any) -> bool:
    if name == "LITERAL":
        return value in _DIGITS
    if name == "IN":
        return all(_is_member_digit(str(kind), member) for kind, member in value)
    if name in _REPEATS and value[0] == 0:
        return False
    return all(map(_holds_digit, parts)) if (parts := _parts(name, value)) else False


def _is_member_digit(name: str, value: Any) -> bool:
    return (
        (name == "LITERAL" and value in _DIGITS)
        or (name == "RANGE" and value[0] in _DIGITS and value[1] in _DIGITS)
        or (name == "CATEGORY" and str(value) == "CATEGORY_DIGIT")
    )


def _parts(name: str, value: Any) -> list[Any]:
    """Returns the sequences one of which stands for an item of a pattern; none for an item that is not understood."""
    if name == "SUBPATTERN":
        return [value[-1]]
    if name == "BRANCH":
        return list(value[1])
    if name in _REPEATS:
        return [value[2]]
    return [value] if name == "ATOMIC_GROUP" else []
