"""Reading the records of a transcript: what is left out unparsed, and that nothing else is."""

import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillc.importers.base import ImportReport
from skillc.importers.claude_records import dropped_by_fork, iter_records
from tests.importers.reading import Transcript


def records(data: bytes) -> tuple[list[dict], ImportReport]:
    report = ImportReport(path="x", kind="claude-code")
    return list(iter_records(io.BytesIO(data), report)), report


def test_progress_is_counted_wherever_the_type_stands():
    data = b'{"type":"progress","data":{}}\n{"uuid":"a","type":"progress","data":{"type":"hook_progress"}}\n'
    found, report = records(data)

    assert found == [] or all(record["type"] == "progress" for record in found)
    assert report.skipped["progress"] >= 1


@pytest.mark.parametrize(
    "line",
    [
        {"message": {"x": {"type": "progress"}}, "type": "user"},
        {"text": '"type":"progress"', "type": "user"},
        {"list": [{"type": "progress"}], "type": "user"},
    ],
)
def test_a_record_that_only_quotes_progress_is_read(line: dict):
    found, _ = records(json.dumps(line, separators=(",", ":")).encode() + b"\n")

    assert found == [line]


def test_the_second_copy_of_a_result_is_cut_off_and_the_folder_after_it_kept():
    copy = {"file": "big", "cwd": "/wrong", "sessionId": "wrong"}
    line = {"message": {"content": "x"}, "uuid": "u", "toolUseResult": copy, "cwd": "/right", "sessionId": "s"}
    found, _ = records(json.dumps(line, separators=(",", ":")).encode() + b"\n")

    assert found == [{"message": {"content": "x"}, "uuid": "u", "cwd": "/right", "sessionId": "s"}]


def test_a_nested_or_early_copy_is_no_cut():
    nested = {"message": {"a": 1, "toolUseResult": 2}, "uuid": "u"}
    early = {"a": 1, "toolUseResult": "x", "message": {"b": 2}, "uuid": "u"}
    for line in (nested, early):
        found, _ = records(json.dumps(line, separators=(",", ":")).encode() + b"\n")
        assert found == [line]


_KEY = st.sampled_from(["type", "message", "uuid", "toolUseResult", "cwd", "data", "x"])
_VALUE = st.recursive(
    st.sampled_from(["progress", "user", ',"toolUseResult":', '"type":"progress"', "}", "{", "\\"]) | st.integers(),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(_KEY, inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(_KEY, _VALUE, max_size=5))
def test_cutting_never_changes_a_value(record: dict):
    """Only whole progress records and the copied result may be missing."""
    found, report = records(json.dumps(record, separators=(",", ":")).encode() + b"\n")

    if not found:
        assert record.get("type") == "progress"
        assert report.skipped["progress"] == 1
    else:
        kept = {key: value for key, value in found[0].items() if key != "cwd" or value is not None}
        expected = dict(record)
        if "toolUseResult" not in kept and "toolUseResult" in expected:
            after = list(expected)[list(expected).index("toolUseResult") :]
            expected = {key: value for key, value in expected.items() if key not in after or key in kept}
        assert kept == {key: expected.get(key, kept[key]) for key in kept}
        assert {key for key in expected if key not in kept} <= {"cwd"}


def test_the_branch_without_the_last_record_is_dropped():
    transcript = Transcript().user("a")
    fork = transcript.parent
    transcript.user("left")
    transcript.parent = fork
    transcript.user("right")
    stream = io.BytesIO(transcript.data())

    assert dropped_by_fork(stream, {fork}) == {"u1"}
    assert stream.tell() == 0


def test_a_loop_of_parents_ends():
    transcript = Transcript().user("a").user("b")
    transcript.records[0]["parentUuid"] = "u1"

    assert dropped_by_fork(io.BytesIO(transcript.data()), {"u0"}) == set()
