"""Baselines: what simpler methods would predict from the same attempts. They are measured beside the engine.

Next action: the last one or two actions (bigram, trigram), the most usual whole sequence, the attempt whose
request is most alike, the attempt whose last actions are most alike. Argument values: the latest field of the same
name, and the value in the attempt whose request is most alike. Not here: the measures (engines.offline.held_out).
"""

from collections.abc import Callable, Iterable, Sequence

from skillc.engines.offline.calls import Attempt
from skillc.engines.offline.provenance import Use
from skillc.engines.offline.slots import record_uses
from skillc.engines.offline.turns import END, Turn
from skillc.engines.offline.value_index import base_name, result_leaves
from skillc.engines.offline.wording import content_words

Predictor = Callable[[Turn, int], str | None]


class Ngram:
    """The most usual action after the last `length` actions, with a back-off to shorter ones."""

    def __init__(self, turns: Iterable[Turn], length: int) -> None:
        self._length = length
        self._counts: dict[tuple[str, ...], dict[str, float]] = {}
        for turn in turns:
            for size in range(length + 1):
                counts = self._counts.setdefault(turn.before[len(turn.before) - size :], {})
                counts[turn.action] = counts.get(turn.action, 0.0) + turn.attempt.weight

    def __call__(self, turn: Turn, position: int) -> str | None:
        for size in range(self._length, -1, -1):
            counts = self._counts.get(turn.before[len(turn.before) - size :])
            if counts:
                return min(counts, key=lambda a: (-round(counts[a], 9), a))
        return None


class Sequences:
    """Whole training sequences: the most usual one, the nearest by request, the nearest by its last actions."""

    def __init__(self, turns: Iterable[Turn]) -> None:
        self._actions: dict[str, list[str]] = {}
        self._attempts: dict[str, Attempt] = {}
        for turn in turns:
            self._actions.setdefault(turn.attempt.trace_id, []).append(turn.action)
            self._attempts[turn.attempt.trace_id] = turn.attempt
        self._words = {t: request_of(a) for t, a in self._attempts.items()}

    def whole(self, turn: Turn, position: int) -> str | None:
        weights: dict[tuple[str, ...], float] = {}
        for trace_id, actions in self._actions.items():
            key = tuple(actions)
            weights[key] = weights.get(key, 0.0) + self._attempts[trace_id].weight
        best = min(weights, key=lambda k: (-round(weights[k], 9), k), default=())
        return best[position] if position < len(best) else END

    def by_request(self, turn: Turn, position: int) -> str | None:
        nearest = self.nearest(turn.attempt)
        actions = self._actions[nearest.trace_id] if nearest is not None else []
        return actions[position] if position < len(actions) else END

    def by_prefix(self, turn: Turn, position: int, done: Sequence[str] = ()) -> str | None:
        best: tuple[tuple[int, int, str], str] | None = None
        for trace_id in sorted(self._actions):
            actions = self._actions[trace_id]
            for place, action in enumerate(actions):
                same = 0
                while same < min(len(done), place) and done[-1 - same] == actions[place - 1 - same]:
                    same += 1
                rank = (-same, abs(place - position), trace_id)
                if best is None or rank < best[0]:
                    best = rank, action
        return best[1] if best is not None else None

    def nearest(self, attempt: Attempt) -> Attempt | None:
        """Returns the attempt whose first message shares most words with this one's."""
        wanted = request_of(attempt)

        def distance(trace_id: str) -> tuple[float, str]:
            both = wanted | self._words[trace_id]
            return -len(wanted & self._words[trace_id]) / max(1, len(both)), trace_id

        best = min(self._attempts, key=distance, default=None)
        return self._attempts[best] if best is not None else None


def request_of(attempt: Attempt) -> frozenset[str]:
    """Returns the words of the first message of the user."""
    return frozenset(content_words(attempt.said[0].text)) if attempt.said else frozenset()


def latest_same_name(use: Use) -> str | None:
    """Returns the value of the latest field of the same name that an earlier result showed."""
    name = base_name(use.name)
    for call in reversed([c for c in use.attempt.calls if c.result_seq < use.call.seq and not c.failed]):
        found = [leaf.value for leaf in result_leaves(call) if base_name(leaf.name) == name]
        if found:
            return found[0]
    return None


def copied_value(use: Use, nearest: Attempt | None) -> str | None:
    """Returns the value that the same argument has in the attempt with the most alike request."""
    if nearest is None:
        return None
    return next((u.value for u in record_uses(nearest) if (u.call.tool, u.path) == (use.call.tool, use.path)), None)


def in_last_result(use: Use) -> bool:
    """Says whether the result before the call holds the value."""
    earlier = [c for c in use.attempt.calls if c.result_seq < use.call.seq and c.result_event and not c.failed]
    if not earlier:
        return False
    last = max(earlier, key=lambda c: c.result_seq)
    return any(leaf.value.lower() == use.value.lower() for leaf in result_leaves(last))
