"""tau-bench runs become Traces by themselves; the answer key beside them never does."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillc.errors import DataError
from skillc.importers.tau_bench import TauBenchImporter
from tests.corpora import corpus
from tests.importers.stores import CANARY, check_mutations, mapped, outcomes, read_json

REWARD = mapped("reward")


def run(task_id: Any = 3, trial: Any = 0, reward: Any = 1.0, **fields: Any) -> dict[str, Any]:
    return {
        "task_id": task_id,
        "reward": reward,
        "info": {
            "task": {"user_id": "u", "instruction": CANARY, "actions": [{"name": CANARY, "kwargs": {}}], "outputs": [CANARY]},
            "reward_info": {"reward": reward, "info": {"gt_data_hash": CANARY}, "actions": [{"name": CANARY}]},
        },
        "traj": [
            {"role": "system", "content": "Policy"},
            {"role": "user", "content": "Cancel B7"},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": "c", "type": "function", "function": {"name": "cancel", "arguments": '{"id": "B7"}'}}],
            },
            {"role": "tool", "tool_call_id": "c", "name": "cancel", "content": "Error: no such booking"},
            {"role": "user", "content": "###STOP###"},
        ],
        "trial": trial,
    } | fields  # fmt: skip


def test_a_run_needs_no_options():
    reading = read_json("tau-bench", [run()], context=REWARD)

    assert reading.kinds == ["note", "user_message", "tool_call", "tool_result"]
    assert reading.trace.header.attempt_key == "task_id 3"
    assert reading.trace.events[3].is_error is True
    assert reading.verdicts[0].detail == "reward = 1.0 (source code)"
    assert reading.trace.close.outcome.value == "unknown"


def test_the_answer_key_never_becomes_an_event():
    assert CANARY not in read_json("tau-bench", [run()], context=REWARD).text


def test_trials_of_a_task_are_one_family_and_different_traces():
    reading = read_json("tau-bench", [run(trial=0), run(trial=1), run(trial=1)], context=REWARD)

    assert {t.header.attempt_key for t in reading.traces} == {"task_id 3"}
    assert len({t.trace_id for t in reading.traces}) == 3


def test_the_same_bytes_come_with_and_without_a_mapping():
    """So a verdict can come later, for the digest that is stored."""
    assert read_json("tau-bench", [run()]).bodies == read_json("tau-bench", [run()], context=REWARD).bodies


@pytest.mark.parametrize(
    ("reward", "outcome", "why"),
    [
        (1.0, "success", None),
        (0.0, "failure", None),
        (float("nan"), None, "score that is no number"),
        (None, None, "score that is no number"),
        ("1", None, "score that is no number"),
        (1.5, None, "score out of range"),
        (-1, None, "score out of range"),
    ],
)
def test_a_reward_is_a_verdict_only_when_it_is_a_number_in_range(reward: Any, outcome: str | None, why: str | None):
    reading = read_json("tau-bench", [run(reward=reward)], context=REWARD)

    assert outcomes(reading) == [outcome]
    assert dict(reading.report.skipped) == ({why: 1} if why else {})


def test_without_a_mapping_a_reward_is_only_counted():
    reading = read_json("tau-bench", [run()])

    assert outcomes(reading) == [None]
    assert reading.report.skipped == {"score without a registered mapping": 1}


def test_failed_runs_with_no_messages_are_counted():
    failed = run(traj=[], info={"error": "boom"})
    reading = read_json("tau-bench", [run(), failed, run(traj=[]), 7], context=REWARD)

    assert len(reading.traces) == 1
    assert reading.report.skipped == {
        "run that failed before its first message": 1,
        "run with no messages": 1,
        "record that is no object": 1,
    }
    with pytest.raises(DataError, match=r"export\.json:1: holds no tau-bench run"):
        read_json("tau-bench", [failed])


def test_a_run_whose_record_is_longer_than_the_head_is_known():
    record = {"task_id": 1, "reward": 1.0, "trial": 0, "info": {"task": {"instruction": "x" * 100_000}}, "traj": []}

    assert TauBenchImporter().detect(json.dumps([record]).encode()[:65536], "x.json")


@settings(max_examples=150, deadline=None)
@given(st.integers(min_value=0))
def test_no_mutation_of_a_run_breaks_the_import(seed: int):
    check_mutations("tau-bench", [run(), run(trial=1)], seed, context=REWARD)


def test_the_airline_runs_are_imported_completely_and_no_gold_with_them():
    data = (corpus("taubench-airline-gpt4o") / "attempts.json").read_bytes()
    records = json.loads(data)
    reading = read_json("tau-bench", records, context=REWARD)

    assert len(reading.traces) == len({t.trace_id for t in reading.traces}) == 100
    assert not reading.report.skipped
    assert reading.bodies == read_json("tau-bench", records, context=REWARD).bodies
    assert outcomes(reading) == ["success" if r["reward"] >= 1 else "failure" for r in records]
    for record, trace in zip(records, reading.traces, strict=True):
        said = "\n".join(str(message.get("content")) for message in record["traj"])
        stored = "\n".join(event.text or "" for event in trace.events)
        assert sum(e.kind == "tool_call" for e in trace.events) == sum(
            len(m.get("tool_calls") or ()) for m in record["traj"]
        )
        for sentence in record["info"]["task"]["instruction"].split(". "):
            assert len(sentence) < 20 or sentence in said or sentence not in stored
