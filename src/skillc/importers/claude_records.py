"""The records of a Claude Code transcript in order, and the branches of it that a person left.

More than half of a long session's lines are live progress. They are counted unparsed, but only where the bytes
prove that the place is the record's top level.
Not here: the form of a record (importers.claude_shapes), what it means (importers.claude_session).
"""

from collections import Counter
from collections.abc import Iterator
from typing import BinaryIO

from skillc.importers.base import ImportReport
from skillc.importers.claude_shapes import ClaudeRecord, read_record
from skillc.importers.lines import iter_lines

_PROGRESS = b'"type":"progress"'
_HEAD_BYTES = 1024


def iter_records(stream: BinaryIO, report: ImportReport) -> Iterator[ClaudeRecord]:
    """Yields the objects of a transcript in file order; everything else is counted in the report."""
    skipped: Counter[str] = report.skipped
    for line in iter_lines(stream):
        # Before the second brace, a key is the record's own; strings cannot hold an unescaped quote.
        second = line.find(b"{", 1, _HEAD_BYTES)
        if line.find(_PROGRESS, 0, second if second > 0 else _HEAD_BYTES) > 0 and line.startswith(b"{"):
            skipped["progress"] += 1
            continue
        try:
            record = read_record(line)
        except ValueError:
            _count_bad(line, report)
            continue
        if record is None:
            skipped["line that is no object"] += 1
        else:
            yield record


def _count_bad(line: bytes, report: ImportReport) -> None:
    if not line.strip():
        if line:
            report.skipped["empty or overlong line"] += 1
    elif line.endswith(b"\n"):
        report.skipped["line that is not JSON"] += 1
    else:
        report.skipped["cut last line"] += 1
        report.notes.append("the last line is cut off and was left out")


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
        uuid = record.uuid
        if uuid is not None and uuid not in parents:
            parents[uuid] = record.parent_uuid or record.logical_parent_uuid
            order.append((uuid, record.is_sidechain is True))
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
