"""The hot path of every importer: event parts in, redacted and sealed lines of one Trace out.

Each event becomes one JSON line: long texts cut, salted, machine paths shortened, credentials replaced,
hashed, and only then written to a spooled file. Nothing unredacted reaches the disk. Works on dicts and
bytes, not on records (the tests hold every line to the record), and shortens and tests 16 KiB of lines at
once. Paper: 5.1.
"""

import hashlib
import shutil
from collections.abc import Callable
from datetime import datetime
from tempfile import SpooledTemporaryFile
from typing import IO, Any, BinaryIO, cast

from pydantic_core import from_json, to_json

from skillc.core.record import sha256_hex
from skillc.core.scan.detectors import may_hold_credential
from skillc.core.scan.redact import Redactor
from skillc.core.trace.codec import TraceDigest, salt_of, seal_ends, trace_id_of
from skillc.core.trace.operation import operation_of
from skillc.core.trace.records import (
    Agent,
    Close,
    Environment,
    Event,
    GitContext,
    Origin,
    Outcome,
    TraceHeader,
    TraceSource,
)
from skillc.importers.base import ImportContext, ImportedTrace, ImportReport, MappedVerdict
from skillc.importers.paths import PathShortener

MAX_OBJECTIVE_CHARS = 500
_SPOOL_BYTES = 4 * 1024 * 1024
_CHUNK_BYTES = 256 * 1024
_BLOCK_BYTES = 16 * 1024
# An argument may be a whole file, and a later check compares edits by content; so it may be longer than a result.
_ARGUMENTS_FACTOR = 8


