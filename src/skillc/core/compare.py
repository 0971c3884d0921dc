"""Paired comparison: one arm against its baselines on the same held-out cases, over groups.

A case belongs to an attempt family, which counts once however many cases it has, and to a group; groups are drawn
with replacement to say how far a difference can be believed. The draws are fixed: same cases, same numbers.
Paper: 6 (evaluation by paired arms). Not here: what a case is (engines.offline.held_out).
"""

import hashlib
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from skillc.core.record import Record

DRAWS = 2000
COVERAGE = 0.95
_TIE = 1e-9


class Case(NamedTuple):
    """One held-out case: how right each arm was, from 0 to 1. Every case of a measure has the same baselines."""

    group: str
    family: str
    ours: float
    baselines: Mapping[str, float]


class Measure(Record):
    """One figure with its baselines. `interval` is that of ours minus the best baseline.

    `n` counts cases, `groups` the groups that they come from.
    """

    name: str
    ours: float
    baselines: dict[str, float]
    interval: tuple[float, float]
    n: int
    groups: int

    @property
    def best_baseline(self) -> float | None:
        return max(self.baselines.values(), default=None)

    @property
    def loses(self) -> bool:
        """Says whether a baseline is better."""
        return self.best_baseline is not None and self.ours < self.best_baseline - _TIE


def measured(name: str, cases: Sequence[Case]) -> Measure | None:
    """Returns the means of all arms over families with the interval of the difference; None without cases."""
    if not cases:
        return None
    sizes = Counter(c.family for c in cases)
    weights = [1 / sizes[c.family] for c in cases]
    names = sorted(cases[0].baselines)
    ours = _mean([c.ours for c in cases], weights)
    baselines = {b: _mean([c.baselines[b] for c in cases], weights) for b in names}
    best = max(names, key=lambda b: (baselines[b], b), default=None)
    beside = [c.baselines[best] if best is not None else 0.0 for c in cases]
    gains = [(c.group, c.ours - b, w) for c, b, w in zip(cases, beside, weights, strict=True)]
    low, high = _interval(gains)
    return Measure(
        name=name,
        ours=round(ours, 4),
        baselines={b: round(v, 4) for b, v in baselines.items()},
        interval=(round(low, 4), round(high, 4)),
        n=len(cases),
        groups=len({c.group for c in cases}),
    )


def _mean(values: Sequence[float], weights: Sequence[float]) -> float:
    return math.fsum(v * w for v, w in zip(values, weights, strict=True)) / math.fsum(weights)


def _interval(gains: Iterable[tuple[str, float, float]]) -> tuple[float, float]:
    """Returns the percentile interval of the mean of (group, difference, weight) over groups drawn with replacement."""
    sums: dict[str, list[float]] = {}
    for group, difference, weight in gains:
        own = sums.setdefault(group, [0.0, 0.0])
        own[0] += weight * difference
        own[1] += weight
    groups = [sums[g] for g in sorted(sums)]
    draws = _draws(len(groups))
    found = []
    for _ in range(DRAWS):
        gain = weight = 0.0
        for _ in groups:
            difference, share = groups[next(draws)]
            gain += difference
            weight += share
        found.append(gain / weight)
    found.sort()
    cut = round((1 - COVERAGE) / 2 * DRAWS)
    return found[cut], found[-1 - cut]


def _draws(count: int) -> Iterator[int]:
    """Yields numbers below `count` without end, the same in every run."""
    number = 0
    while True:
        block = hashlib.sha256(f"draws {count} {number}".encode()).digest()
        for start in range(0, len(block), 4):
            yield int.from_bytes(block[start : start + 4], "big") % count
        number += 1
