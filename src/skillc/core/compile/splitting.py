"""Splitting: the condition that tells two opposite constants apart, when the evidence shows one.

Two values of one argument that nothing explains are no conflict when a fact of an earlier result separates the attempts
that used the one from those that used the other: at least three families on each side, and no value of the fact on
both. Paper: 5.3, Curator. Not here: finding that they are opposite (core.compile.contradictions).
"""

import re
from collections.abc import Mapping

from skillc.core.compile.deeds import Deed, by_family, deeds_of, is_explained
from skillc.core.compile.evidence import Evidence
from skillc.core.record import Record
from skillc.core.skill.claim import Citation
from skillc.core.skill.contract import event_order

MIN_SIDE = 3
MAX_CITED = 2  # attempts of each side
_STATE = re.compile(r"[a-z][a-z_ -]{0,29}|true|false")


class Case(Record):
    """What was used in some attempts, the states of the fact there, and the events that show both."""

    value: str
    states: tuple[str, ...]
    citations: tuple[Citation, ...]


class Split(Record):
    """The argument `argument` of `tool` follows from `path` in the result of `read`."""

    tool: str
    argument: str
    read: str
    path: str
    cases: tuple[Case, Case]

    @property
    def text(self) -> str:
        """The condition in one plain sentence."""
        first, second = self.cases
        return (
            f"When `{self.path}` is {_joined(first.states)} in the result of `{self.read}`, use `{first.value}` for "
            f"`{self.argument}` of `{self.tool}`; when it is {_joined(second.states)}, use `{second.value}`."
        )


def split_of(
    tool: str, argument: str, evidence: Evidence, deeds: Mapping[str, list[Deed]] | None = None
) -> Split | None:
    """Returns the condition that separates two unexplained values of an argument; None without a clear one.

    `deeds` are those of the evidence by attempt family, for a caller that asks about many arguments.
    """
    deeds = deeds_by_family(evidence) if deeds is None else deeds
    found: dict[str, dict[str, list[Deed]]] = {}
    for family, own in deeds.items():
        calls = [d for d in own if d.tool == tool and not d.failed and argument in d.values]
        values = {d.values[argument] for d in calls}
        if len(values) == 1:
            found.setdefault(values.pop(), {})[family] = calls
    if len(found) != 2:
        return None
    by_trace = {s.trace_id: s for s in evidence.supports}
    used = {
        value: {
            family: calls[0]
            for family, calls in families.items()
            if not any(is_explained(by_trace[d.trace_id], d, value) for d in calls)
        }
        for value, families in found.items()
    }
    if any(len(families) < MIN_SIDE for families in used.values()):
        return None
    one, two = sorted(used)
    for read, path in sorted(_facts(used, deeds)):
        sides = [_states(read, path, used[value], deeds) for value in (one, two)]
        states = [{d.shows[path] for d in side.values()} for side in sides]
        complete = all(len(side) == len(used[value]) for side, value in zip(sides, (one, two), strict=True))
        if complete and not states[0] & states[1] and max(map(len, states)) <= 2:
            cases = [
                Case(value=value, states=tuple(sorted(s)), citations=_cite(used[value], side))
                for value, side, s in zip((one, two), sides, states, strict=True)
            ]
            return Split(tool=tool, argument=argument, read=read, path=path, cases=(cases[0], cases[1]))
    return None


def deeds_by_family(evidence: Evidence) -> dict[str, list[Deed]]:
    """Returns what the verified successes did, by attempt family."""
    return by_family(d for s in evidence.supports for d in deeds_of(s))


def _facts(used: Mapping[str, Mapping[str, Deed]], deeds: Mapping[str, list[Deed]]) -> set[tuple[str, str]]:
    """Returns the (tool, path) pairs that some attempt read as a state before it acted."""
    return {
        (d.tool, path)
        for families in used.values()
        for family, act in families.items()
        for d in deeds[family]
        if d.trace_id == act.trace_id and d.seq < act.seq
        for path, value in d.shows.items()
        if _STATE.fullmatch(value)
    }


def _states(read: str, path: str, acts: Mapping[str, Deed], deeds: Mapping[str, list[Deed]]) -> dict[str, Deed]:
    """Returns for each family the last result before the act that shows the fact as a state."""
    found = {}
    for family, act in acts.items():
        for deed in deeds[family]:
            earlier = deed.trace_id == act.trace_id and deed.seq < act.seq and deed.tool == read
            if earlier and _STATE.fullmatch(deed.shows.get(path, "")):
                found[family] = deed
    return found


def _cite(acts: Mapping[str, Deed], facts: Mapping[str, Deed]) -> tuple[Citation, ...]:
    events: dict[str, set[str]] = {}
    for family, act in sorted(acts.items())[:MAX_CITED]:
        events.setdefault(act.trace_id, set()).update((*act.events, *facts[family].events))
    return tuple(Citation(trace_id=t, events=tuple(sorted(e, key=event_order))) for t, e in sorted(events.items()))


def _joined(states: tuple[str, ...]) -> str:
    return " or ".join(f"`{s}`" for s in states)
