"""Native Traces: `skillc.trace/1` lines that another harness wrote, kept byte for byte or made whole.

A sealed Trace of this namespace whose digest holds and in which redaction finds nothing stays as it is.
Anything else is rebuilt: ids, salts, source and digest may be absent and are filled in. A file holds one
Trace or several, one after another. Nothing of a file with a bad line is imported.
Not here: other formats (their own importers).
"""

import io
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO, TypeVar

from pydantic import ValidationError

from skillc.core.trace.codec import Trace, parse_trace, salt_of, trace_id_of
from skillc.core.trace.records import TRACE_FORMAT, Close, Event, EventKind, Outcome, TraceHeader
from skillc.errors import DataError, lines_error
from skillc.importers.base import Companion, ImportContext, ImportedTrace, ImportReport, content_key
from skillc.importers.lines import head_objects, iter_lines, parse_json
from skillc.importers.restrictor import LABEL_KEYS, labels_of
from skillc.importers.writer import MAX_OBJECTIVE_CHARS, TraceWriter

MAX_TRACE_BYTES = 256 * 1024 * 1024
_R = TypeVar("_R", TraceHeader, Event, Close)
_Numbered = tuple[int, bytes, dict[str, Any]]


class NativeImporter:
    """Reads JSONL whose records are `trace`, `event` and `close`."""

    kind = "native"
    companion_globs: tuple[str, ...] = ()

    def detect(self, head: bytes, name: str) -> bool:
        first = next(iter(head_objects(head, 3)), {})
        return first.get("record") == "trace" or str(first.get("format", "")).startswith("skillc.trace/")

    def read(
        self,
        stream: BinaryIO,
        context: ImportContext,
        report: ImportReport,
        companions: Sequence[Companion] = (),
    ) -> Iterator[ImportedTrace]:
        groups = _grouped(stream, report)
        checked = [_checked(group, context, report) for group in groups]  # all of it, before anything is given out
        for group, (header, events, close) in zip(groups, checked, strict=True):
            other = group[0][2].get("namespace", context.namespace)
            if other != context.namespace:
                report.notes.append(f"{header.trace_id} comes from another namespace and now belongs to this one")
            yield _kept(group, header, context, report) or _rebuilt(group, header, events, close, context, report)


def _grouped(stream: BinaryIO, report: ImportReport) -> list[list[_Numbered]]:
    """Returns the lines of each Trace. Raises DataError with every line that is no object of ours."""
    groups: list[list[_Numbered]] = []
    problems: list[tuple[int, str]] = []
    size = 0
    for number, line in enumerate(iter_lines(stream), 1):
        size += len(line)
        if size > MAX_TRACE_BYTES:
            raise DataError(f"{report.path}:{number}: the file is larger than {MAX_TRACE_BYTES} bytes")
        if not line.strip():
            continue
        try:
            value = parse_json(line)
        except ValueError:
            problems.append((number, "is not JSON"))
            continue
        what = _problem(value, bool(groups))
        if what is not None:
            problems.append((number, what))
            continue
        if value["record"] == "trace":
            groups.append([])
        groups[-1].append((number, line.rstrip(b"\r\n"), value))
    if problems:
        raise lines_error(report.path, problems)
    if not groups:
        raise DataError(f"{report.path}:1: holds no Trace", hint='the first line is {"record":"trace",...}')
    return groups


def _problem(value: Any, has_header: bool) -> str | None:
    if not isinstance(value, dict):
        return "is JSON, but not an object"
    kind = value.get("record")
    if kind == "trace":
        found = value.get("format", TRACE_FORMAT)
        return None if found == TRACE_FORMAT else f"has format {str(found)[:40]!r}; this skillc reads {TRACE_FORMAT!r}"
    if kind not in ("event", "close"):
        return "has no `record` of trace, event or close"
    return None if has_header else "stands before the header line"


