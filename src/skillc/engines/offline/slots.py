"""Slots: for every argument of every tool, the ranked sources of its value, with a back-off.

A slot is one argument path of one tool. It is explained from its own uses, else from the uses of its name under
other tools, else by "a field of the same name, or what the user says". The sources of the input claims are
these, so what is measured held out is what a Skill tells. Paper: 5.3 (placeholders).
Not here: finding the explanations of one value (engines.offline.provenance).
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from skillc.core.skill.claim import InputSource
from skillc.engines.offline.calls import Attempt, Call, CallKind
from skillc.engines.offline.provenance import (
    ANY_TOOL,
    ARGUMENT,
    USER,
    Explained,
    OriginKey,
    Use,
    ranked_explanations,
    same_name,
)
from skillc.engines.offline.stated import shape_of, values_of_shape
from skillc.engines.offline.value_index import base_name, field_values
from skillc.engines.offline.values import leaves, placeholder_name

MIN_CONSTANT_FAMILIES = 3
# One plain word or number. A sentence, a name, an address, a path or a command is never told as a constant.
_PLAIN = re.compile(r"[a-z0-9][a-z0-9_-]*|[A-Z]{2,4}")
_NOT_TAKEN = frozenset(("no", "0", "false", "none", "off", "0.0"))
MAX_CONSTANT_CHARS = 40
MAX_RANKED = 4
MAX_SHOWN = 3
MIN_SHAPED = 0.6  # of the uses: some ids happen to have no digit


@dataclass
class Slot:
    """One argument of one tool: its uses, and all values that any attempt gave it."""

    tool: str
    path: str
    name: str
    uses: list[Use] = field(default_factory=list)
    values: set[str] = field(default_factory=set)
    shown: set[str] = field(default_factory=set)  # values of fields of this name in any result

    @cached_property
    def ranked(self) -> tuple[Explained, ...]:
        """The explanations of its uses, best first; that an earlier call had the value counts."""
        return tuple(ranked_explanations(self.uses, again=True)[:MAX_RANKED])

    @cached_property
    def shapes(self) -> frozenset[str]:
        """The shapes of its values; empty when most values have no telling shape."""
        found = [shape for use in self.uses if (shape := shape_of(use.value))]
        return frozenset(found) if len(found) >= MIN_SHAPED * len(self.uses) else frozenset()

    @cached_property
    def constant(self) -> str | None:
        """The value that all families give, at least three, when nothing shows that it could be another.

        No attempt gave another one, no user named it, and no result has a field of this name that is otherwise. That
        an option was never taken ("no", 0) makes it no constant either.
        """
        families = {u.call.family for u in self.uses}
        if len(self.values) != 1 or len(families) < MIN_CONSTANT_FAMILIES or self.shown - self.values:
            return None
        value = self.uses[0].value
        if value.lower() in _NOT_TAKEN or not _PLAIN.fullmatch(value):
            return None
        stated = any(e.key == USER for e in self.ranked)
        return None if stated or len(value) > MAX_CONSTANT_CHARS else value


@dataclass(frozen=True)
class Slots:
    """All slots of a set of attempts. `by_name` joins those whose arguments have the same name."""

    by_path: dict[tuple[str, str], Slot]
    by_name: dict[str, Slot]

    def slot_of(self, use: Use) -> Slot | None:
        """Returns the slot of a use, else the one of its name, else None."""
        return self.by_path.get((use.call.tool, use.path)) or self.by_name.get(base_name(use.name))

    def sources(self, use: Use) -> tuple[OriginKey, ...]:
        """Returns the sources to try for an argument, best first, those that exist at that time before the others.

        Looks at what stands before the call only, never at the value.
        """
        slot = self.slot_of(use)
        known = [e.key for e in slot.ranked] if slot is not None else []
        if slot is not None and slot.constant is not None:
            known.insert(0, OriginKey(InputSource.CONSTANT, path=slot.constant))
        for key in (same_name(use.name), USER):
            if key not in known:
                known.append(key)
        shapes = slot.shapes if slot is not None else frozenset()
        return tuple(sorted(known, key=lambda k: not _is_there(k, use, shapes)))


def slots_of(attempts: Iterable[Attempt]) -> Slots:
    """Returns the slots of the successes' record calls that worked; all attempts say which values occur."""
    attempts = tuple(attempts)
    by_path: dict[tuple[str, str], Slot] = {}
    by_name: dict[str, Slot] = {}
    for attempt in attempts:
        for use in record_uses(attempt):
            name = base_name(use.name)
            own = by_path.setdefault((use.call.tool, use.path), Slot(use.call.tool, use.path, use.name))
            joined = by_name.setdefault(name, Slot("", "", use.name))
            for slot in (own, joined):
                slot.values.add(use.value.lower())
                if attempt.is_success:
                    slot.uses.append(use)
    for attempt in attempts:
        for call in attempt.calls:
            for path, value in call.fields.items():
                named = by_name.get(base_name(path.rsplit(".", 1)[-1]))
                if named is not None and len(named.shown) < MAX_SHOWN:
                    named.shown.add(value.lower())
    return Slots(
        by_path={k: s for k, s in by_path.items() if s.uses},
        by_name={k: s for k, s in by_name.items() if s.uses},
    )


