"""tau-bench result files: a list of runs, each with its messages (`traj`) and the benchmark's reward.

Attempts at one task share the attempt key `task_id`. The reward becomes an outcome by a registered mapping of the
field `reward`. `info` holds the hidden instruction and the gold actions: nothing of it is ever read into an event.
Not here: tau2 (importers.tau2).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

from skillc.core.record import canonical_json
from skillc.core.trace.records import Agent
from skillc.errors import DataError
from skillc.importers.base import Companion, ImportContext, ImportedTrace, ImportReport, content_key
from skillc.importers.chat import Chat
from skillc.importers.documents import head_records, objects_of, read_records
from skillc.importers.lines import key_text
from skillc.importers.scores import CODE, Score, mapped_verdict
from skillc.importers.writer import TraceWriter


class TauBenchImporter:
    """Reads records {task_id, trial, reward, traj, info}."""

    kind = "tau-bench"
    companion_globs: tuple[str, ...] = ()

    def detect(self, head: bytes, name: str) -> bool:
        first = next(iter(head_records(head)), {})
        return "task_id" in first and ("traj" in first or {"reward", "info", "trial"} <= first.keys())

    def read(
        self,
        stream: BinaryIO,
        context: ImportContext,
        report: ImportReport,
        companions: Sequence[Companion] = (),
    ) -> Iterator[ImportedTrace]:
        """Yields one Trace per run that has messages, in the order of the file."""
        numbers: Counter[str] = Counter()
        written = 0
        for position, record in enumerate(objects_of(read_records(stream, report), report)):
            messages = _messages(record, report)
            if not messages:
                continue
            session = _session(record, messages, context)
            numbers[session] += 1
            imported = _attempt(record, messages, context, report, place=position, session=(session, numbers[session]))
            if imported is not None:
                written += 1
                yield imported
        if not written:
            raise DataError(
                f"{report.path}:1: holds no tau-bench run with messages",
                hint="name a file whose records have task_id and a filled traj",
            )


def _messages(record: dict[str, Any], report: ImportReport) -> list[dict[str, Any]]:
    """Returns the messages of a run; a run that has none is counted by its reason."""
    found = record.get("traj")
    messages = [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []
    if not messages:
        info = record.get("info")
        is_failed = isinstance(info, dict) and bool(info.get("error"))
        report.skipped["run that failed before its first message" if is_failed else "run with no messages"] += 1
    elif len(messages) != len(found or ()):
        report.skipped["message that is no object"] += len(found or ()) - len(messages)
    return messages


def _session(record: dict[str, Any], messages: list[dict[str, Any]], context: ImportContext) -> str:
    """The file names no session: task, trial and content stand for it, so that files of two agents can meet."""
    content = content_key(context, canonical_json(messages))
    parts = (key_text(record.get("task_id")), key_text(record.get("trial")), content)
    return "\x00".join(part or "" for part in parts)


def _attempt(
    record: dict[str, Any],
    messages: list[dict[str, Any]],
    context: ImportContext,
    report: ImportReport,
    *,
    place: int,
    session: tuple[str, int],
) -> ImportedTrace | None:
    writer = TraceWriter(context, report, session=session[0], attempt=str(session[1]), place=str(place))
    chat = Chat(context, report, writer)
    for message in messages:
        chat.message(message)
    if not writer.events:
        report.skipped["run with no messages"] += 1
        writer.discard()
        return None
    task = key_text(record.get("task_id"))
    reward = Score("reward", record.get("reward"), CODE)
    return chat.finish(
        source_ref=f"task_id {task} trial {key_text(record.get('trial'))}",
        agent=Agent(name="tau-bench"),
        attempt_key=None if task is None else f"task_id {task}",
        verdict=mapped_verdict([reward], context.mapping, report, low=0.0, high=1.0),
    )
