"""The hot path of every importer: event parts in, redacted and sealed lines of one Trace out.

Each event becomes one JSON line: restricted content left out, long texts cut, salted, machine paths shortened,
everything private replaced, hashed, and only then spooled (importers.spool). Nothing unredacted reaches the disk.
Works on encoded lines, not on records (the tests hold every line to the record), and shortens and tests 16 KiB of
lines at once. Paper: 5.1, 5.3.
"""

from collections.abc import Callable, Iterable, Sequence
from io import SEEK_END
from typing import Any, TypeVar

from msgspec import Raw
from pydantic_core import from_json, to_json

from skillc.core.record import sha256_hex
from skillc.core.scan.detectors import Gate, gate_text
from skillc.core.scan.private_values import private_spans
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
from skillc.core.trace.restriction import NO_LABELS
from skillc.core.words import names
from skillc.importers.base import ImportContext, ImportedTrace, ImportReport, MappedVerdict, content_key
from skillc.importers.cutting import cut_arguments, cut_middle, mapped, strings_of
from skillc.importers.event_line import EventLine, Salter, encode_lines, in_one_form, two_form_gates
from skillc.importers.joints import REACH, Ends, ends_of, may_cross, replace_joints
from skillc.importers.paths import PathShortener
from skillc.importers.restrictor import Restrictor
from skillc.importers.spool import Spool
from skillc.importers.times import moment

