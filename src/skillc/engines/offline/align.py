"""Alignment: the calls of all supporting attempt families as one ordered list of columns.

Each family weighs 1, however many attempts it has. A column is one symbol; most families have it (a step),
some have it (an optional step), or too few (left out). Order is by majority precedence. Paper: 5.3.
Not here: what a column says (engines.offline.steps).
"""

from collections.abc import Iterable
from dataclasses import dataclass

from skillc.core.policy import Thresholds
from skillc.engines.offline.calls import Attempt, Call, CallKind
from skillc.engines.offline.symbols import AFTER, BEFORE, Alphabet

MAX_COLUMNS = 24
MOST = 0.5


@dataclass(frozen=True)
class Column:
    """A step-to-be. `calls` are its calls in verified successes, `families` those that have it."""

    symbol: str
    calls: tuple[Call, ...]
    families: tuple[str, ...]
    share: float
    optional: bool
    repeated: float  # share of its families in which it runs more than once with other values

    @property
    def kind(self) -> CallKind:
        return self.calls[0].kind

    @property
    def is_check(self) -> bool:
        return self.kind is CallKind.CHECK

    @property
    def tool(self) -> str:
        return self.calls[0].tool

    @property
    def is_repeated(self) -> bool:
        """Says whether it is a loop: most families run it for more than one thing, not only half of them."""
        return self.repeated > MOST

    @property
    def is_changing(self) -> bool:
        return any(c.is_changing for c in self.calls)


def align(
    attempts: tuple[Attempt, ...], alphabet: Alphabet, thresholds: Thresholds, *, needed: frozenset[str] = frozenset()
) -> tuple[Column, ...]:
    """Returns the columns of the successes, in order; empty when they share nothing.

    `needed` are looks that give a step its values: they are optional columns, however few families have them.
    """
    successes = [a for a in attempts if a.is_success]
    families = sorted({a.family for a in successes})
    calls: dict[str, list[Call]] = {}
    weights: dict[str, float] = {}
    for attempt in successes:
        symbols = _usable(attempt, alphabet)
        for symbol in {s for s, _ in symbols}:
            weights[symbol] = weights.get(symbol, 0.0) + attempt.weight
        for symbol, call in symbols:
            calls.setdefault(symbol, []).append(call)
    columns = []
    for symbol in sorted(calls):
        users = sorted({c.family for c in calls[symbol]})
        share = weights[symbol] / len(families)
        is_rare = share < thresholds.optional_share or (len(families) > 1 and len(users) < 2)
        if is_rare and symbol not in needed:
            continue
        optional = share < thresholds.mandatory_share - 1e-9
        repeated = len(families_with_several(calls[symbol])) / len(users)
        columns.append(Column(symbol, tuple(calls[symbol]), tuple(users), share, optional, repeated))
    if any(c.symbol == "run git commit" for c in columns):
        columns = [c for c in columns if c.symbol != "run git add"]  # the commit says it
    columns = sorted(columns, key=lambda c: (c.symbol not in needed, -c.share, c.symbol))[:MAX_COLUMNS]
    return tuple(_in_order(columns, successes, alphabet))


def _usable(attempt: Attempt, alphabet: Alphabet) -> list[tuple[str, Call]]:
    """Returns symbol and call of what worked in an attempt, and of failing checks before the change."""
    found = []
    for call in attempt.calls:
        symbol = alphabet.symbol_of(call)
        if symbol is None or call.result_event is None:
            continue
        if call.failed and not (call.kind is CallKind.CHECK and call.ran and not call.after_change):
            continue
        found.append((symbol, call))
    return found


def families_with_several(calls: Iterable[Call], name: str | None = None) -> set[str]:
    """Returns the families of which an attempt gave an argument more than one value; without a name, any of them."""
    by_trace: dict[tuple[str, str], set[str]] = {}
    for call in calls:
        given = call.arguments.get(name) if name is not None else sorted(call.arguments.items(), key=str)
        by_trace.setdefault((call.family, call.trace_id), set()).add(repr(given))
    return {family for (family, _), values in by_trace.items() if len(values) > 1}


def _in_order(columns: list[Column], attempts: list[Attempt], alphabet: Alphabet) -> list[Column]:
    """Sorts by mean relative position, then swaps neighbours that most families have the other way round."""
    places = {a.trace_id: _places(a, alphabet) for a in attempts}
    weight = {a.trace_id: a.weight for a in attempts}

    def mean(column: Column) -> float:
        found = [
            (weight[t], spots[column.symbol] / max(1, len(spots)))
            for t, spots in places.items()
            if column.symbol in spots
        ]
        return sum(w * p for w, p in found) / sum(w for w, _ in found)

    ordered = sorted(columns, key=lambda c: (round(mean(c), 6), c.symbol))
    for _ in range(len(ordered)):
        swapped = False
        for index in range(len(ordered) - 1):
            left, right = ordered[index].symbol, ordered[index + 1].symbol
            both = [(weight[t], s[left] - s[right]) for t, s in places.items() if left in s and right in s]
            if sum(w for w, d in both if d > 0) > sum(w for w, d in both if d < 0) + 1e-9:
                ordered[index], ordered[index + 1] = ordered[index + 1], ordered[index]
                swapped = True
        if not swapped:
            break
    return sorted(ordered, key=_phase)


def _places(attempt: Attempt, alphabet: Alphabet) -> dict[str, int]:
    """Returns the rank of each symbol's first use; of a check after the change, its last use."""
    order: dict[str, int] = {}
    for index, (symbol, _) in enumerate(_usable(attempt, alphabet)):
        if symbol not in order or symbol.endswith(f" {AFTER}"):
            order[symbol] = index
    ranked = sorted(order, key=lambda s: (order[s], s))
    return {symbol: rank for rank, symbol in enumerate(ranked)}


def _phase(column: Column) -> int:
    """A check before the change never stands after an edit: by its definition it came first."""
    return 0 if column.symbol.endswith(f" {BEFORE}") or column.symbol.startswith(("read ", "search")) else 1
