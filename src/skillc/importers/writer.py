"""The hot path of every importer: event parts in, redacted and sealed lines of one Trace out.

Each event becomes one JSON line at once: machine paths shortened, credentials replaced, long texts cut, salted,
hashed, and only then written to a spooled file. Nothing unredacted reaches the disk. Works on dicts and bytes,
not on records: a session has 10,000 events and the record check is left to the tests. Paper: 5.1.
"""

import shutil
from collections.abc import Callable
from datetime import datetime
from tempfile import SpooledTemporaryFile
from typing import IO, Any, BinaryIO, cast

from pydantic_core import from_json, to_json

from skillc.core.record import sha256_hex
from skillc.core.scan.redact import Redactor
from skillc.core.trace.codec import TraceDigest, salt_of, seal_ends, trace_id_of
from skillc.core.trace.operation import operation_of
from skillc.core.trace.records import (
    Agent,
    Close,
    Environment,
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
# An argument may be a whole file, and a later check compares edits by content; so it may be longer than a result.
_ARGUMENTS_FACTOR = 8


class TraceWriter:
    """Writes one Trace. Call `add` per event, in order, then `finish` once; or `discard`."""

    def __init__(
        self, context: ImportContext, report: ImportReport, *, session: str, attempt: str = ""
    ) -> None:
        self.context = context
        self.report = report
        self.trace_id = trace_id_of(context.namespace, report.kind, session, attempt)
        self.paths = PathShortener()
        self.redactor = Redactor()
        self.events = 0
        self.objective = ""
        self._may_hold_secret = self.redactor.may_hold_secret
        self._digest = TraceDigest()
        self._chunk: list[bytes] = []
        self._chunk_bytes = 0
        self._spool: IO[bytes] = SpooledTemporaryFile(max_size=_SPOOL_BYTES)  # noqa: SIM115 - closed by finish or discard
        self._limit = context.max_result_bytes

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
        fields: dict[str, Any] = {"record": "event", "id": f"e{seq}", "seq": seq, "kind": kind, "actor": actor}
        if at is not None:
            fields["at"] = at
        if tool is not None:
            fields["tool"] = tool
        if arguments is not None:
            operation = operation_of(tool or "", arguments)
            if operation is not None:
                fields["operation"] = operation
        if call_id is not None:
            fields["call_id"] = call_id
        truncated = None
        if restricted is None:
            if arguments is not None:
                arguments, truncated = self._fit_arguments(arguments)
                fields["arguments"] = arguments
            if text is not None:
                # A text of n characters has at most 4n bytes, so most texts are known to fit without encoding.
                if len(text) * 4 > self._limit:
                    text, truncated = self._fit_text(text)
                fields["text"] = text
            if is_error is not None:
                fields["is_error"] = is_error
        else:
            if is_error is not None:
                fields["is_error"] = is_error
            fields["restricted"] = {"ref": restricted}
        if truncated is not None:
            fields["truncated"] = truncated
        if untrusted:
            fields["untrusted"] = True
        fields["salt"] = salt_of(self.context.secret, self.trace_id, seq)
        self._write(fields)
        self.events = seq + 1

    def set_objective(self, text: str) -> None:
        """Keeps the first non-empty text as the objective: redacted, blanks collapsed, at most 500 characters."""
        if not self.objective:
            shown = self.clean(text[: MAX_OBJECTIVE_CHARS * 20])
            self.objective = " ".join(shown.split())[:MAX_OBJECTIVE_CHARS]

    def clean(self, text: str) -> str:
        """Returns a text of the header or a note as it may be stored: paths shortened, credentials replaced."""
        return self.redactor.text(self.paths.text(text))

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
        line = self.paths.line(to_json(fields))
        if self._may_hold_secret(line):
            line = self._redacted(line)
        self._digest.add(line)
        self._chunk.append(line)
        self._chunk_bytes += len(line)
        if self._chunk_bytes > _CHUNK_BYTES:
            self._flush()

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

    def _flush(self) -> None:
        if self._chunk:
            self._chunk.append(b"")
            self._spool.write(b"\n".join(self._chunk))
            self._chunk = []
            self._chunk_bytes = 0

    def _fit_text(self, text: str) -> tuple[str, dict[str, Any] | None]:
        """Cuts a long text in the middle. A credential across the cut must not lose its shape: redact first."""
        data = text.encode()
        if len(data) <= self._limit:
            return text, None
        size = len(data)
        data = self.clean(text).encode()
        return cut_middle(data, self._limit), {"bytes": size, "sha256": sha256_hex(data)}

    def _fit_arguments(self, arguments: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any] | None]:
        limit = self._limit * _ARGUMENTS_FACTOR
        if not _is_large(arguments, limit // 8):
            return arguments, None
        data = to_json(arguments)
        if len(data) <= limit:
            return arguments, None
        cleaned = _mapped(self.redactor.value(arguments), self.paths.text)
        digest = sha256_hex(to_json(cleaned))
        shares = max(1, _count_strings(cleaned))
        each = max(256, limit // shares)
        cut = _mapped(cleaned, lambda text: cut_middle(text.encode(), each))
        if len(to_json(cut)) > limit * 2:
            cut = {"_raw": cut_middle(to_json(cleaned), limit)}
        return cut, {"bytes": len(data), "sha256": digest}


def cut_middle(data: bytes, limit: int) -> str:
    """Returns UTF-8 text of at most `limit` bytes: head, a line that says how much is missing, and tail."""
    if len(data) <= limit:
        return data.decode()
    room = max(0, limit - 64)
    head = data[: room - room // 2].decode("utf-8", "ignore")
    tail = data[len(data) - room // 2 :].decode("utf-8", "ignore")
    missing = len(data) - len(head.encode()) - len(tail.encode())
    return f"{head}\n[... {missing} bytes cut ...]\n{tail}"


def _is_large(value: Any, limit: int) -> bool:
    """Says cheaply whether a JSON value may need more than 8 times `limit` bytes; True may be wrong."""
    if isinstance(value, str):
        return len(value) > limit
    if isinstance(value, dict):
        return len(value) > 32 or any(_is_large(item, limit // 4) for item in value.values())
    if isinstance(value, list):
        return len(value) > 32 or any(_is_large(item, limit // 4) for item in value)
    return False


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
