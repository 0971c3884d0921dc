"""The rows of Langfuse: what each is, and what other files have about the traces of one."""

import io

import pytest

from skillc.importers.base import Companion, ImportReport
from skillc.importers.langfuse_rows import Rows, holds_scores, is_langfuse, is_score_file, joined
from tests.importers.stores import json_lines

OBSERVATION = {"id": "o", "traceId": "t", "type": "SPAN", "startTime": "2026-01-05T09:00:00Z"}
TRACE = {"id": "t", "timestamp": "x", "observations": ["o"], "htmlPath": "/x"}
SCORE = {"id": "s", "traceId": "t", "name": "solved", "value": 1}


def rows(*records: object) -> Rows:
    return Rows(ImportReport(path="x", kind="langfuse")).add_all(list(records))


def beside(name: str, data: bytes, opened: list[str] | None = None) -> Companion:
    def opener() -> io.BytesIO:
        if opened is not None:
            opened.append(name)
        return io.BytesIO(data)

    return Companion(name, opener)


@pytest.mark.parametrize(
    ("trace", "observations", "missing"),
    [
        (TRACE, [], 1),
        (TRACE, [OBSERVATION], 0),
        (TRACE | {"observations": []}, [], 0),
        (TRACE | {"observations": ["o", "p"]}, [OBSERVATION], 1),
        ({"id": "t", "timestamp": "x"}, [], 1),
        ({"id": "t", "timestamp": "x"}, [OBSERVATION], 0),
    ],
)
def test_a_trace_says_how_many_observations_it_lacks(trace: dict, observations: list[dict], missing: int):
    assert rows(trace, *observations).missing("t") == missing


def test_an_observation_without_its_trace_lacks_it():
    assert rows(OBSERVATION).lacks("t")
    assert not rows(TRACE, OBSERVATION).lacks("t")


def test_only_files_that_have_something_about_a_trace_are_joined():
    found = joined(rows(TRACE), [beside("a", json_lines(OBSERVATION)), beside("b", b"no json")], "x")
    assert found.missing("t") == 0
    own = rows(TRACE, OBSERVATION)
    assert joined(own, [beside("a", json_lines(OBSERVATION | {"id": "p"}))], "x") is own


def test_a_file_beside_many_is_looked_at_once():
    opened: list[str] = []
    other = beside("a", json_lines({"a": 1}), opened)
    for _ in range(3):
        joined(rows(TRACE), [other], "x")
        holds_scores(other)
    assert opened == ["a"]


def test_a_head_is_of_traces_or_of_scores():
    assert is_langfuse(json_lines(TRACE))
    assert is_score_file(json_lines({"data": [SCORE]}))
    assert not is_score_file(json_lines(SCORE, OBSERVATION))
    assert not is_langfuse(json_lines(SCORE))
