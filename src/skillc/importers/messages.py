"""Chat messages with tool calls: a JSON list, a JSON object or JSONL of records becomes one Trace per
attempt.

Reads OpenAI messages (`tool_calls`, role `tool`) and content blocks (`tool_use`, `tool_result`). The outcome
comes from a registered mapping, over a field of the record or of an outcome file. Only the messages, the
attempt key and the mapped field are read: every other field may hold an answer key and never becomes an
event.
Not here: what a mapped outcome is worth (core.trace.verification).
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from skillc.core.record import canonical_json
from skillc.core.trace.records import Agent, Outcome
from skillc.errors import DataError, UsageError
from skillc.importers.base import Companion, ImportContext, ImportedTrace, ImportReport, MappedVerdict, content_key
from skillc.importers.chat import Chat
from skillc.importers.documents import head_records, objects_of, read_records
from skillc.importers.lines import key_text
from skillc.importers.verdicts import field_at, field_verdict
from skillc.importers.writer import TraceWriter

# Each of these says that a record belongs to a host or a store with an importer of its own.
_OTHERS = frozenset(
    {
        "sessionId",
        "parentUuid",
        "projectHash",
        "simulations",
        "termination_reason",
        "reward_info",
        "run_type",
        "span_id",
        "root_span_id",
        "traceId",
        "resourceSpans",
        "spanContext",
        "observations",
        "schema_version",
        "trajectory",
        "turn_history",
        "payload",
        "traj",
    }
)


class MessagesImporter:
    """Reads records that hold a list of chat messages at `MessagesOptions.messages_field`."""

    kind = "messages"
    companion_globs: tuple[str, ...] = ()

    def detect(self, head: bytes, name: str) -> bool:
        records = head_records(head)
        if not records or any(_OTHERS & record.keys() for record in records):
            return False
        return all(_is_message(record) for record in records) or _holds_messages(records[0].get("messages"))

    def read(
        self,
        stream: BinaryIO,
        context: ImportContext,
        report: ImportReport,
        companions: Sequence[Companion] = (),
    ) -> Iterator[ImportedTrace]:
        """Yields one Trace per record, in the order of the file."""
        records = _records(stream, report)
        outcomes = _outcomes(context)
        keys: Counter[str] = Counter()
        written = 0
        for position, record in enumerate(records):
            attempt = _Attempt(context, report, record, position=position, is_only=len(records) == 1)
            messages = attempt.messages()
            if not messages:
                report.skipped["record with no messages"] += 1
                continue
            key = attempt.key()
            keys[key or ""] += 1
            finished = attempt.write(messages, key, nth=keys[key or ""], outcomes=outcomes)
            if finished is not None:
                written += 1
                yield finished
        if not written:
            fields = sorted({f for record in records for f, value in record.items() if _holds_messages(value)})
            named = [f for f in fields if re.fullmatch(r"[A-Za-z][\w-]{0,63}", f)]
            hint = (
                f"its messages seem to be at {' or '.join(named[:3])}: --messages-field {named[0]}" if named else None
            )
            raise DataError(
                f"{report.path}:1: holds no message at {context.messages.messages_field!r}",
                hint=hint or "name the field that holds the list of messages: --messages-field FIELD",
            )


def _is_message(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and isinstance(value.get("role"), str)
        and not {"content", "tool_calls"}.isdisjoint(value)
    )


def _holds_messages(value: Any) -> bool:
    return any(_is_message(item) for item in _list(value)[:3])


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _records(stream: BinaryIO, report: ImportReport) -> list[dict[str, Any]]:
    """Returns the records of a file. A bare list of messages is one record."""
    values = read_records(stream, report)
    if values and all(isinstance(item, dict) and isinstance(item.get("role"), str) for item in values):
        return [{"messages": values}]
    return objects_of(values, report)


def _outcomes(context: ImportContext) -> dict[str, dict[str, Any]] | None:
    """Returns the records of the outcome file by attempt key, or None when there is no such file."""
    options = context.messages
    if options.outcome_file is None:
        return None
    if options.attempt_key is None:
        raise UsageError("an outcome file needs an attempt key", hint="add --attempt-key FIELD")
    path = Path(options.outcome_file)
    try:
        with path.open("rb") as stream:
            records = _records(stream, ImportReport(path=options.outcome_file, kind="outcomes"))
    except OSError as error:
        raise DataError(f"{options.outcome_file}: cannot be read: {error.strerror}") from error
    found: dict[str, dict[str, Any]] = {}
    for record in records:
        key = key_text(field_at(record, options.attempt_key))
        if key is not None:
            trial = key_text(record.get("trial"))
            found.setdefault(key if trial is None else f"{key}\x00{trial}", record)
    return found


class _Attempt:
    """One record on its way to a Trace."""

    def __init__(
        self,
        context: ImportContext,
        report: ImportReport,
        record: dict[str, Any],
        *,
        position: int,
        is_only: bool,
    ) -> None:
        self.context = context
        self.report = report
        self.record = record
        self.position = position
        self.is_only = is_only

    def messages(self) -> list[dict[str, Any]]:
        field = self.context.messages.messages_field
        found = field_at(self.record, field)
        if found is None and "messages" in self.record:
            found = self.record["messages"]
        if not isinstance(found, list):
            return []
        return [item for item in found if isinstance(item, dict)]

    def key(self) -> str | None:
        name = self.context.messages.attempt_key
        value = key_text(field_at(self.record, name)) if name else None
        return None if value is None else f"{name} {value}"

    def write(
        self,
        messages: list[dict[str, Any]],
        key: str | None,
        *,
        nth: int,
        outcomes: dict[str, dict[str, Any]] | None,
    ) -> ImportedTrace | None:
        session, attempt = self._session(messages, key), self._number(nth)
        writer = TraceWriter(self.context, self.report, session=session, attempt=attempt, place=str(self.position))
        chat = Chat(self.context, self.report, writer)
        for message in messages:
            chat.message(message)
        if not writer.events:
            self.report.skipped["record with no messages"] += 1
            writer.discard()
            return None
        verdict = self._verdict(key, outcomes)
        model = self.record.get("model")
        return writer.finish(
            source_ref=writer.clean(f"{key or 'record'} #{self._number(nth)}"),
            agent=Agent(name="messages", model=writer.clean(model) if isinstance(model, str) and model else None),
            outcome=verdict.outcome if verdict else Outcome.UNKNOWN,
            reported_by="mapping" if verdict else "messages",
            started_at=chat.started_at,
            ended_at=chat.ended_at,
            attempt_key=writer.clean(key) if key else None,
            verdict=verdict,
        )

    def _session(self, messages: list[dict[str, Any]], key: str | None) -> str:
        """The host gives no session id: the content stands for it, so that another file may share a key."""
        return f"{key or ''}\x00{content_key(self.context, canonical_json(messages))}"

    def _number(self, nth: int) -> str:
        trial = key_text(self.record.get("trial")) if self.context.messages.attempt_key else None
        return trial or str(nth)

    def _verdict(self, key: str | None, outcomes: dict[str, dict[str, Any]] | None) -> MappedVerdict | None:
        mapping = self.context.mapping
        if mapping is None:
            return None
        record: dict[str, Any] | None = self.record
        if outcomes is not None:
            bare = key.split(" ", 1)[1] if key else ""
            trial = key_text(self.record.get("trial"))
            record = outcomes.get(f"{bare}\x00{trial}") or outcomes.get(bare)
        return field_verdict(record, mapping, self.report)
