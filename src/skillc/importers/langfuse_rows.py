"""The rows of Langfuse by their trace: of one file, and of the files beside it that hold the rest of its traces.

An export may keep traces, observations and scores apart and in pages. Such files are one source, whichever of them
is read and however they are called: their rows come in the order of the files' names. A trace whose own file says
everything asks for nothing else. Not here: what a row tells (importers.langfuse).
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Literal

from skillc.errors import DataError
from skillc.importers.base import Companion, ImportReport
from skillc.importers.companions import MAX_COMPANIONS
from skillc.importers.documents import head_records, objects_of, read_records
from skillc.importers.lines import key_text

# The store's own words for what an observation is.
KINDS = frozenset(
    {"GENERATION", "SPAN", "CHAIN", "AGENT", "TOOL", "RETRIEVER", "EVALUATOR", "EVENT", "EMBEDDING", "GUARDRAIL"}
)
Row = dict[str, Any]
_HEAD_BYTES = 64 * 1024


class Rows:
    """Traces, observations and scores. The first row of an id counts, but for a trace that is told again in a file."""

    def __init__(self, report: ImportReport) -> None:
        self.report = report
        self.traces: dict[str, Row] = {}
        self.observations: dict[str, dict[str, Row]] = {}
        self.scores: dict[str, Row] = {}

    def add_all(self, records: list[Any]) -> "Rows":
        """Takes the records of a file: rows, or pages of them."""
        for record in objects_of(records, self.report):
            for row in page_of(record):
                self._add(snake_free(row))
        return self

    def _add(self, row: Row) -> None:
        if is_observation(row):
            of_trace = self.observations.setdefault(row["traceId"], {})
            of_trace.setdefault(key_text(row.get("id")) or f"row-{len(of_trace)}", row)
        elif is_score(row):
            self.scores.setdefault(self._score_key(row), row)
        elif (trace_id := key_text(row.get("id"))) is not None and not {
            "observations",
            "timestamp",
            "input",
        }.isdisjoint(row):
            self.traces[trace_id] = row
            for name in ("observations", "scores"):
                inside = row.get(name)
                items = objects_of(inside, self.report) if isinstance(inside, list) and not _are_ids(inside) else []
                for item in items:
                    child = snake_free(item)
                    child.setdefault("traceId", trace_id)
                    self._add(child)
        else:
            self.report.skipped["row of another kind"] += 1

    def _score_key(self, row: Row) -> str:
        """The same score told twice is one; two values under one id are two, so that they can disagree."""
        if key_text(row.get("id")) is None:
            return f"{self.report.path} {len(self.scores)}"
        return repr([row.get(name) for name in ("id", "traceId", "name", "value", "stringValue", "source")])

    def ids(self) -> list[str]:
        """Returns the traces in their order, then those of observations without their trace."""
        return list(dict.fromkeys([*self.traces, *self.observations]))

    def join(self, other: "Rows", wanted: set[str]) -> None:
        """Takes the rows of another file about some traces."""
        for trace_id in other.ids():
            if trace_id in wanted:
                if trace_id in other.traces:
                    self.traces.setdefault(trace_id, other.traces[trace_id])
                mine = self.observations.setdefault(trace_id, {})
                for key, row in other.observations.get(trace_id, {}).items():
                    mine.setdefault(key, row)
        for key, row in other.scores.items():
            if key_text(row.get("traceId")) in wanted:
                self.scores.setdefault(key, row)

    def missing(self, trace_id: str) -> int:
        """Returns how many observations of a trace are named and not here; 1 where none is here and none is named."""
        present = self.observations.get(trace_id, {})
        inside = self.traces.get(trace_id, {}).get("observations")
        if isinstance(inside, list):
            return sum(1 for item in inside if isinstance(item, str) and item not in present)
        return 0 if present else 1

    def lacks(self, trace_id: str) -> bool:
        """Says whether other files may have more about a trace: its observations, or the trace itself."""
        return trace_id not in self.traces or self.missing(trace_id) > 0


def joined(own: Rows, companions: Sequence[Companion], name: str) -> Rows:
    """Returns the rows of a file with what the files beside it have about its traces, and only about them."""
    wanted = {trace_id for trace_id in own.ids() if own.lacks(trace_id)}
    related = [c for c in companions if wanted and not wanted.isdisjoint(_ids_in(c))]
    if not related:
        return own
    files = {companion.name: companion for companion in related}
    found = Rows(own.report)
    for file in sorted([name, *files]):
        if file == name:
            found.join(own, set(own.ids()))
            found.scores |= own.scores
        else:
            found.join(_rows_of(files[file]), wanted)
    return found


def holds_scores(companion: Companion) -> bool:
    """Says whether a file beside a source holds scores and no traces, by its head or its usual name."""
    return companion.name.endswith(("scores.json", "scores.jsonl")) or _look(companion) == "scores"


def is_score_file(head: bytes) -> bool:
    """Says whether a file's head shows scores and nothing that makes a Trace."""
    rows = [snake_free(row) for record in head_records(head) for row in page_of(record)]
    return any(map(is_score, rows)) and not any(is_trace(row) or is_observation(row) for row in rows)


