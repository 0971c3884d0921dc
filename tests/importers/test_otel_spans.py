"""The written forms of spans, made one."""

from typing import Any

import pytest

from skillc.importers.base import ImportReport
from skillc.importers.otel_spans import attributes_of, is_otel, log_events, spans_of


def one(row: dict[str, Any]):
    return next(spans_of(row, ImportReport(path="x", kind="otel")))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"stringValue": "x"}, "x"),
        ({"intValue": "42"}, 42),
        ({"intValue": 42}, 42),
        ({"intValue": "x"}, None),
        ({"doubleValue": 0.5}, 0.5),
        ({"doubleValue": "NaN"}, None),
        ({"boolValue": True}, True),
        ({"arrayValue": {"values": [{"stringValue": "a"}, {"kvlistValue": {"values": [{"key": "k", "value": {"intValue": "1"}}]}}]}}, ["a", {"k": 1}]),
        ({"arrayValue": {}}, []),
        ({}, None),
    ],
)  # fmt: skip
def test_values_are_read_by_their_type(value: Any, expected: Any):
    assert attributes_of([{"key": "a", "value": value}]) == {"a": expected}


def test_ids_lose_their_prefix_and_zeros_are_no_parent():
    found = one({"context": {"trace_id": "0xab", "span_id": "0xcd"}, "parent_id": "0x0000", "attributes": {}})

    assert (found.trace_id, found.id, found.parent) == ("ab", "cd", None)


@pytest.mark.parametrize("status", [{"code": 2}, {"code": "STATUS_CODE_ERROR"}, {"status_code": "ERROR"}])
def test_an_error_status_is_known_in_every_form(status: dict[str, Any]):
    row = {"traceId": "a", "spanId": "b", "status": status}

    assert one(row).error == "error"
    assert one(row | {"status": {"code": 1}}).error is None


def test_starts_in_every_form_are_in_order():
    starts: list[Any] = ["1767600000000000001", [1767600000, 2], 1767600000000000003]

    orders = [one({"traceId": "a", "spanId": "b", "startTimeUnixNano": s}).order for s in starts]
    assert orders == sorted(orders)
    early, late = (one({"traceId": "a", "spanId": "b", "start_time": f"2026-01-05T08:00:0{n}Z"}).order for n in (1, 2))
    assert early < late


def test_what_is_no_span_is_counted():
    report = ImportReport(path="x", kind="otel")

    assert list(spans_of({"resourceSpans": [{"scopeSpans": [{"spans": [7, {"traceId": "a"}]}]}]}, report)) == []
    assert report.skipped == {"record that is no span": 2}


def test_log_records_carry_their_span_and_the_fields_of_their_body():
    body = {"kvlistValue": {"values": [{"key": "content", "value": {"stringValue": "x"}}]}}
    logs = {
        "resourceLogs": [
            {"scopeLogs": [{"logRecords": [{"traceId": "t", "spanId": "s", "body": body, "eventName": "e"}]}]}
        ]
    }
    ((trace_id, span_id, event),) = log_events(logs)

    assert (trace_id, span_id, event.name, event.attributes) == ("t", "s", "e", {"content": "x"})


def test_a_record_of_another_store_is_no_span():
    assert not is_otel({"traceId": "t", "id": "o", "type": "SPAN", "name": "n"})
    assert not is_otel({"span_id": "s", "root_span_id": "s", "name": "n"})
    assert not is_otel({"id": "r", "trace_id": "t", "run_type": "llm"})
    assert is_otel({"resourceSpans": []})
