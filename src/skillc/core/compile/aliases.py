"""Aliases: short names for the Traces and events that a model was shown, and the way back to their ids.

A model writes `t1.e4`; only what was offered has an alias. An event that is unknown, foreign, deleted, restricted
or was not shown has none, and all of these look the same. A citation that misses its alias by case or spacing is
repaired when exactly one alias can be meant, and every repair is recorded. Paper: 5.3, Validation.
Not here: whether the events show what a claim says (core.compile.grounding, the Curator).
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from skillc.core.compile.evidence import Evidence
from skillc.core.record import Record
from skillc.core.skill.claim import Citation
from skillc.core.skill.contract import event_order

MAX_CITE_CHARS = 64
ALIAS = re.compile(r"\bt[1-9][0-9]{0,5}\.e[0-9]{1,9}\b")
_IN_BRACKETS = re.compile(
    r" ?[(\[]t[1-9][0-9]{0,5}\.e[0-9]{1,9}(?:, ?t[1-9][0-9]{0,5}\.e[0-9]{1,9}){0,8}[)\]]", re.IGNORECASE
)
_KEPT = re.compile(r"[^a-z0-9]+")


class CitedEventId(NamedTuple):
    """One event behind an alias."""

    trace_id: str
    event_id: str


class CitationRepair(Record):
    """A citation that was moved to the one event that it can mean. The written form is not kept."""

    trace_id: str
    event_id: str
    why: str


class Aliases:
    """The names of one request. Traces count in the order given, events keep their number."""

    def __init__(self, shown: Mapping[str, Iterable[str]]) -> None:
        self._traces = {trace_id: f"t{number}" for number, trace_id in enumerate(shown, 1)}
        self._events = {
            f"{self._traces[trace_id]}.{event}": CitedEventId(trace_id, event)
            for trace_id, events in shown.items()
            for event in events
        }
        self._loose: dict[str, list[str]] = {}
        for alias in self._events:
            self._loose.setdefault(_KEPT.sub("", alias), []).append(alias)

    def of_trace(self, trace_id: str) -> str | None:
        """Returns the alias of a Trace, or None when it was not offered."""
        return self._traces.get(trace_id)

    def of_event(self, trace_id: str, event_id: str) -> str | None:
        """Returns the alias of an event, or None when it was not shown."""
        alias = f"{self._traces.get(trace_id)}.{event_id}"
        return alias if alias in self._events else None

    def exact(self, cite: str) -> CitedEventId | None:
        """Returns the event with exactly this alias."""
        return self._events.get(cite)

    def repaired(self, cite: str) -> CitedEventId | None:
        """Returns the one event that a misspelt alias can mean: case, spacing and separators are not looked at."""
        if len(cite) > MAX_CITE_CHARS:
            return None
        loose = _KEPT.sub("", unicodedata.normalize("NFKC", cite).casefold())
        found = self._loose.get(loose, [])
        return self._events[found[0]] if len(found) == 1 else None


class ResolvedCites(NamedTuple):
    """What the cites of a claim stand for. `reason` is not empty when the claim must go."""

    citations: tuple[Citation, ...]
    repairs: tuple[CitationRepair, ...]
    reason: str


def shown_events(evidence: Evidence, kept: Mapping[str, Sequence[str]] | None = None) -> dict[str, tuple[str, ...]]:
    """Returns trace_id -> the events that may be offered: stored, readable and, where given, among those kept."""
    found = {}
    for source in evidence.sources:
        if source.trace.header.namespace != evidence.namespace or (kept is not None and source.trace_id not in kept):
            continue
        wanted = None if kept is None else frozenset(kept[source.trace_id])
        readable = (e.id for e in source.trace.events if e.restricted is None)
        found[source.trace_id] = tuple(e for e in readable if wanted is None or e in wanted)
    return found


def resolve_cites(cites: Iterable[str], aliases: Aliases, *, text: str = "") -> ResolvedCites:
    """Returns the citations behind aliases; one that means no offered event costs the claim.

    A single cite that means nothing is moved to the one alias that stands in the claim's own text, if there is
    exactly one. Nothing else is searched for: a better event is never chosen for a model.
    """
    found: dict[CitedEventId, None] = {}
    repairs: list[CitationRepair] = []
    wanted = tuple(cites)
    for cite in wanted:
        event = aliases.exact(cite)
        if event is None:
            event = aliases.repaired(cite)
            why = "spelling"
            if event is None and len(wanted) == 1:
                event, why = _named_in(text, aliases), "named in the text"
            if event is None:
                return ResolvedCites((), (), "cites an event that was not offered")
            repairs.append(CitationRepair(trace_id=event.trace_id, event_id=event.event_id, why=why))
        found[event] = None
    if not found:
        return ResolvedCites((), (), "cites nothing")
    return ResolvedCites(citations_to(found), tuple(repairs), "")


def _named_in(text: str, aliases: Aliases) -> CitedEventId | None:
    named = {event for alias in ALIAS.findall(text) if (event := aliases.exact(alias)) is not None}
    return named.pop() if len(named) == 1 else None


def citations_to(events: Iterable[CitedEventId]) -> tuple[Citation, ...]:
    """Returns citations in their fixed order: by Trace, then by the events' numbers."""
    by_trace: dict[str, set[str]] = {}
    for trace_id, event_id in events:
        by_trace.setdefault(trace_id, set()).add(event_id)
    return tuple(
        Citation(trace_id=trace_id, events=tuple(sorted(ids, key=event_order)))
        for trace_id, ids in sorted(by_trace.items())
    )


def without_aliases(text: str) -> str | None:
    """Returns a text without the aliases that stand in brackets in it; None when one is left elsewhere.

    An alias means nothing to a reader of the Skill, and it is taken out as a whole or not at all.
    """
    bare = " ".join(_IN_BRACKETS.sub("", text).split())
    return None if ALIAS.search(bare.casefold()) else bare
