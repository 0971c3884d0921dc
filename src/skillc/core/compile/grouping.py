"""Grouping: which held-out group an attempt belongs to, by a field that a person names.

Neighbouring tasks are variants of one request, so a split that ignores who asked measures memory. The field is one
of the Trace's header, or the first value that an argument or a result of a call has under this name; attempts of
one attempt family are never parted. Paper: 6. Not here: what is measured (core.compare, engines).
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from skillc.core.compile.evidence import Source
from skillc.core.trace.codec import Trace
from skillc.core.trace.records import EventKind

MAX_RESULT_CHARS = 200_000
MAX_DEPTH = 8
HEADER_FIELDS = {
    "attempt_key": ("attempt_key",),
    "task": ("attempt_key",),
    "task_id": ("attempt_key",),
    "agent": ("agent", "name"),
    "model": ("agent", "model"),
    "branch": ("environment", "git", "branch"),
    "repo": ("environment", "cwd_label"),
    "source": ("source", "ref"),
    "source_kind": ("source", "kind"),
    "parent_trace_id": ("parent_trace_id",),
}
HEADER_NAMES = ("attempt_key", "attempt_family", "repo", "branch", "agent", "model", "source_kind", "parent_trace_id")
_NAME = re.compile(r"[A-Za-z][\w-]{0,63}")
_SEPARATORS = re.compile(r"[^a-z0-9]+")


def groups_of(sources: Iterable[Source], field: str) -> dict[str, str]:
    """Returns trace_id -> group for the sources that have the field, attempts of one family in one group.

    Groups are named by the smallest value that they hold. A family is known by any of its attempts.
    """
    sources = tuple(sources)
    return _joined(sources, {s.trace_id: value for s in sources if (value := group_value(s, field)) is not None})


def _joined(sources: tuple[Source, ...], values: Mapping[str, str]) -> dict[str, str]:
    leader: dict[str, str] = {}

    def root(node: str) -> str:
        while leader.setdefault(node, node) != node:
            node = leader[node]
        return node

    for source in sources:
        if source.trace_id in values:
            one, other = sorted((root(f"value {values[source.trace_id]}"), root(f"family {source.attempt_family}")))
            leader[one] = other
    named: dict[str, str] = {}
    for trace_id in sorted(values, key=lambda t: values[t]):
        named.setdefault(root(f"value {values[trace_id]}"), values[trace_id])
    found = {}
    for source in sources:
        name = named.get(root(f"family {source.attempt_family}"))
        if name is not None:
            found[source.trace_id] = name
    return found


def group_value(source: Source, field: str) -> str | None:
    """Returns the value of a field for one source: of the header, else of its calls, else of their results.

    A name of something that has an id, like `user`, finds its id where nothing has this name itself.
    """
    if field == "attempt_family":
        return source.attempt_family
    if field in HEADER_FIELDS or "." in field:
        return _header_value(source.trace, HEADER_FIELDS.get(field) or tuple(field.split(".")))
    name = _plain(field)
    return next(chain(_event_values(source.trace, name), _event_values(source.trace, f"{name}id")), None)


def grouping_fields(sources: Iterable[Source]) -> list[tuple[str, int]]:
    """Returns every field that could group these sources, with its number of groups.

    It parts them into two groups or more, and at least half of them have it. Fields of the header come first, then
    names of ids, then the others.
    """
    sources = tuple(sources)
    found = [(name, len(set(groups_of(sources, name).values()))) for name in HEADER_NAMES]
    named: dict[str, dict[str, str]] = {}
    spelled: dict[str, str] = {}
    for source in sources:
        for name, value in _named_values(source.trace):
            named.setdefault(_plain(name), {}).setdefault(source.trace_id, value)
            spelled[_plain(name)] = min(spelled.get(_plain(name), name), name)
    names = sorted(spelled, key=lambda plain: (not plain.endswith("id"), spelled[plain]))
    found += [
        (spelled[plain], len(set(_joined(sources, named[plain]).values())))
        for plain in names
        if 2 * len(named[plain]) >= len(sources) and spelled[plain] not in HEADER_FIELDS
    ]
    return [(name, count) for name, count in found if count > 1]


def _named_values(trace: Trace) -> Iterator[tuple[str, str]]:
    """Yields the names of arguments and of fields of results, each with a value, in the order of `group_value`."""
    for value in _values_of_calls(trace):
        for name, item in _items(value, 0):
            if _NAME.fullmatch(name):
                yield name, item


def _header_value(trace: Trace, path: tuple[str, ...]) -> str | None:
    value: Any = trace.header
    for part in path:
        if part not in getattr(type(value), "model_fields", {}):
            return None
        value = getattr(value, part)
    return str(value) if isinstance(value, (str, int)) and str(value) else None


def _event_values(trace: Trace, name: str) -> Iterator[str]:
    for value in _values_of_calls(trace):
        yield from (item for key, item in _items(value, 0) if _plain(key) == name)


def _values_of_calls(trace: Trace) -> Iterator[Any]:
    """Yields the arguments of all calls, then what their results say as JSON."""
    for event in trace.events:
        if event.kind is EventKind.TOOL_CALL and event.restricted is None:
            yield event.arguments
    for event in trace.events:
        text = event.text or ""
        if event.kind is EventKind.TOOL_RESULT and text.lstrip()[:1] in ("{", "[") and len(text) <= MAX_RESULT_CHARS:
            try:
                yield json.loads(text)
            except (ValueError, RecursionError):
                continue


def _items(value: Any, depth: int) -> Iterator[tuple[str, str]]:
    """Yields (name, value) of the words and whole numbers in a value, those of one level before those below."""
    if depth > MAX_DEPTH:
        return
    if isinstance(value, dict):
        for key, item in value.items():
            if isinstance(item, (str, int)) and str(item).strip():
                yield str(key), str(item).strip()
        for item in value.values():
            yield from _items(item, depth + 1)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _items(item, depth + 1)


def _plain(name: str) -> str:
    return _SEPARATORS.sub("", name.lower())
