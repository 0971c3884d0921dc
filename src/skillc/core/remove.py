"""Deletion: what goes of a Trace, what stays, and which Skills rest on it.

Content and salt go; the hash of each line stays in its place, so that the digest still holds and nothing can be
guessed from it. A record on the ledger names the same hashes: `check` refuses the content when it comes back.
Paper: 5.6, Deletion. Not here: writing (lifecycle.forget), out of service (core.compile.withdrawal).
"""

from collections.abc import Iterable, Mapping
from typing import Literal

from skillc.core.record import Moment, Record
from skillc.core.skill.contract import Contract, cited_events
from skillc.core.trace.codec import Trace, encode_record, line_hash, parse_trace_tombstone, split_lines
from skillc.core.trace.records import Sha256, Tombstone, TraceTombstone

TOMBSTONE_FORMAT = "skillc.tombstone/1"
_STONE = b'{"record":"tombstone"'
_HEADER = "header:"
MIN_SHARED_CHARS = 12  # shorter texts are no trace of one another


class DeletedLine(Record):
    """One deleted line: the event's id, or `header` for the objective, and the hash of the line before."""

    id: str
    line: Sha256


class TombstoneRecord(Record):
    """What a person had deleted of a Trace. `is_whole`: all of it, and `lines` are all that it had.

    `header` is the hash of the header line that stays, where the objective went with an event.
    """

    format: Literal["skillc.tombstone/1"] = "skillc.tombstone/1"
    namespace: str
    trace_id: str
    trace_digest: str
    is_whole: bool
    lines: tuple[DeletedLine, ...]
    header: Sha256 | None = None
    skills: tuple[str, ...] = ()
    by: str
    reason: str = ""
    ledger_commit: str | None = None
    at: Moment
    previous: tuple[str, ...] = ()


class Deletion(Record):
    """The file of a Trace after a deletion, and the lines that went."""

    data: bytes
    lines: tuple[DeletedLine, ...]
    header: Sha256 | None = None


def delete_events(trace: Trace, data: bytes, events: Iterable[str]) -> Deletion:
    """Returns a Trace's file with tombstones in place of events; those that are gone already stay as they are.

    Where the objective repeats a deleted text, it goes too.
    """
    wanted = {e for e in events if trace.event(e) is not None}
    lines = split_lines(data)
    gone: list[DeletedLine] = []
    texts = []
    for event in trace.events:
        if event.id not in wanted:
            continue
        place = event.seq + 1
        hashed = line_hash(lines[place])
        lines[place] = _line(Tombstone(id=event.id, seq=event.seq, line=hashed))
        gone.append(DeletedLine(id=event.id, line=hashed))
        texts.append(event.text or "")
    header = None
    if gone and _repeats(trace.header.objective, texts) and trace.header.deleted_line is None:
        before = line_hash(lines[0])
        lines[0] = encode_record(trace.header.model_copy(update={"objective": "", "salt": "", "deleted_line": before}))
        gone.append(DeletedLine(id="header", line=before))
        header = line_hash(lines[0])
    return Deletion(data=b"".join(line + b"\n" for line in lines), lines=tuple(gone), header=header)


def delete_trace(trace: Trace, data: bytes) -> Deletion:
    """Returns the one line that stays of a Trace, and the hashes of all that it had."""
    lines = split_lines(data)
    stone = TraceTombstone(trace_id=trace.trace_id, namespace=trace.header.namespace, digest=trace.digest)
    gone = [DeletedLine(id="header", line=trace.header.deleted_line or line_hash(lines[0]))]
    gone += [
        DeletedLine(id=event.id, line=line_hash(line)) for event, line in zip(trace.events, lines[1:-1], strict=True)
    ]
    return Deletion(data=_line(stone) + b"\n", lines=tuple(gone))


def rests_on(contract: Contract, trace_id: str, events: frozenset[str] | None) -> bool:
    """Says whether a Skill cites what goes: any of these events, or, with None, anything of the Trace."""
    cited = cited_events(contract).get(trace_id)
    return cited is not None and (events is None or not events.isdisjoint(cited))


def also_holds(traces: Iterable[Trace], texts: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Returns Trace -> events that repeat a deleted text and were not named: what a person may want to delete too."""
    wanted = {t for text in texts for t in (_plain(text),) if len(t) >= MIN_SHARED_CHARS}
    found: dict[str, tuple[str, ...]] = {}
    for trace in traces:
        hits = tuple(e.id for e in trace.events if e.text and any(t in _plain(e.text) for t in wanted))
        if hits:
            found[trace.trace_id] = hits
    return found


def deleted_lines(records: Iterable[TombstoneRecord]) -> Mapping[str, frozenset[str]]:
    """Returns Trace -> the hashes of the lines that the ledger says are deleted.

    The header that stays without its objective is among them, marked: nothing else may stand there.
    """
    found: dict[str, set[str]] = {}
    for record in records:
        lines = found.setdefault(record.trace_id, set())
        lines.update(line.line for line in record.lines)
        if record.header is not None:
            lines.add(_HEADER + record.header)
    return {trace_id: frozenset(lines) for trace_id, lines in found.items()}


def deletion_problem(data: bytes, hashes: frozenset[str], *, stone: bool) -> str | None:
    """Says what is wrong with the file of a Trace that the ledger names a deletion of; `stone`: it is one line.

    The file must hold no line that was deleted, and no tombstone that no record names.
    """
    if stone:
        return None if hashes else "was deleted without a signed record"
    lines = split_lines(data)
    if lines and b'"deleted_line"' in lines[0] and _HEADER + line_hash(lines[0]) not in hashes:
        return "the header was changed without a signed record"
    for number, line in enumerate(lines, 1):
        is_stone = line.startswith(_STONE)
        hashed = line_hash(line)
        if is_stone and hashed not in hashes:
            return f"line {number} was deleted without a signed record"
        if not is_stone and hashed in hashes:
            return f"line {number} is content that was deleted"
    return None


def _repeats(objective: str, texts: Iterable[str]) -> bool:
    plain = _plain(objective).rstrip(".…")
    return bool(plain) and any(plain in _plain(t) or _plain(t)[: len(plain)] == plain for t in texts if t)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _line(record: Tombstone | TraceTombstone) -> bytes:
    """Returns a tombstone's line: `record` comes first, so that a reader knows it by its beginning."""
    from pydantic_core import to_json

    return to_json(record.model_dump(mode="json"))


def joined(ours: bytes, theirs: bytes) -> bytes:
    """Returns the file of one Trace from two clones: what either deleted stays deleted."""
    for data in (ours, theirs):
        if parse_trace_tombstone(data) is not None:
            return data
    mine, other = split_lines(ours), split_lines(theirs)
    if len(mine) != len(other) or [line_hash(x) for x in mine[1:-1]] != [line_hash(x) for x in other[1:-1]]:
        return ours
    lines = [b if b.startswith(_STONE) and not a.startswith(_STONE) else a for a, b in zip(mine, other, strict=True)]
    if b'"deleted_line"' in other[0] and b'"deleted_line"' not in mine[0]:
        lines[0] = other[0]
    return b"".join(line + b"\n" for line in lines)
