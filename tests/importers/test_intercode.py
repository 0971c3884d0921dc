"""InterCode results: parallel lists, keys with their dataset, rewards by mapping, and never the gold."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillc.core.trace.records import Outcome
from skillc.errors import DataError
from skillc.importers.base import ImportContext, OutcomeMapping
from skillc.importers.intercode import InterCodeImporter
from tests.importers.fuzzing import mutated, survives
from tests.importers.reading import read

PATH = "ic_bash_multiturn_gpt-4_10_turns_fs_1.json"


def record(
    task: Any = 0, *, environment: str = "ic_bash", dataset: str = "fs_1.json", **history: Any
) -> dict[str, Any]:
    turns = {
        "actions": ["execute[ls -a]", "cat x", "submit"],
        "observations": ["a\n", "No such file", "done"],
        "rewards": [0.1, 0.2, 1.0],
        "valid_action": [True, False, True],
    }
    return {
        "environment": environment,
        "dataset": dataset,
        "task_id": task,
        "query": f"List the files {task}",
        "turn_history": turns | history,
        "summary": {"max_reward": 1.0, "gold": "ANSWER-KEY"},
        "info": {"eval_obs": "ANSWER-KEY", "reward": {"file_diff": 0.33}},
        "gold": "ANSWER-KEY",
    }


FULL = {"0": record(0, thoughts=["I look", None, "That is it"]), "1": record(1, environment="ic_sql")}


def of(document: Any, field: str | None = None, path: str = PATH):
    mapping = OutcomeMapping("v", field, 1.0) if field else None
    context = ImportContext(namespace="acme", secret=b"s" * 32, mapping=mapping)
    return read("intercode", json.dumps(document).encode(), path=path, context=context)


def test_each_record_becomes_one_trace_whose_lists_run_in_parallel():
    reading = of(FULL)
    first, second = reading.traces

    assert [e.kind.value for e in first.events] == [
        *("user_message", "model_message", "tool_call", "tool_result"),
        *("tool_call", "tool_result", "model_message", "tool_call", "tool_result"),
    ]
    assert [e.tool for e in first.events if e.kind == "tool_call"] == ["execute_bash", "execute_bash", "submit"]
    assert first.events[2].arguments == {"command": "ls -a"}
    assert first.events[2].operation == "ls"
    assert [e.is_error for e in first.events if e.kind == "tool_result"] == [None, True, None]
    assert second.events[1].tool == "query_sql"
    assert first.header.agent.model == "gpt-4"


def test_a_tasks_number_is_a_key_only_with_its_dataset():
    documents = {"0": record(0), "1": record(0, dataset="fs_3.json")}

    assert [t.header.attempt_key for t in of(documents).traces] == ["fs_1.json task_id 0", "fs_3.json task_id 0"]


def test_the_same_record_twice_and_in_two_files_is_several_attempts():
    ids = [t.trace_id for path in (PATH, "other.json") for t in of({"0": record(), "1": record()}, path=path).traces]

    assert len(set(ids)) == 4


def test_rewards_are_read_through_the_mapping_only():
    turns = {"actions": ["ls", "ls"], "observations": ["", ""], "rewards": [1.0, 0.5]}
    documents = {"0": record(0, **turns)}

    assert of(documents, "summary.max_reward").verdicts[0].outcome is Outcome.SUCCESS
    assert of(documents, "turn_history.rewards.-1").verdicts[0].outcome is Outcome.FAILURE
    assert of(documents).verdicts == [None]
    assert of(documents, "reward").verdicts == [None]


def test_nothing_of_the_gold_command_becomes_an_event():
    assert "ANSWER-KEY" not in of(FULL).text
    assert "reward" not in of(FULL).text


def test_an_answer_that_was_blocked_is_an_error_and_a_call_without_a_result_is_counted():
    documents = {
        "0": record(0, actions=["ls", "blocked"], observations=["a"]),
        "1": record(1, actions=["ls"], observations=[]),
    }
    reading = of(documents)

    assert [e.kind.value for e in reading.traces[0].events][-1] == "error"
    assert reading.report.skipped["call without a result (kept)"] == 1


def test_records_under_logs_are_read():
    assert len(of({"config": {"model": "x"}, "logs": FULL}).traces) == 2
    assert len(of({"config": {"model": "x"}, "logs": list(FULL.values())}).traces) == 2


def test_records_that_are_no_attempts_are_counted_and_nothing_at_all_is_an_error():
    assert of({"0": record(), "1": 7, "2": {"query": "x"}}).report.skipped == {"record that is no attempt": 2}
    for document in ({}, [], {"a": 1}, {"logs": {}}):
        with pytest.raises(DataError, match="holds no attempt with a turn history"):
            of(document)


def test_a_result_is_known_by_its_first_record():
    content = json.dumps(FULL).encode()

    assert InterCodeImporter().detect(content[:400], "x.json")
    assert not InterCodeImporter().detect(b'{"a": {"query": "x"}}', "x.json")
    assert not InterCodeImporter().detect(b'[{"query": "x", "turn_history": {}}]', "x.json")


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_no_value_of_any_shape_breaks_the_import(drawn: st.DataObject):
    survives("intercode", json.dumps(drawn.draw(mutated(FULL))).encode(), path=PATH)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, len(json.dumps(FULL)) - 1), st.binary(max_size=100))
def test_a_cut_document_and_any_bytes_give_no_trace(size: int, content: bytes):
    assert survives("intercode", json.dumps(FULL).encode()[:size]) is None
    assert survives("intercode", content) is None
