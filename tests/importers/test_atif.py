"""An ATIF trajectory, alone or in a trial: its versions, its identity, and an outcome only from the verifier."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillc.core.trace.records import Outcome
from skillc.errors import DataError
from skillc.importers.atif import VERSIONS, AtifImporter
from skillc.importers.base import ImportContext, OutcomeMapping
from skillc.importers.companions import find_companions
from tests.importers.fuzzing import mutated, survives
from tests.importers.reading import Reading, read

PATH = "trial-1/agent/trajectory.json"
MAPPED = ImportContext(
    namespace="acme",
    secret=b"s" * 32,
    mapping=OutcomeMapping("verifier", "verifier_result.rewards.reward", 1.0),
)
RESULT = {
    "task_name": "fix-cart",
    "trial_name": "fix-cart__a1",
    "task_checksum": "c0ffee",
    "verifier_result": {"rewards": {"reward": 1.0}},
    "exception_info": None,
    "config": {"solution": "ANSWER-KEY"},
}


def step(number: int, source: str, message: Any = "", **fields: Any) -> dict[str, Any]:
    return {"step_id": number, "source": source, "message": message} | fields


def call(name: str, function: str, **arguments: Any) -> dict[str, Any]:
    return {"tool_call_id": name, "function_name": function, "arguments": arguments}


def gave(*results: dict[str, Any]) -> dict[str, Any]:
    return {"results": list(results)}


def trajectory(*steps: Any, **fields: Any) -> dict[str, Any]:
    head = {"schema_version": "ATIF-v1.7", "session_id": "run", "agent": {"name": "terminus", "version": "2"}}
    return head | {"steps": list(steps)} | fields


FULL = trajectory(
    step(1, "system", "You are an agent"),
    step(2, "user", "Fix the cart", timestamp="2026-01-05T09:00:00Z"),
    step(
        3,
        "agent",
        [{"type": "text", "text": "I look"}, {"type": "image", "source": {"media_type": "image/png", "path": "a.png"}}],
        reasoning_content="hidden",
        model_name="gpt-5",
        tool_calls=[call("c1", "bash", command="pytest -q")],
        observation=gave({"source_call_id": "c1", "content": "1 failed"}),
        metrics={"cost_usd": 1},
        extra={"verdict": "PASS", "note": "hidden"},
    ),
    step(4, "agent", "Done"),
    trajectory_id="t-1",
    subagent_trajectories=[trajectory(step(1, "agent", "Sub"), trajectory_id="sub-1")],
    final_metrics={"extra": {"verdict": "PASS"}},
)


def data(document: Any) -> bytes:
    return json.dumps(document).encode()


def trial(result: Any, document: Any = FULL, *, context: ImportContext = MAPPED, path: str = PATH) -> Reading:
    return read("atif", data(document), path=path, context=context, companions={"../result.json": data(result)})


def test_a_trajectory_becomes_one_trace():
    reading = read("atif", data(FULL))

    assert reading.kinds == [
        "note",
        "user_message",
        "model_message",
        "tool_call",
        "tool_result",
        *["model_message"] * 2,
    ]
    assert reading.trace.events[2].text == "I look\n[image image/png a.png]"
    assert reading.trace.header.agent.name == "terminus"
    assert reading.trace.header.agent.model == "gpt-5"
    assert "hidden" not in reading.text
    assert reading.trace.close.outcome is Outcome.UNKNOWN


def test_the_reward_of_a_trial_is_read_through_the_mapping_only():
    assert trial(RESULT).verdicts[0].outcome is Outcome.SUCCESS
    assert trial(RESULT).verdicts[0].detail == "verifier_result.rewards.reward = 1.0"
    assert trial(RESULT | {"verifier_result": {"rewards": {"reward": 0}}}).verdicts[0].outcome is Outcome.FAILURE
    assert trial(RESULT, context=ImportContext(namespace="acme", secret=b"s" * 32)).verdicts == [None]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"verifier_result": None}, "the trial has no verifier_result"),
        ({"exception_info": {"exception_type": "Timeout"}}, "the trial ended with an exception"),
        ({"verifier_result": {"rewards": None}}, "outcome without a number at the mapping's field"),
        ({"verifier_result": "x"}, "the trial has no verifier_result"),
    ],
)
def test_a_trial_without_a_verifiers_word_is_unknown_never_a_failure(change: dict[str, Any], told: str):
    reading = trial(RESULT | change)

    assert reading.verdicts == [None]
    assert reading.trace.close.outcome is Outcome.UNKNOWN
    assert told in " ".join([*reading.report.notes, *reading.report.skipped])


def test_what_the_trajectory_says_of_itself_is_never_a_verdict():
    context = ImportContext(
        namespace="acme", secret=b"s" * 32, mapping=OutcomeMapping("v", "final_metrics.reward", 1.0)
    )
    own = FULL | {"final_metrics": {"reward": 1.0}, "task_name": "x", "verifier_result": {"rewards": {"reward": 1.0}}}

    assert read("atif", data(own), context=context).verdicts == [None]
    assert read("atif", data(own), context=MAPPED).verdicts == [None]
    assert trial(RESULT, own, context=context).verdicts == [None]


def test_trials_at_one_task_share_their_key_and_nothing_of_the_solution_is_stored():
    reading = trial(RESULT)

    assert reading.trace.header.attempt_key == "task fix-cart c0ffee"
    assert "ANSWER-KEY" not in reading.text
    assert trial(RESULT | {"task_checksum": None}).trace.header.attempt_key == "task fix-cart"


def test_a_result_above_another_folder_than_the_agents_is_not_this_trials():
    assert trial(RESULT, path="somewhere/trajectory.json").verdicts == [None]
    assert trial({"steps": 3}).verdicts == [None]


def test_the_result_is_found_above_the_agents_folder(tmp_path: Path):
    file = tmp_path / "trial" / "agent" / "trajectory.json"
    file.parent.mkdir(parents=True)
    file.write_bytes(data(FULL))
    (tmp_path / "trial" / "result.json").write_bytes(data(RESULT))
    (tmp_path / "result.json").write_bytes(b"{}")

    assert [c.name for c in find_companions(file, AtifImporter())] == ["../result.json"]


def test_a_session_id_that_repeats_does_not_join_two_trajectories():
    first = trajectory(step(1, "user", "A"))
    second = trajectory(step(1, "user", "B"))
    ids = {read("atif", data(document)).trace.trace_id for document in (first, second, first)}

    assert len(ids) == 2


@pytest.mark.parametrize("version", VERSIONS)
def test_every_version_up_to_the_newest_known_is_read(version: str):
    assert read("atif", data(trajectory(step(1, "user", "x"), schema_version=version))).kinds == ["user_message"]


@pytest.mark.parametrize("version", ["ATIF-v1.9", "ATIF-v2.0"])
def test_a_newer_version_is_refused_by_name(version: str):
    with pytest.raises(DataError, match=f"schema_version '{version}'; this skillc reads ATIF-v1.0 to ATIF-v1.8"):
        read("atif", data(FULL | {"schema_version": version}))


@pytest.mark.parametrize("document", [{}, [], {"schema_version": 1}, {"schema_version": "ATIF-v1.7"}])
def test_a_document_that_is_no_trajectory_is_an_error(document: Any):
    with pytest.raises(DataError):
        read("atif", data(document))


def test_only_the_named_version_makes_a_trajectory():
    assert AtifImporter().detect(data(FULL)[:200], "trajectory.json")
    assert not AtifImporter().detect(b'{"schema_version": 1, "steps": []}', "trajectory.json")
    assert not AtifImporter().detect(b'{"trajectory": [{"action": "x", "observation": "y"}]}', "trajectory.json")


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_no_value_of_any_shape_breaks_the_import(drawn: st.DataObject):
    result = drawn.draw(mutated(RESULT))
    document = drawn.draw(mutated(FULL))
    survives("atif", data(document), path=PATH, context=MAPPED, companions={"../result.json": data(result)})


@settings(max_examples=60, deadline=None)
@given(st.integers(0, len(data(FULL)) - 1), st.binary(max_size=100))
def test_a_cut_document_and_any_bytes_give_no_trace(size: int, content: bytes):
    assert survives("atif", data(FULL)[:size]) is None
    assert survives("atif", content) is None
