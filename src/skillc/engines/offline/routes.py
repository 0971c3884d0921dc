"""Routes: which action follows which over all attempt families, and the facts that decide where they part.

Each family weighs 1. A fact decides at a state only if it pays: it must predict families that were left out
better than the most usual action does, at least three of them, with three families on each side. What does not
pay is left to the most usual action. Paper: 5.2 (decisions), 5.3.
Not here: the facts (engines.offline.turns), the sentences (engines.offline.conditions).
"""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from skillc.engines.offline.chance import MIN_SIDE
from skillc.engines.offline.turns import GIVEN, Turn

MIN_GAIN = 2.5  # by how many families it must predict better, when they are left out
MIN_BETTER = 3
CLEARLY = 1.0  # families
# Of the left-out families on each side, one more that goes the other way counted in: then a decision that is told
# would still be told if the next family broke it. Below that a decision predicts, and is not told. Choice, ADR 0020.
MIN_HELD = 0.75
LONGER = "longer"  # not a fact: the last two actions instead of the last one

Counts = dict[str, float]


@dataclass(frozen=True)
class Decision:
    """A fact that decides after `last`: `when` it holds `then` follows, else `otherwise`."""

    last: str
    fact: str
    then: str
    otherwise: str
    turns: tuple[Turn, ...]  # those at this state that went as it says


class _Context(NamedTuple):
    """What followed in one context: in all, by family, and the most usual actions as far as they were asked for."""

    all: Counts
    by_family: dict[str, Counts]
    best: dict[str | None, list[str]]


class _Table:
    """Weighted counts of actions by context, so that one family can be left out."""

    def __init__(self) -> None:
        self._contexts: dict[object, _Context] = {}

    def add(self, context: object, family: str, action: str, weight: float) -> None:
        known = self._contexts.get(context)
        if known is None:
            known = self._contexts[context] = _Context({}, {}, {})
        own = known.by_family.setdefault(family, {})
        known.all[action] = known.all.get(action, 0.0) + weight
        own[action] = own.get(action, 0.0) + weight

    def best(self, context: object, *, without: str | None = None, among: Collection[str] = ()) -> list[str]:
        """Returns the most usual actions, several where they are equally usual; none where nothing is known."""
        known = self._contexts.get(context)
        if known is None:
            return []
        if not among and without in known.best:
            return known.best[without]
        own = known.by_family.get(without, {}) if without is not None else {}
        most = 0.0
        found: list[str] = []
        for action, weight in known.all.items():
            left = round(weight - own.get(action, 0.0), 9)
            if left < most or left <= 0 or (among and action not in among):
                continue
            if left > most:
                most, found = left, []
            found.append(action)
        found.sort()
        if not among:
            known.best[without] = found
        return found


