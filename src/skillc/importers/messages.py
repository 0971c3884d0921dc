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

from skillc.core.record import canonical_json, sha256_hex
from skillc.core.trace.records import Agent, Outcome
from skillc.errors import DataError, UsageError, lines_error
from skillc.importers.base import (
    ACTOR_AGENT,
    ACTOR_SYSTEM,
    ACTOR_TOOL,
    ACTOR_USER,
    Companion,
    ImportContext,
    ImportedTrace,
    ImportReport,
    MappedVerdict,
)
from skillc.importers.claude_blocks import media_placeholder, result_text, safe_word
from skillc.importers.lines import clean_text, head_objects, iter_lines, parse_json
from skillc.importers.times import normal_time
from skillc.importers.writer import TraceWriter

MAX_FILE_BYTES = 512 * 1024 * 1024
_END_MARKER = re.compile(r"###[A-Z][A-Z_-]{1,30}###")
_ROLE = re.compile(rb'"role"\s*:\s*"(?:user|assistant|system|tool|developer)"')


class MessagesImporter:
    """Reads records that hold a list of chat messages at `MessagesOptions.messages_field`."""

    kind = "messages"
    companion_globs: tuple[str, ...] = ()

    def detect(self, head: bytes, name: str) -> bool:
        start = head.lstrip()[:1]
        if start not in (b"[", b"{") or not _ROLE.search(head):
            return False
        return not any("sessionId" in record or "parentUuid" in record for record in head_objects(head, 3))

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
            raise DataError(
                f"{report.path}:1: holds no message at {context.messages.messages_field!r}",
                hint="name the field with --messages-field, for example: --messages-field traj",
            )


def field_at(record: Any, path: str) -> Any:
    """Returns the value at a dotted path of objects and list positions (`-1`: the last), or None without one."""
    value = record
    for part in path.split("."):
        if isinstance(value, dict):
            value = value.get(part)
        elif isinstance(value, list) and part.isascii() and part.isdigit() and int(part) < len(value):
            value = value[int(part)]
        elif isinstance(value, list) and part == "-1" and value:
            value = value[-1]
        else:
            return None
    return value


def _records(stream: BinaryIO, report: ImportReport) -> list[dict[str, Any]]:
    """Returns the records of a file. A bare list of messages is one record."""
    data = stream.read(MAX_FILE_BYTES + 1)
    if len(data) > MAX_FILE_BYTES:
        raise DataError(f"{report.path}:1: is larger than {MAX_FILE_BYTES} bytes", hint="split the file by records")
    try:
        value = parse_json(data.removeprefix(b"\xef\xbb\xbf"))
    except ValueError:
        stream.seek(0)
        value = _json_lines(stream, report)
    if isinstance(value, dict):
        value = [value]
    if not isinstance(value, list):
        raise DataError(f"{report.path}:1: is JSON, but neither a list nor an object")
    if value and all(isinstance(item, dict) and isinstance(item.get("role"), str) for item in value):
        return [{"messages": value}]
    others = sum(not isinstance(item, dict) for item in value)
    if others:
        report.skipped["record that is no object"] += others
    return [item for item in value if isinstance(item, dict)]


def _json_lines(stream: BinaryIO, report: ImportReport) -> list[Any]:
    values: list[Any] = []
    problems: list[tuple[int, str]] = []
    for number, line in enumerate(iter_lines(stream), 1):
        if not line.strip():
            continue
        try:
            values.append(parse_json(line))
        except ValueError:
            if line.endswith(b"\n") or not values:
                problems.append((number, "is not JSON"))
            else:
                report.skipped["cut last line"] += 1
                report.notes.append("the last line is cut off and was left out")
    if problems:
        raise lines_error(report.path, problems)
    return values


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
        key = _key_text(field_at(record, options.attempt_key))
        if key is not None:
            trial = _key_text(record.get("trial"))
            found.setdefault(key if trial is None else f"{key}\x00{trial}", record)
    return found


