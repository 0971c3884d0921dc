"""Polarity: whether two short lines say the opposite of each other, by their words alone.

Deliberately narrow: the same words but for one turned word, or the same two acts in the other order. Anything
else is left to the Curator and to people. Paper: 5.3. Not here: what attempts did (core.compile.contradictions).
"""

import re
from functools import lru_cache

from skillc.core.words import names

_WORD = re.compile(r"`[^`]+`|[\w<>/.-]+")
_TURNS = (
    ("always", "never"),
    ("must", "must not"),
    ("do", "do not"),
    ("is", "is not"),
    ("can", "cannot"),
    ("may", "may not"),
    ("with", "without"),
    ("enable", "disable"),
    ("enabled", "disabled"),
    ("allow", "refuse"),
    ("allowed", "refused"),
    ("before", "after"),
    ("true", "false"),
    ("on", "off"),
    ("include", "exclude"),
)
_TURNED = {word: (number, side) for number, pair in enumerate(_TURNS) for side, word in enumerate(pair)}
_FILLERS = names("the a an use when then it this that please skill")
_LIMITS = frozenset({"do_not_use_when"})
_USES = frozenset({"use_when", "preconditions"})
_SHORT = 2  # lines of one or two words say too little to be opposites


def opposite_words(field: str, text: str, other_field: str, other: str) -> bool:
    """Says whether two lines of a contract say the opposite: `use X` and `do not use X`, `A before B` and `B before A`.

    The same condition in a field that wants it and in one that forbids it is the opposite too.
    """
    left, right = _words(text), _words(other)
    if not left or not right:
        return False
    crossed = (field in _LIMITS) != (other_field in _LIMITS) and {field, other_field} <= _LIMITS | _USES
    if crossed:
        return left == right
    if field != other_field:
        return False
    return _differs_by_a_turn(left, right) or _is_swapped(left, right)


@lru_cache(maxsize=1024)  # each line is held against every other one
def _words(text: str) -> tuple[str, ...]:
    joined = re.sub(r"\b(must|do|does|is|may)(?:n't| not)\b", r"\1 not", text.casefold())
    joined = re.sub(r"\b(must|do|is|may) not\b", r"\1_not", joined)
    joined = re.sub(r"\bdon't\b", "do_not", joined)
    words = [w.strip(".-") for w in _WORD.findall(joined)]
    return tuple(w.replace("_not", " not") if w.endswith("_not") else w for w in words if w and w not in _FILLERS)


def _differs_by_a_turn(left: tuple[str, ...], right: tuple[str, ...]) -> bool:
    if len(left) == len(right):
        changed = [(a, b) for a, b in zip(left, right, strict=True) if a != b]
        if len(changed) != 1 or len(left) <= _SHORT:
            return False
        one, two = (_TURNED.get(word) for word in changed[0])
        return one is not None and two is not None and one[0] == two[0] and one[1] != two[1]
    longer, shorter = (left, right) if len(left) > len(right) else (right, left)
    if len(longer) != len(shorter) + 1 or len(shorter) < _SHORT:
        return False
    turned = (i for i, word in enumerate(longer) if word in ("do not", "never", "not"))
    return any(longer[:i] + longer[i + 1 :] == shorter for i in turned)


def _is_swapped(left: tuple[str, ...], right: tuple[str, ...]) -> bool:
    for word in ("before", "after"):
        if left.count(word) == 1 and right.count(word) == 1:
            at, there = left.index(word), right.index(word)
            if left[:at] == right[there + 1 :] and left[at + 1 :] == right[:there] and left[:at] != left[at + 1 :]:
                return True
    return False
