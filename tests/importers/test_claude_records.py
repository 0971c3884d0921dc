"""Reading the records of a transcript: what is left out unparsed, and that nothing else is."""

import io
import json

import pytest

from skillc.importers.base import ImportReport
from skillc.importers.claude_records import dropped_by_fork, iter_records
from skillc.importers.claude_shapes import ClaudeRecord
from tests.importers.reading import Transcript


def records(data: bytes) -> tuple[list[ClaudeRecord], ImportReport]:
    report = ImportReport(path="x", kind="claude-code")
    return list(iter_records(io.BytesIO(data), report)), report


def test_progress_is_counted_wherever_the_type_stands():
    data = b'{"type":"progress","data":{}}\n{"uuid":"a","type":"progress","data":{"type":"hook_progress"}}\n'
    found, report = records(data)

    assert [record.type for record in found] == []
    assert report.skipped["progress"] == 2


@pytest.mark.parametrize(
    "line",
    [
        {"message": {"x": {"type": "progress"}}, "type": "user"},
        {"text": '"type":"progress"', "type": "user"},
        {"list": [{"type": "progress"}], "type": "user"},
        {"text": "x" * 2000, "list": [{"type": "progress"}], "type": "user"},
    ],
)
def test_a_record_that_only_quotes_progress_is_read(line: dict):
    found, report = records(json.dumps(line, separators=(",", ":")).encode() + b"\n")

    assert [record.type for record in found] == ["user"]
    assert not report.skipped


def test_a_line_that_is_no_record_is_counted():
    found, report = records(b'[1]\n{"a":\n\n{"type":"user"}\n{"type":"us')

    assert [record.type for record in found] == ["user"]
    assert report.skipped == {
        "line that is no object": 1,
        "line that is not JSON": 1,
        "empty or overlong line": 1,
        "cut last line": 1,
    }


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