def _key_text(value: Any) -> str | None:
    if isinstance(value, bool) or value is None or isinstance(value, dict | list):
        return None
    return clean_text(str(value)) or None


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
        self.tools: dict[str, str] = {}
        self.ended_at: str | None = None
        self.started_at: str | None = None

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
        value = _key_text(field_at(self.record, name)) if name else None
        return None if value is None else f"{name} {value}"

    def write(
        self,
        messages: list[dict[str, Any]],
        key: str | None,
        *,
        nth: int,
        outcomes: dict[str, dict[str, Any]] | None,
    ) -> ImportedTrace | None:
        writer = TraceWriter(self.context, self.report, session=self._session(messages, key), attempt=self._number(nth))
        self.writer = writer
        for message in messages:
            self._message(message)
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
            started_at=self.started_at,
            ended_at=self.ended_at,
            attempt_key=writer.clean(key) if key else None,
            verdict=verdict,
        )

    def _session(self, messages: list[dict[str, Any]], key: str | None) -> str:
        """The host gives no session id: the content stands for it, so that another file may share a key."""
        return f"{key or ''}\x00{sha256_hex(canonical_json(messages))}"

    def _number(self, nth: int) -> str:
        trial = _key_text(self.record.get("trial")) if self.context.messages.attempt_key else None
        return trial or str(nth)

    def _message(self, message: dict[str, Any]) -> None:
        role = message.get("role")
        at = normal_time(message.get("timestamp") or message.get("created_at"))
        if at is not None:
            self.started_at = self.started_at or at
            self.ended_at = at
        if role == "assistant":
            self._assistant(message, at)
        elif role == "user":
            self._user(message, at)
        elif role in ("tool", "function"):
            self._result(
                message.get("tool_call_id") or message.get("id"),
                message.get("name"),
                message.get("content"),
                None,
                at,
            )
        elif role in ("system", "developer"):
            text = result_text(message.get("content"))
            if text.strip():
                self.writer.add("note", ACTOR_SYSTEM, at=at, text=text)
        else:
            self.report.skipped[f"message of role {safe_word(role)}"] += 1

    def _assistant(self, message: dict[str, Any], at: str | None) -> None:
        content = message.get("content")
        if isinstance(content, list):
            for block in content:
                kind = block.get("type") if isinstance(block, dict) else None
                if kind == "tool_use":
                    self._call(block.get("id"), block.get("name"), block.get("input"), at)
                elif kind in ("thinking", "redacted_thinking", "reasoning"):
                    self.report.skipped["thinking"] += 1
                elif (text := result_text([block])).strip():
                    self.writer.add("model_message", ACTOR_AGENT, at=at, text=text)
        elif isinstance(content, str) and content.strip():
            self.writer.add("model_message", ACTOR_AGENT, at=at, text=content)
        if message.get("reasoning_content") or message.get("reasoning"):
            self.report.skipped["thinking"] += 1
        calls = message.get("tool_calls")
        for call in calls if isinstance(calls, list) else ():
            if isinstance(call, dict):
                function = call.get("function")
                named = function if isinstance(function, dict) else call
                self._call(call.get("id"), named.get("name"), named.get("arguments"), at)

    def _user(self, message: dict[str, Any], at: str | None) -> None:
        content = message.get("content")
        parts = content if isinstance(content, list) else [{"type": "text", "text": content}]
        texts: list[str] = []
        for part in parts:
            if not isinstance(part, dict):
                continue
            if part.get("type") == "tool_result":
                self._result(part.get("tool_use_id"), None, part.get("content"), part.get("is_error"), at)
            elif part.get("type") == "text" and isinstance(part.get("text"), str):
                texts.append(part["text"])
            elif part.get("type") in ("image", "document", "image_url"):
                texts.append(media_placeholder(part))
        text = _END_MARKER.sub("", "\n".join(texts)).strip()
        if text:
            self.writer.add("user_message", ACTOR_USER, at=at, text=text)
            self.writer.set_objective(text)

    def _call(self, call_id: Any, name: Any, arguments: Any, at: str | None) -> None:
        tool = name if isinstance(name, str) and name else "unknown"
        call = call_id if isinstance(call_id, str) and call_id else None
        if isinstance(arguments, str):
            arguments = _parsed_arguments(arguments)
        elif not isinstance(arguments, dict):
            arguments = {} if arguments is None else {"_raw": arguments}
        if call is not None:
            self.tools[call] = tool
        self.writer.add(
            "tool_call",
            ACTOR_AGENT,
            at=at,
            tool=tool,
            call_id=call,
            arguments=arguments,
            restricted=self._restricted(tool, call),
        )

    def _result(self, call_id: Any, name: Any, content: Any, is_error: Any, at: str | None) -> None:
        call = call_id if isinstance(call_id, str) and call_id else None
        tool = self.tools.get(call or "") or (name if isinstance(name, str) and name else None)
        text = result_text(content)
        is_failed = is_error if isinstance(is_error, bool) else (True if text.startswith("Error") else None)
        self.writer.add(
            "tool_result",
            ACTOR_TOOL,
            at=at,
            tool=tool,
            call_id=call,
            text=text,
            is_error=is_failed,
            restricted=self._restricted(tool, call),
            untrusted=True,
        )

    def _restricted(self, tool: str | None, call: str | None) -> str | None:
        if tool not in self.context.restricted_tools:
            return None
        return f"{self.report.kind}:{self.position}:{call or self.writer.events}"

    def _verdict(self, key: str | None, outcomes: dict[str, dict[str, Any]] | None) -> MappedVerdict | None:
        mapping = self.context.mapping
        if mapping is None:
            return None
        record: dict[str, Any] | None = self.record
        if outcomes is not None:
            bare = key.split(" ", 1)[1] if key else ""
            trial = _key_text(self.record.get("trial"))
            record = outcomes.get(f"{bare}\x00{trial}") or outcomes.get(bare)
        value = field_at(record, mapping.field) if record is not None else None
        if isinstance(value, bool):
            value = float(value)
        if not isinstance(value, int | float):
            self.report.notes.append(f"record {self.position + 1}: no number at {mapping.field!r}, so no verdict")
            return None
        outcome = Outcome.SUCCESS if value >= mapping.success_at else Outcome.FAILURE
        return MappedVerdict(outcome=outcome, detail=f"{mapping.field} = {value}")


def _parsed_arguments(text: str) -> dict[str, Any]:
    """Returns the object that an arguments string holds, or the string under `_raw`."""
    try:
        value = parse_json(text.encode("utf-8", "replace"))
    except ValueError:
        return {"_raw": text}
    return value if isinstance(value, dict) else {"_raw": text}