MAX_OBJECTIVE_CHARS = 500
_BLOCK_BYTES = 16 * 1024
_LINE_BYTES = 200  # about what a line holds besides text and arguments
# An argument may be a whole file, and a later check compares edits by content; so it may be longer than a result.
_ARGUMENTS_FACTOR = 8
# Fields of header and close that hold names, digests, times and numbers of ours.
_OURS = names(
    "record format trace_id namespace task_family parent_trace_id origin started_at salt outcome at digest redacted"
)
_TOO_MANY = "more private values than are looked for twice: bare copies of the last ones may stand in the Trace"
_End = TypeVar("_End", TraceHeader, Close)


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
        place: str = "",
    ) -> None:
        """`place` begins the references of restricted events: where in the source their content stands."""
        self.context = context
        self.report = report
        self.trace_id = trace_id or trace_id_of(context.namespace, report.kind, _stored(session, context), attempt)
        self.paths = PathShortener()
        self.redactor = Redactor(context.redact_names)
        self.events = 0
        self.cut = 0
        self._withheld = 0
        self.objective = ""
        self.git_facts = context.git_facts
        self.labels: frozenset[str] = NO_LABELS  # of the foreign record whose events come now
        place = f"{report.kind}:{place or self.trace_id}"
        self._restrictor = Restrictor(context.restricted, place) if context.restricted else None
        self._salt = Salter(context.secret, self.trace_id).salt
        self._digest = TraceDigest()
        self._limit = context.max_result_bytes
        self._pending: list[EventLine] = []  # not yet redacted: in memory only
        self._pending_bytes = 0
        self._ends: list[Ends] = []  # of the pending lines
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
        untrusted: bool = False,
    ) -> bool:
        """Adds one event, and says whether its content was stored: what policy restricts becomes a reference here.

        `at` is already normal (importers.times). `encoded_text` is the text as a JSON string in valid
        UTF-8, whose escapes may be any. The operation of a call is derived here.
        """
        seq = self.events
        line = EventLine(
            f"e{seq}", seq, kind, actor, at, tool, call_id=call_id, is_error=is_error, salt=self._salt(seq)
        )
        encoded = encoded_text if text is None else to_json(text)
        if untrusted:
            line.untrusted = True
        is_stored = self._restrictor is None or not self._restricts(line, arguments, encoded)
        if not is_stored:
            arguments = encoded = None
        elif arguments is not None and tool is not None:
            line.operation = operation_of(tool, arguments)
        self._write(line, arguments, encoded)
        return is_stored

    def add_event(self, event: Event, *, is_decided: bool = False) -> bool:
        """Adds an event that another harness wrote, under its number here and with a salt of this machine.

        Says whether its content was stored. `is_decided` says that policy was already asked about it.
        """
        seq = self.events
        fields = event.model_dump(mode="json", exclude_none=True)
        fields.update(id=f"e{seq}", seq=seq, salt=self._salt(seq))
        del fields["record"]
        arguments, text = fields.pop("arguments", None), fields.pop("text", None)
        line, encoded = EventLine(**fields), None if text is None else to_json(text)
        is_asked = self._restrictor is not None and not is_decided
        if event.restricted is not None or (is_asked and self._restricts(line, arguments, encoded)):
            line.operation = line.truncated = arguments = encoded = None
        elif line.operation is None and event.tool and arguments is not None:
            line.operation = operation_of(event.tool, arguments)
        self._write(line, arguments, encoded)
        return line.restricted is None

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
        return mapped(self.redactor.value(value), self.paths.text)

    def would_clean(self, line: bytes) -> bool:
        """Says whether a finished header or close would not be kept as it is."""
        fields = {name: value for name, value in from_json(line).items() if name not in _OURS}
        return bool(self.clean_value(fields) != fields)

    def would_change(self, event: Event, line: bytes) -> bool:
        """Says whether a finished event would not be kept as it is. Events are asked in their order."""
        if self.paths.lines(line)[0] != line or (len(line) > self._limit and self._is_too_long(from_json(line))):
            return True
        if self._restrictor is not None and event.restricted is None:
            text, kind = None if event.text is None else to_json(event.text), event.kind.value
            asked = EventLine(event.id, event.seq, kind, event.actor, tool=event.tool, call_id=event.call_id)
            if self._restricts(asked, event.arguments, text):
                return True
        return bool(self.redactor.passed_gates(gate_text(line))) and self._redacted(line) != line

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
            started_at=moment(started_at),
            salt=salt_of(self.context.secret, self.trace_id, "header"),
        )
        close = Close(
            outcome=outcome,
            reported_by=reported_by,
            at=moment(ended_at),
            digest="",
            salt=salt_of(self.context.secret, self.trace_id, "close"),
        )
        return self.finish_records(header, close, verdict=verdict)

    def finish_records(
        self, header: TraceHeader, close: Close, *, verdict: MappedVerdict | None = None
    ) -> ImportedTrace:
        """Seals the events under a header and a close that are complete but for digests and counts."""
        self._settle()
        self._sweep()
        header = self._cleaned(header)
        close = self._cleaned(close)
        close = close.model_copy(update={"redacted": dict(sorted(self.redactor.counts.items())) or None})
        header_line, close_line = seal_ends(header, self._digest, close)
        body = self._spool.whole(header_line, close_line)
        size = body.seek(0, SEEK_END)
        body.seek(0)
        self.discard()
        self.report.redacted.update(self.redactor.counts)
        self.report.cut += self.cut
        self.report.restricted += self._withheld
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

    def _restricts(self, line: EventLine, arguments: dict[str, Any] | None, encoded: bytes | None) -> bool:
        """Asks policy about an event; one that it restricts gets its reference, and what only it holds is withheld."""
        assert self._restrictor is not None
        text = None if encoded is None else str(from_json(encoded))
        ref = self._restrictor.reference(line.kind, line.seq, line.tool, line.call_id, arguments, text, self.labels)
        shown = "\n".join([*strings_of(arguments), text or ""])
        if ref is None:
            self._restrictor.saw(shown)
            return False
        for value in self._restrictor.only_here(shown):
            self.redactor.withhold(value)
        line.restricted = {"ref": ref}
        self._withheld += 1
        return True

    def _write(self, line: EventLine, arguments: dict[str, Any] | None, text: bytes | None) -> None:
        size = _LINE_BYTES
        is_cut = False
        data: bytes | None = None
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
        self._ends.append(ends_of(line.kind, text, data))
        self._pending_bytes += size
        if self._pending_bytes > _BLOCK_BYTES:
            self._settle(REACH)

    def _settle(self, held: int = 0) -> None:
        """Redacts, hashes and spools what is pending, but for the last `held` lines: a secret may go on in the next."""
        count = len(self._pending) - held
        if count <= 0:
            return
        if may_cross(self._ends):
            for index in range(count):
                replace_joints(self._pending[index : index + 1 + REACH], self.redactor)
                self._spool_lines(self._pending[index : index + 1])
        else:
            self._spool_lines(self._pending[:count])
        del self._pending[:count], self._ends[:count]
        self._pending_bytes = 0

    def _spool_lines(self, pending: Sequence[EventLine]) -> None:
        """Only here do lines become fit for the disk."""
        block, text = self._shortened(encode_lines(pending))
        lines = block.split(b"\n")
        lines.pop()
        assert len(lines) == len(pending)
        if passed := self.redactor.passed_gates(text):
            lines = [self._redacted(line, passed) if _passes(passed, line) else line for line in lines]
            block = b"\n".join([*lines, b""])
        self._digest.add_all(lines)
        self._spool.write(block)

    def _sweep(self) -> None:
        """Replaces in the lines so far what only a later event gave away."""
        known = self.redactor.known
        if known.is_full:
            self.report.notes.append(_TOO_MANY)
        if not known or not any(known.may_stand_in(gate_text(block)) for block in self._spool.blocks()):
            return
        before, self._spool, self._digest = self._spool, Spool(), TraceDigest()
        for block in before.blocks():
            lines = block.split(b"\n")[:-1]
            lines = [self._redacted(line) if known.may_stand_in(gate_text(line)) else line for line in lines]
            self._digest.add_all(lines)
            self._spool.write(b"\n".join([*lines, b""]))
        before.close()

    def _cleaned(self, record: _End) -> _End:
        """Returns a header or a close as it may be stored: every foreign text of it, whoever filled it in."""
        fields = record.model_dump(mode="json", exclude_none=True)
        foreign = {name: value for name, value in fields.items() if name not in _OURS}
        encoded = to_json(foreign)
        text = gate_text(encoded)
        if self.paths.lines(encoded)[0] == encoded and not (
            self.redactor.passed_gates(text) or self.redactor.known.may_stand_in(text)
        ):
            return record
        return type(record).model_validate({**fields, **self.clean_value(foreign)})

    def _shortened(self, encoded: bytes) -> tuple[bytes, str]:
        """Returns JSON lines in their one form with paths shortened, and their text for gates."""
        shown, text = self.paths.lines(encoded)
        if any(may_match(text) for may_match in two_form_gates()):
            return self.paths.lines(b"\n".join(map(in_one_form, encoded.split(b"\n"))))
        return shown, text

    def _redacted(self, line: bytes, gates: Sequence[Gate] | None = None) -> bytes:
        """Redacts the parts of a line that hold foreign text; ids, times and salts are ours."""
        fields = from_json(line)
        for name in ("actor", "tool", "operation", "call_id", "text"):
            if name in fields:
                fields[name] = self.redactor.text(fields[name], gates)
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

    def _fitted_text(self, line: EventLine, encoded: bytes) -> bytes:
        """Returns the encoded text, its middle cut when it is too long.

        A credential across the cut would lose its shape, so what is cut is redacted before.
        """
        data = from_json(encoded).encode()
        size = len(data)
        if size <= self._limit:
            return encoded
        shown, text_for_gates = self._shortened(encoded)
        if passed := self.redactor.passed_gates(text_for_gates):
            data = self.redactor.text(from_json(shown), passed).encode()
        elif shown is not encoded:
            data = from_json(shown).encode()
        line.truncated = {"bytes": size, "sha256": sha256_hex(data)}
        return to_json(cut_middle(data, self._limit))

    def _fitted_arguments(self, line: EventLine, arguments: dict[str, Any], size: int) -> bytes:
        """The same for arguments whose size is too large."""
        cut, cleaned = cut_arguments(self.clean_value(arguments), self._limit * _ARGUMENTS_FACTOR)
        line.truncated = {"bytes": size, "sha256": sha256_hex(cleaned)}
        return to_json(cut)


def _stored(session: str, context: ImportContext) -> str:
    """Returns a session's id as ids are made of it: nobody may try out on an id what a private one said."""
    return content_key(context, session.encode("utf-8", "replace")) if private_spans(session) else session


def _passes(gates: Iterable[Callable[[str | bytes], bool]], line: bytes) -> bool:
    text = gate_text(line)
    return any(may_match(text) for may_match in gates)
