"""OpenAI Codex rollouts: one session file becomes one Trace.

A rollout carries no outcome. A resumed or forked session copies the old lines into its own file: those are
left out, and the Trace names the session that they come from as its parent.
Not here: lines (importers.codex_lines), what becomes an event (importers.codex_session).
"""

from collections.abc import Iterator, Sequence
from typing import BinaryIO

from skillc.importers.base import Companion, ImportContext, ImportedTrace, ImportReport
from skillc.importers.codex_lines import ids_named, is_rollout
from skillc.importers.codex_session import Session
from skillc.importers.lines import head_objects


class CodexImporter:
    """Reads `rollout-<time>-<id>.jsonl`. The companion is the rollout of the session that this one goes on from."""

    kind = "codex"
    companion_globs: tuple[str, ...] = ()

    def detect(self, head: bytes, name: str) -> bool:
        return is_rollout(head, head_objects(head))

    def companion_globs_of(self, head: bytes) -> tuple[str, ...]:
        """Returns where the files of the sessions lie that the head of a rollout names: folders are by date."""
        return tuple(
            f"{folder}rollout-*-{session}.jsonl"
            for session in ids_named(head)
            for folder in ("", "../*/", "../../*/*/", "../../../*/*/*/")
        )

    def read(
        self,
        stream: BinaryIO,
        context: ImportContext,
        report: ImportReport,
        companions: Sequence[Companion] = (),
    ) -> Iterator[ImportedTrace]:
        """Yields the Traces of a session, one a task; none when all of it is a copy of another session's file."""
        session = Session(context, report, companions)
        session.read(stream)
        yield from session.finish()
