"""Braintrust rows: logs and experiments as a list, JSONL or an API page, and the partial rows of the SDK.

The rows of one `root_span_id` are one attempt. Rows come in any order; `_is_merge` rows are merged into their
row. Scorers never act. The scores on the root become an outcome by a registered mapping of their name; a scorer
that asked a model is a judge. `expected` and `metadata` are never read into an event.
Not here: what a tree of spans tells (importers.spans), merging (importers.braintrust_rows).
"""

from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

from skillc.core.trace.records import Agent
from skillc.errors import DataError
from skillc.importers.base import Companion, ImportContext, ImportedTrace, ImportReport
from skillc.importers.braintrust_rows import merged_rows
from skillc.importers.chat_forms import history_of, messages_of, opened, plain
from skillc.importers.documents import head_records, objects_of, read_records
from skillc.importers.lines import key_text
from skillc.importers.restrictor import labels_of
from skillc.importers.scores import Score
from skillc.importers.span_store import StoredTree, import_trees
from skillc.importers.spans import GROUP, MODEL, OTHER, SCORER, TOOL, Span, answer_text, task_text
from skillc.importers.times import store_time
from skillc.importers.verdicts import number_of

_KINDS = {
    "llm": MODEL,
    "tool": TOOL,
    "score": SCORER,
    "function": GROUP,
    "task": GROUP,
    "eval": GROUP,
}
_SUMMARY = {"input", "output", "metadata", "name"}


class BraintrustImporter:
    """Reads rows with `span_id` and `root_span_id`."""

    kind = "braintrust"
    companion_globs: tuple[str, ...] = ()

    def detect(self, head: bytes, name: str) -> bool:
        records = head_records(head)
        if len(records) == 1 and isinstance(records[0].get("events"), list):
            records = _dicts(records[0]["events"])
        return any(_is_row(record) for record in records) or (
            bool(records) and all(record.keys() == _SUMMARY for record in records)
        )

    def read(
        self,
        stream: BinaryIO,
        context: ImportContext,
        report: ImportReport,
        companions: Sequence[Companion] = (),
    ) -> Iterator[ImportedTrace]:
        """Yields one Trace per root span that has events, in the order in which the roots appear."""
        records = objects_of(read_records(stream, report), report)
        rows: list[dict[str, Any]] = []
        for record in records:
            page = record.get("events")
            rows += objects_of(page, report) if isinstance(page, list) and not _is_row(record) else [record]
        yield from import_trees(_trees(merged_rows(rows, report), report), context, report, nothing=_NOTHING)


_NOTHING = DataError(
    "holds no Braintrust trace with spans: rows without child spans are summaries, and name no step",
    hint="export the spans too: in the log view choose all spans, or fetch the rows with their child spans",
)


def _is_row(record: dict[str, Any]) -> bool:
    if "span_id" in record and "root_span_id" in record:
        return True
    return "_xact_id" in record and not {"span_attributes", "project_id", "scores"}.isdisjoint(record)


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _trees(rows: list[dict[str, Any]], report: ImportReport) -> list[StoredTree]:
    grouped: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        root, span = key_text(row.get("root_span_id")), key_text(row.get("span_id"))
        if root is None or span is None:
            report.skipped["row without a span id"] += 1
        else:
            grouped.setdefault(root, []).append(row)
    trees = []
    for root_id, group in grouped.items():
        if len(group) == 1 and _kind_of(group[0]) not in (MODEL, TOOL):
            report.skipped["summary row without child spans"] += 1
            continue
        trees.append(_tree(root_id, group, report))
    return trees


