"""Real-looking records made wrong: every importer must answer with whole Traces or one DataError."""

import contextlib
import copy
import json
from typing import Any

from hypothesis import strategies as st

from skillc.errors import DataError
from tests.importers.reading import Reading, read

ANY_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["\x00", "\x1b[2J", "\ud83d", "…\u2028", "x" * 300]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Returns the path of every value inside a JSON value."""
    inside: list[tuple[Any, ...]] = []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        inside += [(*path, key), *places(item, (*path, key))]
    return inside


@st.composite
def mutated(draw: st.DrawFn, value: Any) -> Any:
    """Gives the value with up to three of its parts replaced, dropped or doubled."""
    changed = copy.deepcopy(value)
    for _ in range(draw(st.integers(1, 3))):
        found = places(changed)
        if not found:
            break
        *way, last = draw(st.sampled_from(found))
        holder = changed
        for key in way:
            holder = holder[key]
        action = draw(st.sampled_from(("replace", "drop", "double")))
        if action == "replace":
            holder[last] = draw(ANY_JSON)
        elif action == "drop":
            del holder[last]
        elif isinstance(holder, list):
            holder.append(copy.deepcopy(holder[last]))
    return changed


def lines(records: list[Any]) -> bytes:
    """Returns JSON lines; what no encoder would write (a lone surrogate) is escaped."""
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def survives(kind: str, data: bytes, **options: Any) -> Reading | None:
    """Imports bytes; anything but whole Traces or a DataError fails the test. Twice gives the same bytes."""
    with contextlib.suppress(DataError):
        first = read(kind, data, **options)
        assert first.bodies == read(kind, data, **options).bodies
        return first
    return None
