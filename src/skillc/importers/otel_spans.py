"""OpenTelemetry spans as they are written: OTLP JSON, and the forms that the SDKs print; made one form.

OTLP wraps spans in resources and scopes, writes whole numbers as strings and values by their type. The SDK of
JavaScript prints `spanContext`, the one of Python `context` with ids in hex.
Not here: what the attributes mean (importers.otel_content).
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from skillc.importers.base import ImportReport
from skillc.importers.lines import key_text
from skillc.importers.times import store_time

_MAX_DEPTH = 50


@dataclass
class OtelEvent:
    """An event of a span, or a log record beside the spans."""

    name: str
    attributes: dict[str, Any]


@dataclass
class OtelSpan:
    """One span. `order` is its start in ns, as far as the source says it."""

    trace_id: str
    id: str
    parent: str | None
    name: str
    order: int
    start: str | None
    end: str | None
    attributes: dict[str, Any]
    events: list[OtelEvent] = field(default_factory=list)
    error: str | None = None


def is_otel(record: dict[str, Any]) -> bool:
    """Says whether a record is an OTLP object, or a span as an SDK prints it."""
    if isinstance(record.get("resourceSpans"), list) or isinstance(record.get("resource_spans"), list):
        return True
    context = _context(record)
    has_ids = bool(context) and not {"attributes", "kind", "name"}.isdisjoint(record)
    is_bare = {"traceId", "spanId"} <= record.keys() and not {"attributes", "startTimeUnixNano"}.isdisjoint(record)
    return has_ids or is_bare


def spans_of(record: dict[str, Any], report: ImportReport) -> Iterator[OtelSpan]:
    """Yields the spans of a record; what is no span is counted."""
    resources = record.get("resourceSpans") or record.get("resource_spans")
    if not isinstance(resources, list):
        rows: list[Any] = [record]
    else:
        rows = []
        for resource in _dicts(resources):
            scopes = (
                resource.get("scopeSpans") or resource.get("scope_spans") or resource.get("instrumentationLibrarySpans")
            )
            for scope in _dicts(scopes):
                inside = scope.get("spans")
                rows += inside if isinstance(inside, list) else []
    for row in rows:
        span = _span(row) if isinstance(row, dict) else None
        if span is None:
            report.skipped["record that is no span"] += 1
        else:
            yield span


def log_events(record: dict[str, Any]) -> Iterator[tuple[str, str, OtelEvent]]:
    """Yields the log records of an OTLP object with the trace and span that they belong to."""
    for resource in _dicts(record.get("resourceLogs")):
        for scope in _dicts(resource.get("scopeLogs")):
            for row in _dicts(scope.get("logRecords")):
                attributes = attributes_of(row.get("attributes"))
                body = _value(row.get("body"), 0)
                if isinstance(body, dict):
                    attributes = {**body, **attributes}
                name = key_text(row.get("eventName")) or key_text(attributes.get("event.name")) or ""
                yield key_text(row.get("traceId")) or "", key_text(row.get("spanId")) or "", OtelEvent(name, attributes)


def attributes_of(value: Any) -> dict[str, Any]:
    """Returns attributes as an object, from the OTLP list or from an object."""
    if isinstance(value, dict):
        return value
    found: dict[str, Any] = {}
    for item in _dicts(value):
        if isinstance(item.get("key"), str):
            found[item["key"]] = _value(item.get("value"), 0)
    return found


def _value(value: Any, depth: int) -> Any:
    if not isinstance(value, dict) or depth > _MAX_DEPTH:
        return value
    for name, inner in value.items():
        if name in ("stringValue", "string_value", "boolValue", "bool_value"):
            return inner
        if name in ("intValue", "int_value"):
            return _whole(inner)
        if name in ("doubleValue", "double_value"):
            return inner if isinstance(inner, int | float) else None  # "NaN" and "Infinity" are no score
        if name in ("arrayValue", "array_value"):
            return [_value(item, depth + 1) for item in _dicts(inner.get("values"))] if isinstance(inner, dict) else []
        if name in ("kvlistValue", "kvlist_value"):
            items = _dicts(inner.get("values")) if isinstance(inner, dict) else []
            return {str(item.get("key")): _value(item.get("value"), depth + 1) for item in items}
    return None


def _whole(value: Any) -> Any:
    if isinstance(value, str):
        try:
            return int(value) if len(value) <= 20 else None
        except ValueError:
            return None
    return value


def _context(row: dict[str, Any]) -> dict[str, Any]:
    for name in ("spanContext", "context", "_spanContext"):
        context = row.get(name)
        if isinstance(context, dict) and not {"traceId", "trace_id"}.isdisjoint(context):
            return context
    return {}


def _span(row: dict[str, Any]) -> OtelSpan | None:
    context = _context(row) or row
    trace_id = _hex(context.get("traceId") or context.get("trace_id"))
    span_id = _hex(context.get("spanId") or context.get("span_id"))
    if trace_id is None or span_id is None:
        return None
    above = row.get("parentSpanContext")
    parent = row.get("parentSpanId") or row.get("parent_span_id") or row.get("parent_id")
    parent = above.get("spanId") if isinstance(above, dict) and not parent else parent
    begin = next(
        (row[k] for k in ("startTimeUnixNano", "start_time_unix_nano", "startTime", "start_time") if k in row), None
    )
    end = next((row[k] for k in ("endTimeUnixNano", "end_time_unix_nano", "endTime", "end_time") if k in row), None)
    events = row.get("events")
    return OtelSpan(
        trace_id=trace_id,
        id=span_id,
        parent=_hex(parent),
        name=row["name"] if isinstance(row.get("name"), str) else "span",
        order=_order(begin),
        start=store_time(begin),
        end=store_time(end),
        attributes=attributes_of(row.get("attributes")),
        events=[OtelEvent(str(e.get("name")), attributes_of(e.get("attributes"))) for e in _dicts(events)],
        error=_error(row),
    )


def _hex(value: Any) -> str | None:
    text = key_text(value)
    text = text.removeprefix("0x") if text is not None else None
    return text if text and text.strip("0") else None


def _order(value: Any) -> int:
    """Returns a start in ns; ISO text is ordered by its microseconds."""
    if isinstance(value, list) and len(value) == 2 and all(type(part) is int for part in value):
        return int(value[0]) * 1_000_000_000 + int(value[1])
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 20:
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    moment = store_time(value)
    if moment is None:
        return 0
    digits = "".join(c for c in moment.removesuffix("Z").ljust(26, "0") if c.isdigit())
    return int(digits or 0)


def _error(row: dict[str, Any]) -> str | None:
    status = row.get("status")
    status = status if isinstance(status, dict) else {}
    code = status.get("code", status.get("status_code"))
    if code not in (2, "2", "ERROR", "STATUS_CODE_ERROR"):
        return None
    message = status.get("message") or status.get("description")
    return message if isinstance(message, str) and message else "error"


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
