"""Chance: whether a difference between two small groups could be an accident.

Not here: what is compared (engines.offline.conditions, engines.offline.contrast).
"""

from math import comb

CHANCE = 0.05  # a difference that chance makes this often is none
MIN_SIDE = 3  # families on each side: with fewer nothing is said


def is_no_chance(marked: int, group: int, other_marked: int, others: int) -> bool:
    """Says whether more of a group are marked than chance would mark, against the others.

    Fisher's exact test, one-sided: 5 of 5 against 1 of 6 is no chance, 3 of 3 against 1 of 3 may be.
    """
    if group < MIN_SIDE or others < MIN_SIDE or marked < MIN_SIDE:
        return False
    total = marked + other_marked
    ways = sum(comb(group, k) * comb(others, total - k) for k in range(marked, min(total, group) + 1))
    return ways / comb(group + others, total) <= CHANCE
