"""The bytes of a Trace: lines, salts, digest, and the reader that checks them.

A Trace file is UTF-8 JSONL with LF line ends. Every line carries a salt, an HMAC of this machine's capture
secret, so that a tombstone can keep the hash of a deleted line without making its content guessable.
The digest is taken over the sha256 of every line; the close line is hashed with an empty digest.
Paper: 5.1. Not here: where Traces are stored (repo.traces), foreign formats (importers).
"""

import hashlib
import hmac
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, TypeVar

from pydantic import ValidationError
from pydantic_core import from_json, to_json

from skillc.core.record import Record, first_problem, other_format
from skillc.core.trace.records import TRACE_FORMAT, Close, Event, EventKind, Tombstone, TraceHeader, TraceTombstone
from skillc.errors import DataError, lines_error

_R = TypeVar("_R", TraceHeader, Event, Close, Tombstone)
_TOMBSTONE = b'{"record":"tombstone"'


class Trace(Record):
    """A whole Trace in memory. `digest` equals `close.digest`, checked on reading.

    `deleted` are the places of events that a person had deleted: an empty note stands there, and no claim can cite it.
    """

    header: TraceHeader
    events: tuple[Event, ...]
    close: Close
    deleted: frozenset[int] = frozenset()

    @property
    def trace_id(self) -> str:
        return self.header.trace_id

    @property
    def digest(self) -> str:
        return self.close.digest

    def event(self, event_id: str) -> Event | None:
        """Returns the event with this id, or None, also for a deleted one. Ids are dense: no search is needed."""
        try:
            seq = int(event_id[1:]) if len(event_id) < 12 else -1
        except ValueError:
            return None
        if 0 <= seq < len(self.events) and self.events[seq].id == event_id and seq not in self.deleted:
            return self.events[seq]
        return None


def trace_id_of(namespace: str, kind: str, session: str, attempt: str = "") -> str:
    """Returns the id of a Trace: a hash of namespace, source kind and the host's session and attempt id."""
    text = "\x00".join((namespace, kind, session, attempt))
    return "t-" + hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:24]


def salt_of(secret: bytes, trace_id: str, seq: int | str) -> str:
    """Returns the salt of one line: 32 hex digits; `seq` is the event's, or `header` or `close`."""
    return hmac.digest(secret, f"{trace_id}:{seq}".encode(), "sha256").hex()[:32]


def encode_line(fields: dict[str, Any]) -> bytes:
    """Returns one Trace line without its newline. `fields` come in the record's own order.

    The bytes are those of compact JSON in the order given, so callers build dicts in field order and leave
    absent fields out; `encode_record` does it for a record.
    """
    return to_json(fields)


def encode_record(record: TraceHeader | Event | Close) -> bytes:
    """Returns the line of a record, without its newline; fields that are None or default-false are left out."""
    fields = record.model_dump(mode="json", exclude_none=True)
    if fields.get("untrusted") is False:
        del fields["untrusted"]
    return to_json(fields)


class TraceDigest:
    """Collects line hashes while a Trace is written, so that no Trace has to be held in memory."""

    def __init__(self) -> None:
        self._hashes: list[bytes] = []

    def add(self, line: bytes) -> None:
        self._hashes.append(hashlib.sha256(line).digest())

    def add_hash(self, line_hash: str) -> None:
        """Adds the hash of a line whose content is gone."""
        self._hashes.append(bytes.fromhex(line_hash))

    def add_all(self, lines: Iterable[bytes]) -> None:
        """Adds lines in their order."""
        sha256 = hashlib.sha256
        self._hashes += [sha256(line).digest() for line in lines]

    def value(self, *, header: bytes, close_without_digest: bytes, header_hash: str | None = None) -> str:
        """Returns the digest for the header line, the event lines added so far, and the close line.

        `header_hash` stands for a header whose objective was deleted.
        """
        first = bytes.fromhex(header_hash) if header_hash is not None else hashlib.sha256(header).digest()
        total = hashlib.sha256(first)
        for line_hash in self._hashes:
            total.update(line_hash)
        total.update(hashlib.sha256(close_without_digest).digest())
        return "sha256:" + total.hexdigest()

    def events_sha256(self) -> str:
        """Returns the digest over the event lines alone: `source.sha256`."""
        return hashlib.sha256(b"".join(self._hashes)).hexdigest()


def seal(header: TraceHeader, event_lines: Iterable[bytes], close: Close) -> tuple[bytes, list[bytes], bytes]:
    """Returns header line, event lines and close line, with `source.sha256` and `digest` filled in."""
    digest = TraceDigest()
    lines = []
    for line in event_lines:
        digest.add(line)
        lines.append(line)
    header_line, close_line = seal_ends(header, digest, close)
    return header_line, lines, close_line


def seal_ends(header: TraceHeader, digest: TraceDigest, close: Close) -> tuple[bytes, bytes]:
    """Returns the header and close lines for events that were already written and added to `digest`."""
    source = header.source.model_copy(update={"sha256": digest.events_sha256()})
    header_line = encode_record(header.model_copy(update={"source": source}))
    bare = encode_record(close.model_copy(update={"digest": ""}))
    value = digest.value(header=header_line, close_without_digest=bare)
    return header_line, encode_record(close.model_copy(update={"digest": value}))