class TraceWriter:
    """Writes one Trace. Call `add` per event, in order, then `finish` once; or `discard`."""

    def __init__(
        self,
        context: ImportContext,
        report: ImportReport,
        *,
        session: str,
        attempt: str = "",
        trace_id: str | None = None,
    ) -> None:
        self.context = context
        self.report = report
        self.trace_id = trace_id or trace_id_of(context.namespace, report.kind, session, attempt)
        self.paths = PathShortener()
        self.redactor = Redactor()
        self.events = 0
        self.objective = ""
        self._salt = _Salter(context.secret, self.trace_id).salt
        self._digest = TraceDigest()
        self._limit = context.max_result_bytes
        self._pending: list[bytes] = []  # encoded, not yet redacted: in memory only
        self._pending_bytes = 0
        self._settled: list[bytes] = []
        self._settled_bytes = 0
        self._spool: IO[bytes] = SpooledTemporaryFile(max_size=_SPOOL_BYTES)  # noqa: SIM115 - discard closes it

    def add(
        self,
        kind: str,
        actor: str,
        *,
        at: str | None = None,
        tool: str | None = None,
        call_id: str | None = None,
        arguments: dict[str, Any] | None = None,
        text: str | None = None,
        is_error: bool | None = None,
        restricted: str | None = None,
        untrusted: bool = False,
    ) -> None:
        """Adds one event. `restricted` is a reference: arguments and text are then not stored at all.

        `at` is already normal (importers.times). The operation of a call is derived here.
        """
        seq = self.events
        fields: dict[str, Any] = {
            "record": "event",
            "id": f"e{seq}",
            "seq": seq,
            "kind": kind,
            "actor": actor,
        }
        if at is not None:
            fields["at"] = at
        if tool is not None:
            fields["tool"] = tool
        if arguments is not None and tool is not None:
            operation = operation_of(tool, arguments)
            if operation is not None:
                fields["operation"] = operation
        if call_id is not None:
            fields["call_id"] = call_id
        if restricted is None:
            if arguments is not None:
                fields["arguments"] = arguments
            if text is not None:
                fields["text"] = text
        if is_error is not None:
            fields["is_error"] = is_error
        if restricted is not None:
            fields["restricted"] = {"ref": restricted}
        if untrusted:
            fields["untrusted"] = True
        fields["salt"] = self._salt(seq)
        self._write(fields)

    def add_event(self, event: Event, *, restricted: str | None = None) -> None:
        """Adds an event that another harness wrote, under its number here and with a salt of this machine."""
        seq = self.events
        fields = event.model_dump(mode="json", exclude_none=True)
        fields.update(id=f"e{seq}", seq=seq, salt=self._salt(seq))
        if restricted is not None:
            fields.pop("arguments", None)
            fields.pop("text", None)
            fields.pop("truncated", None)
            fields["restricted"] = {"ref": restricted}
        if "operation" not in fields and event.tool and event.arguments is not None:
            fields["operation"] = operation_of(event.tool, event.arguments)
        if not event.untrusted:
            del fields["untrusted"]
        self._write({name: fields[name] for name in Event.model_fields if fields.get(name) is not None})

    def add_root(self, folder: str) -> None:
        """Makes a working folder `.` in the events from here on."""
        self._settle()
        self.paths.add_root(folder)

    def set_objective(self, text: str) -> None:
        """Keeps the first non-empty text as the objective: redacted, blanks collapsed, at most 500 characters."""
        if not self.objective:
            shown = self.clean(text[: MAX_OBJECTIVE_CHARS * 20])
            self.objective = " ".join(shown.split())[:MAX_OBJECTIVE_CHARS]

    def clean(self, text: str) -> str:
        """Returns a text of the header or a note as it may be stored: paths shortened, credentials replaced."""
        return self.redactor.text(self.paths.text(text))

    def clean_value(self, value: Any) -> Any:
        """Does the same for every string of a JSON value."""
        return _mapped(self.redactor.value(value), self.paths.text)

    def is_changed_by_redaction(self, line: bytes) -> bool:
        """Says whether a finished line would not be kept as it is."""
        if self.paths.line(line) != line or (len(line) > self._limit and self._fitted(from_json(line)) is not None):
            return True
        return may_hold_credential(line) and self._redacted(line) != line

    def finish(
        self,
        *,
        source_ref: str,
        agent: Agent,
        origin: Origin = Origin.IMPORTED,
        outcome: Outcome = Outcome.UNKNOWN,
        reported_by: str,
        started_at: str | None = None,
        ended_at: str | None = None,
        attempt_key: str | None = None,
        parent_trace_id: str | None = None,
        task_family: str | None = None,
        git: GitContext | None = None,
        cwd_label: str | None = None,
        verdict: MappedVerdict | None = None,
    ) -> ImportedTrace:
        """Seals the Trace and returns it with its stream at offset 0."""
        header = TraceHeader(
            trace_id=self.trace_id,
            namespace=self.context.namespace,
            objective=self.objective,
            task_family=task_family or self.context.task_family,
            parent_trace_id=parent_trace_id,
            attempt_key=attempt_key,
            origin=origin,
            agent=agent,
            environment=Environment(git=git, cwd_label=cwd_label),
            source=TraceSource(kind=self.report.kind, ref=source_ref, sha256=""),
            started_at=_moment(started_at),
            salt=salt_of(self.context.secret, self.trace_id, "header"),
        )
        close = Close(
            outcome=outcome,
            reported_by=reported_by,
            at=_moment(ended_at),
            digest="",
            salt=salt_of(self.context.secret, self.trace_id, "close"),
        )
        return self.finish_records(header, close, verdict=verdict)

    def finish_records(
        self, header: TraceHeader, close: Close, *, verdict: MappedVerdict | None = None
    ) -> ImportedTrace:
        """Seals the events under a header and a close that are complete but for digests."""
        self._settle()
        self._flush()
        header_line, close_line = seal_ends(header, self._digest, close)
        body: IO[bytes] = SpooledTemporaryFile(max_size=_SPOOL_BYTES)  # noqa: SIM115 - the receiver closes it
        body.write(header_line + b"\n")
        self._spool.seek(0)
        shutil.copyfileobj(self._spool, body, _CHUNK_BYTES)
        body.write(close_line + b"\n")
        size = body.tell()
        body.seek(0)
        self.discard()
        self.report.redacted.update(self.redactor.counts)
        return ImportedTrace(
            header=TraceHeader.model_validate_json(header_line),
            close=Close.model_validate_json(close_line),
            body=cast(BinaryIO, body),
            size_bytes=size,
            events=self.events,
            verdict=verdict,
        )

    def discard(self) -> None:
        """Forgets what was written."""
        self._spool.close()

    def _write(self, fields: dict[str, Any]) -> None:
        line = to_json(fields)
        if len(line) > self._limit:
            fitted = self._fitted(fields)
            if fitted is not None:
                line = to_json(fitted)
        self.events += 1
        self._pending.append(line)
        self._pending_bytes += len(line)
        if self._pending_bytes > _BLOCK_BYTES:
            self._settle()

    def _settle(self) -> None:
        """Redacts and hashes what is pending. Only here do lines become fit for the disk."""
        if not self._pending:
            return
        block = self.paths.line(b"\n".join(self._pending))
        lines = block.split(b"\n")
        assert len(lines) == len(self._pending)
        if may_hold_credential(block):
            lines = [self._redacted(line) if may_hold_credential(line) else line for line in lines]
        self._pending = []
        self._pending_bytes = 0
        for line in lines:
            self._digest.add(line)
        self._settled.extend(lines)
        self._settled_bytes += len(block)
        if self._settled_bytes > _CHUNK_BYTES:
            self._flush()

    def _flush(self) -> None:
        if self._settled:
            self._settled.append(b"")
            self._spool.write(b"\n".join(self._settled))
            self._settled = []
            self._settled_bytes = 0

    def _redacted(self, line: bytes) -> bytes:
        """Redacts the parts of a line that hold foreign text; ids, times and salts are ours."""
        fields = from_json(line)
        for name in ("actor", "tool", "operation", "call_id", "text"):
            if name in fields:
                fields[name] = self.redactor.text(fields[name])
        if "arguments" in fields:
            fields["arguments"] = self.redactor.value(fields["arguments"])
        if "restricted" in fields:
            fields["restricted"]["ref"] = self.redactor.text(fields["restricted"]["ref"])
        return to_json(fields)

    def _fitted(self, fields: dict[str, Any]) -> dict[str, Any] | None:
        """Returns the fields with their long text or arguments cut, or None when all of it may stay.

        A credential across the cut would lose its shape, so what is cut is redacted before.
        """
        changes: dict[str, Any] = {}
        text, arguments = fields.get("text"), fields.get("arguments")
        if text is not None and (len(text) > self._limit or len(text.encode()) > self._limit):
            size = len(text.encode())
            data = self.clean(text).encode()
            changes["text"] = cut_middle(data, self._limit)
            changes["truncated"] = {"bytes": size, "sha256": sha256_hex(data)}
        limit = self._limit * _ARGUMENTS_FACTOR
        if arguments is not None and len(data := to_json(arguments)) > limit:
            changes["arguments"], cleaned = _cut_arguments(self.clean_value(arguments), limit)
            changes["truncated"] = {"bytes": len(data), "sha256": sha256_hex(cleaned)}
        if not changes:
            return None
        changed = {**fields, **changes}
        return {name: changed[name] for name in Event.model_fields if name in changed}


