"""Reading foreign bytes in tests: every Trace that an importer gives is parsed, and so checked, at once."""

import io
import json
from typing import Any, NamedTuple

from skillc.core.trace.codec import Trace, encode_record, parse_trace
from skillc.importers.base import Companion, ImportContext, ImportReport
from skillc.importers.table import importer_for

CONTEXT = ImportContext(namespace="acme", secret=b"s" * 32)
SESSION = "0b7a8f52-3a0c-4a2e-9d3f-1c2b3a4d5e6f"
CWD = "/home/ann/shop"


class Reading(NamedTuple):
    """What one source gave."""

    traces: list[Trace]
    bodies: list[bytes]
    report: ImportReport
    verdicts: list[Any]

    @property
    def trace(self) -> Trace:
        assert len(self.traces) == 1
        return self.traces[0]

    @property
    def kinds(self) -> list[str]:
        return [event.kind.value for event in self.trace.events]

    @property
    def text(self) -> str:
        return b"".join(self.bodies).decode("utf-8")


def read(
    kind: str,
    data: bytes,
    *,
    path: str = f"{SESSION}.jsonl",
    context: ImportContext = CONTEXT,
    companions: dict[str, bytes] | None = None,
) -> Reading:
    """Imports bytes. Every line must be exactly what its record encodes to."""
    report = ImportReport(path=path, kind=kind)
    beside = [
        Companion(name=name, open=lambda content=content: io.BytesIO(content))
        for name, content in (companions or {}).items()
    ]
    traces, bodies, verdicts = [], [], []
    for imported in importer_for(kind).read(io.BytesIO(data), context, report, beside):
        body = imported.body.read()
        imported.body.close()
        trace = parse_trace(body, path=path)
        lines = body.split(b"\n")
        assert lines.pop() == b""
        assert len(body) == imported.size_bytes
        assert len(trace.events) == imported.events
        assert [encode_record(event) for event in trace.events] == lines[1:-1]
        assert trace.header == imported.header
        assert trace.close == imported.close
        traces.append(trace)
        bodies.append(body)
        verdicts.append(imported.verdict)
    return Reading(traces, bodies, report, verdicts)


class Transcript:
    """Writes the lines of a Claude Code session, each the child of the one before it."""

    def __init__(self, *, session: str = SESSION, cwd: str = CWD) -> None:
        self.records: list[dict[str, Any]] = []
        self.session = session
        self.cwd = cwd
        self.parent: str | None = None

    def add(self, kind: str, message: dict[str, Any] | None = None, **fields: Any) -> "Transcript":
        number = len(self.records)
        record = {
            "parentUuid": self.parent,
            "isSidechain": False,
            "cwd": self.cwd,
            "sessionId": self.session,
            "gitBranch": "main",
            "type": kind,
            "uuid": f"u{number}",
            "timestamp": f"2026-01-05T09:00:{number % 60:02d}.{number % 1000:03d}Z",
        }
        if message is not None:
            record["message"] = message
        record |= fields
        self.records.append(record)
        self.parent = record["uuid"]
        return self

    def user(self, content: Any, **fields: Any) -> "Transcript":
        return self.add("user", {"role": "user", "content": content}, **fields)

    def says(self, text: str, *, message_id: str = "m1", **fields: Any) -> "Transcript":
        return self.assistant({"type": "text", "text": text}, message_id=message_id, **fields)

    def assistant(self, *blocks: dict[str, Any], message_id: str = "m1", **fields: Any) -> "Transcript":
        model = fields.pop("model", "claude-test-1")
        message = {"id": message_id, "role": "assistant", "model": model, "content": list(blocks)}
        return self.add("assistant", message, **fields)

    def call(self, call_id: str, name: str, arguments: dict[str, Any], **fields: Any) -> "Transcript":
        return self.assistant(
            {"type": "tool_use", "id": call_id, "name": name, "input": arguments},
            message_id=f"m-{call_id}",
            **fields,
        )

    def gives(self, call_id: str, content: Any, **fields: Any) -> "Transcript":
        block = {"type": "tool_result", "tool_use_id": call_id, "content": content}
        if "is_error" in fields:
            block["is_error"] = fields.pop("is_error")
        return self.user([block], **fields)

    def bash(self, call_id: str, command: str, output: str, **fields: Any) -> "Transcript":
        return self.call(call_id, "Bash", {"command": command}).gives(call_id, output, **fields)

    def data(self) -> bytes:
        return b"".join(
            json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n" for record in self.records
        )

    def read(self, **options: Any) -> Reading:
        return read("claude-code", self.data(), **options)
