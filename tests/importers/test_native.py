"""Native Traces: kept when they are sealed and clean, made whole when they are not."""

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillc.core.policy import RestrictedPattern
from skillc.errors import DataError
from skillc.importers.base import ImportContext
from skillc.importers.native import NativeImporter
from tests.importers.reading import CONTEXT, Transcript, read


def lines(*records: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


HEADER = {"record": "trace", "format": "skillc.trace/1", "objective": "Do it", "agent": {"name": "bot"}}
EVENT = {"record": "event", "kind": "user_message", "actor": "user", "text": "Do it"}
CALL = {"record": "event", "kind": "tool_call", "actor": "agent", "tool": "Bash", "arguments": {"command": "ls"}}
CLOSE = {"record": "close", "outcome": "success", "reported_by": "bot"}


def test_what_is_absent_is_filled_in():
    trace = read("native", lines(HEADER, EVENT, CALL, CLOSE)).trace

    assert [e.id for e in trace.events] == ["e0", "e1"]
    assert trace.events[1].operation is not None
    assert trace.header.namespace == "acme"
    assert trace.close.outcome == "success"
    assert all(len(e.salt) == 32 for e in trace.events)


def test_a_missing_close_is_an_unknown_outcome():
    assert read("native", lines(HEADER, EVENT)).trace.close.outcome == "unknown"


def test_a_sealed_clean_trace_of_this_namespace_is_kept_byte_for_byte():
    original = Transcript().user("x").bash("c", "ls", "a").read().bodies[0]
    other = ImportContext(namespace="acme", secret=b"other" * 8)

    assert read("native", original, context=other).bodies == [original]


def test_a_trace_of_another_namespace_is_rebuilt():
    original = Transcript().user("x").read(context=ImportContext(namespace="else", secret=b"s" * 32)).bodies[0]
    reading = read("native", original)

    assert reading.trace.header.namespace == "acme"
    assert any("another namespace" in note for note in reading.report.notes)


def test_a_sealed_trace_that_holds_a_credential_is_rebuilt_without_it():
    original = Transcript().user("KEY").read().bodies[0].replace(b"KEY", b"ghp_" + b"a1B2" * 9)
    reading = read("native", original)

    assert "<github_token:1>" in reading.text
    assert "a1B2a1B2" not in reading.text


def test_restricted_tools_of_this_namespace_lose_their_content():
    context = ImportContext(namespace="acme", secret=b"s" * 32, restricted=(RestrictedPattern(tool="Bash"),))
    original = Transcript().user("x").bash("c", "cat salaries", "5,000").read().bodies[0]
    reading = read("native", original, context=context)

    assert "salaries" not in reading.text
    assert "5,000" not in reading.text


def test_several_traces_may_follow_one_another():
    one, two = Transcript().user("x").read().bodies[0], Transcript(session="s-2").user("y").read(path="s2").bodies[0]

    assert read("native", one + two).bodies == [one, two]


def test_an_unknown_format_is_refused_by_name():
    with pytest.raises(DataError, match=r"has format 'skillc.trace/9'"):
        read("native", lines(HEADER | {"format": "skillc.trace/9"}, EVENT))


def test_all_bad_lines_are_told_and_nothing_is_given():
    bad = lines(HEADER) + b"{x\n" + lines(EVENT, {"record": "other"}, EVENT | {"kind": "guess"})
    with pytest.raises(DataError) as caught:
        read("native", bad, path="t.jsonl")
    assert "t.jsonl:2: is not JSON" in caught.value.message
    assert "t.jsonl:4: has no `record`" in caught.value.message


def test_a_bad_event_is_told_with_its_line_and_not_with_its_text():
    with pytest.raises(DataError) as caught:
        read("native", lines(HEADER, EVENT, EVENT | {"kind": "guess", "text": "PRIVATE"}), path="t.jsonl")
    assert caught.value.message.startswith("t.jsonl:3: is no Event: kind")
    assert "PRIVATE" not in caught.value.message


@pytest.mark.parametrize("data", [b"", b"\n", lines(EVENT), lines(HEADER), lines(HEADER, CLOSE, EVENT)])
def test_half_a_trace_is_refused(data: bytes):
    with pytest.raises(DataError):
        read("native", data)


def test_detection_is_by_the_first_record():
    assert NativeImporter().detect(lines(HEADER), "x")
    assert not NativeImporter().detect(Transcript().user("x").data(), "x")


_JSON = st.none() | st.booleans() | st.integers() | st.text(max_size=6) | st.just({}) | st.just({"a": [1]})
_RECORD = st.fixed_dictionaries(
    {"record": st.sampled_from(["trace", "event", "close", "x"])},
    optional=dict.fromkeys(("format", "trace_id", "objective", "agent", "source", "kind", "actor", "text", "arguments", "seq", "outcome", "at", "environment", "salt", "restricted", "truncated", "tool"), _JSON),
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.lists(_RECORD, max_size=5))
def test_no_record_of_any_shape_breaks_the_import(records):
    with contextlib.suppress(DataError):
        read("native", lines(*records))


def test_the_test_context_is_the_namespace_acme():
    assert CONTEXT.namespace == "acme"