def record_uses(attempt: Attempt) -> Iterator[Use]:
    """Yields every argument value of the record calls of an attempt that worked."""
    for call in attempt.calls:
        if call.kind is CallKind.RECORD and call.result_event is not None and not call.failed:
            for leaf in call.argument_leaves:
                yield Use(attempt, call, placeholder_name(leaf.name), leaf.value, leaf.path)


def candidates_of(key: OriginKey, use: Use, slots: Slots) -> list[str]:
    """Returns the values that a source offers for an argument, those that no earlier call used first.

    Looks at what stands before the call only, never at the value.
    """
    found = list(dict.fromkeys(_offered(key, use, slots)))
    used = {
        leaf.value.lower()
        for call in use.attempt.calls
        if call.position < use.call.position and call.tool == use.call.tool
        for leaf in call.argument_leaves
        if leaf.path == use.path
    }
    return sorted(found, key=lambda value: value.lower() in used)


def _offered(key: OriginKey, use: Use, slots: Slots) -> Iterator[str]:
    if key.source is InputSource.CONSTANT:
        yield key.path
        return
    if key.source is InputSource.USER:
        slot = slots.slot_of(use)
        for said in reversed([s for s in use.attempt.said if s.seq < use.call.seq]):
            yield from values_of_shape(said.text, slot.shapes if slot is not None else ())
        return
    earlier = [c for c in use.attempt.calls if c.kind is CallKind.RECORD and c.position < use.call.position]
    for call in reversed(earlier):
        if key.tool == ARGUMENT:
            yield from (x.value for x in call.argument_leaves if base_name(x.name) == key.path)
        elif call.result_seq < use.call.seq and not call.failed and call.result_event is not None:
            yield from _fields(key, call)


def _fields(key: OriginKey, call: Call) -> Iterator[str]:
    if key.tool == ANY_TOOL:
        if call.result is not None:
            yield from (x.value for x in leaves(call.result) if base_name(x.name) == key.path)
    elif call.tool == key.tool:
        if call.result is not None:
            yield from field_values(call.result, key.path)
        elif not key.path and call.text.strip():
            yield call.text.strip()


def _is_there(key: OriginKey, use: Use, shapes: frozenset[str]) -> bool:
    """Says whether a source exists before a call: the field was shown, or the user said something of the shape."""
    before = use.call.seq
    if key.source is InputSource.CONSTANT:
        return True
    if key.source is InputSource.USER:
        said = (s.text for s in use.attempt.said if s.seq < before)
        return not shapes or any(next(values_of_shape(text, shapes), None) is not None for text in said)
    if key.tool == ARGUMENT:
        return use.attempt.index.has_argument(key.path, before=before)
    if key.tool == ANY_TOOL:
        return use.attempt.index.has_name(key.path, before=before)
    return use.attempt.index.has_field(key.tool, key.path, before=before)
