"""Twins: two Skills that do the same work, found by what they do and never by how they say it.

Compares tools, operations and the order of steps. Two contracts are compatible when one can be a patch of the other;
near-duplicates of two families also change exactly the same things. ADR 0018. Paper: 5.3, Curator.
Not here: what follows (core.compile.decision, core.compile.duplicates).
"""

from skillc.core.skill.contract import Contract
from skillc.core.trace.operation import Effect, effect_of

COMPATIBLE = 0.6
SAME_CHANGES = 0.3
NEAR_DUPLICATE = 0.8
Act = tuple[str, str]


def acts_of(contract: Contract) -> tuple[Act, ...]:
    """Returns what the steps do, in order, each as (tool, operation); a step without an action does nothing."""
    return tuple((s.action.tool, s.action.operation or "") for s in contract.steps if s.action is not None)


def changes_of(contract: Contract) -> frozenset[Act]:
    """Returns the acts that change something: they say what a procedure is for."""
    return frozenset((t, o) for t, o in acts_of(contract) if effect_of(t, o or None) is not Effect.READ)


def similarity(one: Contract, two: Contract) -> float:
    """Returns how much of two procedures is the same, from 0 to 1.

    The mean of the share of acts in the same order and the share of acts at all. Two of three steps in the same
    order, and one of each alone, give (4/6 + 2/4) / 2 = 0.58.
    """
    left, right = acts_of(one), acts_of(two)
    if not left or not right:
        return 0.0
    order = 2 * _common(left, right) / (len(left) + len(right))
    share = len(set(left) & set(right)) / len(set(left) | set(right))
    return (order + share) / 2


def is_compatible(one: Contract, two: Contract) -> bool:
    """Says whether one of two Skills of a family can be a patch of the other.

    Two that change exactly the same things need less in common: what they read on the way differs by case.
    """
    alike = similarity(one, two)
    same_changes = bool(changes_of(one)) and changes_of(one) == changes_of(two)
    return one.task_family == two.task_family and (alike >= COMPATIBLE or (same_changes and alike >= SAME_CHANGES))


def is_near_duplicate(one: Contract, two: Contract) -> bool:
    """Says whether two Skills change exactly the same things, by nearly the same steps."""
    changes = changes_of(one)
    return bool(changes) and changes == changes_of(two) and similarity(one, two) >= NEAR_DUPLICATE


def _common(left: tuple[Act, ...], right: tuple[Act, ...]) -> int:
    """Returns the length of the longest common subsequence."""
    row = [0] * (len(right) + 1)
    for one in left:
        before = 0
        for i, two in enumerate(right, 1):
            above = row[i]
            row[i] = before + 1 if one == two else max(above, row[i - 1])
            before = above
    return row[-1]
