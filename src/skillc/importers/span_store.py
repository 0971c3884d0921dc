"""What the importers of trace stores share: the trees of one export become Traces, the files beside it rows.

Not here: how a store writes a span (its importer), what a tree tells (importers.spans).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from skillc.core.trace.records import Agent
from skillc.errors import DataError
from skillc.importers.base import Companion, ImportContext, ImportedTrace, ImportReport
from skillc.importers.chat import Chat
from skillc.importers.documents import objects_of, read_records
from skillc.importers.scores import Score, mapped_verdict
from skillc.importers.spans import Span, SpanStory, SpanTree
from skillc.importers.writer import TraceWriter


@dataclass
class StoredTree:
    """The spans and scores of one attempt. `low` and `high` bound its scores, where the store does."""

    id: str
    spans: list[Span] = field(default_factory=list)
    scores: list[Score] = field(default_factory=list)
    attempt_key: str | None = None
    agent: Agent | None = None
    low: float | None = None
    high: float | None = None

    def root_ids(self) -> set[str]:
        """Returns the ids of the spans whose parent is not in the tree."""
        ids = {span.id for span in self.spans}
        return {span.id for span in self.spans if span.parent is None or span.parent not in ids}


def import_trees(
    trees: Sequence[StoredTree], context: ImportContext, report: ImportReport, *, nothing: DataError
) -> Iterator[ImportedTrace]:
    """Yields one Trace per tree that has events. Raises `nothing`, with the path, when no tree has any."""
    written = 0
    for position, tree in enumerate(trees):
        writer = TraceWriter(context, report, session=tree.id, place=str(position))
        chat = Chat(context, report, writer)
        story = SpanStory(chat, SpanTree(tree.spans, report.skipped))
        story.write()
        if not writer.events:
            report.skipped["trace without content"] += 1
            if tree.scores:
                report.skipped["score of a trace without content"] += len(tree.scores)
            writer.discard()
            continue
        written += 1
        yield chat.finish(
            source_ref=f"trace {tree.id}",
            agent=Agent(name=tree.agent.name if tree.agent else report.kind, model=story.model),
            attempt_key=tree.attempt_key,
            verdict=mapped_verdict(tree.scores, context.mapping, report, low=tree.low, high=tree.high),
        )
    if not written:
        raise DataError(f"{report.path}:1: {nothing.message}", hint=nothing.hint)


def read_beside(companions: Sequence[Companion], context: ImportContext, report: ImportReport) -> list[dict[str, Any]]:
    """Returns the rows of the files beside a source, and of the outcome file that the command names."""
    rows: list[dict[str, Any]] = []
    for companion in companions:
        try:
            with companion.open() as stream:
                rows += _rows(companion.name, stream, report)
        except (DataError, OSError):
            report.skipped["file beside the source that cannot be read"] += 1
            report.notes.append(f"a file beside the source is no JSON and was left out: {companion.name}")
    named = context.messages.outcome_file
    if named is not None:
        try:
            with Path(named).open("rb") as stream:
                rows += _rows(named, stream, report)
        except OSError as error:
            raise DataError(f"{named}: cannot be read: {error.strerror}") from error
    return rows


def _rows(path: str, stream: Any, report: ImportReport) -> list[dict[str, Any]]:
    found = objects_of(read_records(stream, ImportReport(path=path, kind=report.kind)), report)
    inside = [row for one in found for name in ("feedback", "scores", "data") for row in _dicts(one.get(name))]
    return [*found, *inside]


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
