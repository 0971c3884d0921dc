"""OpenTelemetry spans of agents (GenAI conventions, OpenInference, Vercel AI SDK): OTLP JSON or SDK prints.

The spans of one trace id are one attempt. Evaluations and annotations on the root, on an agent or of the trace
become an outcome by a registered mapping of their name; LLM is a judge, HUMAN a person, CODE code.
Not here: the written form of spans (importers.otel_spans), their attributes (importers.otel_content).
"""

from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

from skillc.core.trace.records import Agent
from skillc.errors import DataError
from skillc.importers.base import Companion, ImportContext, ImportedTrace, ImportReport
from skillc.importers.chat_forms import messages_of
from skillc.importers.documents import head_records, objects_of, read_records
from skillc.importers.otel_content import (
    input_messages,
    kind_of,
    model_of,
    output_messages,
    program_history,
    scores_of,
    state_of,
    tool_of,
)
from skillc.importers.otel_spans import OtelEvent, OtelSpan, is_otel, log_events, spans_of
from skillc.importers.restrictor import labels_of
from skillc.importers.span_store import StoredTree, import_trees
from skillc.importers.spans import AGENT, MODEL, SCORER, TOOL, Span

_LABELS = ("tag.tags", "tags", "labels", "langfuse.trace.tags", "langsmith.span.tags")


class OtelImporter:
    """Reads OTLP objects, one or one per line, and lists of spans as an SDK prints them."""

    kind = "otel"
    companion_globs: tuple[str, ...] = ()

    def detect(self, head: bytes, name: str) -> bool:
        return any(is_otel(record) for record in head_records(head))

    def read(
        self,
        stream: BinaryIO,
        context: ImportContext,
        report: ImportReport,
        companions: Sequence[Companion] = (),
    ) -> Iterator[ImportedTrace]:
        """Yields one Trace per trace id that has events, in the order in which the traces appear."""
        spans: list[OtelSpan] = []
        logs: list[tuple[str, str, OtelEvent]] = []
        for record in objects_of(read_records(stream, report), report):
            if isinstance(record.get("resourceLogs"), list):
                logs += log_events(record)
            if "resourceLogs" not in record or "resourceSpans" in record:
                spans += spans_of(record, report)
        _attach(spans, logs, report)
        grouped: dict[str, list[OtelSpan]] = {}
        for span in spans:
            grouped.setdefault(span.trace_id, []).append(span)
        yield from import_trees([_tree(i, group) for i, group in grouped.items()], context, report, nothing=_NOTHING)


_NOTHING = DataError(
    "holds no span with content: prompts, answers and tool calls are recorded only where that is switched on",
    hint="record the content of messages in the instrumentation, and export again",
)


def _attach(spans: list[OtelSpan], logs: list[tuple[str, str, OtelEvent]], report: ImportReport) -> None:
    by_id = {(span.trace_id, span.id): span for span in spans}
    for trace_id, span_id, event in logs:
        span = by_id.get((trace_id, span_id))
        if span is None:
            report.skipped["log record of no span in the file"] += 1
        else:
            span.events.append(event)


def _tree(trace_id: str, group: list[OtelSpan]) -> StoredTree:
    tree = StoredTree(trace_id, agent=Agent(name="otel"))
    tree.spans = [_span(span, position) for position, span in enumerate(group)]
    kinds = {span.id: span.kind for span in tree.spans}
    roots = tree.root_ids()
    asked = {span.parent for span in group if kinds.get(span.id) == MODEL}
    for span in group:
        is_scorer = kinds[span.id] == SCORER
        is_whole = span.id in roots or kinds[span.id] == AGENT or (is_scorer and span.parent in roots)
        judged = is_scorer and span.id in asked
        tree.scores += scores_of(span, is_whole=is_whole, judged=judged)
    return tree


def _span(raw: OtelSpan, position: int) -> Span:
    kind, word = kind_of(raw)
    span = Span(
        labels=frozenset().union(*(labels_of({"tags": raw.attributes.get(name)}) for name in _LABELS)),
        id=raw.id,
        parent=raw.parent,
        name=raw.name,
        kind=kind,
        order=(raw.order, position),
        type_name=word,
        start=raw.start,
        end=raw.end,
        error=raw.error or _failed(raw.attributes),
        model=model_of(raw),
    )
    if kind == TOOL:
        span.name, span.arguments, span.result, span.call_id = tool_of(raw)
    elif kind != SCORER:
        task, span.answer = state_of(raw)
        span.inputs = input_messages(raw) or program_history(raw, "input.value", role="user")
        span.outputs = output_messages(raw) or program_history(raw, "output.value", role="assistant")
        span.task = None if span.inputs else task
        if kind == MODEL:
            span.inputs = span.inputs or messages_of(task)
            span.outputs = span.outputs or messages_of(span.answer, role="assistant")
    return span


def _failed(attributes: dict[str, Any]) -> str | None:
    word = attributes.get("error.type")
    return word if isinstance(word, str) and word else None
