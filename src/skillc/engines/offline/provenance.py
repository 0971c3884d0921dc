"""Provenance: where the value of a placeholder came from, over all attempt families.

For the first use of each value in an attempt, all explanations are collected: the user stated it, an earlier
result holds it in some field. The explanation that covers most families wins; the record that the call acts
on, then the same field name, then the nearest call break ties. Paper: 5.3 (placeholders).
Not here: the words of an input claim (engines.offline.inputs).
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from skillc.core.skill.claim import InputSource
from skillc.engines.offline.align import Column
from skillc.engines.offline.calls import Attempt, Call, CallKind
from skillc.engines.offline.places import role_of
from skillc.engines.offline.symbols import SEARCH, Alphabet, is_partial, selection_of
from skillc.engines.offline.values import leaves, placeholder_name

MIN_SHARE = 0.2  # of the families: an explanation below it is chance
ENOUGH = 0.5  # of the families: below it, nothing explains the placeholder well enough to say so
_SEARCHERS = frozenset(("grep", "rg", "find", "ls", "git", "glob", "grep_search", "file_search", "search_files"))
_MONTH_NAMES = "january february march april may june july august september october november december"
_MONTHS = tuple(_MONTH_NAMES.split())
_PLAIN_WORD = re.compile(r"[a-z]+(?:[_ ][a-z]+)*")
_ISO_DATE = re.compile(r"^(\d{4})-(\d{2})-(\d{2})$")


class Use(NamedTuple):
    """The first use of a value under a placeholder's name in one attempt."""

    attempt: Attempt
    call: Call
    name: str
    value: str


class OriginKey(NamedTuple):
    """One explanation: `user`, or a field of a tool's result, or the output of a kind of call."""

    source: InputSource
    tool: str = ""
    path: str = ""


@dataclass
class Explained:
    """An explanation with the families that it covers and the events that show it."""

    key: OriginKey
    families: dict[str, float] = field(default_factory=dict)
    bonus: float = 0.0
    several: float = 0.0  # uses in which the field had more than one value to choose from
    uses: int = 0
    events: dict[str, tuple[str, ...]] = field(default_factory=dict)  # trace_id -> origin and use


@dataclass(frozen=True)
class Placeholder:
    """A placeholder with its explanations, best first; none means that it is chosen."""

    name: str
    uses: tuple[Use, ...]
    explanations: tuple[Explained, ...]
    constant: str | None = None

    @property
    def families(self) -> set[str]:
        return {u.call.family for u in self.uses}


def placeholders_of(
    columns: Iterable[Column], attempts: Iterable[Attempt], alphabet: Alphabet
) -> dict[str, Placeholder]:
    """Returns every placeholder of the columns' arguments, in the order of their first step."""
    by_trace = {a.trace_id: a for a in attempts}
    uses: dict[str, list[Use]] = {}
    seen: set[tuple[str, str, str]] = set()
    for column in columns:
        for call in sorted(column.calls, key=lambda c: (c.trace_id, c.position)):
            for name, value in _values_of(call, alphabet):
                uses.setdefault(name, [])
                if (call.trace_id, name, value.lower()) not in seen:
                    seen.add((call.trace_id, name, value.lower()))
                    uses[name].append(Use(by_trace[call.trace_id], call, name, value))
    return {name: _explain(name, found) for name, found in uses.items() if found}


def _values_of(call: Call, alphabet: Alphabet) -> Iterator[tuple[str, str]]:
    if call.kind is CallKind.RECORD:
        for leaf in leaves(call.arguments, cut=True):
            yield placeholder_name(leaf.name), leaf.value
    elif call.kind is CallKind.CHECK:
        if is_partial(call):
            yield "failing_test", selection_of(call)
    elif (
        call.path is not None
        and alphabet.place_of(call).startswith("<")
        and (alphabet.symbol_of(call) or SEARCH) != SEARCH
    ):
        yield role_of(call.path), call.path
    if call.command is not None and alphabet.script_of(call) == "<script>":
        yield "script", call.command.script or ""


def _explain(name: str, uses: list[Use]) -> Placeholder:
    found: dict[OriginKey, Explained] = {}
    per_family: dict[str, int] = {}
    for use in uses:
        per_family[use.call.family] = per_family.get(use.call.family, 0) + 1
    for use in uses:
        share = 1 / per_family[use.call.family]
        for key, event, bonus, several in _explanations(use):
            item = found.setdefault(key, Explained(key))
            item.families[use.call.family] = item.families.get(use.call.family, 0.0) + share
            item.bonus += bonus * share
            item.several += several
            item.uses += 1
            item.events.setdefault(use.call.trace_id, (event, use.call.call_event))
    total = len(per_family)
    ranked = sorted(found.values(), key=lambda e: (-_score(e, total), e.key))
    kept = [e for e in ranked if sum(e.families.values()) / total >= MIN_SHARE]
    if sum(min(1.0, sum(e.families.get(f, 0.0) for e in kept)) for f in per_family) / total < ENOUGH:
        kept = []
    return Placeholder(name, tuple(uses), tuple(_complementing(kept, per_family)))


def explanations_of(use: Use) -> list[OriginKey]:
    """Returns every explanation of one value, nearest result first."""
    return [key for key, _, _, _ in _explanations(use)]


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


def _explanations(use: Use) -> Iterator[tuple[OriginKey, str, float, bool]]:
    """Yields explanation, event that shows it, tie-break bonus, and whether the field had several values."""
    if use.call.kind is CallKind.RECORD:
        yield from _record_explanations(use)
    else:
        yield from _path_explanations(use)


