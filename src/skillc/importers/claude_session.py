"""One Claude Code session on its way to a Trace: its records go by once, in file order.

Joins the lines of one API message, keeps calls and results in file order, and leaves out what is no evidence:
hook noise, summaries that the model wrote, hidden reasoning, texts that the client injected, abandoned
branches.
Not here: reading records fast (importers.claude_records), what a text is (importers.claude_blocks).
"""

import re
from collections.abc import Sequence
from typing import Any, BinaryIO

from msgspec import Raw
from pydantic_core import to_json

from skillc.core.trace.codec import trace_id_of
from skillc.core.trace.records import Agent, Outcome
from skillc.errors import NoEventsError
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
from skillc.importers.claude_forks import Fork
from skillc.importers.claude_records import iter_records
from skillc.importers.claude_shapes import Block, ClaudeRecord, Message, text_of
from skillc.importers.claude_subagents import END_OF_TIME, Subagents, stem_of, subagent_of
from skillc.importers.git_shown import ShownCommits, with_facts
from skillc.importers.lines import is_blank, parse_json
from skillc.importers.objective import ObjectiveWatch
from skillc.importers.times import normal_time
from skillc.importers.writer import TraceWriter

_UUID = re.compile(r"^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$")
_SKILL_TOOL = "Skill"
_SHELL_TOOLS = frozenset({"Bash", "BashOutput", "Shell"})
_OTHER_TYPES = frozenset(
    {
        "progress",
        "summary",
        "file-history-snapshot",
        "queue-operation",
        "attachment",
        "last-prompt",
        "agent-setting",
    }
)


class ForkFound(Exception):
    """Two human prompts share a parent: the session must be read again, the live branch alone."""


