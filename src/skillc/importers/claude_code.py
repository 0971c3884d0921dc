"""Claude Code transcripts: one session file, with its subagents' files, becomes one Trace.

Joins the lines of one API message, keeps calls and results in file order, and leaves out what is no evidence:
hook noise, summaries that the model wrote, hidden reasoning, texts that the client injected, abandoned branches.
A transcript carries no outcome. There is no official format; shapes were measured on versions 1.0 to 2.1.
Not here: reading records fast (importers.claude_records), what a text is (importers.claude_blocks).
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

from skillc.core.trace.codec import trace_id_of
from skillc.core.trace.records import Agent, Outcome
from skillc.errors import DataError
from skillc.importers import claude_blocks as blocks
from skillc.importers.base import (
    ACTOR_AGENT,
    ACTOR_SYSTEM,
    ACTOR_TOOL,
    ACTOR_USER,
    Companion,
    ImportContext,
    ImportedTrace,
    ImportReport,
)
from skillc.importers.claude_records import dropped_by_fork, iter_records
from skillc.importers.git_shown import ShownCommits
from skillc.importers.lines import head_objects
from skillc.importers.times import normal_time
from skillc.importers.writer import TraceWriter

_UUID = re.compile(r"^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$")
_SUBAGENT_FILE = re.compile(r"^agent-([A-Za-z0-9_-]{1,64})$")
_COMPACTION_FILE = re.compile(r"^agent-acompact-")
_SKILL_TOOL = "Skill"
_SHELL_TOOLS = frozenset({"Bash", "BashOutput", "Shell"})
_TYPES = frozenset({"user", "assistant", "system", "progress", "summary", "file-history-snapshot", "queue-operation", "attachment"})


class ClaudeCodeImporter:
    """Reads `<session>.jsonl`. Companions are `<session>/subagents/agent-*.jsonl` and `agent-*.jsonl` beside it."""

    kind = "claude-code"
    companion_globs: tuple[str, ...] = ("{stem}/subagents/agent-*.jsonl", "agent-*.jsonl")

    def detect(self, head: bytes, name: str) -> bool:
        for record in head_objects(head):
            if isinstance(record.get("type"), str) and (
                record.keys() & {"sessionId", "parentUuid", "leafUuid"}
                or (record["type"] == "file-history-snapshot" and "messageId" in record)
            ):
                return True
        return b'"parentUuid":' in head and b'"sessionId":' in head

    def read(
        self,
        stream: BinaryIO,
        context: ImportContext,
        report: ImportReport,
        companions: Sequence[Companion] = (),
    ) -> Iterator[ImportedTrace]:
        if _COMPACTION_FILE.match(_stem(report.path)):
            raise DataError(f"{report.path}:1: is a compaction helper's file, not a session")
        session = _Session(context, report, companions)
        skipped, notes = report.skipped.copy(), list(report.notes)
        try:
            session.read(stream, frozenset())
        except _ForkFound:
            session.discard()
            report.skipped, report.notes = skipped, notes
            parents = _fork_parents(stream)
            session = _Session(context, report, companions)
            session.read(stream, frozenset(dropped_by_fork(stream, parents)))
        finished = session.finish()
        if finished is not None:
            yield finished


def _stem(path: str) -> str:
    return path.replace("\\", "/").rsplit("/", 1)[-1].rsplit(".", 1)[0]


class _ForkFound(Exception):
    """Two human prompts share a parent: the session must be read again, the live branch alone."""


def _fork_parents(stream: BinaryIO) -> set[str]:
    stream.seek(0)
    seen: dict[str, str] = {}
    forks: set[str] = set()
    for record in iter_records(stream, ImportReport(path="", kind="")):
        parent, uuid = record.get("parentUuid"), record.get("uuid")
        if isinstance(parent, str) and isinstance(uuid, str) and _is_prompt(record) and seen.setdefault(parent, uuid) != uuid:
            forks.add(parent)
    return forks


def _is_prompt(record: dict[str, Any]) -> bool:
    """Says whether a record is a person's own prompt on the main line."""
    if record.get("type") != "user" or record.get("isMeta") or record.get("isCompactSummary") or record.get("isSidechain"):
        return False
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, list):
        if any(isinstance(block, dict) and block.get("type") == "tool_result" for block in content):
            return False
        content = "\n".join(str(b["text"]) for b in content if isinstance(b, dict) and isinstance(b.get("text"), str))
    return (
        isinstance(content, str)
        and bool(content.strip())
        and not blocks.is_wrapper(content)
        and not blocks.is_interrupt(content)
    )