def _record_explanations(use: Use) -> Iterator[tuple[OriginKey, str, float, bool]]:
    telling = _is_telling(use.value)
    said = next((s for s in use.attempt.said if s.seq < use.call.seq and states(s.text, use.value)), None)
    if said is not None and telling:
        yield OriginKey(InputSource.USER), said.event, 0.12, False
    arguments = {leaf.value.lower() for leaf in leaves(use.call.arguments)}
    is_common = not telling or _PLAIN_WORD.fullmatch(use.value.lower()) is not None
    yielded: set[OriginKey] = set()
    earlier = [c for c in use.attempt.calls if c.result_seq < use.call.seq and not c.failed]
    for distance, call in enumerate(reversed(earlier)):
        if call.kind is not CallKind.RECORD or call.result_event is None:
            continue
        is_own = bool(arguments & {leaf.value.lower() for leaf in leaves(call.arguments)})
        for path, name, several in _fields_with(call, use.value.lower()):
            key = OriginKey(InputSource.STEP, call.tool, path)
            # A short number or a plain word is in many results by chance: only the field of the same name in
            # the record that the call acts on explains it.
            if key in yielded or (is_common and not (is_own and placeholder_name(name) == use.name)):
                continue
            yielded.add(key)
            bonus = 0.1 if is_own else 0.0
            bonus += 0.08 if placeholder_name(name).rstrip("s") in (use.name.rstrip("s"), "id") else 0.0
            bonus += 0.02 / (1 + distance)
            yield key, call.result_event, bonus, several


@lru_cache(maxsize=4096)
def _index(text: str) -> dict[str, list[tuple[str, str, bool]]]:
    import json

    try:
        value: Any = json.loads(text)
    except ValueError:
        plain = text.strip()
        return {plain.lower(): [("", "", False)]} if 0 < len(plain) <= 200 and "\n" not in plain else {}
    found = leaves(value)
    counts: dict[str, set[str]] = {}
    for leaf in found:
        counts.setdefault(leaf.path, set()).add(leaf.value)
    index: dict[str, list[tuple[str, str, bool]]] = {}
    for leaf in found:
        entry = (leaf.path, leaf.name, len(counts[leaf.path]) > 1)
        entries = index.setdefault(leaf.value.lower(), [])
        if entry not in entries:
            entries.append(entry)
    return index


def _fields_with(call: Call, value: str) -> list[tuple[str, str, bool]]:
    return _index(call.text).get(value, [])


def _path_explanations(use: Use) -> Iterator[tuple[OriginKey, str, float, bool]]:
    """Explains a file of the project: named by the user, by a failing check, a search or a file read."""
    said = next((s for s in use.attempt.said if s.seq < use.call.seq and names_file(s.text, use.value)), None)
    if said is not None:
        yield OriginKey(InputSource.USER), said.event, 0.02, False
    yielded: set[str] = set()
    for call in use.attempt.calls:
        if call.result_seq >= use.call.seq or call.result_event is None or call.path == use.value:
            continue
        where = _output_kind(call)
        if where not in yielded and names_file(call.text, use.value):
            yielded.add(where)
            bonus = {"check": 0.1, "search": 0.05}.get(where, 0.0)
            yield OriginKey(InputSource.STEP, where), call.result_event, bonus, False


def _output_kind(call: Call) -> str:
    if call.kind is CallKind.CHECK:
        return "check"
    if call.kind is CallKind.LOOK:
        name = call.command.program if call.command is not None else call.tool.rsplit("__", 1)[-1].lower()
        return "search" if name in _SEARCHERS else "file"
    return "run"


def names_file(text: str, path: str) -> bool:
    """Says whether a text names a file: by its path, its name, or the stem of a test file."""
    if "/" not in path and re.fullmatch(r"\w+(\.\w+)+", path) and not path.endswith((".py", ".js", ".ts")):
        path = path.replace(".", "/") + ".py"  # a module, as a test runner names it
    base = path.rsplit("/", 1)[-1]
    if path in text or (len(base) >= 5 and re.search(rf"(?<![\w.-]){re.escape(base)}(?![\w-])", text)):
        return True
    stem = base.rsplit(".", 1)[0]
    if re.search(rf"\b(?:from|import)\b[^\n]*\b{re.escape(stem)}\b", text):
        return True
    return len(stem) >= 6 and "_" in stem and re.search(rf"(?<!\w){re.escape(stem)}(?!\w)", text) is not None


def _is_telling(value: str) -> bool:
    """Says whether a value is long enough that finding it somewhere is no chance."""
    return len(value) >= 3 and not (value.isdigit() and len(value) < 4) and value not in ("true", "false", "yes")


def states(text: str, value: str) -> bool:
    """Says whether a text states a value: as whole words, with blanks for `_`, or a date in words."""
    lowered, wanted = text.lower(), value.lower()
    at = lowered.find(wanted)
    while at >= 0:
        before, after = lowered[at - 1 : at], lowered[at + len(wanted) : at + len(wanted) + 1]
        if not (before.isalnum() or after.isalnum() or before == "_" or after == "_"):
            return True
        at = lowered.find(wanted, at + 1)
    spaced = wanted.replace("_", " ")
    if spaced != wanted and spaced in lowered:
        return True
    match = _ISO_DATE.match(value)
    if match and 1 <= int(match[2]) <= 12:
        month, day = _MONTHS[int(match[2]) - 1], int(match[3])
        return bool(re.search(rf"\b{month}\s+{day}(st|nd|rd|th)?\b|\b{day}(st|nd|rd|th)?\s+(of\s+)?{month}\b", lowered))
    return False
