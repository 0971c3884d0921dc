"""LangSmith runs: ingest dumps (`post` and `patch`), exported runs as a list or JSONL, and nested `child_runs`.

The runs of one `trace_id` are one attempt, in the order of `dotted_order`. Feedback on the root run becomes an
outcome by a registered mapping of its key; it stands in the export, in a file beside it, or in an outcome file.
`reference_example_id` is the attempt key; the example's own outputs are never read.
Not here: what a tree of runs tells (importers.spans).
"""

from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

from skillc.core.trace.records import Agent
from skillc.errors import DataError
from skillc.importers.base import Companion, ImportContext, ImportedTrace, ImportReport
from skillc.importers.chat_forms import history_of, messages_of, plain
from skillc.importers.documents import head_records, objects_of, read_records
from skillc.importers.lines import key_text
from skillc.importers.restrictor import labels_of
from skillc.importers.scores import Score
from skillc.importers.span_store import StoredTree, import_trees, read_beside
from skillc.importers.spans import GROUP, MODEL, OTHER, SCORER, TOOL, Span, answer_text, task_text
from skillc.importers.times import store_time

_KINDS = {
    "llm": MODEL,
    "tool": TOOL,
    "retriever": TOOL,
    "chain": GROUP,
    "prompt": OTHER,
    "parser": OTHER,
    "embedding": OTHER,
}


class LangSmithImporter:
    """Reads dumps and exports of runs, with their feedback."""

    kind = "langsmith"
    companion_globs: tuple[str, ...] = (
        "{stem}.feedback.json",
        "{stem}.feedback.jsonl",
        "feedback.json",
        "feedback.jsonl",
    )

    def detect(self, head: bytes, name: str) -> bool:
        return any(_is_langsmith(record) for record in head_records(head))

    def belongs_beside(self, head: bytes) -> bool:
        records = head_records(head)
        rows = [row for record in records for row in (_dicts(record.get("feedback")) or [record])]
        return bool(rows) and all(_is_feedback(row) for row in rows)

    def read(
        self,
        stream: BinaryIO,
        context: ImportContext,
        report: ImportReport,
        companions: Sequence[Companion] = (),
    ) -> Iterator[ImportedTrace]:
        """Yields one Trace per `trace_id` that has events, in the order of the file."""
        runs, feedback = _collected(objects_of(read_records(stream, report), report), report)
        outside = [row for row in read_beside(companions, context, report) if _is_feedback(row)]
        trees = _trees(runs, report)
        known = {span.id: tree for tree in trees for span in tree.spans} | {tree.id: tree for tree in trees}
        for row, is_own in [*((row, True) for row in feedback), *((row, False) for row in outside)]:
            tree = known.get(key_text(row.get("run_id")) or "") or known.get(key_text(row.get("trace_id")) or "")
            if not isinstance(row.get("key"), str):
                report.skipped["feedback without a key"] += 1
            elif tree is not None:
                tree.scores.append(_score(row, tree))
            elif is_own:
                report.skipped["feedback on a run that the file does not hold"] += 1
        yield from import_trees(trees, context, report, nothing=_NOTHING)


_NOTHING = DataError("holds no LangSmith run with content", hint="export the runs with their inputs and outputs")


def _is_langsmith(record: dict[str, Any]) -> bool:
    for name in ("post", "patch", "runs"):
        inside = record.get(name)
        if isinstance(inside, list) and any(isinstance(i, dict) and _is_run(i) for i in inside):
            return True
    return _is_run(record)


def _is_run(record: dict[str, Any]) -> bool:
    if isinstance(record.get("dotted_order"), str):
        return True
    return isinstance(record.get("run_type"), str) and not {
        "trace_id",
        "session_id",
        "inputs",
        "child_runs",
    }.isdisjoint(record)


def _is_feedback(record: dict[str, Any]) -> bool:
    return (
        isinstance(record.get("key"), str)
        and "run_type" not in record
        and not {"run_id", "trace_id"}.isdisjoint(record)
    )


def _collected(
    records: list[dict[str, Any]], report: ImportReport
) -> tuple[dict[str, dict[str, Any]], list[dict[str, Any]]]:
    """Returns the runs by id, patches merged into their posts and nested runs taken out, and the feedback rows."""
    rows: list[dict[str, Any]] = []
    patches: list[dict[str, Any]] = []
    feedback: list[dict[str, Any]] = []
    pending = list(reversed(records))
    while pending:
        record = pending.pop()
        if _is_feedback(record):
            feedback.append(record)
            continue
        envelopes = [name for name in ("post", "patch", "runs") if isinstance(record.get(name), list)]
        if envelopes and not _is_run(record):
            feedback += objects_of(_list(record.get("feedback")), report)
            for name in reversed(envelopes):
                inside = objects_of(record[name], report)
                if name == "patch":
                    patches += inside
                else:
                    pending += reversed(inside)
            continue
        rows.append(record)
        feedback += [{"run_id": record.get("id"), **row} for row in _dicts(record.get("feedback"))]
        parent = {"parent_run_id": record.get("id"), "trace_id": record.get("trace_id")}
        pending += reversed([{**parent, **_filled(child)} for child in _dicts(record.get("child_runs"))])
    return _merged(rows, patches, report), feedback


def _merged(
    rows: list[dict[str, Any]], patches: list[dict[str, Any]], report: ImportReport
) -> dict[str, dict[str, Any]]:
    runs: dict[str, dict[str, Any]] = {}
    for row in [*rows, *patches]:
        run_id = key_text(row.get("id")) or _last_id(row.get("dotted_order"))
        if run_id is None:
            report.skipped["run without an id"] += 1
            continue
        runs[run_id] = {**runs.get(run_id, {}), **_filled(row), "id": run_id}
    return runs


