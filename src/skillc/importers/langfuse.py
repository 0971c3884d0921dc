"""Langfuse traces: `GET /api/public/traces/{id}` with observations and scores, API pages, and JSONL exports.

The observations of one trace are one attempt. Scores on the trace become an outcome by a registered mapping of their
name: EVAL is a judge, ANNOTATION a person, API code. Evaluators are scorers. Field names come in the API's
form or in the snake case of the exports. `metadata` and a dataset's expected output are never read.
Not here: what a tree of observations tells (importers.spans).
"""

from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

from skillc.core.trace.records import Agent
from skillc.errors import DataError
from skillc.importers.base import Companion, ImportContext, ImportedTrace, ImportReport
from skillc.importers.chat_forms import history_of, messages_of, opened, plain
from skillc.importers.documents import read_records
from skillc.importers.langfuse_rows import Rows, holds_scores, is_langfuse, is_score_file, joined
from skillc.importers.lines import key_text
from skillc.importers.restrictor import labels_of
from skillc.importers.scores import Score
from skillc.importers.span_store import StoredTree, import_trees, read_beside
from skillc.importers.spans import AGENT, GROUP, MODEL, OTHER, SCORER, TOOL, Span, answer_text, task_text
from skillc.importers.times import store_time

_KINDS = {
    "GENERATION": MODEL,
    "SPAN": GROUP,
    "CHAIN": GROUP,
    "AGENT": AGENT,
    "TOOL": TOOL,
    "RETRIEVER": TOOL,
    "EVALUATOR": SCORER,
    "EVENT": OTHER,
    "EMBEDDING": OTHER,
    "GUARDRAIL": OTHER,
}


class LangfuseImporter:
    """Reads traces, observations and scores of Langfuse."""

    kind = "langfuse"
    companion_globs: tuple[str, ...] = ("*.json", "*.jsonl")

    def detect(self, head: bytes, name: str) -> bool:
        return is_langfuse(head)

    def belongs_beside(self, head: bytes) -> bool:
        return is_score_file(head)

    def read(
        self,
        stream: BinaryIO,
        context: ImportContext,
        report: ImportReport,
        companions: Sequence[Companion] = (),
    ) -> Iterator[ImportedTrace]:
        """Yields one Trace per trace id of the file that has events, in the order of the file.

        A trace whose observations are in no file is left out: what they tell would come too late for a closed Trace.
        """
        own = Rows(report).add_all(read_records(stream, report))
        rows = joined(own, companions, report.path.replace("\\", "/").rsplit("/", 1)[-1])
        trees = {trace_id: _tree(trace_id, rows) for trace_id in own.ids() if _is_whole(trace_id, rows)}
        thin = len(own.ids()) - len(trees)
        if thin:
            report.skipped[_THIN] += thin
            report.notes.append(_MISSING.format(thin))
        beside = Rows(ImportReport(path="", kind=self.kind))
        beside.add_all(read_beside([c for c in companions if holds_scores(c)], context, report))
        for key, row in (beside.scores | rows.scores).items():
            trace_id = key_text(row.get("traceId")) or ""
            if trace_id in trees:
                trees[trace_id].scores.append(_score(row))
            elif key in own.scores:
                report.skipped[_NO_SCORE if trace_id in own.ids() else "score of no trace in the file"] += 1
        if trees or not thin:
            yield from import_trees(list(trees.values()), context, report, nothing=_NOTHING)


_NO_SCORE = "score of a trace without content"
_THIN = "trace whose observations are not in the export"
_MISSING = (
    "the observations of {} traces are missing: export them too (observations.json of the API, or each trace by its"
    " id) into the same folder, and capture it again"
)
_NOTHING = DataError(
    "holds no Langfuse observation with content", hint="export the traces with their observations, input and output"
)


def _is_whole(trace_id: str, rows: Rows) -> bool:
    return trace_id not in rows.traces or not rows.missing(trace_id)


def _tree(trace_id: str, rows: Rows) -> StoredTree:
    trace = rows.traces.get(trace_id)
    tree = StoredTree(trace_id, agent=Agent(name="langfuse"))
    observations = rows.observations.get(trace_id, {}).values()
    tree.spans = [_span(row, position, trace) for position, row in enumerate(observations)]
    if trace is not None:
        tree.spans.append(_root(trace, trace_id))
    return tree


def _score(row: dict[str, Any]) -> Score:
    source = row.get("source")
    value = None if row.get("dataType") in ("CATEGORICAL", "TEXT") else row.get("value")
    return Score(
        row["name"],
        float(value) if isinstance(value, bool) else value,
        source if isinstance(source, str) else "unknown",
        is_whole=key_text(row.get("observationId")) is None,
    )


def _root(trace: dict[str, Any], trace_id: str) -> Span:
    """Returns the trace itself as the span above its observations."""
    span = Span(
        labels=labels_of(trace),
        id=f"trace:{trace_id}",
        parent=None,
        name=str(trace.get("name") or "trace"),
        kind=GROUP,
        order=("", -1),
        type_name="trace",
        start=store_time(trace.get("timestamp")),
    )
    _state(span, trace)
    return span


def _state(span: Span, row: dict[str, Any]) -> None:
    given, answer = opened(row.get("input")), opened(row.get("output"))
    span.inputs = history_of(given)
    span.outputs = history_of(answer, role="assistant")
    span.task = None if span.inputs else task_text(given)
    span.answer = answer_text(answer)


def _span(row: dict[str, Any], position: int, trace: dict[str, Any] | None) -> Span:
    kind = _KINDS.get(row["type"], OTHER)
    above = key_text(row.get("parentObservationId"))
    start = store_time(row.get("startTime"))
    message = row.get("statusMessage")
    failed = row.get("level") == "ERROR"
    span = Span(
        labels=labels_of(row),
        id=key_text(row.get("id")) or f"row-{position}",
        parent=above or (f"trace:{row['traceId']}" if trace is not None else None),
        name=str(row.get("name") or row["type"].lower()),
        kind=kind,
        order=(start or "", position),
        type_name=row["type"],
        start=start,
        end=store_time(row.get("endTime")) or start,
        error=(message if isinstance(message, str) and message else "error") if failed else None,
    )
    given, answer = opened(row.get("input")), opened(row.get("output"))
    if kind == TOOL:
        span.arguments = given
        span.result = None if row.get("output") is None else plain(row["output"])
        span.call_id = _call_id(given, answer)
    elif kind == MODEL:
        span.inputs = messages_of(given) or messages_of(task_text(given))
        said = [one for one in messages_of(answer, role="assistant") if one.role == "assistant"]
        completion = answer.get("completion") if isinstance(answer, dict) else None
        span.outputs = said or messages_of(completion or answer_text(answer), role="assistant")
        span.model = key_text(row.get("model")) or key_text(row.get("providedModelName"))
    elif kind in (GROUP, AGENT):
        _state(span, row)
    return span


def _call_id(*values: Any) -> str | None:
    for value in values:
        for name in ("tool_call_id", "toolCallId"):
            if isinstance(value, dict) and isinstance(value.get(name), str):
                return str(value[name])
    return None
