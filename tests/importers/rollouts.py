"""Writes Codex rollouts for tests, line by line, as the newest and the oldest versions write them."""

import json
from typing import Any

from tests.importers.reading import Reading, read

ID = "01a229bf-2aba-7973-ac06-15294c7aa179"
PARENT = "01a229bf-0000-7000-8000-00000000000a"
CWD = "/home/ann/shop"
HEAD = "d002f64f396ebaf2eb9c240b1c7f224ad1161da5"


class Rollout:
    """The lines of one session."""

    def __init__(self, *, session: str = ID, **meta: Any) -> None:
        self.records: list[Any] = []
        self.add(
            "session_meta", {"id": session, "cwd": CWD, "originator": "codex_exec", "cli_version": "0.171.0"} | meta
        )

    def add(self, kind: str, payload: Any, **fields: Any) -> "Rollout":
        number = len(self.records)
        at = f"2026-01-05T09:00:{number % 60:02d}.000Z"
        self.records.append({"timestamp": at, "ordinal": number, "type": kind, "payload": payload} | fields)
        return self

    def item(self, kind: str, **payload: Any) -> "Rollout":
        return self.add("response_item", {"type": kind} | payload)

    def event(self, kind: str, **payload: Any) -> "Rollout":
        return self.add("event_msg", {"type": kind} | payload)

    def user(self, text: str, **fields: Any) -> "Rollout":
        return self.item("message", role="user", content=[{"type": "input_text", "text": text}], **fields)

    def says(self, text: str, **fields: Any) -> "Rollout":
        return self.item("message", role="assistant", content=[{"type": "output_text", "text": text}], **fields)

    def call(self, call_id: str, name: str, arguments: Any) -> "Rollout":
        return self.item("function_call", name=name, arguments=json.dumps(arguments), call_id=call_id)

    def gives(self, call_id: str, output: Any) -> "Rollout":
        return self.item("function_call_output", call_id=call_id, output=output)

    def shell(self, call_id: str, command: str, output: str, code: int = 0) -> "Rollout":
        self.call(call_id, "exec_command", {"cmd": command})
        return self.gives(call_id, f"Wall time: 0.1 seconds\nProcess exited with code {code}\nOutput:\n{output}")

    def bare(self) -> list[Any]:
        """Returns the records as the oldest versions wrote them: no wrapper, the head first."""
        head = {"id": ID, "timestamp": "2025-06-01T10:00:00.000Z", "instructions": None, "git": {"branch": "main"}}
        return [head, *(r["payload"] for r in self.records if r["type"] == "response_item")]

    def data(self) -> bytes:
        return b"".join(json.dumps(record).encode() + b"\n" for record in self.records)

    def read(self, **options: Any) -> Reading:
        options.setdefault("path", f"rollout-2026-01-05T09-00-00-{ID}.jsonl")
        return read("codex", self.data(), **options)