def parse_trace(data: bytes, *, path: str) -> Trace:
    """Reads and checks one Trace file.

    Raises DataError with up to 20 `path:line: what` when a line is no record, the order is wrong, the file is
    not closed, or the digest does not match the lines.
    """
    lines = split_lines(data)
    problems: list[tuple[int, str]] = []
    header = _parse(TraceHeader, lines[0], 1, problems) if lines else None
    if not lines:
        problems.append((1, "the file is empty"))
    deleted: dict[int, Tombstone] = {}
    events = [_parse_event(line, number, problems, deleted) for number, line in enumerate(lines[1:-1], 2)]
    close = _parse(Close, lines[-1], len(lines), problems) if len(lines) > 1 else None
    if lines and close is None and not problems:
        problems.append((len(lines), "the Trace is not closed"))
    for seq, event in enumerate(events):
        if event is not None and (event.seq != seq or event.id != f"e{seq}"):
            problems.append((seq + 2, f"event {seq} has id {event.id!r} and seq {event.seq}: events must be dense"))
    if problems or header is None or close is None:
        raise lines_error(path, problems)
    kept = tuple(e for e in events if e is not None)
    trace = Trace(header=header, events=kept, close=close, deleted=frozenset(deleted))
    if _digest_of_lines(lines, header, close, deleted) != close.digest:
        raise DataError(
            f"{path}:{len(lines)}: the digest of Trace {header.trace_id!r} does not match its lines",
            hint="a closed Trace never changes; restore the file from git",
        )
    return trace


def parse_header(line: bytes, *, path: str) -> TraceHeader:
    """Reads the first line of a Trace alone. Raises DataError as `parse_trace` does."""
    problems: list[tuple[int, str]] = []
    header = _parse(TraceHeader, line, 1, problems)
    if header is None:
        raise lines_error(path, problems)
    return header


def split_lines(data: bytes) -> list[bytes]:
    """Splits by LF only, tolerates CRLF, and drops one final newline; JSON strings may hold U+2028 raw."""
    if not data:
        return []
    lines = data.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    return [line[:-1] if line.endswith(b"\r") else line for line in lines]


def iter_event_lines(data: bytes) -> Iterator[bytes]:
    """Yields the event lines of an encoded Trace, without parsing them."""
    yield from split_lines(data)[1:-1]


def parse_trace_tombstone(data: bytes) -> TraceTombstone | None:
    """Returns what stays of a deleted Trace, or None for the file of one that is there."""
    if not data.startswith(_TOMBSTONE) or data.count(b"\n") > 1:
        return None
    try:
        return TraceTombstone.model_validate_json(data)
    except ValidationError:
        return None


def tombstones_in(data: bytes) -> dict[int, Tombstone]:
    """Returns place -> tombstone of the deleted events in the file of a Trace, without parsing the others."""
    found: dict[int, Tombstone] = {}
    for place, line in enumerate(iter_event_lines(data)):
        if line.startswith(_TOMBSTONE):
            with suppress(ValidationError):
                found[place] = Tombstone.model_validate_json(line)
    return found


def line_hash(line: bytes) -> str:
    """Returns the hash of one line as digest and tombstones use it: that of a tombstone is what it stands for."""
    if line.startswith(_TOMBSTONE):
        with suppress(ValidationError):
            return Tombstone.model_validate_json(line).line
    return hashlib.sha256(line).hexdigest()


def _parse_event(
    line: bytes, number: int, problems: list[tuple[int, str]], deleted: dict[int, Tombstone]
) -> Event | None:
    if not line.startswith(_TOMBSTONE):
        return _parse(Event, line, number, problems)
    stone = _parse(Tombstone, line, number, problems)
    if stone is None:
        return None
    deleted[number - 2] = stone
    return Event(id=stone.id, seq=stone.seq, kind=EventKind.NOTE, actor="deleted", salt="")


def _digest_of_lines(lines: list[bytes], header: TraceHeader, close: Close, deleted: dict[int, Tombstone]) -> str:
    digest = TraceDigest()
    for place, line in enumerate(lines[1:-1]):
        if place in deleted:
            digest.add_hash(deleted[place].line)
        else:
            digest.add(line)
    bare = encode_record(close.model_copy(update={"digest": ""}))
    return digest.value(header=lines[0], close_without_digest=bare, header_hash=header.deleted_line)


def _parse(model: type[_R], line: bytes, number: int, problems: list[tuple[int, str]]) -> _R | None:
    try:
        return model.model_validate_json(line)
    except ValidationError as error:
        problems.append((number, _describe(model, line, error)))
        return None


def _describe(model: type[Record], line: bytes, error: ValidationError) -> str:
    """Says what is wrong with a line without showing its text."""
    try:
        value = from_json(line)
    except ValueError:
        return "is not JSON"
    if not isinstance(value, dict):
        return "is JSON, but not an object"
    if value.get("record") == "trace" and (other := other_format(value, TRACE_FORMAT)):
        return other
    return f"is no {model.__name__}: {first_problem(error)}"
