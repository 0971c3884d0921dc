"""Which claim a line of an edited page is, or was: by its words, then by its place and the words that it kept.

A line that is written as a claim is rendered is that claim, wherever it stands in its section. What is left is paired
by how much of the words is the same and by the lines around it. Not here: reading a line (core.skill.line_forms).
"""

import re
from collections import deque
from collections.abc import Sequence

from skillc.core.skill.line_forms import input_name

ALIKE = 0.4  # share of words in common from which a line is another one, changed; Choice, ADR 0025
ALIKE_IN_PLACE = 0.15  # where the lines around it are the same
_SAME_PLACE = 0.3
_WORDS = re.compile(r"\w+")


def same_lines(before: Sequence[str], after: Sequence[str]) -> dict[int, int]:
    """Returns index after -> index before of the lines that are the same, the first of several equal ones first."""
    places: dict[str, deque[int]] = {}
    for index, text in enumerate(before):
        places.setdefault(text, deque()).append(index)
    return {index: places[text].popleft() for index, text in enumerate(after) if places.get(text)}


def changed_lines(before: Sequence[str], after: Sequence[str], same: dict[int, int]) -> dict[int, int]:
    """Returns index after -> index before of the lines that were changed; each line before is used once."""
    known = set(same.values())
    old = [i for i in range(len(before)) if i not in known]
    new = [j for j in range(len(after)) if j not in same]
    ranked = []
    for i in old:
        for j in new:
            in_place = _gap_before(i, known) == _gap_after(j, same)
            alike = _alike(before[i], after[j])
            if alike >= (ALIKE_IN_PLACE if in_place else ALIKE):
                ranked.append((-(alike + (_SAME_PLACE if in_place else 0)), abs(i - j), i, j))
    found: dict[int, int] = {}
    for _, _, i, j in sorted(ranked):
        if j not in found and i not in found.values():
            found[j] = i
    return found


def _alike(one: str, two: str) -> float:
    """Returns the share of words in common, from 0 to 1; a placeholder that is declared again is the same line.

    `Run the tests` and `Run the tests twice` have 3 of 3 and 3 of 4 words: 6/7.
    """
    if (name := input_name(one)) is not None and name == input_name(two):
        return 2.0
    left, right = set(_WORDS.findall(one.lower())), set(_WORDS.findall(two.lower()))
    return 2 * len(left & right) / (len(left) + len(right)) if left and right else 0.0


def _gap_before(index: int, known: set[int]) -> tuple[int, int]:
    """Returns the unchanged lines around a line before, by their index before."""
    return max((k for k in known if k < index), default=-1), min((k for k in known if k > index), default=-1)


def _gap_after(index: int, same: dict[int, int]) -> tuple[int, int]:
    """Returns the unchanged lines around a line after, by their index before."""
    earlier = [j for j in same if j < index]
    later = [j for j in same if j > index]
    return (same[max(earlier)] if earlier else -1), (same[min(later)] if later else -1)
