"""The steps of a trajectory: links inside one step, copies, subagents, continuations, unknown fields."""

import json
from typing import Any

import pytest

from tests.importers.reading import Reading, read
from tests.importers.test_atif import call, gave, step, trajectory


def of(*steps: Any, companions: dict[str, Any] | None = None, **fields: Any) -> Reading:
    beside = {name: json.dumps(document).encode() for name, document in (companions or {}).items()}
    return read("atif", json.dumps(trajectory(*steps, **fields)).encode(), path="trajectory.json", companions=beside)


def test_a_result_belongs_to_a_call_of_its_own_step_only():
    reading = of(
        step(1, "agent", "", tool_calls=[call("c1", "f")]),
        step(2, "agent", "", tool_calls=[call("c2", "g")], observation=gave({"source_call_id": "c1", "content": "x"})),
    )
    result = reading.trace.events[-1]

    assert (result.kind.value, result.call_id, result.tool) == ("tool_result", None, None)
    assert reading.report.skipped["result that names no call of its step"] == 1


def test_the_same_call_id_in_two_steps_is_two_calls():
    reading = of(
        *(
            step(
                n,
                "agent",
                "",
                tool_calls=[call("c", "f", n=n)],
                observation=gave({"source_call_id": "c", "content": n}),
            )
            for n in (1, 2)
        )
    )
    assert [e.call_id for e in reading.trace.events] == ["c", "c", "c#2", "c#2"]


def test_copied_steps_are_no_new_evidence():
    reading = of(step(1, "user", "Old", is_copied_context=True), step(2, "user", "New"))

    assert [e.text for e in reading.trace.events] == ["New"]
    assert reading.report.skipped["copied step"] == 1


def test_step_ids_with_gaps_are_counted_and_kept_in_file_order():
    reading = of(step(1, "user", "A"), step(3, "user", "B"), step(2, "user", "C"))

    assert [e.text for e in reading.trace.events] == ["A", "B", "C"]
    assert reading.report.skipped["step out of order (kept)"] == 2


def test_an_embedded_subagent_stands_before_the_result_that_refers_to_it():
    sub = trajectory(
        step(1, "user", "Search"),
        step(
            2, "agent", "", tool_calls=[call("c", "grep")], observation=gave({"source_call_id": "c", "content": "hit"})
        ),
        trajectory_id="sub-1",
    )
    reading = of(
        step(
            1,
            "agent",
            "",
            tool_calls=[call("c", "task")],
            observation=gave(
                {"source_call_id": "c", "content": "found", "subagent_trajectory_ref": [{"trajectory_id": "sub-1"}]}
            ),
        ),
        subagent_trajectories=[sub],
    )

    assert [(e.kind.value, e.actor, e.call_id) for e in reading.trace.events] == [
        ("tool_call", "agent", "c"),
        ("note", "subagent sub-1", None),
        ("tool_call", "subagent sub-1", "c#2"),
        ("tool_result", "subagent sub-1", "c#2"),
        ("tool_result", "tool", "c"),
    ]


def test_a_subagent_in_a_file_beside_is_read_once():
    reference = {
        "source_call_id": "c",
        "content": "x",
        "subagent_trajectory_ref": [{"trajectory_path": "./sub/one.json"}],
    }
    sub = trajectory(step(1, "agent", "Sub"), session_id="sub")
    reading = of(
        step(1, "agent", "", tool_calls=[call("c", "task")], observation=gave(reference, reference)),
        companions={"sub/one.json": sub},
    )

    assert [e.actor for e in reading.trace.events].count("subagent sub") == 1
    assert reading.report.skipped["subagent whose trajectory is not here"] == 1


@pytest.mark.parametrize("path", ["../../etc/passwd", "/etc/passwd", "trajectory.json", "", 7, None])
def test_a_reference_opens_nothing_but_a_companion(path: Any):
    reference = {"content": "x", "subagent_trajectory_ref": [{"trajectory_path": path}]}
    reading = of(step(1, "user", "A"), step(2, "agent", "B", observation=gave(reference)))

    assert reading.report.skipped["subagent whose trajectory is not here"] == 1


def test_a_trajectory_goes_on_in_another_file_whose_copied_steps_are_left_out():
    more = trajectory(step(1, "user", "A", is_copied_context=True), step(2, "agent", "B"))
    more["continued_trajectory_ref"] = "trajectory.cont-1.json"  # a file that names itself ends there
    reading = of(
        step(1, "user", "A"),
        continued_trajectory_ref="trajectory.cont-1.json",
        companions={"trajectory.cont-1.json": more},
    )

    assert [e.text for e in reading.trace.events] == ["A", "B"]
    assert reading.report.notes == ["the trajectory goes on in a file that is not beside it"]


def test_unknown_fields_are_counted_and_never_stored():
    reading = of(
        step(1, "user", "A", gold="ANSWER-KEY"), gold="ANSWER-KEY", agent={"name": "a", "version": "1", "x": "y"}
    )

    assert "ANSWER-KEY" not in reading.text
    assert reading.report.skipped == {
        "unknown field of a step: gold": 1,
        "unknown field of a trajectory: gold": 1,
        "unknown field of a agent: x": 1,
    }


def test_a_result_without_a_call_is_an_observation():
    reading = of(step(1, "user", "A"), step(2, "agent", "B", observation=gave({"content": "screen"})))

    assert reading.kinds == ["user_message", "model_message", "note"]


def test_subagents_inside_subagents_end_somewhere():
    document = trajectory(step(1, "agent", "leaf"), trajectory_id="leaf")
    for depth in range(12):
        document = trajectory(
            step(1, "agent", f"at {depth}"), trajectory_id=f"s{depth}", subagent_trajectories=[document]
        )
    reading = of(step(1, "user", "A"), subagent_trajectories=[document])

    assert reading.report.skipped["subagent that cannot be read"] == 1
    assert len(reading.trace.events) == 9
