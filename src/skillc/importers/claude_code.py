"""Claude Code transcripts: one session file, with its subagents' files, becomes one Trace.

A transcript carries no outcome: success is never inferred from what the model says last. There is no official
format; shapes were measured on versions 1.0 to 2.1, and unknown records are counted, never fatal.
Not here: what becomes an event (importers.claude_session).
"""

from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

from skillc.errors import DataError
from skillc.importers import claude_blocks as blocks
from skillc.importers.base import Companion, ImportContext, ImportedTrace, ImportReport
from skillc.importers.claude_records import dropped_by_fork, iter_records
from skillc.importers.claude_session import ForkFound, Session
from skillc.importers.claude_subagents import is_compaction, stem_of
from skillc.importers.lines import head_objects


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
        """Yields the one Trace of a session; a session with a rewind is read again, the live branch alone."""
        if is_compaction(stem_of(report.path)):
            raise DataError(f"{report.path}:1: is a compaction helper's file, not a session")
        session = Session(context, report, companions)
        skipped, notes = report.skipped.copy(), list(report.notes)
        try:
            session.read(stream, frozenset())
        except ForkFound:
            session.discard()
            report.skipped, report.notes = skipped, notes
            parents = _fork_parents(stream)
            session = Session(context, report, companions)
            session.read(stream, frozenset(dropped_by_fork(stream, parents)))
        finished = session.finish()
        if finished is not None:
            yield finished


def _fork_parents(stream: BinaryIO) -> set[str]:
    stream.seek(0)
    seen: dict[str, str] = {}
    forks: set[str] = set()
    for record in iter_records(stream, ImportReport(path="", kind="")):
        parent, uuid = record.get("parentUuid"), record.get("uuid")
        if (
            isinstance(parent, str)
            and isinstance(uuid, str)
            and _is_prompt(record)
            and seen.setdefault(parent, uuid) != uuid
        ):
            forks.add(parent)
    return forks


def _is_prompt(record: dict[str, Any]) -> bool:
    """Says whether a record is a person's own prompt on the main line."""
    if (
        record.get("type") != "user"
        or record.get("isMeta")
        or record.get("isCompactSummary")
        or record.get("isSidechain")
    ):
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
