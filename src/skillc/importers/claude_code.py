"""Claude Code transcripts: one session file, with its subagents' files, becomes one Trace, or one a task.

A transcript carries no outcome: success is never inferred from what the model says last. There is no official
format; shapes were measured on versions 1.0 to 2.1, and unknown records are counted, never fatal.
Not here: what becomes an event (importers.claude_session).
"""

from collections.abc import Iterator, Sequence
from typing import BinaryIO

from skillc.errors import DataError
from skillc.importers import claude_blocks as blocks
from skillc.importers.base import Companion, ImportContext, ImportedTrace, ImportReport
from skillc.importers.claude_forks import fork_of
from skillc.importers.claude_records import dropped_by_fork, iter_records
from skillc.importers.claude_session import ForkFound, Session
from skillc.importers.claude_shapes import ClaudeRecord, text_of
from skillc.importers.claude_subagents import is_compaction, stem_of, subagent_of
from skillc.importers.lines import head_objects


class ClaudeCodeImporter:
    """Reads `<session>.jsonl`. Companions are `<session>/subagents/agent-*.jsonl` and `agent-*.jsonl` beside it."""

    kind = "claude-code"
    companion_globs: tuple[str, ...] = ("{stem}/subagents/agent-*.jsonl", "agent-*.jsonl", "*.jsonl")

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
        """Yields the attempts of a session; a session with a rewind is read again, the live branch alone."""
        stem = stem_of(report.path)
        if is_compaction(stem):
            raise DataError(f"{report.path}:1: is a compaction helper's file, not a session")
        fork = fork_of(stream, companions, stem) if subagent_of(stem) is None else None
        helpers = [c for c in companions if subagent_of(stem_of(c.name)) is not None]
        session = Session(context, report, helpers, fork)
        skipped, notes = report.skipped.copy(), list(report.notes)
        try:
            session.read(stream, frozenset())
        except ForkFound:
            session.discard()
            report.skipped, report.notes = skipped, notes
            parents = _fork_parents(stream)
            session = Session(context, report, helpers, fork)
            session.read(stream, frozenset(dropped_by_fork(stream, parents)))
        yield from session.finish()


def _fork_parents(stream: BinaryIO) -> set[str]:
    stream.seek(0)
    seen: dict[str, str] = {}
    forks: set[str] = set()
    for record in iter_records(stream, ImportReport(path="", kind="")):
        parent, uuid = record.parent_uuid, record.uuid
        if parent is not None and uuid is not None and _is_prompt(record) and seen.setdefault(parent, uuid) != uuid:
            forks.add(parent)
    return forks


def _is_prompt(record: ClaudeRecord) -> bool:
    """Says whether a record is a person's own prompt on the main line."""
    if record.type != "user" or record.is_meta or record.is_compact_summary or record.is_sidechain:
        return False
    content = record.message.content if record.message is not None else None
    if isinstance(content, list):
        if any(block.type == "tool_result" for block in content):
            return False
        content = "\n".join(text for block in content if (text := text_of(block.text)) is not None)
    return (
        content is not None
        and bool(content.strip())
        and not blocks.is_wrapper(content)
        and not blocks.is_interrupt(content)
    )