def _checked(
    group: list[_Numbered], context: ImportContext, report: ImportReport
) -> tuple[TraceHeader, list[Event], Close]:
    """Returns the records of one Trace with what is absent filled in, or raises DataError with all bad lines."""
    problems: list[tuple[int, str]] = []
    number, _line, fields = group[0]
    session = str(fields.get("trace_id") or content_key(context, b"\n".join(item[1] for item in group)))
    raw = {
        "format": TRACE_FORMAT,
        "origin": "imported",
        "objective": "",
        "salt": "",
        **_without_labels(fields),
        "namespace": context.namespace,
        "trace_id": fields.get("trace_id") or trace_id_of(context.namespace, report.kind, session),
        "agent": fields.get("agent") or {"name": "unknown"},
        "source": _source(fields.get("source"), report.kind, session),
    }
    header = _validated(TraceHeader, raw, number, problems)
    events: list[Event] = []
    close: Close | None = None
    for number, _line, fields in group[1:]:
        if close is not None:
            problems.append((number, "stands after the close line"))
        elif fields["record"] == "close":
            close = _validated(
                Close, {"reported_by": "harness", "digest": "", "salt": "", **_without_labels(fields)}, number, problems
            )
        else:
            seq = len(events)
            event = _validated(
                Event, {"salt": "", **_without_labels(fields), "id": f"e{seq}", "seq": seq}, number, problems
            )
            if event is not None and fields.get("seq", seq) != seq:
                problems.append((number, f"has seq {fields['seq']!r}, but it is event {seq}"))
            if event is not None:
                events.append(event)
    if problems or header is None:
        raise lines_error(report.path, problems)
    if not events:
        raise DataError(f"{report.path}:{group[0][0]}: Trace {header.trace_id!r} holds no event")
    return header, events, close or Close(outcome=Outcome.UNKNOWN, reported_by="harness", digest="", salt="")


def _without_labels(fields: dict[str, Any]) -> dict[str, Any]:
    """Returns a record without what a policy may ask of it and a Trace does not hold."""
    return {name: value for name, value in fields.items() if name not in LABEL_KEYS}


def _source(given: Any, kind: str, session: str) -> Any:
    if given is None or isinstance(given, dict):
        return {"kind": kind, "ref": session, "sha256": "", **(given or {})}
    return given  # refused by the record, with its line


def _validated(model: type[_R], fields: dict[str, Any], number: int, problems: list[tuple[int, str]]) -> _R | None:
    try:
        return model.model_validate(fields)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "record"
        problems.append((number, f"is no {model.__name__}: {where[:80]}: {first['msg'][:200]}"))
        return None


def _kept(
    group: list[_Numbered], header: TraceHeader, context: ImportContext, report: ImportReport
) -> ImportedTrace | None:
    """Returns a Trace as it is when it is sealed, whole, of this namespace, and clean; else None."""
    if group[0][2].get("namespace") != context.namespace:
        return None
    data = b"\n".join(line for _, line, _ in group) + b"\n"
    try:
        trace = parse_trace(data, path=report.path)
    except DataError:
        return None
    if trace.deleted or any(labels_of(fields) for _, _, fields in group) or _would_change(trace, data, context, report):
        return None
    return ImportedTrace(
        header=trace.header,
        close=trace.close,
        body=io.BytesIO(data),
        size_bytes=len(data),
        events=len(trace.events),
    )


def _would_change(trace: Trace, data: bytes, context: ImportContext, report: ImportReport) -> bool:
    """Says whether redaction or policy would keep any line other than it is."""
    probe = TraceWriter(context, report, session="", trace_id=trace.trace_id)
    lines = data.split(b"\n")
    try:
        return probe.would_clean(lines[0]) or any(
            probe.would_change(event, line) for event, line in zip(trace.events, lines[1:], strict=False)
        )
    finally:
        probe.discard()


def _rebuilt(
    group: list[_Numbered],
    header: TraceHeader,
    events: list[Event],
    close: Close,
    context: ImportContext,
    report: ImportReport,
) -> ImportedTrace:
    writer = TraceWriter(context, report, session="", trace_id=header.trace_id)
    whole, objective = labels_of(group[0][2]), header.objective
    for event, (_number, _line, fields) in zip(events, group[1:], strict=False):
        writer.labels = whole | labels_of(fields)
        if not writer.add_event(event) and event.kind is EventKind.USER_MESSAGE:
            objective = ""  # it may repeat what the event said
    return writer.finish_records(
        header.model_copy(
            update={
                "objective": objective[:MAX_OBJECTIVE_CHARS],
                "task_family": header.task_family or context.task_family,
                "salt": salt_of(context.secret, header.trace_id, "header"),
            }
        ),
        close.model_copy(update={"salt": salt_of(context.secret, header.trace_id, "close")}),
    )
