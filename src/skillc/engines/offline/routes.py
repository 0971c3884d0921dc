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
from functools import cached_property

from skillc.engines.offline.chance import MIN_SIDE
from skillc.engines.offline.turns import GIVEN, Turn

MIN_GAIN = 2.5  # by how many families it must predict better, when they are left out
MIN_BETTER = 3
CLEARLY = 1.0  # families
# Of the left-out families on each side, one more that goes the other way counted in: then a decision that is told
# would still be told if the next family broke it. Below that a decision predicts, and is not told. Choice, ADR 0020.
MIN_HELD = 0.75
LONGER = "longer"  # not a fact: the last two actions instead of the last one
DIGITS = 9  # of a sum of weights: what is equal but for rounding is equal

Counts = dict[str, float]


@dataclass(frozen=True)
class Decision:
    """A fact that decides after `last`: `when` it holds `then` follows, else `otherwise`."""

    last: str
    fact: str
    then: str
    otherwise: str
    turns: tuple[Turn, ...]  # those at this state that went as it says


class _Context:
    """What followed in one context, in all and by family. It is asked when everything is counted."""

    def __init__(self) -> None:
        self.all: Counts = {}
        self.by_family: dict[str, Counts] = {}
        self._known: dict[str | None, list[str]] = {}

    def add(self, family: str, action: str, weight: float) -> None:
        own = self.by_family.get(family)
        if own is None:
            own = self.by_family[family] = {}
        self.all[action] = self.all.get(action, 0.0) + weight
        own[action] = own.get(action, 0.0) + weight

    def best(self, without: str | None) -> list[str]:
        """Returns the most usual actions while one family is left out, several where they are equally usual."""
        found = self._known.get(without)
        if found is None:
            found = self._known[without] = self._best_anew(without)
        return found

    def best_among(self, among: Iterable[str], without: str | None) -> list[str]:
        """Returns the most usual of some actions."""
        own = self.by_family.get(without, {}) if without is not None else {}
        known = ((action, self.all[action]) for action in among if action in self.all)
        return _most([(round(weight - own.get(action, 0.0), DIGITS), action) for action, weight in known])

    @cached_property
    def _ranked(self) -> list[tuple[float, str]]:
        return sorted(((round(weight, DIGITS), action) for action, weight in self.all.items()), reverse=True)

    @cached_property
    def _leaders(self) -> tuple[list[str], float]:
        """The most usual actions of all families, and the weight of what comes after them."""
        leaders = _most(self._ranked)
        return leaders, self._ranked[len(leaders)][0] if len(leaders) < len(self._ranked) else 0.0

    def _best_anew(self, without: str | None) -> list[str]:
        """Counts only what the family did itself: of the rest, those that lead the ranking are the most usual."""
        own = self.by_family.get(without, {}) if without is not None else {}
        leaders, next_weight = self._leaders
        if own.keys().isdisjoint(leaders):
            return leaders
        if len(leaders) == 1 and round(self.all[leaders[0]] - own[leaders[0]], DIGITS) > next_weight:
            return leaders
        left = [(round(self.all[action] - weight, DIGITS), action) for action, weight in own.items()]
        most = 0.0
        for weight, action in self._ranked:
            if weight < most:
                break
            if action not in own:
                most = weight
                left.append((weight, action))
        return _most(left)


def _most(weighted: list[tuple[float, str]]) -> list[str]:
    """Returns the actions of the greatest weight by name; none where no weight is left."""
    most = max(weighted, default=(0.0, ""))[0]
    return sorted(action for weight, action in weighted if weight == most) if most > 0 else []


class _Table:
    """Weighted counts of actions by context, so that one family can be left out."""

    def __init__(self) -> None:
        self._contexts: dict[object, _Context] = {}

    def __contains__(self, context: object) -> bool:
        return context in self._contexts

    def add(self, context: object, family: str, action: str, weight: float) -> None:
        known = self._contexts.get(context)
        if known is None:
            known = self._contexts[context] = _Context()
        known.add(family, action, weight)

    def best(self, context: object, *, without: str | None = None, among: Collection[str] = ()) -> list[str]:
        """Returns the most usual actions, several where they are equally usual; none where nothing is known."""
        known = self._contexts.get(context)
        if known is None:
            return []
        return known.best_among(among, without) if among else known.best(without)


