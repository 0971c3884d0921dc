"""The task family of an undeclared Trace, by a score that the namespace's own declared Traces calibrate.

Every family that somebody declared is a class; marks vote by how much more often they occur in it than outside.
What a margin is worth is measured, never assumed: each declared attempt family is scored by a model that has not
seen it, and once more by one that has not seen its whole family, so that Traces of no known family count as errors.
Below the threshold, or with too few declared Traces, a Trace stays unassigned. Paper: 5.1 (calibrated score).
Not here: marks (core.trace.family_marks), what a person decides (lifecycle.families).
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from skillc.core.record import Record
from skillc.core.trace.family_marks import FamilyMarks

MIN_FAMILY_GROUPS = 3  # attempt families that a task family needs before it is inferred
MIN_GROUPS = 20  # declared attempt families in all: fewer cannot show a precision of 0.95
_SMOOTH = 0.5
_WEIGHTS = {"set": 4.0, "changes": 2.0, "names": 1.0, "words": 1.0}
_BINS = 10


class DeclaredTrace(Record):
    """A Trace whose family somebody stated. `group` is its attempt family: attempts at one task are one witness."""

    group: str
    task_family: str
    marks: FamilyMarks


class FamilyScore(Record):
    """The best family of a Trace and its calibrated score: the measured share of right answers at this margin."""

    task_family: str | None
    score: float
    margin: float


class ReliabilityBin(Record):
    """One row of the reliability table: of `count` held-out answers with such a score, how many were right."""

    low: float
    high: float
    count: int
    right: int


class FamilyModel:
    """Scores Traces against the declared families."""

    def __init__(self, declared: Sequence[DeclaredTrace]) -> None:
        self._counts = _Counts(declared)
        self.declared_groups = len({item.group for item in declared})
        self.held_out = tuple(_held_out(declared, self._counts))
        self._steps = _calibrated(self.held_out)

    @property
    def is_usable(self) -> bool:
        """False with too few declared attempt families, or with no family that has enough of them."""
        return bool(self._steps)

    def score(self, marks: FamilyMarks) -> FamilyScore:
        """Returns the best family and its calibrated score; no family when nothing fits or nothing is calibrated."""
        family, margin = self._counts.best(marks)
        if family is None or not self._steps:
            return FamilyScore(task_family=None, score=0.0, margin=0.0)
        return FamilyScore(task_family=family, score=_step(self._steps, margin), margin=margin)

    def reliability(self) -> tuple[ReliabilityBin, ...]:
        """Returns the reliability table over the held-out answers, by calibrated score."""
        bins: dict[int, list[bool]] = {}
        for margin, is_right in self.held_out:
            bins.setdefault(min(_BINS - 1, int(_step(self._steps, margin) * _BINS)), []).append(is_right)
        return tuple(
            ReliabilityBin(low=b / _BINS, high=(b + 1) / _BINS, count=len(bins[b]), right=sum(bins[b]))
            for b in sorted(bins)
        )


@dataclass(frozen=True)
class _Unseen:
    """What a held-out answer must not know: the marks of one attempt family, or everything of one task family."""

    task_family: str = ""
    marks: frozenset[str] = frozenset()
    whole_family: bool = False


class _Counts:
    """In how many attempt families of each task family a mark occurs."""

    def __init__(self, declared: Iterable[DeclaredTrace]) -> None:
        self.marks: dict[tuple[str, str], set[str]] = {}
        for item in declared:
            self.marks.setdefault((item.task_family, item.group), set()).update(_flat(item.marks))
        self.groups: Counter[str] = Counter(family for family, _ in self.marks)
        self.by_family: dict[str, Counter[str]] = {family: Counter() for family in self.groups}
        for (family, _), found in self.marks.items():
            self.by_family[family].update(found)
        self.total: Counter[str] = Counter()
        for counts in self.by_family.values():
            self.total.update(counts)
        self.changes = {f: {m for m in counts if m.startswith("changes ")} for f, counts in self.by_family.items()}

    def best(self, marks: FamilyMarks, unseen: _Unseen = _Unseen()) -> tuple[str | None, float]:
        """Returns the family with the most votes and its margin over the next.

        A Trace that changed what a family never changes is not of it.
        """
        votes = {}
        changed = {f"changes {mark}" for mark in marks.changes}
        for family, groups in self.groups.items():
            is_hidden = family == unseen.task_family
            if (is_hidden and unseen.whole_family) or groups - (1 if is_hidden else 0) < MIN_FAMILY_GROUPS:
                continue
            if all(self._inside(family, mark, unseen) for mark in changed):
                votes[family] = self._votes(family, marks, changed, unseen)
        if not votes:
            return None, 0.0
        ranked = sorted(votes.items(), key=lambda item: (-item[1], item[0]))
        best, vote = ranked[0]
        other = max(ranked[1][1] if len(ranked) > 1 else 0.0, 0.0)
        return (best, vote - other) if vote > 0 else (None, 0.0)

    def _inside(self, family: str, mark: str, unseen: _Unseen) -> int:
        return self.by_family[family][mark] - (1 if family == unseen.task_family and mark in unseen.marks else 0)

    def _everywhere(self, mark: str, unseen: _Unseen) -> int:
        if unseen.whole_family:
            return self.total[mark] - self.by_family[unseen.task_family][mark]
        return self.total[mark] - (1 if mark in unseen.marks else 0)

    def _votes(self, family: str, marks: FamilyMarks, changed: set[str], unseen: _Unseen) -> float:
        hidden = self.groups[unseen.task_family] if unseen.whole_family else 1 if unseen.task_family else 0
        inside = self.groups[family] - (1 if family == unseen.task_family else 0)
        outside = self.groups.total() - hidden - inside
        total = 0.0
        for kind, weight in _WEIGHTS.items():
            votes = 0.0
            present = _marks(marks, kind)
            for mark in present:
                key = f"{kind} {mark}"
                here, everywhere = self._inside(family, key, unseen), self._everywhere(key, unseen)
                if everywhere >= 2:
                    votes += math.log((here + _SMOOTH) / (inside + 2 * _SMOOTH))
                    votes -= math.log((everywhere - here + _SMOOTH) / (outside + 2 * _SMOOTH))
            total += weight * votes / math.sqrt(max(1, len(present)))
        for mark in sorted(self.changes[family] - changed):  # what the family does and this Trace did not
            here = self._inside(family, mark, unseen)
            total += _WEIGHTS["changes"] * math.log(max(_SMOOTH, inside - here + _SMOOTH) / (inside + 2 * _SMOOTH))
        return total


def _flat(marks: FamilyMarks) -> set[str]:
    return {f"{kind} {mark}" for kind in _WEIGHTS for mark in _marks(marks, kind)}


def _marks(marks: FamilyMarks, kind: str) -> frozenset[str]:
    """Returns the marks of one kind; `set` is the one mark of having changed just these things."""
    if kind == "set":
        return frozenset({"+".join(sorted(marks.changes))})
    found: frozenset[str] = getattr(marks, kind)
    return found


def _held_out(declared: Sequence[DeclaredTrace], counts: _Counts) -> Iterable[tuple[float, bool]]:
    """Yields (margin, was the answer right) for every declared Trace, by counts that have not seen it.

    Grouped by attempt family: attempts at one task would vouch for each other.
    """
    if len({item.group for item in declared}) < MIN_GROUPS:
        return
    for item in declared:
        own = frozenset(counts.marks[item.task_family, item.group])
        family, margin = counts.best(item.marks, _Unseen(item.task_family, own))
        if family is not None:
            yield margin, family == item.task_family
        family, margin = counts.best(item.marks, _Unseen(item.task_family, whole_family=True))
        if family is not None:
            yield margin, False


def _calibrated(held_out: Iterable[tuple[float, bool]]) -> list[tuple[float, float]]:
    """Returns (lowest margin, score) steps, rising: pooled so that more margin never means less score.

    The score of a step is (right + 1/2) / (count + 1), so a short run of right answers is no certainty.
    """
    pools: list[list[float]] = []  # margin, right, count
    for margin, is_right in sorted(held_out):
        pools.append([margin, float(is_right), 1.0])
        while len(pools) > 1 and pools[-2][1] / pools[-2][2] >= pools[-1][1] / pools[-1][2]:
            _, right, count = pools.pop()
            pools[-1][1] += right
            pools[-1][2] += count
    return [(margin, (right + 0.5) / (count + 1)) for margin, right, count in pools]


def _step(steps: Sequence[tuple[float, float]], margin: float) -> float:
    score = 0.0
    for low, value in steps:
        if margin < low:
            break
        score = max(score, value)
    return score