class Routes:
    """What follows what, learned from the turns of verified successes."""

    def __init__(self, turns: Iterable[Turn], *, evenly: bool = False) -> None:
        """With `evenly`, an attempt that comes to a state often weighs no more there than one that came once."""
        self._turns = tuple(turns)
        self._known: dict[tuple[object, ...], str | None] = {}
        self._evenly = evenly
        self._table = _Table()
        self._visits = Counter((t.attempt.trace_id, t.last) for t in self._turns)
        for turn in self._turns:
            histories = (turn.before[-length:] for length in range(2, len(turn.before) + 1))
            for context in ((), turn.last, *histories):
                self._table.add(context, turn.attempt.family, turn.action, self._weight(turn))
        self._options = self._paying_options()
        self._default: str | None = None  # what states without a paying option look at

    def _weight(self, turn: Turn) -> float:
        visits = self._visits[turn.attempt.trace_id, turn.last] if self._evenly else 1
        return turn.attempt.weight / visits

    def held_out_score(self, default: str | None = None) -> float:
        """Returns how many families' actions are predicted while their own family is left out.

        `default` is what a state without a paying option looks at: LONGER, or nothing.
        """
        sizes = Counter(t.attempt.trace_id for t in self._turns)
        found = (
            turn.attempt.weight / sizes[turn.attempt.trace_id]
            for turn in self._turns
            if self._best(turn, self._options.get(turn.last, default), without=turn.attempt.family) == turn.action
        )
        return math.fsum(found)

    @property
    def comes_back(self) -> bool:
        """Says whether an attempt comes to a state more than once: else every weighting is the same."""
        return any(count > 1 for count in self._visits.values())

    def look_at(self, default: str | None) -> None:
        """Sets what states without a paying option look at."""
        self._default = default

    def next_action(self, turn: Turn) -> str | None:
        """Returns the action that should follow; looks at what stands before it only."""
        return self._best(turn, self._options.get(turn.last, self._default))

    def usual_action(self, turn: Turn) -> str | None:
        """Returns the action that most families take after the last one, whatever the facts."""
        return self._best(turn, None)

    def decisions(self) -> tuple[Decision, ...]:
        """Returns the facts that decide, by state; those that do not change the action are left out."""
        found = []
        for last, option in sorted(self._options.items()):
            then, otherwise = (next(iter(self._table.best((last, option, side))), None) for side in (True, False))
            if option == LONGER or then is None or otherwise is None or then == otherwise:
                continue
            if any(self._held(last, option, side) < MIN_HELD for side in (True, False)):
                continue
            followed = {True: then, False: otherwise}
            own = (t for t in self._turns if t.last == last and t.action == followed[option in t.facts])
            found.append(Decision(last, option, then, otherwise, tuple(own)))
        return tuple(found)

    def _held(self, last: str, fact: str, side: bool) -> float:
        """Returns how often a side is right on the families that are left out one by one, and on one that breaks it."""
        own = [t for t in self._turns if t.last == last and (fact in t.facts) is side]
        sizes = Counter(t.attempt.family for t in own)
        right = math.fsum(
            1 / sizes[t.attempt.family] for t in own if self._best(t, fact, without=t.attempt.family) == t.action
        )
        return right / (len({t.attempt.family for t in own}) + 1)

    def _best(self, turn: Turn, option: str | None, *, without: str | None = None) -> str | None:
        """Returns the most usual action; of equals, the one that followed the longest same history."""
        key = (turn.before, option, option in turn.facts, without)
        if key not in self._known:
            self._known[key] = self._best_anew(turn, option, without)
        return self._known[key]

    def _best_anew(self, turn: Turn, option: str | None, without: str | None) -> str | None:
        contexts: list[object] = [turn.last, ()]
        if option is not None:
            contexts.insert(0, turn.before[-2:] if option == LONGER else (turn.last, option, option in turn.facts))
        found: list[str] = []
        for context in contexts:
            found = found or self._table.best(context, without=without)
        for length in range(2, len(turn.before) + 1):
            if len(found) > 1:
                found = self._table.best(turn.before[-length:], without=without, among=found) or found
        return next(iter(found), None)

    def _paying_options(self) -> dict[str, str]:
        """Returns for each state the option that gains most over the most usual action, if it pays."""
        usually = [self._best(t, None, without=t.attempt.family) == t.action for t in self._turns]
        open_states = self._open_states(usually)
        turns = [(turn, usual) for turn, usual in zip(self._turns, usually, strict=True) if turn.last in open_states]
        facts = _balanced_facts(turn for turn, _ in turns)
        for turn, _ in turns:
            for fact in facts[turn.last]:
                side = (turn.last, fact, fact in turn.facts)
                self._table.add(side, turn.attempt.family, turn.action, self._weight(turn))
        gains: dict[tuple[str, str], dict[str, float]] = {}
        for turn, usual in turns:
            family = turn.attempt.family
            for option in (LONGER, *facts[turn.last]):
                right = self._best(turn, option, without=family) == turn.action
                gain = gains.setdefault((turn.last, option), {})
                gain[family] = gain.get(family, 0.0) + (right - usual) * turn.attempt.weight
        found: dict[str, tuple[float, str]] = {}
        for (last, option), gain in sorted(gains.items()):
            total = sum(gain.values())
            if _pays(gain) and (last not in found or total > found[last][0] + 1e-9):
                found[last] = total, option
        return {last: option for last, (_, option) in found.items()}

    def _open_states(self, usually: Sequence[bool]) -> set[str]:
        """Returns the states at which an option could pay: one that is always right would gain enough."""
        most: dict[str, dict[str, float]] = {}
        for turn, usual in zip(self._turns, usually, strict=True):
            gain = most.setdefault(turn.last, {})
            gain[turn.attempt.family] = gain.get(turn.attempt.family, 0.0) + (not usual) * turn.attempt.weight
        return {last for last, gain in most.items() if _pays(gain)}


def routes_of(turns: Iterable[Turn]) -> Routes:
    """Returns the routes of turns, in the weighting and with the history that predict left-out families best.

    Another way than the plain one must be clearly better: between equals, a choice follows chance.
    """
    turns = tuple(turns)
    best, score = Routes(turns), -1.0
    for routes in (best, *([Routes(turns, evenly=True)] if best.comes_back else [])):
        for default in (None, LONGER):
            found = routes.held_out_score(default)
            if found > score + CLEARLY:
                best, score = routes, found
                best.look_at(default)
    return best


def _balanced_facts(turns: Iterable[Turn]) -> dict[str, set[str]]:
    """Returns the facts that may decide at each state: with three families on each side."""
    turns = tuple(turns)
    arguments: dict[str, set[str]] = {}
    facts: dict[str, set[str]] = {}
    for turn in turns:
        arguments.setdefault(turn.last, set()).update(turn.given_names)
        facts.setdefault(turn.last, set()).update(turn.facts)
    sides: dict[tuple[str, str, bool], set[str]] = {}
    for turn in turns:
        for fact in facts[turn.last]:
            sides.setdefault((turn.last, fact, fact in turn.facts), set()).add(turn.attempt.family)
    found: dict[str, set[str]] = {}
    for last, known in facts.items():
        # That a value was given matters only where some action that may follow takes it.
        useful = {f for f in known if not f.startswith(GIVEN) or f[len(GIVEN) :] in arguments[last]}
        found[last] = {f for f in useful if all(len(sides.get((last, f, s), ())) >= MIN_SIDE for s in (True, False))}
    return found


def _pays(gain: dict[str, float]) -> bool:
    better = sum(g > 1e-9 for g in gain.values())
    worse = sum(g < -1e-9 for g in gain.values())
    return sum(gain.values()) >= MIN_GAIN - 1e-9 and better >= MIN_BETTER and better >= 2 * worse