class Routes:
    """What follows what, learned from the turns of verified successes."""

    def __init__(self, turns: Iterable[Turn], *, evenly: bool = False) -> None:
        """With `evenly`, an attempt that comes to a state often weighs no more there than one that came once."""
        self._turns = tuple(turns)
        self._known: dict[tuple[object, ...], str | None] = {}
        self._evenly = evenly
        self._table = _Table()
        self._visits = Counter((t.attempt.trace_id, t.last) for t in self._turns)
        self._by_pair: dict[tuple[str, ...], list[Turn]] = {}
        for turn in self._turns:
            pair, family, weight = turn.before[-2:], turn.attempt.family, self._weight(turn)
            self._by_pair.setdefault(pair, []).append(turn)
            self._table.add(turn.last, family, turn.action, weight)
            self._table.add(pair, family, turn.action, weight)
        self._options = self._paying_options()
        self._default: str | None = None  # what states without a paying option look at

    def _weight(self, turn: Turn) -> float:
        weight = turn.attempt.weight
        return weight / self._visits[turn.attempt.trace_id, turn.last] if self._evenly else weight

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
        found = self._first(turn, option, without)
        if len(found) == 1:
            return found[0]
        key = (turn.before, option, option in turn.facts, without)
        if key not in self._known:
            self._known[key] = self._settled(found, turn, without)
        return self._known[key]

    def _first(self, turn: Turn, option: str | None, without: str | None) -> list[str]:
        """Returns the most usual actions where nothing but the last action and the option are looked at."""
        if option is None:
            return self._table.best(turn.last, without=without)
        if option == LONGER:
            return self._table.best(turn.before[-2:], without=without)
        return self._table.best((turn.last, option, option in turn.facts), without=without)

    def _settled(self, found: list[str], turn: Turn, without: str | None) -> str | None:
        """Returns the one of several equals that followed the longest same history; the usual one where none is."""
        found = found or self._table.best(turn.last, without=without)
        if not found:
            self._count((), self._turns)
            found = self._table.best((), without=without)
        for length in range(2, len(turn.before) + 1):
            if len(found) > 1:
                history, same = turn.before[-length:], self._by_pair.get(turn.before[-2:], [])
                self._count(history, (t for t in same if t.before[-length:] == history))
                found = self._table.best(history, without=without, among=found) or found
        return next(iter(found), None)

    def _count(self, context: object, turns: Iterable[Turn]) -> None:
        """Counts what followed in a context that is asked for seldom, when it is asked for."""
        if context not in self._table:
            for turn in turns:
                self._table.add(context, turn.attempt.family, turn.action, self._weight(turn))

    def _paying_options(self) -> dict[str, str]:
        """Returns for each state the option that gains most over the most usual action, if it pays."""
        found: dict[str, str] = {}
        for last, (turns, usually) in self._open_states().items():
            option = self._paying_option(turns, usually)
            if option is not None:
                found[last] = option
            if option not in (None, LONGER):
                for turn in turns:
                    side = (last, option, option in turn.facts)
                    self._table.add(side, turn.attempt.family, turn.action, self._weight(turn))
        return found

    def _paying_option(self, turns: list[Turn], usually: list[bool]) -> str | None:
        """Returns the option that gains most at one state, if one pays; of equals, the first by name."""
        balanced = _balanced_facts(turns)
        gains: dict[int, dict[str, float]] = {}  # facts that hold at the same turns gain the same
        found: tuple[float, str | None] = (0.0, None)
        for option in sorted((LONGER, *balanced)):
            if option == LONGER:
                gain = _gain(turns, usually, [self._best(t, LONGER, without=t.attempt.family) for t in turns])
            elif balanced[option] in gains:
                gain = gains[balanced[option]]
            else:
                gain = gains[balanced[option]] = _gain(turns, usually, self._by_fact(option, turns))
            total = sum(gain.values())
            if _pays(gain) and (found[1] is None or total > found[0] + 1e-9):
                found = total, option
        return found[1]

    def _by_fact(self, fact: str, turns: list[Turn]) -> list[str | None]:
        """Returns what is predicted at turns of one state by a fact, each without its own family."""
        sides = {True: _Context(), False: _Context()}
        for turn in turns:
            sides[fact in turn.facts].add(turn.attempt.family, turn.action, self._weight(turn))
        found: list[str | None] = []
        for turn in turns:
            family = turn.attempt.family
            best = sides[fact in turn.facts].best(family)
            found.append(best[0] if len(best) == 1 else self._settled(best, turn, family))
        return found

    def _open_states(self) -> dict[str, tuple[list[Turn], list[bool]]]:
        """Returns the turns of the states at which an option could pay: one that is always right would gain enough.

        Beside each turn, whether the most usual action is right there.
        """
        states: dict[str, list[Turn]] = {}
        for turn in self._turns:
            states.setdefault(turn.last, []).append(turn)
        found = {}
        for last, turns in states.items():
            usually = [self._best(t, None, without=t.attempt.family) == t.action for t in turns]
            if _pays(_gain(turns, usually, [t.action for t in turns])):
                found[last] = turns, usually
        return found


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


def _balanced_facts(turns: list[Turn]) -> dict[str, int]:
    """Returns the facts that may decide at one state, with three families on each side.

    Each with the turns at which it holds, as the bits of a number.
    """
    arguments = set[str]().union(*(t.given_names for t in turns))
    holds: dict[str, int] = {}
    for place, turn in enumerate(turns):
        for fact in turn.facts:
            holds[fact] = holds.get(fact, 0) | 1 << place
    is_balanced = {bits: _is_balanced(bits, turns) for bits in set(holds.values())}
    # That a value was given matters only where some action that may follow takes it.
    useful = (f for f in holds if not f.startswith(GIVEN) or f[len(GIVEN) :] in arguments)
    return {f: holds[f] for f in useful if is_balanced[holds[f]]}


def _is_balanced(holds: int, turns: list[Turn]) -> bool:
    sides: tuple[set[str], set[str]] = (set(), set())
    for place, turn in enumerate(turns):
        sides[holds >> place & 1].add(turn.attempt.family)
    return all(len(side) >= MIN_SIDE for side in sides)


def _gain(turns: list[Turn], usually: list[bool], predicted: Sequence[str | None]) -> dict[str, float]:
    """Returns by family how much better a prediction is than the most usual action."""
    gain: dict[str, float] = {}
    for turn, usual, action in zip(turns, usually, predicted, strict=True):
        attempt = turn.attempt
        gain[attempt.family] = gain.get(attempt.family, 0.0) + ((action == turn.action) - usual) * attempt.weight
    return gain


def _pays(gain: dict[str, float]) -> bool:
    better = sum(g > 1e-9 for g in gain.values())
    worse = sum(g < -1e-9 for g in gain.values())
    return sum(gain.values()) >= MIN_GAIN - 1e-9 and better >= MIN_BETTER and better >= 2 * worse