class Session:
    """The state of one session while its records go by."""

    def __init__(
        self,
        context: ImportContext,
        report: ImportReport,
        companions: Sequence[Companion],
        fork: Fork | None = None,
    ) -> None:
        self.context = context
        self.report = report
        self.skipped = report.skipped
        self.companions = companions
        self.stem = stem_of(report.path)
        self.fork = fork
        self.copied = fork.copied if fork is not None else frozenset()
        self.subagent = subagent_of(self.stem) or ""
        self.objectives = ObjectiveWatch() if context.splits_objectives and not self.subagent else None
        self.finished: list[ImportedTrace] = []
        self.session = ""
        self.writer: TraceWriter | None = None
        self.dropped: frozenset[str] = frozenset()
        self.seen: set[str] = set()
        self.prompt_parents: dict[str, str] = {}
        self.calls: dict[str, tuple[str, str]] = {}
        self.commits = ShownCommits()
        self.folder: str | None = None
        self.branch: str | None = None
        self.model: str | None = None
        self.started_at: str | None = None
        self.ended_at: str | None = None
        self.fallback = ""
        self.text: list[bytes] = []  # encoded
        self.text_key: tuple[str, Any] = ("", None)
        self.text_at: str | None = None
        self.ended_by_interrupt = False

    def read(self, stream: BinaryIO, dropped: frozenset[str]) -> None:
        """Takes all records. Raises ForkFound at the second prompt with one parent that is not in `dropped`."""
        self.dropped = dropped
        subagents: Subagents | None = None
        for record in iter_records(stream, self.report):
            if self.companions:
                if subagents is None and not self.subagent and record.session_id is not None:
                    subagents = Subagents(self.companions, record.session_id, self.report)
                if subagents is not None:
                    for other in subagents.until(str(record.timestamp or "")):
                        self._feed(other)
            self._feed(record)
        for other in subagents.until(END_OF_TIME) if subagents is not None else ():
            self._feed(other)
        self._flush_text()

    def discard(self) -> None:
        if self.writer is not None:
            self.writer.discard()
        for imported in self.finished:
            imported.body.close()
        self.finished = []

    def finish(self) -> list[ImportedTrace]:
        """Returns the sealed Traces, one a task. Raises DataError when a non-empty file had no event of its own."""
        if self.writer is None or not self.writer.events:
            self.discard()
            what = "of its own beside those of the session that it was forked from" if self.fork else ""
            raise NoEventsError(
                f"{self.report.path}:1: holds no event {what or 'of a Claude Code session'}",
                hint="a transcript is <session>.jsonl under ~/.claude/projects; other formats: see capture --help",
            )
        self._seal()
        return self.finished

    def _seal(self) -> None:
        """Ends the Trace that is being written."""
        writer = self.writer
        assert writer is not None
        if not writer.objective:
            writer.set_objective(self.fallback)
        branch = writer.clean(self.branch) if self.branch else None
        model = writer.clean(self.model) if self.model else None
        label = writer.clean(writer.paths.label) if writer.paths.label else None
        attempt = self.attempt
        finished = writer.finish(
            source_ref=writer.clean(f"{self.session}/{attempt}" if attempt else self.session),
            agent=Agent(name="claude-code", model=model),
            outcome=Outcome.ABANDONED if self.ended_by_interrupt else Outcome.UNKNOWN,
            reported_by="claude-code",
            started_at=self.started_at,
            ended_at=self.ended_at,
            parent_trace_id=self._parent(),
            git=with_facts(self.commits.context(branch), writer.git_facts, has_unseen=self.commits.has_unseen),
            cwd_label=label,
        )
        self.finished.append(finished)

    @property
    def attempt(self) -> str:
        """The part of the session that is being written: a subagent's id, the number of a later task, else empty."""
        return self.subagent or (str(len(self.finished) + 1) if self.finished else "")

    def _parent(self) -> str | None:
        if self.subagent:
            return trace_id_of(self.context.namespace, self.report.kind, self.session)
        if self.fork is not None and not self.finished:
            at, part_at = normal_time(self.fork.at), self.context.part_at
            if at is not None and part_at is not None:
                return part_at(self.report.kind, self.fork.session, at)
            return trace_id_of(self.context.namespace, self.report.kind, self.fork.session)
        return None

    def _begin_task(self, at: str | None) -> TraceWriter:
        """Seals the task so far and begins the next one of the same session."""
        assert self.writer is not None
        self.writer.git_facts = self.context.git_facts.part(is_first=not self.finished, is_last=False)
        self._seal()
        git = self.finished[-1].header.environment.git
        self.commits = ShownCommits(git.head_end if git is not None else None)
        self.writer = TraceWriter(
            self.context, self.report, session=self.session, attempt=self.attempt, place=self.session
        )
        self.writer.git_facts = self.context.git_facts.part(is_first=False, is_last=True)
        if self.folder is not None:
            self.writer.add_root(self.folder)
        self.started_at = self.ended_at = at
        self.fallback = ""
        return self.writer

    def _feed(self, record: ClaudeRecord) -> None:
        """Takes one record: first what is true of every type, then by type."""
        kind = record.type
        if kind != "user" and kind != "assistant":
            self._count_other(record)
            return
        uuid = record.uuid
        if uuid is not None:
            if uuid in self.seen or uuid in self.dropped or uuid in self.copied:
                self._count_known(uuid)
                return
            self.seen.add(uuid)
        message = record.message
        if message is None:
            self.skipped["record without message"] += 1
            return
        writer = self.writer or self._begin(record)
        folder = record.cwd
        if folder != self.folder and folder is not None:
            self.folder = folder
            self.report.folders.add(folder)
            writer.add_root(folder)
        at = normal_time(record.timestamp)
        if at is not None:
            if self.started_at is None:
                self.started_at = at
            self.ended_at = at
        actor = None
        if record.is_sidechain:
            actor = record.agent_id or "subagent"
        elif not self.branch:
            self.branch = record.git_branch
        if message.content is None:
            self._count_empty(record)
        elif kind == "assistant":
            self._assistant(record, message, at, actor)
        else:
            self._user(record, message.content, at, actor)

    def _count_known(self, uuid: str) -> None:
        why = "repeated record" if uuid in self.seen else "record of an abandoned branch"
        self.skipped["record of the session that this one was forked from" if uuid in self.copied else why] += 1

    def _count_other(self, record: ClaudeRecord) -> None:
        if record.type == "system":
            name = f"system {blocks.safe_word(record.subtype)}"
        else:
            name = record.type if record.type in _OTHER_TYPES else f"record {blocks.safe_word(record.type)}"
        self.skipped[name] += 1

    def _count_empty(self, record: ClaudeRecord) -> None:
        is_summary = record.type == "user" and _is_summary(record)
        self.skipped["compaction summary" if is_summary else "message without content"] += 1

    def _begin(self, record: ClaudeRecord) -> TraceWriter:
        session = record.session_id or record.old_session_id
        if _UUID.match(self.stem) or not session:
            session = self.stem
        self.session = session
        self.writer = TraceWriter(self.context, self.report, session=session, attempt=self.attempt, place=self.session)
        return self.writer

    def _assistant(self, record: ClaudeRecord, message: Message, at: str | None, actor: str | None) -> None:
        content = message.content
        if isinstance(content, str):
            content = [Block(type="text", text=Raw(to_json(content)))]
        model = message.model
        is_synthetic = model == "<synthetic>" or record.is_api_error_message is True
        if self.model is None and (actor is None or self.subagent) and not is_synthetic:
            self.model = model
        for block in content or ():
            kind = block.type
            if kind == "tool_use":
                self._call(block, at, actor or ACTOR_AGENT)
            elif kind == "text" and (text := bytes(block.text)).startswith(b'"'):
                if is_synthetic:
                    self._before_event().add("error", ACTOR_SYSTEM, at=at, encoded_text=text)
                elif not is_blank(text):
                    self._add_text(text, (actor or ACTOR_AGENT, message.id or record.uuid), at)
            elif kind == "thinking" or kind == "redacted_thinking":
                self.skipped["thinking"] += 1
            else:
                self.skipped[f"block {blocks.safe_word(kind)}"] += 1

    def _call(self, block: Block, at: str | None, actor: str) -> None:
        tool, call = block.name or "unknown", block.id
        arguments = parse_json(bytes(block.input) or b"null")
        if type(arguments) is not dict:
            arguments = {} if arguments is None else {"_raw": arguments}
        if call is not None:
            command = arguments.get("command") if tool in _SHELL_TOOLS else None
            self.calls[call] = (tool, command if type(command) is str and "git " in command else "")
        kind = "skill_use" if tool == _SKILL_TOOL else "tool_call"
        writer = self._before_event()
        if self.objectives is not None:
            self.objectives.call(call)
        writer.add(kind, actor, at=at, tool=tool, call_id=call, arguments=arguments)

    def _user(self, record: ClaudeRecord, content: str | list[Block], at: str | None, actor: str | None) -> None:
        if _is_summary(record):
            self.skipped["compaction summary"] += 1
            return
        if isinstance(content, str):
            self._user_text(record, [content], at, actor)
            return
        texts: list[str] = []
        for block in content:
            kind = block.type
            if kind == "tool_result":
                self._result(block, at, actor)
            elif kind == "text" and (text := text_of(block.text)) is not None:
                texts.append(text)
            elif kind == "image" or kind == "document":
                texts.append(
                    blocks.media_placeholder({"type": kind, "source": parse_json(bytes(block.source) or b"null")})
                )
            else:
                self.skipped[f"block {blocks.safe_word(kind)}"] += 1
        if texts:
            self._user_text(record, texts, at, actor)

    def _result(self, block: Block, at: str | None, actor: str | None) -> None:
        call = block.tool_use_id
        tool, command = self.calls.get(call or "", (None, ""))
        text = bytes(block.content)
        if not text.startswith(b'"'):
            text = to_json(blocks.result_text(parse_json(text or b"null")))
        if tool is None:
            self.skipped["result without its call (kept)"] += 1
        if self.objectives is not None:
            self.objectives.result(call)
        is_stored = self._before_event().add(
            "tool_result",
            actor or ACTOR_TOOL,
            at=at,
            tool=tool,
            call_id=call,
            encoded_text=text,
            is_error=block.is_error,
            untrusted=True,
        )
        if command and is_stored:
            self.commits.observe(command, parse_json(text))

    def _user_text(self, record: ClaudeRecord, texts: list[str], at: str | None, actor: str | None) -> None:
        if record.is_meta is True:
            self.skipped["text that the client added"] += 1
            return
        whole = "\n".join(texts)
        text = blocks.without_injected(whole)
        if not text.strip():
            self.skipped["text that the client added"] += 1
        elif blocks.is_interrupt(text):
            self._before_event().add("note", ACTOR_USER if actor is None else actor, at=at, text=text.strip())
            self.ended_by_interrupt = actor is None
            if self.objectives is not None:
                self.objectives.interrupted()
        elif blocks.is_wrapper(text):
            command = blocks.command_line(text)
            if command:
                self.fallback = self.fallback or command
                self._before_event().add("note", ACTOR_USER if actor is None else actor, at=at, text=command)
            else:
                self.skipped["command output"] += 1
        elif actor is not None:
            self.fallback = self.fallback or text
            self._before_event().add("note", actor, at=at, text=text)
        else:
            self._prompt(record, text, at)

    def _prompt(self, record: ClaudeRecord, text: str, at: str | None) -> None:
        parent, uuid = record.parent_uuid, record.uuid
        if parent is not None and uuid is not None and self.prompt_parents.setdefault(parent, uuid) != uuid:
            raise ForkFound
        writer = self._before_event()
        if self.objectives is not None and self.objectives.starts_new(text):
            writer = self._begin_task(at)
        if writer.add("user_message", ACTOR_USER, at=at, text=text):
            writer.set_objective(text)

    def _add_text(self, text: bytes, key: tuple[str, Any], at: str | None) -> None:
        """Holds a text block back until something else follows: blocks of one API message are one event."""
        if self.text and self.text_key != key:
            self._flush_text()
        if not self.text:
            self.text_key, self.text_at = key, at
        self.text.append(text)

    def _flush_text(self) -> None:
        if self.text and self.writer is not None:
            text = self.text[0] if len(self.text) == 1 else b'"%s"' % rb"\n".join(text[1:-1] for text in self.text)
            self.writer.add("model_message", self.text_key[0], at=self.text_at, encoded_text=text)
            self.text = []
            if self.objectives is not None and self.text_key[0] == ACTOR_AGENT:
                self.objectives.said()
            self.ended_by_interrupt = False

    def _before_event(self) -> TraceWriter:
        """Makes an end of what came before, and returns the writer."""
        if self.text:
            self._flush_text()
        self.ended_by_interrupt = False
        assert self.writer is not None
        return self.writer


def _is_summary(record: ClaudeRecord) -> bool:
    return record.is_compact_summary is True or record.is_visible_in_transcript_only is True