def is_langfuse(head: bytes) -> bool:
    """Says whether a file's head shows traces or observations."""
    rows = (snake_free(row) for record in head_records(head) for row in page_of(record))
    return any(is_trace(row) or is_observation(row) for row in rows)


@lru_cache(maxsize=MAX_COMPANIONS)
def _look(companion: Companion) -> Literal["rows", "scores", "other"]:
    """Says what a file holds. It is the companion of all others in its folder, and is looked at once."""
    try:
        with companion.open() as stream:
            head = stream.read(_HEAD_BYTES)
    except OSError:
        return "other"
    return "rows" if is_langfuse(head) else "scores" if is_score_file(head) else "other"


@lru_cache(maxsize=MAX_COMPANIONS)
def _ids_in(companion: Companion) -> frozenset[str]:
    """Returns the traces that a file tells about; a file of another kind or that cannot be read tells about none."""
    return frozenset(_rows_of(companion).ids()) if _look(companion) == "rows" else frozenset()


def _rows_of(companion: Companion) -> Rows:
    ignored = ImportReport(path=companion.name, kind="langfuse")
    try:
        with companion.open() as stream:
            return Rows(ignored).add_all(read_records(stream, ignored))
    except (DataError, OSError):
        return Rows(ignored)


def page_of(record: Row) -> list[Row]:
    """Returns the rows of an API page, or the record itself."""
    inside = record.get("data")
    if isinstance(inside, list) and not {"id", "type", "traceId"} & record.keys():
        return [item for item in inside if isinstance(item, dict)]
    return [record]


def snake_free(row: Row) -> Row:
    """Returns a row with the API's names: `trace_id` becomes `traceId`."""
    found: Row = {}
    for key, value in row.items():
        first, *rest = key.split("_")
        name = first + "".join(part.capitalize() for part in rest) if first and rest else key
        found.setdefault(name, value)
    return found


def is_trace(row: Row) -> bool:
    """Says whether a row, in the API's names, is a trace."""
    observations = row.get("observations")
    if isinstance(observations, list) and "id" in row:
        items = [snake_free(item) for item in observations if isinstance(item, dict)]
        return not items or any(is_observation(item) for item in items)
    return "htmlPath" in row and "id" in row


def is_observation(row: Row) -> bool:
    """Says whether a row, in the API's names, is an observation."""
    kind = row.get("type")
    is_known = isinstance(kind, str) and (kind in KINDS or "startTime" in row)
    return is_known and isinstance(row.get("traceId"), str) and "spanId" not in row


def is_score(row: Row) -> bool:
    """Says whether a row, in the API's names, is a score."""
    named = isinstance(row.get("name"), str) and not {"value", "stringValue"}.isdisjoint(row)
    return named and not {"traceId", "sessionId", "dataType"}.isdisjoint(row) and "type" not in row


def _are_ids(values: list[Any]) -> bool:
    return all(isinstance(value, str) for value in values)