class _Salter:
    """Gives what `salt_of` gives, twice as fast: the keyed half of the HMAC is made once per Trace."""

    def __init__(self, secret: bytes, trace_id: str) -> None:
        key = (secret if len(secret) <= 64 else hashlib.sha256(secret).digest()).ljust(64, b"\x00")
        self._inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in key) + f"{trace_id}:".encode())
        self._outer = hashlib.sha256(bytes(byte ^ 0x5C for byte in key))

    def salt(self, seq: int) -> str:
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(b"%d" % seq)
        outer.update(inner.digest())
        return outer.hexdigest()[:32]


def _cut_arguments(arguments: dict[str, Any], limit: int) -> tuple[dict[str, Any], bytes]:
    """Returns arguments of about `limit` bytes, every long string cut, and the bytes of the whole."""
    whole = to_json(arguments)
    if len(whole) <= limit:
        return arguments, whole
    each = max(256, limit // max(1, _count_strings(arguments)))
    cut = _mapped(arguments, lambda text: cut_middle(text.encode(), each))
    if len(to_json(cut)) > limit * 2:
        cut = {"_raw": cut_middle(whole, limit)}
    return cut, whole


def cut_middle(data: bytes, limit: int) -> str:
    """Returns UTF-8 text of at most `limit` bytes: head, a line that says how much is missing, and tail."""
    if len(data) <= limit:
        return data.decode()
    room = max(0, limit - 64)
    head = data[: room - room // 2].decode("utf-8", "ignore")
    tail = data[len(data) - room // 2 :].decode("utf-8", "ignore")
    missing = len(data) - len(head.encode()) - len(tail.encode())
    return f"{head}\n[... {missing} bytes cut ...]\n{tail}"


def _mapped(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {key: _mapped(item, change) for key, item in value.items()}
    if isinstance(value, list):
        return [_mapped(item, change) for item in value]
    return value


def _count_strings(value: Any) -> int:
    if isinstance(value, dict):
        return sum(_count_strings(item) for item in value.values())
    if isinstance(value, list):
        return sum(_count_strings(item) for item in value)
    return 1 if isinstance(value, str) else 0


def _moment(value: str | None) -> datetime | None:
    return None if value is None else datetime.fromisoformat(value)
