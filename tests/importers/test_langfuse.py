"""Langfuse traces become Traces, from the API and from exports; scores need a mapping."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillc.errors import DataError
from skillc.importers.langfuse import LangfuseImporter
from tests.importers.reading import Reading, read
from tests.importers.stores import CANARY, check_mutations, json_lines, mapped, outcomes, read_json

SOLVED = mapped("solved")
USER = {"role": "user", "content": "Weather in Paris?"}
CALL = {
    "role": "assistant",
    "content": "",
    "tool_calls": [{"id": "c1", "function": {"name": "weather", "arguments": '{"city":"Paris"}'}}],
}


def observation(oid: str, kind: str, second: int, parent: str | None = "o0", **fields: Any) -> dict[str, Any]:
    return {
        "id": oid,
        "traceId": "tr1",
        "parentObservationId": parent,
        "type": kind,
        "name": oid,
        "startTime": f"2026-01-05T09:00:0{second}.000Z",
        "endTime": f"2026-01-05T09:00:0{second}.900Z",
        "level": "DEFAULT",
        "statusMessage": None,
        "input": None,
        "output": None,
        "metadata": {"expected_output": CANARY},
    } | fields


def score(value: Any = 1, source: str = "API", **fields: Any) -> dict[str, Any]:
    return {
        "id": "s", "traceId": "tr1", "observationId": None, "name": "solved", "value": value, "source": source,
        "dataType": "NUMERIC", "comment": CANARY, "timestamp": "2026-01-05T10:00:00Z",
    } | fields  # fmt: skip


def observations() -> list[dict[str, Any]]:
    return [
        observation("g2", "GENERATION", 4, input=[USER, CALL, {"role": "tool", "tool_call_id": "c1", "content": "sunny"}],
                    output={"role": "assistant", "content": "It is sunny"}),
        observation("o0", "AGENT", 0, None, input={"question": "Weather in Paris?"}),
        observation("g1", "GENERATION", 1, input={"messages": [USER]}, output=CALL, model="model-1"),
        observation("t1", "TOOL", 2, name="weather", input={"city": "Paris"}, output="sunny"),
        observation("j1", "EVALUATOR", 5, input=CANARY, output=CANARY),
    ]  # fmt: skip


def trace(*scores: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {
        "id": "tr1", "name": "support", "timestamp": "2026-01-05T09:00:00Z", "input": {"question": "Weather in Paris?"},
        "output": "It is sunny", "sessionId": "se1", "userId": "u", "tags": [], "metadata": {"gold": CANARY},
        "observations": observations(), "scores": list(scores),
    } | fields  # fmt: skip


def snake(row: dict[str, Any]) -> dict[str, Any]:
    return {"".join(f"_{c.lower()}" if c.isupper() else c for c in key): value for key, value in row.items()}


EXPECTED = [
    ("user_message", "Weather in Paris?"),
    ("tool_call", None),
    ("tool_result", "sunny"),
    ("model_message", "It is sunny"),
]


def shown(reading: Reading) -> list[tuple[str, str | None]]:
    return [(e.kind.value, e.text) for e in reading.trace.events]


@pytest.mark.parametrize("form", ["trace", "page", "lines", "snake"])
def test_every_form_tells_the_same(form: str):
    data = {
        "trace": json_lines(trace(score())),
        "page": json_lines({"data": [*observations(), score()], "meta": {"page": 1}}),
        "lines": json_lines(*observations(), score()),
        "snake": json_lines(*(snake(row) for row in [*observations(), score()])),
    }[form]
    reading = read("langfuse", data, context=SOLVED)

    assert LangfuseImporter().detect(data, "x")
    assert shown(reading) == EXPECTED
    assert outcomes(reading) == ["success"]
    assert CANARY not in reading.text
    assert reading.report.skipped["scorer span"] == 1
    assert reading.trace.header.agent.model == "model-1"


@pytest.mark.parametrize(
    ("rows", "outcome", "why"),
    [
        ([score(0)], "failure", None),
        ([score(1, "ANNOTATION")], "success", None),
        ([score(1, "EVAL")], None, "score of a judge that the mapping does not name"),
        ([score(None)], None, "score that is no number"),
        ([score(0, dataType="CATEGORICAL", stringValue="good")], None, "score that is no number"),
        ([score(1, observationId="g1")], None, "score of a part of the attempt"),
        ([score(1), score(0, "ANNOTATION")], None, "attempt whose scores disagree"),
        ([score(True, dataType="BOOLEAN")], "success", None),
    ],
)
def test_a_score_is_an_outcome_only_from_code_or_a_person(rows: list[Any], outcome: str | None, why: str | None):
    reading = read_json("langfuse", trace(*rows), context=SOLVED)

    assert outcomes(reading) == [outcome]
    if why:
        assert reading.report.skipped[why] == 1


def test_a_judge_counts_when_the_mapping_names_it():
    assert outcomes(read_json("langfuse", trace(score(1, "EVAL")), context=mapped("solved", source_type="EVAL"))) == [
        "success"
    ]


def test_scores_beside_are_taken_and_those_of_other_traces_left():
    beside = {"scores.jsonl": json_lines(score(), score(0, traceId="other"))}
    reading = read_json("langfuse", trace(), context=SOLVED, companions=beside)

    assert outcomes(reading) == ["success"]


def test_scores_of_a_session_and_rows_of_no_kind_are_counted():
    reading = read("langfuse", json_lines(trace(), score(1, traceId=None, sessionId="se1"), {"a": 1}))

    assert reading.report.skipped["score of no trace in the file"] == 1
    assert reading.report.skipped["row of another kind"] == 1


def test_an_observation_at_level_error_is_one():
    rows = observations()
    rows[3] |= {"level": "ERROR", "statusMessage": "Timeout", "output": None}
    result = next(e for e in read_json("langfuse", rows).trace.events if e.kind == "tool_result")

    assert (result.is_error, result.text) == (True, "Timeout")


def test_a_trace_without_observations_gives_its_words_and_nothing_alone_is_an_error():
    assert shown(read_json("langfuse", trace(observations=[]))) == [EXPECTED[0], EXPECTED[3]]
    with pytest.raises(DataError, match="holds no Langfuse observation"):
        read_json("langfuse", trace(observations=[], input=None, output=None))


def thin(*scores: Any, **fields: Any) -> dict[str, Any]:
    """A trace as the list of the API has it: with the ids of its observations."""
    return trace(*scores, observations=[row["id"] for row in observations()], htmlPath="/x", **fields)


def without_observations() -> dict[str, Any]:
    """A trace as an export of traces has it."""
    return {key: value for key, value in trace(htmlPath="/x").items() if key not in ("observations", "scores")}


@pytest.mark.parametrize("row", [thin(score()), without_observations()])
def test_a_trace_whose_observations_are_nowhere_is_left_out_and_told(row: dict[str, Any]):
    reading = read_json("langfuse", {"data": [row], "meta": {}}, context=SOLVED)

    assert reading.traces == []
    assert reading.report.skipped["trace whose observations are not in the export"] == 1
    assert "the observations of 1 traces are missing" in reading.report.notes[0]


def test_one_missing_observation_is_enough_to_wait_for_it():
    rows = [row for row in observations() if row["id"] != "t1"]
    assert read("langfuse", json_lines(thin(), *rows)).traces == []
    assert len(read("langfuse", json_lines(thin(), *observations())).traces) == 1


@pytest.mark.parametrize(
    "names", [("traces.json", "observations.json", "scores.json"), ("b.json", "c.jsonl", "a.json")]
)
@pytest.mark.parametrize("make", [thin, without_observations])
def test_files_of_one_export_are_one_source_whichever_is_read(names: tuple[str, str, str], make: Any):
    rows = [*observations()[:2], *observations()[1:]]
    whole = json_lines({"data": [make()]}), json_lines({"data": rows}), json_lines({"data": [score()]})
    files = dict(zip(names, whole, strict=True))
    readings = []
    for name in names[:2]:
        beside = {other: data for other, data in files.items() if other != name}
        readings.append(read("langfuse", files[name], path=name, context=SOLVED, companions=beside))

    assert readings[0].bodies == readings[1].bodies
    assert shown(readings[0]) == EXPECTED
    assert [outcomes(reading) for reading in readings] == [["success"], ["success"]]


def test_pages_of_observations_are_joined_and_other_traces_left_where_they_are():
    other = [row | {"id": "z" + row["id"], "traceId": "tr2"} for row in observations()]
    pages = {"o-1.jsonl": json_lines(*observations()[:2], other[0]), "o-2.jsonl": json_lines(*observations()[2:])}
    reading = read("langfuse", json_lines(thin()), path="t.json", companions=pages)
    first = read("langfuse", pages["o-1.jsonl"], path="o-1.jsonl", companions={"t.json": json_lines(thin())} | pages)

    assert [t.header.source.ref for t in reading.traces] == ["trace tr1"]
    assert [t.header.source.ref for t in first.traces] == ["trace tr1", "trace tr2"]
    assert first.bodies[0] == reading.bodies[0]


def test_a_whole_trace_reads_no_other_file_and_a_broken_one_beside_stops_nothing():
    beside = {"o.json": json_lines(observation("new", "TOOL", 3, name="x", input={}, output="y")), "p.json": b'{"a'}
    assert shown(read_json("langfuse", trace(), companions=beside)) == EXPECTED
    assert read_json("langfuse", thin(), companions={"o.json": json_lines(*observations())[:-30]}).traces == []


def test_a_score_that_stands_twice_counts_once():
    beside = {"ratings.json": json_lines(score(1, "EVAL"))}
    reading = read_json("langfuse", trace(score(1, "EVAL")), context=SOLVED, companions=beside)

    assert reading.report.skipped["score of a judge that the mapping does not name"] == 1


@settings(max_examples=200, deadline=None)
@given(st.integers(min_value=0), st.booleans())
def test_no_mutation_of_a_trace_breaks_the_import(seed: int, as_rows: bool):
    check_mutations("langfuse", [*observations(), score()] if as_rows else trace(score()), seed, context=SOLVED)
