"""LangSmith runs become Traces: dumps, exports and run trees; feedback becomes an outcome only by a mapping."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillc.errors import DataError
from skillc.importers.langsmith import LangSmithImporter
from tests.importers.reading import Reading, read
from tests.importers.stores import CANARY, check_mutations, corpus_files, json_lines, mapped, outcomes, read_json

CORRECT = mapped("correct")
ROOT, LLM1, TOOL, LLM2 = "r0", "m1", "t1", "m2"
USER = {"role": "user", "content": "Weather in Paris?"}


def message(name: str, **kwargs: Any) -> dict[str, Any]:
    return {"lc": 1, "type": "constructor", "id": ["langchain_core", "messages", name], "kwargs": kwargs}


CALL = message("AIMessage", content="", tool_calls=[{"name": "weather", "args": {"city": "Paris"}, "id": "c1"}])
DONE = message("AIMessage", content="It is sunny")


def order(*ids: str) -> str:
    return ".".join(f"20260105T09000{n}000000Z{i}" for n, i in enumerate(ids))


def run(run_id: str, run_type: str, parent: str | None = ROOT, **fields: Any) -> dict[str, Any]:
    return {
        "id": run_id,
        "trace_id": ROOT,
        "parent_run_id": parent,
        "run_type": run_type,
        "name": run_id,
        "session_id": "project",
        "start_time": f"2026-01-05T09:00:0{int(run_id[-1])}",
        "end_time": "2026-01-05T09:00:09",
        "inputs": {},
        "outputs": None,
    } | fields


def export(**root: Any) -> list[dict[str, Any]]:
    return [
        run(ROOT, "chain", None, inputs={"messages": [USER]}, reference_example_id="ex1",
            outputs={"messages": [USER, CALL, DONE]}, reference_outputs=CANARY, expected=CANARY, dotted_order=order(ROOT))
        | root,
        run(LLM2, "llm", inputs={"messages": [[USER, CALL, message("ToolMessage", content="sunny", tool_call_id="c1")]]},
            outputs={"generations": [[{"message": DONE}]]}, dotted_order=order(ROOT, LLM2).replace("1000000Zm2", "3000000Zm2")),
        run(LLM1, "llm", inputs={"messages": [[USER]]}, outputs={"generations": [[{"message": CALL}]]},
            dotted_order=order(ROOT, LLM1), extra={"metadata": {"ls_model_name": "model-1"}}),
        run(TOOL, "tool", name="weather", inputs={"city": "Paris"}, outputs={"output": "sunny"},
            dotted_order=order(ROOT, "x", TOOL).replace(".20260105T090001000000Zx", "")),
    ]  # fmt: skip


EXPECTED = [
    ("user_message", "Weather in Paris?"),
    ("tool_call", None),
    ("tool_result", "sunny"),
    ("model_message", "It is sunny"),
]


def shown(reading: Reading) -> list[tuple[str, str | None]]:
    return [(e.kind.value, e.text) for e in reading.trace.events]


def feedback(score: Any = 1, source: str = "api", run_id: str = ROOT, key: str = "correct") -> dict[str, Any]:
    return {
        "id": "f",
        "run_id": run_id,
        "trace_id": ROOT,
        "key": key,
        "score": score,
        "feedback_source": {"type": source},
    }


def nested() -> dict[str, Any]:
    root, *children = export()
    bare = [{k: v for k, v in c.items() if k not in ("dotted_order", "trace_id", "parent_run_id")} for c in children]
    bare[0]["start_time"] = "2026-01-05T09:00:08"
    return {**root, "child_runs": bare}


@pytest.mark.parametrize("form", ["list", "lines", "runs", "nested", "dump"])
def test_every_form_of_an_export_tells_the_same(form: str):
    runs = export()
    posts = [{k: v for k, v in r.items() if k != "outputs"} for r in runs]
    patches = [{"id": r["id"], "outputs": r["outputs"], "inputs": {}, "error": None} for r in runs]
    data = {
        "list": json.dumps(runs).encode(),
        "lines": json_lines(*runs),
        "runs": json.dumps({"runs": runs}).encode(),
        "nested": json.dumps(nested()).encode(),
        "dump": json.dumps({"post": posts, "patch": patches}).encode(),
    }[form]
    reading = read("langsmith", data)

    assert LangSmithImporter().detect(data, "x")
    assert shown(reading) == EXPECTED
    assert reading.trace.header.attempt_key == "example ex1"
    assert reading.trace.header.agent.model == "model-1"
    assert CANARY not in reading.text


def test_a_patch_may_name_its_run_by_its_order_alone():
    post = run("p1", "llm", None, trace_id="p1", dotted_order=order("p1"), inputs={"messages": [USER]})
    patch = {"dotted_order": order("p1"), "trace_id": "p1", "outputs": {"choices": [{"message": {"content": "Sun"}}]}}
    reading = read_json("langsmith", {"post": [post], "patch": [patch]})

    assert shown(reading) == [("user_message", "Weather in Paris?"), ("model_message", "Sun")]


def test_a_failed_tool_run_is_an_error():
    runs = export()
    runs[3] |= {"error": "Timeout", "outputs": None}
    result = next(e for e in read_json("langsmith", runs).trace.events if e.kind == "tool_result")

    assert (result.is_error, result.text) == (True, "Timeout")


def test_times_in_milliseconds_are_times():
    reading = read_json(
        "langsmith", [run("p1", "llm", None, trace_id="p1", start_time=1728803137170, outputs={"output": "x"})]
    )

    assert reading.trace.header.started_at.isoformat() == "2024-10-13T07:05:37.170000+00:00"


def test_kinds_that_do_nothing_are_counted():
    reading = read_json("langsmith", [*export(), run("e5", "embedding"), run("q6", "parser"), run("u7", "cook")])

    assert reading.report.skipped["span of type embedding"] == 1
    assert reading.report.skipped["span of type parser"] == 1
    assert reading.report.skipped["span of type cook"] == 1


@pytest.mark.parametrize("place", ["run", "row", "envelope", "beside"])
def test_feedback_is_found_where_it_stands(place: str):
    runs, beside = export(), {}
    value: Any = runs
    if place == "run":
        runs[0]["feedback"] = [{k: v for k, v in feedback().items() if k not in ("run_id", "trace_id")}]
    elif place == "row":
        value = [*runs, feedback()]
    elif place == "envelope":
        value = {"runs": runs, "feedback": [feedback()]}
    else:
        beside = {"export.feedback.jsonl": json_lines(feedback(), feedback(run_id="other") | {"trace_id": "other"})}
    reading = read_json("langsmith", value, context=CORRECT, companions=beside)

    assert outcomes(reading) == ["success"]
    assert reading.verdicts[0].detail == "correct = 1.0 (source api)"


@pytest.mark.parametrize(
    ("rows", "outcome", "why"),
    [
        ([feedback(0)], "failure", None),
        ([feedback(True, "app")], "success", None),
        ([feedback(1, "model")], None, "score of a judge that the mapping does not name"),
        ([feedback(1, "new")], None, "score of another source type"),
        ([feedback("good")], None, "score that is no number"),
        ([feedback(float("nan"))], None, "score that is no number"),
        ([feedback(1), feedback(0)], None, "attempt whose scores disagree"),
        ([feedback(1, run_id=LLM1)], None, "score of a part of the attempt"),
        ([feedback(1), feedback(0, "model")], "success", "score of a judge that the mapping does not name"),
    ],
)
def test_feedback_becomes_an_outcome_only_from_code_or_a_person(rows: list[Any], outcome: str | None, why: str | None):
    reading = read_json("langsmith", [*export(), *rows], context=CORRECT)

    assert outcomes(reading) == [outcome]
    if why:
        assert reading.report.skipped[why] == 1


def test_a_model_counts_when_the_mapping_names_it():
    value = [*export(), feedback(1, "model")]

    assert outcomes(read_json("langsmith", value, context=mapped("correct", source_type="model"))) == ["success"]


@pytest.mark.parametrize(
    "inputs", [{"run": {}, "example": {"outputs": CANARY}}, {"outputs": {}, "reference_outputs": CANARY, "inputs": {}}]
)
def test_an_evaluators_runs_are_a_scorer_and_give_no_event(inputs: dict[str, Any]):
    """Its prompt repeats the expected answer."""
    judge = run("z8", "chain", None, trace_id="z8", inputs=inputs)
    asked = run("z9", "llm", "z8", trace_id="z8", inputs={"messages": [{"role": "user", "content": CANARY}]})
    reading = read_json("langsmith", [*export(), judge, asked])

    assert CANARY not in reading.text
    assert len(reading.traces) == 1
    assert reading.report.skipped["scorer span"] == 1
    assert reading.report.skipped["span below a scorer"] == 1


def test_feedback_stats_are_no_feedback():
    reading = read_json("langsmith", export(feedback_stats={"correct": {"n": 1, "avg": 1.0}}), context=CORRECT)

    assert outcomes(reading) == [None]
    assert reading.report.skipped["feedback_stats: sums say neither source nor run"] == 1


def test_feedback_on_no_run_of_the_file_is_counted():
    reading = read_json("langsmith", [*export(), feedback(run_id="zz") | {"trace_id": "zz"}])

    assert reading.report.skipped["feedback on a run that the file does not hold"] == 1


def test_later_feedback_leaves_the_bytes_as_they_are():
    assert (
        read_json("langsmith", export()).bodies
        == read_json("langsmith", [*export(), feedback()], context=CORRECT).bodies
    )


def test_a_file_without_content_is_an_error():
    with pytest.raises(DataError, match="holds no LangSmith run with content"):
        read_json("langsmith", [run("p1", "llm", None)])


@settings(max_examples=200, deadline=None)
@given(st.integers(min_value=0), st.sampled_from(["list", "nested", "dump"]))
def test_no_mutation_of_runs_breaks_the_import(seed: int, form: str):
    record: Any = [*export(), feedback()]
    if form == "nested":
        record = [nested(), feedback()]
    elif form == "dump":
        record = {"post": export(), "patch": export(), "feedback": [feedback()]}
    check_mutations("langsmith", record, seed, context=CORRECT)


def test_every_recorded_payload_is_imported():
    names = corpus_files("langsmith-run-payloads")
    for name in names:
        data = name.read_bytes()
        reading = read("langsmith", data)
        assert reading.kinds == ["user_message", "model_message"]
        assert not reading.report.skipped
        assert reading.bodies == read("langsmith", data).bodies
    assert len(names) == 3