def _tree(root_id: str, group: list[dict[str, Any]], report: ImportReport) -> StoredTree:
    tree = StoredTree(root_id, agent=Agent(name="braintrust"), low=0.0, high=1.0)
    tree.spans = [_span(row, position) for position, row in enumerate(group)]
    judges = _judges(tree.spans)
    for row in group:
        scores = row.get("scores")
        is_root = row.get("span_id") == root_id or row.get("is_root") is True or not _dicts_or_ids(row)
        for name, value in scores.items() if isinstance(scores, dict) else ():
            if is_root:
                tree.scores.append(Score(name, value, "model" if name in judges else None))
            elif value is not None and _kind_of(row) != SCORER:
                report.skipped["score of a part of the attempt"] += 1
        origin = row.get("origin")
        if is_root and isinstance(origin, dict) and (example := key_text(origin.get("id"))):
            tree.attempt_key = f"dataset row {example}"
    return tree


def _dicts_or_ids(row: dict[str, Any]) -> list[Any]:
    parents = row.get("span_parents")
    return parents if isinstance(parents, list) else []


def _judges(spans: list[Span]) -> set[str]:
    """Returns the names of the scorers that asked a model: a model's span stands below them."""
    by_id = {span.id: span for span in spans}
    found: set[str] = set()
    for span in spans:
        above: Span | None = span if span.kind == MODEL else None
        for _ in range(64):
            above = by_id.get(above.parent or "") if above is not None else None
            if above is None:
                break
            if above.kind == SCORER:
                found.add(above.name)
    return found


def _attributes(row: dict[str, Any]) -> dict[str, Any]:
    value = row.get("span_attributes")
    return value if isinstance(value, dict) else {}


def _kind_of(row: dict[str, Any]) -> str:
    attributes = _attributes(row)
    if attributes.get("purpose") == "scorer":
        return SCORER
    kind = attributes.get("type")
    if kind is None:
        return GROUP
    return _KINDS.get(kind, OTHER) if isinstance(kind, str) else OTHER


def _span(row: dict[str, Any], position: int) -> Span:
    attributes, kind = _attributes(row), _kind_of(row)
    metrics = row.get("metrics")
    metrics = metrics if isinstance(metrics, dict) else {}
    parents = _dicts_or_ids(row)
    parent = key_text(parents[0]) if parents else None
    name = attributes.get("name")
    counter = attributes.get("exec_counter")
    begin = metrics.get("start")
    error = row.get("error")
    span = Span(
        labels=labels_of(row),
        id=str(row["span_id"]),
        parent=parent,
        name=name if isinstance(name, str) and name else "span",
        kind=kind,
        order=(_number(begin), _number(counter), position),
        type_name=str(attributes.get("type")),
        start=_moment(begin) or store_time(row.get("created")),
        end=_moment(metrics.get("end")),
        error=error if isinstance(error, str) and error else plain(error) or None,
    )
    _fill(span, row)
    return span


def _fill(span: Span, row: dict[str, Any]) -> None:
    given, answer = opened(row.get("input")), opened(row.get("output"))
    if span.kind == TOOL:
        span.arguments, span.call_id = _arguments(given)
        span.result = None if row.get("output") is None else plain(row["output"])
    elif span.kind == MODEL:
        span.inputs = messages_of(given) or messages_of(task_text(given))
        said = [one for one in messages_of(answer, role="assistant") if one.role == "assistant"]
        span.outputs = said or messages_of(answer_text(answer), role="assistant")
        metadata = opened(row.get("metadata"))
        span.model = key_text(metadata.get("model")) if isinstance(metadata, dict) else None
    elif span.kind == GROUP:
        span.inputs = history_of(given)
        span.task = None if span.inputs else task_text(given)
        span.answer = answer_text(answer)


def _arguments(given: Any) -> tuple[Any, str | None]:
    """Returns the arguments of a tool's span; some SDKs write a list of them and the options of the call."""
    if isinstance(given, list) and len(given) == 2 and isinstance(given[1], dict) and "toolCallId" in given[1]:
        return given[0], key_text(given[1]["toolCallId"])
    if isinstance(given, list) and len(given) == 1:
        return given[0], None
    return given, None


def _number(value: Any) -> float:
    return (number_of(value) or 0.0) if not isinstance(value, bool) else 0.0


def _moment(value: Any) -> str | None:
    return store_time(value) if isinstance(value, int | float) and value else None