def _filled(row: dict[str, Any]) -> dict[str, Any]:
    """Returns a row without what it leaves empty: an empty field of a patch takes nothing away."""
    return {key: value for key, value in row.items() if value is not None and value != {}}


def _last_id(dotted_order: Any) -> str | None:
    """Returns the run's id at the end of a dotted order; a patch may name its run by nothing else."""
    last = dotted_order.rsplit(".", 1)[-1] if isinstance(dotted_order, str) else ""
    return last.split("Z", 1)[1] or None if "Z" in last else None


def _parent_of(run: dict[str, Any]) -> str | None:
    order = run.get("dotted_order")
    if isinstance(order, str) and "." in order:
        return _last_id(order.rsplit(".", 1)[0])
    return key_text(run.get("parent_run_id"))


def _trees(runs: dict[str, dict[str, Any]], report: ImportReport) -> list[StoredTree]:
    trees: dict[str, StoredTree] = {}
    for position, (run_id, run) in enumerate(runs.items()):
        tree_id = _tree_id(run, runs)
        tree = trees.setdefault(tree_id, StoredTree(tree_id))
        tree.spans.append(_span(run_id, run, position))
        if _parent_of(run) is None or run_id == tree_id:
            example = key_text(run.get("reference_example_id"))
            tree.attempt_key = tree.attempt_key or (f"example {example}" if example else None)
            tree.agent = Agent(name="langsmith")
        if run.get("feedback_stats"):
            report.skipped["feedback_stats: sums say neither source nor run"] += 1
    return list(trees.values())


def _tree_id(run: dict[str, Any], runs: dict[str, dict[str, Any]]) -> str:
    order = run.get("dotted_order")
    named = key_text(run.get("trace_id")) or _last_id(order.split(".", 1)[0] if isinstance(order, str) else None)
    passed: set[str] = set()
    while named is None and run["id"] not in passed:
        passed.add(run["id"])
        above = runs.get(_parent_of(run) or "")
        if above is None:
            break
        run = above
        named = key_text(run.get("trace_id"))
    return named or str(run["id"])


def _span(run_id: str, run: dict[str, Any], position: int) -> Span:
    word = run.get("run_type")
    type_name = word.lower() if isinstance(word, str) else "chain"
    inputs, outputs = run.get("inputs"), run.get("outputs")
    kind = SCORER if _is_evaluator(inputs) else _KINDS.get(type_name, OTHER)
    order = run.get("dotted_order")
    start = store_time(run.get("start_time"))
    error = run.get("error")
    span = Span(
        labels=labels_of(run),
        id=run_id,
        parent=_parent_of(run),
        name=run["name"] if isinstance(run.get("name"), str) and run["name"] else type_name,
        kind=kind,
        order=(order if isinstance(order, str) else start or "", position),
        type_name=type_name,
        start=start,
        end=store_time(run.get("end_time")),
        error=error if isinstance(error, str) and error else None,
    )
    if kind == TOOL:
        span.arguments = inputs if inputs else None
        span.result = None if outputs is None else plain(outputs)
        span.call_id = _call_id(run)
    elif kind == MODEL:
        span.inputs = messages_of(inputs) or messages_of(task_text(inputs))
        span.outputs = _answers(outputs)
        span.model = _model(run)
    elif kind == GROUP:
        span.inputs = history_of(inputs)
        span.outputs = history_of(outputs, role="assistant")
        span.task = None if span.inputs else task_text(inputs)
        span.answer = answer_text(outputs)
    return span


def _is_evaluator(inputs: Any) -> bool:
    """Says whether a run judged another one: it was given that run with its example, or the expected outputs."""
    if not isinstance(inputs, dict):
        return False
    return {"run", "example"} <= inputs.keys() or {"outputs", "reference_outputs"} <= inputs.keys()


def _answers(outputs: Any) -> list[Any]:
    if isinstance(outputs, dict) and len(outputs) == 1 and "output" in outputs:
        outputs = outputs["output"]
    found = messages_of(outputs, role="assistant")
    return [said for said in found if said.role == "assistant"] or messages_of(answer_text(outputs), role="assistant")


def _call_id(run: dict[str, Any]) -> str | None:
    outputs = run.get("outputs")
    inner = outputs.get("output") if isinstance(outputs, dict) else None
    for value in (inner, outputs, run.get("inputs")):
        value = value.get("kwargs", value) if isinstance(value, dict) else None
        if isinstance(value, dict) and isinstance(value.get("tool_call_id"), str):
            return str(value["tool_call_id"])
    return None


def _model(run: dict[str, Any]) -> str | None:
    extra = run.get("extra")
    metadata = extra.get("metadata") if isinstance(extra, dict) else None
    return key_text(metadata.get("ls_model_name")) if isinstance(metadata, dict) else None


def _score(row: dict[str, Any], tree: StoredTree) -> Score:
    source = row.get("feedback_source")
    kind = source.get("type") if isinstance(source, dict) else source
    run_id = key_text(row.get("run_id"))
    value = row.get("score")
    return Score(
        name=str(row["key"]),
        value=float(value) if isinstance(value, bool) else value,
        source=kind if isinstance(kind, str) else "unknown",
        is_whole=run_id is None or run_id == tree.id or run_id in tree.root_ids(),
    )


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [item for item in _list(value) if isinstance(item, dict)]
