"""Value index: where in one attempt each argument value occurred before, read once per Trace.

Only values that some argument of the attempt has are kept, so the index stays small however large results are.
Paper: 5.3 (placeholders). Not here: which place is the source of an argument (engines.offline.provenance).
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from skillc.engines.offline.values import Leaf, leaves, placeholder_name

if TYPE_CHECKING:
    from skillc.engines.offline.calls import Call

MAX_PLAIN_CHARS = 200  # a result of one short line is a value itself


class Place(NamedTuple):
    """A field of an earlier result, or an argument of an earlier call (`is_argument`), that holds a value.

    `several` says that the field had more than one value in this result. A result that is one short line is a
    field without path and name.
    """

    call: "Call"
    path: str
    name: str
    several: bool
    is_argument: bool


class ValueIndex:
    """The places of one attempt: by value, in order, and the order in which each field was first seen."""

    def __init__(self, calls: Iterable["Call"]) -> None:
        """Takes the record calls of one attempt in order."""
        calls = tuple(calls)
        wanted = {leaf.value.lower() for call in calls for leaf in call.argument_leaves}
        self._places: dict[str, list[Place]] = {}
        self._fields: dict[tuple[str, str], int] = {}
        self._names: dict[str, int] = {}
        self._arguments: dict[str, int] = {}
        for call in calls:
            for leaf in call.argument_leaves:
                self._add(leaf.value.lower(), Place(call, leaf.path, leaf.name, False, True))
                self._arguments.setdefault(base_name(leaf.name), call.seq)
            if call.result_event is not None and not call.failed:
                self._add_result(call, wanted)

    def places(self, value: str, *, before: int) -> list[Place]:
        """Returns the places of a value, results that ended and calls that began before this seq, latest first."""
        found = self._places.get(value.lower(), ())
        return [p for p in reversed(found) if (p.call.seq if p.is_argument else p.call.result_seq) < before]

    def has_field(self, tool: str, path: str, *, before: int) -> bool:
        """Says whether a result of the tool with this field, whatever its value, ended before this seq."""
        return self._fields.get((tool, path), before) < before

    def has_name(self, name: str, *, before: int) -> bool:
        """Says whether any result with a field of this name ended before this seq."""
        return self._names.get(base_name(name), before) < before

    def has_argument(self, name: str, *, before: int) -> bool:
        """Says whether a call that began before this seq had an argument of this name."""
        return self._arguments.get(base_name(name), before) < before

    def _add(self, value: str, place: Place) -> None:
        self._places.setdefault(value, []).append(place)

    def _add_result(self, call: "Call", wanted: set[str]) -> None:
        first: dict[str, str] = {}
        names: set[str] = set()
        several: set[str] = set()
        found: dict[tuple[str, str], str] = {}
        for path, name, value in result_leaves(call):
            lowered = value.lower()
            if first.setdefault(path, lowered) != lowered:
                several.add(path)
            names.add(name)
            if lowered in wanted:
                found.setdefault((lowered, path), name)
        for path in first:
            self._fields.setdefault((call.tool, path), call.result_seq)
        for name in names:
            self._names.setdefault(base_name(name), call.result_seq)
        for (lowered, path), name in found.items():
            self._add(lowered, Place(call, path, name, path in several, False))


def result_leaves(call: "Call") -> list[Leaf]:
    """Returns the values of a call's result; a result of one short line is one value without a name."""
    if call.result is not None:
        return leaves(call.result)
    plain = call.text.strip()
    return [Leaf("", "", plain)] if 0 < len(plain) <= MAX_PLAIN_CHARS and "\n" not in plain else []


@lru_cache(maxsize=4096)
def base_name(name: str) -> str:
    """Returns a field's name in the form in which `item_ids` and `itemId` meet."""
    plain = placeholder_name(name)
    return plain[:-1] if len(plain) > 3 and plain.endswith("s") and not plain.endswith("ss") else plain


def field_values(result: Any, path: str) -> list[str]:
    """Returns the values of one field of a result, in order, each once."""
    return list(dict.fromkeys(leaf.value for leaf in leaves(result) if leaf.path == path))
