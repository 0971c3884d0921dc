"""tau2 simulations become Traces; the user's own calls, the answer key and judged rewards are kept apart."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillc.errors import DataError
from skillc.importers.tau2 import Tau2Importer
from tests.corpora import corpus
from tests.importers.reading import read
from tests.importers.stores import CANARY, check_mutations, corpus_files, mapped, outcomes, read_json

REWARD = mapped("reward")


def task(task_id: str = "1", actions: tuple[str, ...] = ("1_0",), **criteria: Any) -> dict[str, Any]:
    return {
        "id": task_id,
        "user_scenario": {"instructions": CANARY},
        "evaluation_criteria": {"actions": [{"action_id": a, "name": CANARY, "arguments": {}} for a in actions]}
        | criteria,
    }


def simulation(task_id: str = "1", checks: tuple[str, ...] | None = ("1_0",), **fields: Any) -> dict[str, Any]:
    info = fields.pop("reward_info", {})
    return {
        "id": fields.pop("id", f"sim-{task_id}"),
        "task_id": task_id,
        "trial": 0,
        "start_time": "2026-01-05T09:00:00.5",
        "termination_reason": "user_stop",
        "reward_info": {
            "reward": 1.0,
            "reward_basis": ["DB", "COMMUNICATE"],
            "action_checks": None if checks is None else [{"action": {"action_id": c, "name": CANARY}} for c in checks],
            "nl_assertions": [],
        }
        | info,
        "messages": [
            {"role": "assistant", "content": "Hi! How can I help?", "turn_idx": 0},
            {"role": "user", "content": "My data is off", "turn_idx": 1},
            {"role": "assistant", "content": '{"message": "Please toggle roaming", "tool": "none"}'},
            {
                "role": "user",
                "content": None,
                "tool_calls": [{"id": "u1", "name": "toggle_roaming", "arguments": {"on": True}, "requestor": "user"}],
            },
            {"role": "tool", "id": "u1", "content": "Roaming is on", "requestor": "user", "error": False},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": "a1", "name": "get_line", "arguments": {"id": "L1"}, "requestor": "assistant"}],
            },
            {"role": "tool", "id": "a1", "content": "no such line", "requestor": "assistant", "error": True},
            {"role": "user", "content": "###STOP###"},
        ],
    } | fields


def results(
    *simulations: dict[str, Any], tasks: tuple[dict[str, Any], ...] = (), domain: str = "telecom"
) -> dict[str, Any]:
    return {
        "timestamp": "2026-01-05",
        "info": {
            "agent_info": {"implementation": "llm_agent", "llm": "model-1"},
            "environment_info": {"domain_name": domain, "policy": CANARY},
        },
        "tasks": list(tasks or (task(),)),
        "simulations": list(simulations),
    }


def test_a_users_own_calls_are_notes_and_never_the_agents_actions():
    reading = read_json("tau2", results(simulation()), context=REWARD)
    events = reading.trace.events

    assert [(e.kind.value, e.actor) for e in events] == [
        ("model_message", "agent"),
        ("user_message", "user"),
        ("model_message", "agent"),
        ("note", "user"),
        ("note", "user"),
        ("tool_call", "agent"),
        ("tool_result", "tool"),
    ]
    assert events[3].tool == "toggle_roaming"
    assert events[6].call_id == "a1"
    assert events[6].tool == "get_line"
    assert events[6].is_error is True


def test_text_that_is_json_is_read_as_the_words_in_it():
    assert read_json("tau2", results(simulation())).trace.events[2].text == "Please toggle roaming"


def test_attempts_share_a_key_of_domain_and_task():
    reading = read_json("tau2", results(simulation(id="a"), simulation(id="b", trial=1)), context=REWARD)

    assert {t.header.attempt_key for t in reading.traces} == {"task_id telecom 1"}
    assert len({t.trace_id for t in reading.traces}) == 2
    assert reading.traces[0].header.agent.model == "model-1"


def test_nothing_of_tasks_rewards_or_policy_becomes_an_event():
    assert CANARY not in read_json("tau2", results(simulation()), context=REWARD).text


@pytest.mark.parametrize(
    "parts", [{"reward_basis": ["DB", "NL_ASSERTION"]}, {"reward_breakdown": {"NL_ASSERTION": 1.0}}]
)
def test_a_reward_that_a_model_judged_in_part_counts_only_when_the_mapping_says_so(parts: dict[str, Any]):
    judged = results(simulation(reward_info=parts))

    assert outcomes(read_json("tau2", judged, context=REWARD)) == [None]
    assert read_json("tau2", judged, context=REWARD).report.skipped == {
        "score of a judge that the mapping does not name": 1
    }
    assert outcomes(read_json("tau2", judged, context=mapped("reward", source_type="model"))) == ["success"]
    assert outcomes(read_json("tau2", results(simulation()), context=mapped("reward", source_type="model"))) == [None]


def test_a_simulation_without_reward_info_gives_no_verdict():
    reading = read_json("tau2", results(simulation(reward_info={}) | {"reward_info": None}), context=REWARD)

    assert outcomes(reading) == [None]
    assert reading.report.skipped == {"attempt without the mapped score": 1}


def test_simulations_with_no_messages_are_counted():
    reading = read_json("tau2", results(simulation(), simulation(id="e", messages=[])))

    assert reading.report.skipped["simulation with no messages"] == 1
    with pytest.raises(DataError, match="holds no tau2 simulation"):
        read_json("tau2", results())


def test_ids_that_disagree_are_reported_and_not_imported():
    file = results(
        simulation("1"),
        simulation("2", ("9_0",)),
        simulation("3", None),
        tasks=(task("1"), task("2", ("2_0",)), task("3")),
    )
    reading = read_json("tau2", file, context=REWARD)

    assert [t.header.attempt_key for t in reading.traces] == ["task_id telecom 1"]
    assert reading.report.skipped == {
        "simulation whose task id disagrees with its own checks": 1,
        "simulation whose task id cannot be checked, in a file whose ids disagree": 1,
    }
    assert reading.report.notes == [
        "export.json:1: the task ids of 2 simulations cannot be believed: sim-2, sim-3; "
        "mend task_id of these simulations in a copy of the file, and import the copy"
    ]


def test_a_file_of_nothing_but_wrong_ids_is_an_error():
    with pytest.raises(DataError, match=r"task ids of 1 simulations cannot be believed: sim-1") as caught:
        read_json("tau2", results(simulation("1", ("8_0",))))
    assert "mend task_id" in caught.value.hint


def test_the_files_of_the_folder_beside_are_read_once():
    beside = {
        "simulations/a.json": json.dumps(simulation(id="a")).encode(),
        "simulations/b.json": json.dumps(simulation(id="b", trial=1)).encode(),
        "simulations/c.json": b"{cut",
    }
    reading = read("tau2", json.dumps(results(simulation(id="a"))).encode(), companions=beside, path="results.json")

    assert len(reading.traces) == 2
    assert reading.report.skipped["simulation that the results file holds too"] == 1
    assert reading.report.skipped["simulation file that cannot be read"] == 1
    assert {t.header.attempt_key for t in reading.traces} == {"task_id telecom 1"}


def test_a_file_of_one_simulation_is_read_alone():
    reading = read_json("tau2", simulation(), context=REWARD)

    assert Tau2Importer().detect(json.dumps(simulation()).encode(), "a.json")
    assert reading.trace.header.attempt_key == "task_id 1"
    assert outcomes(reading) == ["success"]


def test_several_tool_results_in_one_message_are_several_events():
    inner = [
        {"id": "x", "content": "1", "requestor": "assistant"},
        {"id": "y", "content": "2", "requestor": "assistant"},
    ]
    reading = read_json("tau2", results(simulation(messages=[{"role": "tool", "tool_messages": inner}])))

    assert [(e.call_id, e.text) for e in reading.trace.events] == [("x", "1"), ("y", "2")]


@settings(max_examples=200, deadline=None)
@given(st.integers(min_value=0))
def test_no_mutation_of_results_breaks_the_import(seed: int):
    check_mutations(
        "tau2", results(simulation(), simulation("2", None), tasks=(task(), task("2"))), seed, context=REWARD
    )


def test_every_activegraph_simulation_is_imported():
    traces, successes = 0, 0
    for name in corpus_files("tau2-activegraph"):
        file = json.loads(name.read_bytes())
        reading = read_json("tau2", file, context=REWARD, path="results.json")
        again = read_json("tau2", file, context=REWARD, path="results.json")
        assert reading.bodies == again.bodies
        assert len(reading.traces) == len(file["simulations"])
        for trace, one in zip(reading.traces, file["simulations"], strict=True):
            by_user = sum(c["requestor"] == "user" for m in one["messages"] for c in m.get("tool_calls") or ())
            by_agent = sum(c["requestor"] == "assistant" for m in one["messages"] for c in m.get("tool_calls") or ())
            assert sum(e.kind == "tool_call" for e in trace.events) == by_agent
            assert sum(e.kind == "note" and e.arguments is not None for e in trace.events) == by_user
        traces += len(reading.traces)
        successes += outcomes(reading).count("success")
    assert (traces, successes) == (29, 13)


def test_the_wrong_ids_of_the_toolorchestra_files_are_all_found():
    folder = corpus("tau2-toolorchestra-gpt5")
    index = [json.loads(line) for line in (folder / "outcomes.jsonl").read_text(encoding="utf-8").splitlines()]
    right = {row["attempt"] for row in index if row["true_task_id"] == row["task_id_as_recorded"]}
    airline = read("tau2", (folder / "airline_results.json").read_bytes(), path="airline_results.json", context=REWARD)

    assert {t.header.source.ref.removeprefix("simulation ") for t in airline.traces} <= right
    assert airline.report.skipped == {"simulation whose task id disagrees with its own checks": 24}
    with pytest.raises(DataError, match="task ids of 57 simulations"):
        read("tau2", (folder / "retail_results.json").read_bytes(), path="retail_results.json")
