"""Grouping: which held-out group an attempt belongs to, by a field that a person names.

Neighbouring tasks are variants of one request, so a split that ignores who asked measures memory. The field is one
of the Trace's header, or the first value that an argument or a result of a call has under this name; attempts of
one attempt family are never parted. Paper: 6. Not here: what is measured (core.compare, engines).
"""

import json
import re
from collections.abc import Iterable, Iterator
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
_SEPARATORS = re.compile(r"[^a-z0-9]+")


def groups_of(sources: Iterable[Source], field: str) -> dict[str, str]:
    """Returns trace_id -> group for the sources that have the field, attempts of one family in one group.

    Groups are named by the smallest value that they hold. A family is known by any of its attempts.
    """
    sources = tuple(sources)
    values = {s.trace_id: value for s in sources if (value := group_value(s, field)) is not None}
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


def grouping_fields(sources: Iterable[Source], *, limit: int = 8) -> list[tuple[str, int]]:
    """Returns fields that could group these sources, with their number of groups, best known first."""
    sources = tuple(sources)
    names: dict[str, set[str]] = {}
    for source in sources:
        for event in source.trace.events:
            for key, value in (event.arguments or {}).items():
                if isinstance(value, str) and re.fullmatch(r"[A-Za-z][\w-]{0,63}", key):
                    names.setdefault(key, set()).add(source.trace_id)
    often = [n for n, ids in names.items() if 2 * len(ids) >= len(sources)]
    found = []
    for name in (*sorted(often), "attempt_key", "repo", "branch"):
        count = len(set(groups_of(sources, name).values()))
        if count > 1:
            found.append((name, count))
    return sorted(found, key=lambda item: (not item[0].endswith(("_id", "id")), item[0]))[:limit]


def _header_value(trace: Trace, path: tuple[str, ...]) -> str | None:
    value: Any = trace.header
    for part in path:
        if part not in getattr(type(value), "model_fields", {}):
            return None
        value = getattr(value, part)
    return str(value) if isinstance(value, (str, int)) and str(value) else None


def _event_values(trace: Trace, name: str) -> Iterator[str]:
    for event in trace.events:
        if event.kind is EventKind.TOOL_CALL and event.restricted is None:
            yield from _values_named(event.arguments, name, 0)
    for event in trace.events:
        text = event.text or ""
        if event.kind is EventKind.TOOL_RESULT and text.lstrip()[:1] in ("{", "[") and len(text) <= MAX_RESULT_CHARS:
            try:
                yield from _values_named(json.loads(text), name, 0)
            except (ValueError, RecursionError):
                continue


def _values_named(value: Any, name: str, depth: int) -> Iterator[str]:
    if depth > MAX_DEPTH:
        return
    if isinstance(value, dict):
        for key, item in value.items():
            if _plain(str(key)) == name and isinstance(item, (str, int)) and str(item).strip():
                yield str(item).strip()
        for item in value.values():
            yield from _values_named(item, name, depth + 1)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _values_named(item, name, depth + 1)


def _plain(name: str) -> str:
    return _SEPARATORS.sub("", name.lower())
