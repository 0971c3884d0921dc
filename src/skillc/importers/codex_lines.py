"""The lines of a Codex rollout as items: wrapped in {timestamp, type, payload}, or bare as the oldest versions wrote.

Streams. Not here: what an item means (importers.codex_session).
"""

import re
from collections.abc import Iterator
from typing import Any, BinaryIO, NamedTuple

from skillc.core.words import names
from skillc.importers.base import ImportReport
from skillc.importers.documents import head_object
from skillc.importers.lines import iter_lines, parse_json

# What stands under `type` of a wrapped line. Others are counted; two of these make a file a rollout.
LINE_TYPES = names("session_meta turn_context response_item event_msg compacted world_state token_usage_record")
_BARE_ITEMS = names(
    "message reasoning function_call function_call_output custom_tool_call custom_tool_call_output "
    "local_shell_call web_search_call"
)
_ID = re.compile(r"^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$")
MAX_IDS = 4


class Item(NamedTuple):
    """One line: its type, what it holds, and its time as it stands there."""

    type: str
    payload: dict[str, Any]
    at: Any


def iter_items(stream: BinaryIO, report: ImportReport) -> Iterator[Item]:
    """Yields the items in file order. What is no item is counted; a cut last line is left out and said."""
    for line in iter_lines(stream):
        if not line.strip():
            continue
        try:
            record = parse_json(line)
        except ValueError:
            if line.endswith(b"\n"):
                report.skipped["line that is not JSON"] += 1
            else:
                report.skipped["cut last line"] += 1
                report.notes.append("the last line is cut off and was left out")
            continue
        item = item_of(record)
        if item is None:
            report.skipped["line that is no rollout item"] += 1
        else:
            yield item


def item_of(record: Any) -> Item | None:
    """Returns the item that a line holds; a bare one is given the type that it has in newer files."""
    if not isinstance(record, dict):
        return None
    kind, payload, at = record.get("type"), record.get("payload"), record.get("timestamp")
    if isinstance(payload, dict) and isinstance(kind, str):
        return Item(kind, payload, at)
    if _is_one_of(kind, _BARE_ITEMS):
        return Item("response_item", record, at)
    if is_bare_meta(record):
        return Item("session_meta", record, at)
    if isinstance(record.get("record_type"), str):
        return Item("state", record, at)
    return None


def is_bare_meta(record: dict[str, Any]) -> bool:
    """Says whether a line is the head of a file that the oldest versions wrote."""
    return (
        isinstance(record.get("id"), str)
        and isinstance(record.get("timestamp"), str)
        and "type" not in record
        and bool(record.keys() & {"instructions", "git"})
        and "messages" not in record
    )


def is_rollout(head: bytes, objects: list[dict[str, Any]]) -> bool:
    """Says whether the first lines of a file are those of a rollout, even where the first is longer than the head."""
    for record in objects:
        if _is_one_of(record.get("type"), LINE_TYPES) and isinstance(record.get("payload"), dict):
            return True
    if objects and is_bare_meta(objects[0]):
        return all(_is_bare(record) for record in objects[1:])
    first = head_object(head.partition(b"\n")[0])
    return _is_one_of(first.get("type"), LINE_TYPES) and isinstance(first.get("payload"), dict)


def ids_named(head: bytes) -> tuple[str, ...]:
    """Returns the ids of other sessions that the head of a file names: a declared source, or a copied line's."""
    found: list[str] = []
    own = ""
    for line in head.split(b"\n")[:200]:
        payload = head_object(line).get("payload")
        if not isinstance(payload, dict) or b'"session_meta"' not in line[:200]:
            continue
        own = own or session_id_of(payload)
        found += [source_of(payload) or "", session_id_of(payload)]
    return tuple(dict.fromkeys(i for i in found if i != own and _ID.match(i)))[:MAX_IDS]


def session_id_of(payload: dict[str, Any]) -> str:
    """Returns the id of the session that a `session_meta` is about, or an empty text."""
    for name in ("id", "session_id"):
        value = payload.get(name)
        if isinstance(value, str) and value:
            return value
    return ""


def source_of(payload: dict[str, Any]) -> str | None:
    """Returns the session that a `session_meta` declares as its source: forked from it, or spawned by it."""
    source: Any = payload.get("source")
    for name in ("subagent", "thread_spawn"):
        source = source.get(name) if isinstance(source, dict) else None
    spawned = source.get("parent_thread_id") if isinstance(source, dict) else None
    for value in (payload.get("forked_from_id"), spawned):
        if isinstance(value, str) and value:
            return value
    return None


def _is_bare(record: dict[str, Any]) -> bool:
    return _is_one_of(record.get("type"), _BARE_ITEMS) or isinstance(record.get("record_type"), str)


def _is_one_of(value: Any, names: frozenset[str]) -> bool:
    return isinstance(value, str) and value in names
