"""The hot path of every importer: event parts in, redacted and sealed lines of one Trace out.

Each event becomes one JSON line: long texts cut, salted, machine paths shortened, credentials replaced,
hashed, and only then spooled (importers.spool). Nothing unredacted reaches the disk. Works on encoded lines, not
on records (the tests hold every line to the record), and shortens and tests 16 KiB of lines at once.
Paper: 5.1.
"""

import hashlib
from collections.abc import Callable, Iterable
from datetime import datetime
from functools import cache
from io import SEEK_END
from typing import Any

from msgspec import Raw, Struct
from msgspec.json import Encoder
from pydantic_core import from_json, to_json

from skillc.core.record import sha256_hex
from skillc.core.scan.detectors import gate, gate_text, may_hold_credential, passed_gates
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
from skillc.importers.git_shown import with_facts
from skillc.importers.paths import PathShortener
from skillc.importers.spool import Spool

MAX_OBJECTIVE_CHARS = 500
_BLOCK_BYTES = 16 * 1024
_LINE_BYTES = 200  # about what a line holds besides text and arguments
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
        self.redactor = Redactor(context.redact_names)
        self.events = 0
        self.cut = 0
        self.objective = ""
        self.git_facts = context.git_facts
        self._salt = _Salter(context.secret, self.trace_id).salt
        self._digest = TraceDigest()
        self._limit = context.max_result_bytes
        self._pending: list[_Line] = []  # not yet redacted: in memory only
        self._pending_bytes = 0
        self._spool = Spool()

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
        encoded_text: bytes | None = None,
        is_error: bool | None = None,
        restricted: str | None = None,
        untrusted: bool = False,
    ) -> None:
        """Adds one event. `restricted` is a reference: arguments and text are then not stored at all.

        `at` is already normal (importers.times). `encoded_text` is the text as a JSON string in valid
        UTF-8, whose escapes may be any. The operation of a call is derived here.
        """
        seq = self.events
        line = _Line(f"e{seq}", seq, kind, actor, at, tool, call_id=call_id, is_error=is_error, salt=self._salt(seq))
        if arguments is not None and tool is not None:
            line.operation = operation_of(tool, arguments)
        if untrusted:
            line.untrusted = True
        if restricted is not None:
            line.restricted = {"ref": restricted}
            arguments = text = encoded_text = None
        self._write(line, arguments, encoded_text if text is None else to_json(text))

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
        del fields["record"]
        arguments, text = fields.pop("arguments", None), fields.pop("text", None)
        self._write(_Line(**fields), arguments, None if text is None else to_json(text))

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
        if self.paths.lines(line)[0] != line or (len(line) > self._limit and self._is_too_long(from_json(line))):
            return True
        may_change = may_hold_credential(line, personal=True) or self.redactor.holds_name(line)
        return may_change and self._redacted(line) != line

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
            environment=Environment(git=with_facts(git, self.git_facts), cwd_label=cwd_label),
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
        header_line, close_line = seal_ends(header, self._digest, close)
        body = self._spool.whole(header_line, close_line)
        size = body.seek(0, SEEK_END)
        body.seek(0)
        self.discard()
        self.report.redacted.update(self.redactor.counts)
        self.report.cut += self.cut
        return ImportedTrace(
            header=TraceHeader.model_validate_json(header_line),
            close=Close.model_validate_json(close_line),
            body=body,
            size_bytes=size,
            events=self.events,
            verdict=verdict,
        )

    def discard(self) -> None:
        """Forgets what was written."""
        self._spool.close()

    def _write(self, line: "_Line", arguments: dict[str, Any] | None, text: bytes | None) -> None:
        size = _LINE_BYTES
        is_cut = False
        if text is not None:
            if len(text) > self._limit:
                text, whole = self._fitted_text(line, text), text
                is_cut = text is not whole
            line.text = Raw(text)
            size += len(text)
        if arguments is not None:
            data = to_json(arguments)
            if len(data) > self._limit * _ARGUMENTS_FACTOR:
                data = self._fitted_arguments(line, arguments, len(data))
                is_cut = True
            line.arguments = Raw(data)
            size += len(data)
        self.events += 1
        self.cut += is_cut
        self._pending.append(line)
        self._pending_bytes += size
        if self._pending_bytes > _BLOCK_BYTES:
            self._settle()

    def _settle(self) -> None:
        """Encodes, redacts and hashes what is pending. Only here do lines become fit for the disk."""
        if not self._pending:
            return
        block, text = self._shortened(_encode_lines(self._pending))
        lines = block.split(b"\n")
        lines.pop()
        assert len(lines) == len(self._pending)
        passed, holds_name = passed_gates(text), self.redactor.holds_name
        if passed or holds_name(block):
            lines = [self._redacted(line) if _passes(passed, line) or holds_name(line) else line for line in lines]
            block = b"\n".join([*lines, b""])
        self._pending = []
        self._pending_bytes = 0
        self._digest.add_all(lines)
        self._spool.write(block)

    def _shortened(self, encoded: bytes) -> tuple[bytes, str]:
        """Returns JSON lines in their one form with paths shortened, and their text for gates."""
        shown, text = self.paths.lines(encoded)
        if any(may_match(text) for may_match in _may_have_two_forms()):
            return self.paths.lines(b"\n".join(map(_in_one_form, encoded.split(b"\n"))))
        return shown, text

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

    def _is_too_long(self, fields: dict[str, Any]) -> bool:
        text, arguments = fields.get("text"), fields.get("arguments")
        return (text is not None and len(text.encode()) > self._limit) or (
            arguments is not None and len(to_json(arguments)) > self._limit * _ARGUMENTS_FACTOR
        )

    def _fitted_text(self, line: "_Line", encoded: bytes) -> bytes:
        """Returns the encoded text, its middle cut when it is too long.

        A credential across the cut would lose its shape, so what is cut is redacted before.
        """
        data = from_json(encoded).encode()
        size = len(data)
        if size <= self._limit:
            return encoded
        shown, text_for_gates = self._shortened(encoded)
        if passed_gates(text_for_gates) or self.redactor.holds_name(shown):
            data = self.redactor.text(from_json(shown)).encode()
        elif shown is not encoded:
            data = from_json(shown).encode()
        line.truncated = {"bytes": size, "sha256": sha256_hex(data)}
        return to_json(cut_middle(data, self._limit))

    def _fitted_arguments(self, line: "_Line", arguments: dict[str, Any], size: int) -> bytes:
        """The same for arguments whose size is too large."""
        cut, cleaned = _cut_arguments(self.clean_value(arguments), self._limit * _ARGUMENTS_FACTOR)
        line.truncated = {"bytes": size, "sha256": sha256_hex(cleaned)}
        return to_json(cut)


class _Line(Struct, tag_field="record", tag="event", omit_defaults=True, gc=False):
    """The fields of an Event in its order, as they are encoded; the tests hold each line to the record."""

    id: str
    seq: int
    kind: str
    actor: str
    at: str | None = None
    tool: str | None = None
    operation: str | None = None
    call_id: str | None = None
    arguments: Raw | None = None
    text: Raw | None = None
    is_error: bool | None = None
    restricted: dict[str, str] | None = None
    truncated: dict[str, Any] | None = None
    untrusted: bool = False
    salt: str = ""


_encode_lines = Encoder().encode_lines


@cache
def _may_have_two_forms() -> tuple[Callable[[str | bytes], bool], ...]:
    """The escapes that JSON does not need. One gate each: the engine finds one literal the fastest."""
    return gate(r"\\u"), gate(r"\\/")


def _in_one_form(line: bytes) -> bytes:
    return to_json(from_json(line)) if b"\\u" in line or b"\\/" in line else line


def _passes(gates: Iterable[Callable[[str | bytes], bool]], line: bytes) -> bool:
    text = gate_text(line)
    return any(may_match(text) for may_match in gates)


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