class _Session:
    """The state of one session while its records go by."""

    def __init__(self, context: ImportContext, report: ImportReport, companions: Sequence[Companion]) -> None:
        self.context = context
        self.report = report
        self.skipped = report.skipped
        self.companions = companions
        self.stem = _stem(report.path)
        subagent = _SUBAGENT_FILE.match(self.stem)
        self.attempt = subagent[1] if subagent else ""
        self.session = ""
        self.writer: TraceWriter | None = None
        self.dropped: frozenset[str] = frozenset()
        self.seen: set[str] = set()
        self.prompt_parents: dict[str, str] = {}
        self.calls: dict[str, tuple[str, str | None, str]] = {}
        self.commits = ShownCommits()
        self.folder: str | None = None
        self.branch: str | None = None
        self.model: str | None = None
        self.started_at: str | None = None
        self.ended_at: str | None = None
        self.fallback = ""
        self.text: list[str] = []
        self.text_key: tuple[str, Any] = ("", None)
        self.text_at: str | None = None
        self.ended_by_interrupt = False

    def read(self, stream: BinaryIO, dropped: frozenset[str]) -> None:
        self.dropped = dropped
        beside: list[_Subagent] | None = None
        for record in iter_records(stream, self.report):
            if beside is None and self.companions and not self.attempt and isinstance(record.get("sessionId"), str):
                beside = self._open_companions(record["sessionId"])
            if beside:
                self._feed_until(beside, str(record.get("timestamp") or ""))
            self._feed(record)
        if beside:
            self._feed_until(beside, "~")
        self._flush_text()

    def discard(self) -> None:
        if self.writer is not None:
            self.writer.discard()

    def finish(self) -> ImportedTrace | None:
        """Returns the sealed Trace. Raises DataError when a non-empty file had no event."""
        writer = self.writer
        if writer is None or not writer.events:
            self.discard()
            raise DataError(
                f"{self.report.path}:1: holds no event of a Claude Code session",
                hint="a transcript is <session>.jsonl under ~/.claude/projects; other formats: see capture --help",
            )
        if not writer.objective:
            writer.set_objective(self.fallback)
        branch = writer.clean(self.branch) if self.branch else None
        model = writer.clean(self.model) if self.model else None
        label = writer.clean(writer.paths.label) if writer.paths.label else None
        return writer.finish(
            source_ref=writer.clean(f"{self.session}/{self.attempt}" if self.attempt else self.session),
            agent=Agent(name="claude-code", model=model),
            outcome=Outcome.ABANDONED if self.ended_by_interrupt else Outcome.UNKNOWN,
            reported_by="claude-code",
            started_at=self.started_at,
            ended_at=self.ended_at,
            parent_trace_id=self._trace_id("") if self.attempt else None,
            git=self.commits.context(branch),
            cwd_label=label,
        )

    def _trace_id(self, attempt: str) -> str:
        return trace_id_of(self.context.namespace, self.report.kind, self.session, attempt)

    # Subagents' files: their records are merged in by time, so that an edit stands before the test that followed.

    def _open_companions(self, session: str) -> list["_Subagent"]:
        found = []
        for companion in self.companions:
            stem = _stem(companion.name)
            if stem == self.stem:
                continue
            if _COMPACTION_FILE.match(stem):
                self.skipped["compaction helper file"] += 1
                continue
            subagent = _Subagent(companion, stem.removeprefix("agent-"), self.report)
            if subagent.session == session:
                found.append(subagent)
            else:
                subagent.close()
        return found

    def _feed_until(self, beside: list["_Subagent"], time: str) -> None:
        while True:
            ready = [item for item in beside if item.record is not None and item.time <= time]
            if not ready:
                return
            first = min(ready, key=lambda item: (item.time, item.name))
            record = first.record or {}
            record["isSidechain"] = True
            record.setdefault("agentId", first.name)
            first.advance()
            self._feed(record)

    def _feed(self, record: dict[str, Any]) -> None:
        """Takes one record: first what is true of every type, then by type."""
        kind = record.get("type")
        if kind != "user" and kind != "assistant":
            name = kind if kind in _TYPES else f"record {blocks.safe_word(kind)}"
            self.skipped[name if kind != "system" else f"system {blocks.safe_word(record.get('subtype'))}"] += 1
            return
        uuid = record.get("uuid")
        if type(uuid) is str:
            if uuid in self.seen:
                self.skipped["repeated record"] += 1
                return
            self.seen.add(uuid)
            if uuid in self.dropped:
                self.skipped["record of an abandoned branch"] += 1
                return
        message = record.get("message")
        if type(message) is not dict:
            self.skipped["record without message"] += 1
            return
        if self.writer is None:
            self._begin(record)
        folder = record.get("cwd")
        if folder != self.folder and type(folder) is str:
            self.folder = folder
            self.writer.add_root(folder)  # type: ignore[union-attr] - _begin made it
        at = normal_time(record.get("timestamp"))
        if at is not None:
            if self.started_at is None:
                self.started_at = at
            self.ended_at = at
        actor = None
        if record.get("isSidechain") is True:
            agent = record.get("agentId")
            actor = agent if type(agent) is str and agent else "subagent"
        elif not self.branch and type(record.get("gitBranch")) is str:
            self.branch = record["gitBranch"]
        if kind == "assistant":
            self._assistant(record, message, at, actor)
        else:
            self._user(record, message, at, actor)

    def _begin(self, record: dict[str, Any]) -> None:
        session = record.get("sessionId") or record.get("session_id")
        if _UUID.match(self.stem) or not isinstance(session, str) or not session:
            session = self.stem
        self.session = session
        self.writer = TraceWriter(self.context, self.report, session=session, attempt=self.attempt)

    def _assistant(self, record: dict[str, Any], message: dict[str, Any], at: str | None, actor: str | None) -> None:
        content = message.get("content")
        if type(content) is str:
            content = [{"type": "text", "text": content}]
        elif type(content) is not list:
            self.skipped["message without content"] += 1
            return
        model = message.get("model")
        is_synthetic = model == "<synthetic>" or record.get("isApiErrorMessage") is True
        if self.model is None and (actor is None or self.attempt) and not is_synthetic and type(model) is str:
            self.model = model
        for block in content:
            kind = block.get("type") if type(block) is dict else None
            if kind == "text" and type(block.get("text")) is str:
                if is_synthetic:
                    self._add("error", ACTOR_SYSTEM, at, text=block["text"])
                elif block["text"].strip():
                    self._add_text(block["text"], (actor or ACTOR_AGENT, message.get("id") or record.get("uuid")), at)
            elif kind == "tool_use":
                self._call(block, at, actor or ACTOR_AGENT)
            elif kind == "thinking" or kind == "redacted_thinking":
                self.skipped["thinking"] += 1
            else:
                self.skipped[f"block {blocks.safe_word(kind)}"] += 1

    def _call(self, block: dict[str, Any], at: str | None, actor: str) -> None:
        name, call_id, arguments = block.get("name"), block.get("id"), block.get("input")
        tool = name if type(name) is str and name else "unknown"
        call = call_id if type(call_id) is str else None
        if type(arguments) is not dict:
            arguments = {} if arguments is None else {"_raw": arguments}
        restricted = None
        if tool in self.context.restricted_tools:
            restricted = f"{self.report.kind}:{self.session}:{call or self.writer and self.writer.events}"
        if call is not None:
            command = arguments.get("command") if tool in _SHELL_TOOLS else None
            self.calls[call] = (tool, restricted, command if type(command) is str and "git " in command else "")
        kind = "skill_use" if tool == _SKILL_TOOL else "tool_call"
        self._add(kind, actor, at, tool=tool, call_id=call, arguments=arguments, restricted=restricted)

    def _user(self, record: dict[str, Any], message: dict[str, Any], at: str | None, actor: str | None) -> None:
        if record.get("isCompactSummary") is True or record.get("isVisibleInTranscriptOnly") is True:
            self.skipped["compaction summary"] += 1
            return
        content = message.get("content")
        texts: list[str] = []
        if type(content) is list:
            for block in content:
                kind = block.get("type") if type(block) is dict else None
                if kind == "tool_result":
                    self._result(block, at, actor)
                elif kind == "text" and type(block.get("text")) is str:
                    texts.append(block["text"])
                elif kind == "image" or kind == "document":
                    texts.append(blocks.media_placeholder(block))
                else:
                    self.skipped[f"block {blocks.safe_word(kind)}"] += 1
        elif type(content) is str:
            texts.append(content)
        else:
            self.skipped["message without content"] += 1
        if texts:
            self._user_text(record, texts, at, actor)

    def _result(self, block: dict[str, Any], at: str | None, actor: str | None) -> None:
        call_id = block.get("tool_use_id")
        call = call_id if type(call_id) is str else None
        tool, restricted, command = self.calls.get(call or "", (None, None, ""))
        is_error = block.get("is_error")
        content = block.get("content")
        text = content if type(content) is str else blocks.result_text(content)
        if tool is None:
            self.skipped["result without its call (kept)"] += 1
        if command:
            self.commits.observe(command, text)
        self._add(
            "tool_result",
            actor or ACTOR_TOOL,
            at,
            tool=tool,
            call_id=call,
            text=text,
            is_error=is_error if type(is_error) is bool else None,
            restricted=restricted,
            untrusted=True,
        )

    def _user_text(self, record: dict[str, Any], texts: list[str], at: str | None, actor: str | None) -> None:
        if record.get("isMeta") is True:
            self.skipped["text that the client added"] += 1
            return
        whole = "\n".join(texts)
        text = blocks.without_injected(whole)
        if not text.strip():
            self.skipped["text that the client added"] += 1
        elif blocks.is_interrupt(text):
            self._add("note", ACTOR_USER if actor is None else actor, at, text=text.strip())
            self.ended_by_interrupt = actor is None
        elif blocks.is_wrapper(text):
            command = blocks.command_line(text)
            if command:
                self.fallback = self.fallback or command
                self._add("note", ACTOR_USER if actor is None else actor, at, text=command)
            else:
                self.skipped["command output"] += 1
        elif actor is not None:
            self.fallback = self.fallback or text
            self._add("note", actor, at, text=text)
        else:
            self._prompt(record, text, at)

    def _prompt(self, record: dict[str, Any], text: str, at: str | None) -> None:
        parent, uuid = record.get("parentUuid"), record.get("uuid")
        if isinstance(parent, str) and isinstance(uuid, str) and self.prompt_parents.setdefault(parent, uuid) != uuid:
            raise _ForkFound
        self._add("user_message", ACTOR_USER, at, text=text)
        assert self.writer is not None
        self.writer.set_objective(text)

    def _add_text(self, text: str, key: tuple[str, Any], at: str | None) -> None:
        """Holds a text block back until something else follows: blocks of one API message are one event."""
        if self.text and self.text_key != key:
            self._flush_text()
        if not self.text:
            self.text_key, self.text_at = key, at
        self.text.append(text)

    def _flush_text(self) -> None:
        if self.text and self.writer is not None:
            self.writer.add("model_message", self.text_key[0], at=self.text_at, text="\n".join(self.text))
            self.text = []
            self.ended_by_interrupt = False

    def _add(self, kind: str, actor: str, at: str | None, **parts: Any) -> None:
        if self.text:
            self._flush_text()
        self.ended_by_interrupt = False
        assert self.writer is not None
        self.writer.add(kind, actor, at=at, **parts)


class _Subagent:
    """The records of one companion, one ahead."""

    def __init__(self, companion: Companion, name: str, report: ImportReport) -> None:
        self.name = name
        self._stream = companion.open()
        self._records = iter_records(self._stream, report)
        self.record: dict[str, Any] | None = None
        self.time = ""
        self.advance()
        self.session = self.record.get("sessionId") if self.record else None

    def advance(self) -> None:
        self.record = next(self._records, None)
        if self.record is None:
            self.close()
            return
        time = self.record.get("timestamp")
        self.time = max(self.time, time if isinstance(time, str) else "")

    def close(self) -> None:
        self._stream.close()
