"""Braintrust rows become Traces: scorers never act, the expected answer is never read, scores need a mapping."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillc.errors import DataError
from skillc.importers.braintrust import BraintrustImporter
from tests.corpora import corpus
from tests.importers.reading import read
from tests.importers.stores import CANARY, check_mutations, json_lines, mapped, outcomes, read_json

SCORE = mapped("scores.passed")
CALL = {"id": "c1", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Paris"}'}}


def row(span_id: str, kind: str | None, start: float, parent: str | None = "r", **fields: Any) -> dict[str, Any]:
    attributes = {"name": fields.pop("name", span_id), "type": kind, "exec_counter": int(start)}
    return {
        "id": f"row-{span_id}",
        "_xact_id": "1000",
        "span_id": span_id,
        "root_span_id": "r",
        "span_parents": [parent] if parent else None,
        "is_root": parent is None,
        "span_attributes": attributes | fields.pop("span_attributes", {}),
        "metrics": {"start": 1_767_600_000 + start, "end": 1_767_600_001 + start},
        "project_id": "p",
    } | fields


def export(scores: Any = None, **root: Any) -> list[dict[str, Any]]:
    user = {"role": "user", "content": "Weather in Paris?"}
    call = {"role": "assistant", "content": None, "tool_calls": [CALL]}
    return [
        row("m2", "llm", 4, input=[user, call, {"role": "tool", "tool_call_id": "c1", "content": "sunny"}],
            output=[{"message": {"role": "assistant", "content": "It is sunny"}}]) ,
        row("r", "eval", 0, None, input="Weather in Paris?", output="It is sunny", expected=CANARY,
            scores=scores, metadata={"gold": CANARY}, origin={"object_type": "dataset", "id": "d7"}) | root,
        row("t1", "tool", 3, name="weather", input={"city": "Paris"}, output="sunny"),
        row("m1", "llm", 2, input=[user], output=[call], metadata={"model": "model-1"}),
        row("s1", "score", 5, name="passed", input={"expected": CANARY}, output={"score": 1}, scores={"passed": 1}),
    ]  # fmt: skip


EXPECTED = [
    ("user_message", "Weather in Paris?"),
    ("tool_call", None),
    ("tool_result", "sunny"),
    ("model_message", "It is sunny"),
]


def test_rows_in_any_order_tell_the_same():
    for seed in range(6):
        rows = export()
        random.Random(seed).shuffle(rows)
        reading = read_json("braintrust", rows)
        assert [(e.kind.value, e.text) for e in reading.trace.events] == EXPECTED
        assert reading.trace.header.attempt_key == "dataset row d7"
        assert reading.trace.header.agent.model == "model-1"


def test_lists_lines_and_pages_are_read():
    for data in (json_lines(*export()), json_lines({"events": export(), "cursor": None})):
        assert BraintrustImporter().detect(data, "x")
        assert len(read("braintrust", data).trace.events) == 4


def test_neither_expected_nor_metadata_nor_a_scorer_becomes_an_event():
    reading = read_json("braintrust", export({"passed": 1}), context=SCORE)

    assert CANARY not in reading.text
    assert reading.report.skipped["scorer span"] == 1


def test_a_purpose_makes_a_scorer_too():
    rows = [
        *export(),
        row("x", "function", 6, span_attributes={"purpose": "scorer"}),
        row("y", "llm", 7, "x", output="5"),
    ]
    reading = read_json("braintrust", rows)

    assert len(reading.trace.events) == 4
    assert reading.report.skipped["scorer span"] == 2
    assert reading.report.skipped["span below a scorer"] == 1


@pytest.mark.parametrize(
    ("value", "outcome", "why"),
    [
        (1, "success", None),
        (0, "failure", None),
        (None, None, "score that is no number"),
        (1.2, None, "score out of range"),
        (float("nan"), None, "score that is no number"),
    ],
)
def test_a_score_on_the_root_is_an_outcome_by_its_mapping(value: Any, outcome: str | None, why: str | None):
    reading = read_json("braintrust", export({"passed": value, "tone": 1}), context=SCORE)

    assert outcomes(reading) == [outcome]
    assert reading.report.skipped["score of another name than the mapping's"] == 1
    if why:
        assert reading.report.skipped[why] == 1


def test_a_scorer_that_asked_a_model_is_a_judge():
    rows = [*export({"passed": 1}), row("j", "llm", 6, "s1", output="yes")]

    assert outcomes(read_json("braintrust", rows, context=SCORE)) == [None]
    assert outcomes(read_json("braintrust", rows, context=mapped("passed", source_type="model"))) == ["success"]


def test_a_score_on_a_child_says_nothing_about_the_end():
    rows = export()
    rows[0]["scores"] = {"passed": 1}
    reading = read_json("braintrust", rows, context=SCORE)

    assert outcomes(reading) == [None]
    assert reading.report.skipped["score of a part of the attempt"] == 1


def test_summary_rows_are_refused_with_a_way_on():
    alone = row("r", None, 0, None, input="Q", output="A")
    with pytest.raises(DataError, match="summaries") as caught:
        read_json("braintrust", [alone])
    assert "export the spans too" in caught.value.hint
    both = read_json("braintrust", [*export(), alone | {"id": "o", "span_id": "o", "root_span_id": "o"}])
    assert both.report.skipped["summary row without child spans"] == 1


def test_one_model_span_alone_is_a_trace():
    reading = read_json("braintrust", [row("r", "llm", 0, None, input=[{"role": "user", "content": "Q"}], output="A")])

    assert reading.kinds == ["user_message", "model_message"]


def test_the_list_of_arguments_and_options_of_a_tool_is_read():
    tool = row("t", "tool", 1, name="f", input=[{"a": 1}, {"toolCallId": "k", "messages": []}], output='{"b":2}')
    (call, _) = read_json("braintrust", [tool, row("r", "task", 0, None)]).trace.events

    assert (call.arguments, call.call_id) == ({"a": 1}, "k")


@settings(max_examples=200, deadline=None)
@given(st.integers(min_value=0))
def test_no_mutation_of_rows_breaks_the_import(seed: int):
    rows = [
        *export({"passed": 1}),
        {"id": "row-m1", "_is_merge": True, "output": {"a": 1}, "span_id": "m1", "root_span_id": "r"},
    ]
    check_mutations("braintrust", rows, seed, context=SCORE)


def test_the_recorded_payloads_are_imported_or_refused_with_a_reason():
    folder = corpus("braintrust-log-payloads")
    data = (folder / "wrap-langchain-js-traces__log-payloads.json").read_bytes()
    reading = read("braintrust", data)

    assert reading.bodies == read("braintrust", data).bodies
    assert [k for k in reading.kinds if k == "tool_call"] == ["tool_call"] * 2
    assert reading.kinds.count("user_message") == 5
    assert reading.report.skipped == {"span that only holds others": 8}
    with pytest.raises(DataError, match="summaries"):
        read("braintrust", (folder / "ai-sdk-instrumentation__ai-sdk-v6.log-payloads.json").read_bytes())
