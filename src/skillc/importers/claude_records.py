"""The records of a Claude Code transcript, read fast: noise dropped unparsed, the second copy of results cut
off.

More than half of a long session's lines are live progress, and every tool result stands in its line twice.
Both are left out before JSON is parsed, but only where the bytes prove that the place is the record's top
level.
Not here: what a record means (importers.claude_code).
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any, BinaryIO

from pydantic_core import from_json

from skillc.importers.base import ImportReport
from skillc.importers.lines import iter_lines, parse_json

_PROGRESS = b'"type":"progress"'
_HEAD_BYTES = 1024
_RESULT_COPY = b',"toolUseResult":'
_AFTER_COPY = ("cwd", "sessionId")
_AFTER_COPY_OF_SUBAGENT = ("cwd", "sessionId", "agentId")


def iter_records(stream: BinaryIO, report: ImportReport) -> Iterator[dict[str, Any]]:
    """Yields the objects of a transcript in file order; everything else is counted in the report."""
    skipped: Counter[str] = report.skipped
    for line in iter_lines(stream):
        found = line.find(_PROGRESS, 0, _HEAD_BYTES)
        # With one brace before it, the key is the record's own; strings cannot hold an unescaped quote.
        if found > 0 and line.count(b"{", 0, found) == 1:
            skipped["progress"] += 1
            continue
        try:
            record = _parse(line)
        except ValueError:
            _count_bad(line, report)
            continue
        if isinstance(record, dict):
            yield record
        else:
            skipped["line that is no object"] += 1


def _parse(line: bytes) -> Any:
    cut = line.find(_RESULT_COPY)
    if cut > 0:
        # One closing brace completes the object only when the key is at its top level.
        try:
            record = from_json(line[:cut] + b"}", allow_inf_nan=False, cache_strings="keys")
        except ValueError:
            return parse_json(line)
        if "message" in record and "uuid" in record:
            for name in _AFTER_COPY if record.get("isSidechain") is not True else _AFTER_COPY_OF_SUBAGENT:
                if name not in record and (value := _last_string(line, name, cut)) is not None:
                    record[name] = value
            return record
    return parse_json(line)


def _last_string(line: bytes, name: str, start: int) -> str | None:
    """Returns the last string under a key behind `start`: newer hosts write these keys behind the copy."""
    found = line.rfind(b'"%s":"' % name.encode(), start)
    if found < 0:
        return None
    found += len(name) + 3
    try:
        value = from_json(line[found : line.index(b'"', found + 1) + 1])
    except ValueError:
        return None
    return value if isinstance(value, str) else None


def _count_bad(line: bytes, report: ImportReport) -> None:
    if not line.strip():
        if line:
            report.skipped["empty or overlong line"] += 1
    elif line.endswith(b"\n"):
        report.skipped["line that is not JSON"] += 1
    else:
        report.skipped["cut last line"] += 1
        report.notes.append("the last line is cut off and was left out; import again when the session has ended")


def dropped_by_fork(stream: BinaryIO, fork_parents: set[str]) -> set[str]:
    """Returns the uuids of records on branches that a person left by rewinding.

    `fork_parents` are parents of more than one human prompt. The live branch holds the last record; where
    neither prompt leads to it, the later prompt is live. Reads the stream from its start.
    """
    parents: dict[str, str | None] = {}
    order: list[tuple[str, bool]] = []
    ignored = ImportReport(path="", kind="")
    stream.seek(0)
    for record in iter_records(stream, ignored):
        uuid = record.get("uuid")
        if isinstance(uuid, str) and uuid not in parents:
            parent = record.get("parentUuid") or record.get("logicalParentUuid")
            parents[uuid] = parent if isinstance(parent, str) else None
            order.append((uuid, record.get("isSidechain") is True))
    stream.seek(0)
    live: set[str] = set()
    node = next((uuid for uuid, is_side in reversed(order) if not is_side), None)
    while node is not None and node not in live:
        live.add(node)
        node = parents.get(node)
    children: dict[str, list[str]] = {}
    for uuid, is_side in order:
        parent = parents[uuid]
        if parent in fork_parents and not is_side and parent is not None:
            children.setdefault(parent, []).append(uuid)
    heads = {
        child
        for group in children.values()
        for child in group
        if child not in live and (any(c in live for c in group) or child != group[-1])
    }
    return _descendants(order, parents, heads)


def _descendants(order: list[tuple[str, bool]], parents: dict[str, str | None], heads: set[str]) -> set[str]:
    """A subagent's records go with the main record before them."""
    dropped: set[str] = set()
    main_is_dropped = False
    for uuid, is_side in order:
        if is_side:
            if main_is_dropped:
                dropped.add(uuid)
            continue
        main_is_dropped = uuid in heads or parents[uuid] in dropped
        if main_is_dropped:
            dropped.add(uuid)
    return dropped
