"""Provenance: where the value of an argument came from, over all attempt families.

For each use of a value all explanations are collected: the user stated it, a field of an earlier result holds it,
an earlier argument of the same name was it. The explanation that covers most families wins; the record that the
call acts on, then the same field name, then the nearest call break ties. Paper: 5.3 (placeholders).
Not here: the words of an input claim (engines.offline.inputs), arguments no claim is about (engines.offline.slots).
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from skillc.core.skill.claim import InputSource
from skillc.engines.offline.align import Column
from skillc.engines.offline.calls import Attempt, Call, CallKind
from skillc.engines.offline.lines import names_in
from skillc.engines.offline.places import role_of
from skillc.engines.offline.stated import is_telling, names_file, states
from skillc.engines.offline.symbols import SEARCH, Alphabet, selection_of, variable_placeholder
from skillc.engines.offline.value_index import base_name
from skillc.engines.offline.values import placeholder_name

MIN_SHARE = 0.2  # of the families: an explanation below it is chance, unless several families show it
MIN_SEVERAL_SHARE, SEVERAL = 0.1, 3
CONSISTENT = 0.8  # of the families, and at least three: a number that equals a field of another record is no chance
MAX_AMOUNT_DIGITS = 7  # a longer number is an id
ENOUGH = 0.5  # of the families: below it, nothing explains the placeholder well enough to say so
_SEARCHERS = frozenset(("grep", "rg", "find", "ls", "git", "glob", "grep_search", "file_search", "search_files"))
_PLAIN_WORD = re.compile(r"[a-z]+(?:[_ ][a-z]+)*")


class Use(NamedTuple):
    """One use of a value under a placeholder's name in one attempt. `path` is the argument's, if it has one."""

    attempt: Attempt
    call: Call
    name: str
    value: str
    path: str = ""


class OriginKey(NamedTuple):
    """One explanation: `user`, a field of a tool's result, or the output of a kind of call.

    `tool` is `*` for a field of this name in the result of any tool, `=` for an earlier argument of this name.
    """

    source: InputSource
    tool: str = ""
    path: str = ""


USER = OriginKey(InputSource.USER)
ANY_TOOL = "*"
ARGUMENT = "="


def same_name(name: str) -> OriginKey:
    """Returns the explanation "a field of the same name, in whatever earlier result"."""
    return OriginKey(InputSource.STEP, ANY_TOOL, base_name(name))


def passed_on(name: str) -> OriginKey:
    """Returns the explanation "the same value as in an earlier call"."""
    return OriginKey(InputSource.STEP, ARGUMENT, base_name(name))


class Explanation(NamedTuple):
    """One explanation of one use, and the event that shows it. `by_chance`: the value says too little."""

    key: OriginKey
    event: str
    bonus: float  # breaks ties between explanations that cover the same families
    several: bool  # the field had more than one value to choose from
    by_chance: bool = False
    is_doubtful: bool = False  # an amount: it says something only where nearly all families show it


@dataclass
class Explained:
    """An explanation with the families that it covers and the events that show it."""

    key: OriginKey
    families: dict[str, float] = field(default_factory=dict)
    bonus: float = 0.0
    is_doubtful: bool = False
    several: float = 0.0  # uses in which the field had more than one value to choose from
    uses: int = 0
    events: dict[str, tuple[str, ...]] = field(default_factory=dict)  # trace_id -> origin and use


@dataclass(frozen=True)
class Placeholder:
    """A placeholder with its explanations, best first; none means that it is chosen."""

    name: str
    uses: tuple[Use, ...]
    explanations: tuple[Explained, ...]

    @property
    def families(self) -> set[str]:
        return {u.call.family for u in self.uses}


def placeholders_of(
    columns: Iterable[Column], attempts: Iterable[Attempt], alphabet: Alphabet
) -> dict[str, Placeholder]:
    """Returns every placeholder of the columns' arguments, in the order of their first step.

    Only the first use of each value in an attempt counts: later ones are the same placeholder again.
    """
    by_trace = {a.trace_id: a for a in attempts}
    uses: dict[str, list[Use]] = {}
    seen: set[tuple[str, str, str]] = set()
    for column in columns:
        for call in sorted(column.calls, key=lambda c: (c.trace_id, c.position)):
            for use in uses_of(call, by_trace[call.trace_id], alphabet):
                uses.setdefault(use.name, [])
                if (call.trace_id, use.name, use.value.lower()) not in seen:
                    seen.add((call.trace_id, use.name, use.value.lower()))
                    uses[use.name].append(use)
    return {name: _explain(name, found) for name, found in uses.items() if found}


def after_their_sources(columns: Iterable[Column], placeholders: dict[str, Placeholder]) -> tuple[Column, ...]:
    """Returns the columns with each one after the tool whose result gives it its values, where that can be.

    The order of the families stays as it is otherwise. A source that has a source in the column itself, as two
    tools that feed each other, moves nothing.
    """
    found = list(columns)
    needs = {c.symbol: _sources_of(c, placeholders) for c in found}
    for _ in range(len(found)):
        for index, column in enumerate(found):
            later = [c for c in found[index + 1 :] if c.tool in needs[column.symbol]]
            later = [c for c in later if c.kind is CallKind.RECORD and column.tool not in needs[c.symbol]]
            if later and column.kind is CallKind.RECORD:
                found.remove(later[0])
                found.insert(index, later[0])
                break
        else:
            break
    return tuple(found)


def _sources_of(column: Column, placeholders: dict[str, Placeholder]) -> set[str]:
    """Returns the tools whose results a column takes values from, as its inputs tell it, its own left out."""
    if column.kind is not CallKind.RECORD:
        return set()
    names = {placeholder_name(leaf.name) for call in column.calls for leaf in call.argument_leaves}
    told = (e.key.tool for n in names if n in placeholders for e in placeholders[n].explanations)
    return {tool for tool in told if tool not in ("", ANY_TOOL, ARGUMENT, column.tool)}


def uses_of(call: Call, attempt: Attempt, alphabet: Alphabet) -> Iterator[Use]:
    """Yields what a call is given: each argument of a tool, or the file, test or script that it is about."""
    if call.kind is CallKind.RECORD:
        for leaf in call.argument_leaves:
            yield Use(attempt, call, placeholder_name(leaf.name), leaf.value, leaf.path)
    elif call.kind is CallKind.CHECK:
        if alphabet.is_partial(call):
            yield Use(attempt, call, "failing_test", selection_of(call))
    elif (
        call.path is not None
        and alphabet.place_of(call).startswith("<")
        and (alphabet.symbol_of(call) or SEARCH) != SEARCH
    ):
        yield Use(attempt, call, role_of(call.path), call.path)
    if call.command is not None and alphabet.script_of(call) == "<script>":
        yield Use(attempt, call, "script", call.command.script or "")
    for name, value in names_in(call.settings).items():
        if name not in alphabet.variables:
            yield Use(attempt, call, variable_placeholder(name), value)


def ranked_explanations(uses: Iterable[Use], *, again: bool = False) -> list[Explained]:
    """Returns the explanations of uses, those that cover most families first; chance ones are left out.

    With `again`, that an earlier call was given the same value counts too.
    """
    found: dict[OriginKey, Explained] = {}
    uses = list(uses)
    per_family: dict[str, int] = {}
    for use in uses:
        per_family[use.call.family] = per_family.get(use.call.family, 0) + 1
    for use in uses:
        share = 1 / per_family[use.call.family]
        for one in explanations_of(use):
            if one.by_chance or (one.key.tool == ARGUMENT and not again):
                continue
            item = found.setdefault(one.key, Explained(one.key))
            item.is_doubtful |= one.is_doubtful
            item.families[use.call.family] = item.families.get(use.call.family, 0.0) + share
            item.bonus += one.bonus * share
            item.several += one.several
            item.uses += 1
            item.events.setdefault(use.call.trace_id, (one.event, use.call.call_event))
    total = len(per_family)
    kept = (e for e in found.values() if not e.is_doubtful or _is_consistent(e, total))
    return sorted(kept, key=lambda e: (-_score(e, total), e.key))


def _is_consistent(item: Explained, total: int) -> bool:
    return len(item.families) >= SEVERAL and sum(item.families.values()) >= CONSISTENT * total


def _explain(name: str, uses: list[Use]) -> Placeholder:
    per_family = dict.fromkeys(u.call.family for u in uses)
    total = len(per_family)
    kept = [e for e in ranked_explanations(uses) if _is_no_chance(e, total)]
    if sum(min(1.0, sum(e.families.get(f, 0.0) for e in kept)) for f in per_family) / total < ENOUGH:
        kept = []
    return Placeholder(name, tuple(uses), tuple(_complementing(kept, per_family)))


def _is_no_chance(item: Explained, total: int) -> bool:
    share = sum(item.families.values()) / total
    return share >= MIN_SHARE or (share >= MIN_SEVERAL_SHARE and len(item.families) >= SEVERAL)


def _score(item: Explained, total: int) -> float:
    return round(sum(item.families.values()) / total + item.bonus / total, 6)


def _complementing(ranked: list[Explained], families: Iterable[str]) -> list[Explained]:
    """Returns the best explanation, and one more if it covers families that the first does not."""
    if not ranked:
        return []
    best = ranked[0]
    missing = [f for f in families if best.families.get(f, 0.0) < 0.5]
    rest = sorted(ranked[1:], key=lambda e: (-sum(min(1.0, e.families.get(f, 0.0)) for f in missing), -e.bonus, e.key))
    if rest and missing and any(rest[0].families.get(f, 0.0) >= 0.5 for f in missing):
        return [best, rest[0]]
    return [best]


def explanations_of(use: Use) -> Iterator[Explanation]:
    """Yields every explanation of one use, what the user said first, then the nearest call first."""
    if use.call.kind is CallKind.RECORD:
        return _record_explanations(use)
    return _path_explanations(use)


def _record_explanations(use: Use) -> Iterator[Explanation]:
    telling = is_telling(use.value)
    said = next((s for s in use.attempt.said if s.seq < use.call.seq and states(s.text, use.value)), None)
    if said is not None:
        yield Explanation(USER, said.event, 0.12, several=False, by_chance=not telling)
    is_common = not telling or _PLAIN_WORD.fullmatch(use.value.lower()) is not None
    wanted = base_name(use.name)
    is_amount = len(use.value) <= MAX_AMOUNT_DIGITS and use.value[-1:].isdigit() and use.path in use.call.number_paths
    given = {leaf.value.lower() for leaf in use.call.argument_leaves}
    yielded: set[OriginKey] = set()
    for distance, place in enumerate(use.attempt.index.places(use.value, before=use.call.seq)):
        name = base_name(place.name)
        if place.is_argument:
            found = [Explanation(passed_on(use.name), place.call.call_event, 0.03, False)] if name == wanted else []
        else:
            event = place.call.result_event or ""
            is_own = any(leaf.value.lower() in given for leaf in place.call.argument_leaves)
            bonus = (0.1 if is_own else 0.0) + (0.08 if name in (wanted, "id") else 0.0) + 0.02 / (1 + distance)
            if place.call.is_changing and use.attempt.is_alone:
                bonus -= 0.05  # with one family to go by: what a change shows was there to read before
            bonus -= 0.015 * sum(place.path.count(sign) for sign in "[{")  # the plainer of two places of one value
            # A short number or a plain word is in many results by chance: only the field of the same name in
            # the record that the call acts on explains it.
            by_chance = is_common and not (is_own and name == wanted)
            # So does an amount that some entry of a list has too: a balance may equal a price.
            is_doubtful = is_amount and not (is_own and name == wanted and not place.several)
            key = OriginKey(InputSource.STEP, place.call.tool, place.path)
            found = [Explanation(key, event, bonus, place.several, by_chance, is_doubtful)]
            if name == wanted:
                found.append(Explanation(same_name(use.name), event, 0.0, place.several, by_chance, is_doubtful))
        for one in found:
            if one.key not in yielded:
                yielded.add(one.key)
                yield one


def _path_explanations(use: Use) -> Iterator[Explanation]:
    """Explains a file of the project: named by the user, by a failing check, a search or a file read."""
    said = next((s for s in use.attempt.said if s.seq < use.call.seq and names_file(s.text, use.value)), None)
    if said is not None:
        yield Explanation(USER, said.event, 0.02, False)
    yielded: set[str] = set()
    for call in use.attempt.calls:
        if call.result_seq >= use.call.seq or call.result_event is None or call.path == use.value:
            continue
        where = _output_kind(call)
        if where not in yielded and names_file(call.text, use.value):
            yielded.add(where)
            bonus = {"check": 0.1, "search": 0.05}.get(where, 0.0)
            yield Explanation(OriginKey(InputSource.STEP, where), call.result_event, bonus, False)


def _output_kind(call: Call) -> str:
    if call.kind is CallKind.CHECK:
        return "check"
    if call.kind is CallKind.LOOK:
        name = call.command.program if call.command is not None else call.tool.rsplit("__", 1)[-1].lower()
        return "search" if name in _SEARCHERS else "file"
    return "run"
