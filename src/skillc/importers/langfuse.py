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
from skillc.importers.documents import head_records, objects_of, read_records
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
    companion_globs: tuple[str, ...] = (
        "{stem}.scores.json",
        "{stem}.scores.jsonl",
        "scores.json",
        "scores.jsonl",
    )

    def detect(self, head: bytes, name: str) -> bool:
        records = [_snake_free(row) for record in head_records(head) for row in _page(record)]
        return any(_is_trace(row) or _is_observation(row) for row in records)

    def read(
        self,
        stream: BinaryIO,
        context: ImportContext,
        report: ImportReport,
        companions: Sequence[Companion] = (),
    ) -> Iterator[ImportedTrace]:
        """Yields one Trace per trace id that has events, in the order of the file."""
        store = _Store(report)
        for record in objects_of(read_records(stream, report), report):
            for row in _page(record):
                store.add(_snake_free(row))
        trees = store.trees()
        for row in read_beside(companions, context, report):
            store.score(_snake_free(row), trees, is_own=False)
        for row in store.scores:
            store.score(row, trees, is_own=True)
        yield from import_trees(list(trees.values()), context, report, nothing=_NOTHING)


_NOTHING = DataError(
    "holds no Langfuse observation with content", hint="export the traces with their observations, input and output"
)


def _page(record: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns the rows of an API page, or the record itself."""
    inside = record.get("data")
    if isinstance(inside, list) and not {"id", "type", "traceId"} & record.keys():
        return [item for item in inside if isinstance(item, dict)]
    return [record]


def _snake_free(row: dict[str, Any]) -> dict[str, Any]:
    """Returns a row with the API's names: `trace_id` becomes `traceId`."""
    found: dict[str, Any] = {}
    for key, value in row.items():
        first, *rest = key.split("_")
        name = first + "".join(part.capitalize() for part in rest) if first and rest else key
        found.setdefault(name, value)
    return found


def _is_trace(row: dict[str, Any]) -> bool:
    observations = row.get("observations")
    if isinstance(observations, list) and "id" in row:
        items = [_snake_free(item) for item in observations if isinstance(item, dict)]
        return not items or any(_is_observation(item) for item in items)
    return "htmlPath" in row and "id" in row


def _is_observation(row: dict[str, Any]) -> bool:
    kind = row.get("type")
    is_known = isinstance(kind, str) and (kind in _KINDS or "startTime" in row)
    return is_known and isinstance(row.get("traceId"), str) and "spanId" not in row


def _is_score(row: dict[str, Any]) -> bool:
    named = isinstance(row.get("name"), str) and not {"value", "stringValue"}.isdisjoint(row)
    return named and not {"traceId", "sessionId", "dataType"}.isdisjoint(row) and "type" not in row


class _Store:
    """The rows of one file by their trace."""

    def __init__(self, report: ImportReport) -> None:
        self.report = report
        self.traces: dict[str, dict[str, Any]] = {}
        self.observations: dict[str, list[dict[str, Any]]] = {}
        self.scores: list[dict[str, Any]] = []

    def add(self, row: dict[str, Any]) -> None:
        """Takes a trace, an observation or a score; anything else is counted."""
        if _is_observation(row):
            self.observations.setdefault(row["traceId"], []).append(row)
        elif _is_score(row):
            self.scores.append(row)
        elif (trace_id := key_text(row.get("id"))) is not None and not {
            "observations",
            "timestamp",
            "input",
        }.isdisjoint(row):
            self.traces[trace_id] = row
            for name in ("observations", "scores"):
                inside = row.get(name)
                if name == "observations" and isinstance(inside, list) and inside and _are_ids(inside):
                    self.report.skipped["observation that is named and not exported"] += len(inside)
                items = objects_of(inside, self.report) if isinstance(inside, list) and not _are_ids(inside) else []
                for item in items:
                    child = _snake_free(item)
                    child.setdefault("traceId", trace_id)
                    self.add(child)
        else:
            self.report.skipped["row of another kind"] += 1

    def trees(self) -> dict[str, StoredTree]:
        """Returns the trees in the order of the traces, then of observations without their trace."""
        found: dict[str, StoredTree] = {}
        for trace_id in dict.fromkeys([*self.traces, *self.observations]):
            rows = self.observations.get(trace_id, [])
            trace = self.traces.get(trace_id)
            tree = StoredTree(trace_id, agent=Agent(name="langfuse"))
            tree.spans = [_span(row, position, trace) for position, row in enumerate(rows)]
            if trace is not None:
                tree.spans.append(_root(trace, trace_id))
            found[trace_id] = tree
        return found

    def score(self, row: dict[str, Any], trees: dict[str, StoredTree], *, is_own: bool) -> None:
        """Gives a score to its trace. A score of a session, or of another file's trace, is of no attempt here."""
        if not _is_score(row):
            return
        tree = trees.get(key_text(row.get("traceId")) or "")
        if tree is None:
            if is_own:
                self.report.skipped["score of no trace in the file"] += 1
            return
        source = row.get("source")
        value = None if row.get("dataType") in ("CATEGORICAL", "TEXT") else row.get("value")
        observation = key_text(row.get("observationId"))
        tree.scores.append(
            Score(
                row["name"],
                float(value) if isinstance(value, bool) else value,
                source if isinstance(source, str) else "unknown",
                is_whole=observation is None,
            )
        )


def _are_ids(values: list[Any]) -> bool:
    return all(isinstance(value, str) for value in values)


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
