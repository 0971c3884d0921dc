"""Chat messages with tool calls become events: the one place that knows what a message is.

Reads OpenAI messages (`tool_calls`, role `tool`) and content blocks (`tool_use`, `tool_result`). A user's
calls of tools are notes, never the agent's actions. Only the parts of a message named here are read.
Not here: other forms of messages (importers.chat_forms), whole records (the importers).
"""

import re
from typing import Any

from skillc.core.trace.records import Agent
from skillc.importers.base import (
    ACTOR_AGENT,
    ACTOR_SYSTEM,
    ACTOR_TOOL,
    ACTOR_USER,
    ImportContext,
    ImportedTrace,
    ImportReport,
    MappedVerdict,
)
from skillc.importers.claude_blocks import media_placeholder, result_text, safe_word
from skillc.importers.lines import parse_json
from skillc.importers.restrictor import labels_of
from skillc.importers.times import normal_time
from skillc.importers.writer import TraceWriter

_END_MARKER = re.compile(r"###[A-Z][A-Z_-]{1,30}###")


class Chat:
    """The messages of one attempt on their way into a TraceWriter."""

    def __init__(self, context: ImportContext, report: ImportReport, writer: TraceWriter) -> None:
        self.context = context
        self.report = report
        self.writer = writer
        self.tools: dict[str, str] = {}
        self.started_at: str | None = None
        self.ended_at: str | None = None

    def seen(self, at: str | None) -> None:
        """Widens the time of the attempt to a moment; None leaves it."""
        if at is not None:
            self.started_at = self.started_at or at
            self.ended_at = at

    def message(self, message: dict[str, Any]) -> None:
        """Adds the events of one message; a role that means nothing here is counted."""
        role = message.get("role")
        self.writer.labels = labels_of(message)
        at = normal_time(message.get("timestamp") or message.get("created_at"))
        self.seen(at)
        if role == "assistant":
            self.assistant(message, at)
        elif role == "user":
            self.user(message, at)
        elif role in ("tool", "function"):
            call_id = message.get("tool_call_id") or message.get("id")
            self.result(call_id, message.get("name"), message.get("content"), None, at)
        elif role in ("system", "developer"):
            self.note(result_text(message.get("content")), at)
        else:
            self.report.skipped[f"message of role {safe_word(role)}"] += 1

    def note(self, text: str, at: str | None, *, actor: str = ACTOR_SYSTEM, untrusted: bool = False) -> None:
        """Adds a text that is neither a user's nor the agent's."""
        if text.strip():
            self.writer.add("note", actor, at=at, text=text, untrusted=untrusted)

    def assistant(self, message: dict[str, Any], at: str | None, *, actor: str = ACTOR_AGENT) -> None:
        """Adds what the agent said and called; hidden reasoning is counted."""
        content = message.get("content")
        if isinstance(content, list):
            for block in content:
                kind = block.get("type") if isinstance(block, dict) else None
                if kind == "tool_use":
                    self.call(block.get("id"), block.get("name"), block.get("input"), at, actor=actor)
                elif kind in ("thinking", "redacted_thinking", "reasoning"):
                    self.report.skipped["thinking"] += 1
                elif (text := result_text([block])).strip():
                    self.writer.add("model_message", actor, at=at, text=text)
        elif isinstance(content, str) and content.strip():
            self.writer.add("model_message", actor, at=at, text=content)
        if message.get("reasoning_content") or message.get("reasoning"):
            self.report.skipped["thinking"] += 1
        self.calls(message, at, actor=actor)

    def calls(self, message: dict[str, Any], at: str | None, *, actor: str = ACTOR_AGENT) -> None:
        """Adds the `tool_calls` of a message."""
        calls = message.get("tool_calls")
        for call in calls if isinstance(calls, list) else ():
            if isinstance(call, dict):
                function = call.get("function")
                named = function if isinstance(function, dict) else call
                self.call(call.get("id"), named.get("name"), named.get("arguments"), at, actor=actor)

    def user(self, message: dict[str, Any], at: str | None) -> None:
        """Adds what a user said, and the results that a user message carries."""
        content = message.get("content")
        parts = content if isinstance(content, list) else [{"type": "text", "text": content}]
        texts: list[str] = []
        for part in parts:
            if not isinstance(part, dict):
                continue
            if part.get("type") == "tool_result":
                self.result(part.get("tool_use_id"), None, part.get("content"), part.get("is_error"), at)
            elif part.get("type") == "text" and isinstance(part.get("text"), str):
                texts.append(part["text"])
            elif part.get("type") in ("image", "document", "image_url"):
                texts.append(media_placeholder(part))
        text = user_text("\n".join(texts))
        if text and self.writer.add("user_message", ACTOR_USER, at=at, text=text):
            self.writer.set_objective(text)

    def call(self, call_id: Any, name: Any, arguments: Any, at: str | None, *, actor: str = ACTOR_AGENT) -> None:
        """Adds a call of a tool. Arguments that are no object stand under `_raw`.

        What a user does with a tool of their own is a note: no step of the agent can rest on it.
        """
        tool = name if isinstance(name, str) and name else "unknown"
        call = call_id if isinstance(call_id, str) and call_id else None
        if call is not None:
            self.tools[call] = tool
        self.writer.add(
            "note" if actor == ACTOR_USER else "tool_call",
            actor,
            at=at,
            tool=tool,
            call_id=call,
            arguments=arguments_of(arguments),
        )

    def result(
        self,
        call_id: Any,
        name: Any,
        content: Any,
        is_error: Any,
        at: str | None,
        *,
        actor: str = ACTOR_TOOL,
    ) -> None:
        """Adds a result; a text that starts with `Error` is one when the source does not say."""
        call = call_id if isinstance(call_id, str) and call_id else None
        tool = self.tools.get(call or "") or (name if isinstance(name, str) and name else None)
        text = result_text(content)
        is_failed = is_error if isinstance(is_error, bool) else (True if text.startswith("Error") else None)
        self.writer.add(
            "note" if actor == ACTOR_USER else "tool_result",
            actor,
            at=at,
            tool=tool,
            call_id=call,
            text=text,
            is_error=is_failed,
            untrusted=True,
        )

    def finish(
        self, *, source_ref: str, agent: Agent, attempt_key: str | None, verdict: MappedVerdict | None
    ) -> ImportedTrace:
        """Seals the attempt. The outcome stays open: scores are verdicts beside it, and may come later."""
        clean = self.writer.clean
        return self.writer.finish(
            source_ref=clean(source_ref),
            agent=Agent(name=agent.name, model=clean(agent.model) if agent.model else None),
            reported_by=self.report.kind,
            started_at=self.started_at,
            ended_at=self.ended_at,
            attempt_key=clean(attempt_key) if attempt_key else None,
            verdict=verdict,
        )


def user_text(text: str) -> str:
    """Returns a user's words without the end markers of simulated users."""
    return _END_MARKER.sub("", text).strip()


def arguments_of(value: Any) -> dict[str, Any]:
    """Returns the arguments of a call as an object; a string is parsed, and stays under `_raw` if it is none."""
    if isinstance(value, str):
        try:
            parsed = parse_json(value.encode("utf-8", "replace"))
        except ValueError:
            return {"_raw": value}
        return parsed if isinstance(parsed, dict) else {"_raw": value}
    if isinstance(value, dict):
        return value
    return {} if value is None else {"_raw": value}
