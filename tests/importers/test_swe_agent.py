"""SWE-agent runs: three ways of calling, steps or chat, and no verdict from handing in a patch."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillc.core.trace.edits import edits_of
from skillc.core.trace.records import Outcome
from skillc.errors import DataError
from skillc.importers.base import ImportContext, OutcomeMapping
from skillc.importers.swe_agent import SweAgentImporter
from tests.importers.fuzzing import mutated, survives
from tests.importers.reading import read

INSTANCE = "acme__shop-12"


def said(role: str, content: Any, **fields: Any) -> dict[str, Any]:
    return {"role": role, "content": content, "agent": "main"} | fields


def turn(name: str, function: str, arguments: dict[str, Any], action: str, **fields: Any) -> dict[str, Any]:
    calls = [{"id": name, "type": "function", "function": {"name": function, "arguments": json.dumps(arguments)}}]
    return said("assistant", "I look", action=action, tool_calls=calls, **fields)


def step(action: str, observation: str, response: str = "I look", **fields: Any) -> dict[str, Any]:
    return {"action": action, "observation": observation, "response": response, "thought": response} | fields


CALLING = {
    "environment": "main",
    "trajectory": [
        step("ls -F", "a.py", state='{"working_dir": "/testbed"}'),
        step("str_replace_editor create /testbed/b.py", "created"),
        step("submit", "diff --git"),
    ],
    "history": [
        said("system", "You are an agent"),
        said("user", "demo", is_demo=True),
        said("user", "We fix an issue.\nISSUE:\nThe cart is empty\n"),
        turn("c1", "bash", {"command": "ls -F"}, "ls -F"),
        said("tool", "a.py", tool_call_ids=["c1"]),
        turn(
            "c2",
            "str_replace_editor",
            {"command": "create", "path": "/testbed/b.py", "file_text": "x = 1\n"},
            "str_replace_editor create /testbed/b.py",
        ),
        said("tool", "created", tool_call_ids=["c2"]),
        turn("c3", "submit", {}, "submit"),
    ],
    "info": {"exit_status": "submitted", "submission": "diff", "model_stats": {}},
    "replay_config": json.dumps(
        {"problem_statement": {"id": INSTANCE, "gold": "ANSWER-KEY"}, "agent": {"model": {"name": "gpt-4o"}}}
    ),
}


def of(document: Any, **options: Any):
    return read("swe-agent", json.dumps(document).encode(), **({"path": f"{INSTANCE}.traj"} | options))


def test_steps_become_events_with_the_arguments_of_the_function_calls():
    reading = of(CALLING)

    assert reading.kinds == ["note", "user_message", *["model_message", "tool_call", "tool_result"] * 3, "note"]
    calls = [e for e in reading.trace.events if e.kind == "tool_call"]
    assert [(e.tool, e.call_id) for e in calls] == [("bash", "c1"), ("str_replace_editor", "c2"), ("submit", "c3")]
    assert reading.trace.header.objective == "The cart is empty"
    assert reading.report.skipped == {"message that a step repeats": 5, "demonstration": 1}


def test_the_working_folder_of_the_run_makes_paths_relative():
    edits = edits_of(of(CALLING).trace)

    assert [(e.path, e.text, e.whole) for e in edits] == [("b.py", "x = 1\n", True)]


def test_handing_in_a_patch_is_no_success():
    context = ImportContext(namespace="acme", secret=b"s" * 32, mapping=OutcomeMapping("v", "info.reward", 0.0))
    reading = of(CALLING | {"info": {"exit_status": "submitted", "reward": 1}}, context=context)

    assert reading.verdicts == [None]
    assert reading.trace.close.outcome is Outcome.UNKNOWN
    assert reading.trace.events[-1].text == "exit status: submitted"
    assert "no verified outcome" in reading.report.notes[0]


def test_attempts_at_one_instance_share_its_key():
    assert of(CALLING).trace.header.attempt_key == f"instance_id {INSTANCE}"
    assert "ANSWER-KEY" not in of(CALLING).text
    bare = {"trajectory": CALLING["trajectory"]}
    names = {
        "pydicom__pydicom-1458.traj": "pydicom__pydicom-1458",
        "gpt4__bench__default__t-0.00__p-0.95__pydicom__pydicom-1458.traj": "pydicom__pydicom-1458",
        "my-run.traj": "my-run",
    }
    for name, instance in names.items():
        assert of(bare, path=f"runs/{name}").trace.header.attempt_key == f"instance_id {instance}"


def test_a_command_line_as_text_is_a_shell_call_or_one_of_the_agents_own():
    steps = [step("python a.py\n", "Traceback"), step("edit 1:1\nx = 1\nend_of_edit", "ok"), step("", "no action")]
    events = of({"trajectory": steps}).trace.events

    assert [(e.tool, e.operation) for e in events if e.kind == "tool_call"] == [("bash", "python"), ("edit", None)]
    assert events[4].arguments == {"arguments": "1:1\nx = 1\nend_of_edit"}
    assert (events[-1].kind.value, events[-1].text) == ("note", "no action")


def test_the_chat_alone_is_read_when_there_are_no_steps():
    reading = of({"history": CALLING["history"]})

    assert reading.kinds == [
        *("note", "user_message", "model_message", "tool_call", "tool_result"),
        *("model_message", "tool_call", "tool_result", "model_message", "tool_call"),
    ]


def test_xml_in_a_text_is_a_call():
    text = "I look\n<function=bash>\n<parameter=command>\nls\n</parameter>\n</function>"
    reading = of({"history": [said("user", "x"), said("assistant", text), said("user", "a.py")]})

    assert reading.kinds == ["user_message", "model_message", "tool_call", "tool_result"]
    assert (reading.trace.events[1].text, reading.trace.events[2].arguments) == ("I look", {"command": "ls"})


def test_results_of_parallel_calls_go_to_their_calls():
    calls = [
        {"id": name, "function": {"name": "bash", "arguments": json.dumps({"command": name})}} for name in ("c1", "c2")
    ]
    chat = [
        said("user", "x"),
        said("assistant", "", tool_calls=calls),
        said("tool", "two", tool_call_ids=["c2"]),
        said("tool", "one", tool_call_ids=["c1"]),
    ]
    results = [e for e in of({"history": chat}).trace.events if e.kind == "tool_result"]

    assert [(e.call_id, e.text) for e in results] == [("c2", "two"), ("c1", "one")]


@pytest.mark.parametrize(
    ("head", "known"),
    [
        (json.dumps(CALLING), True),
        ('{"trajectory": [{"action": "ls", "observation": "x', True),
        ('{"history": [{"role": "system", "content": "x", "agent": "main"', True),
        ('{"history": [{"role": "system", "content": "x"}]}', False),
        ('{"trajectory": [{"role": "user", "content": "x"}]}', False),
        ("[]", False),
    ],
)
def test_a_run_is_known_by_its_steps_or_its_chat(head: str, known: bool):
    assert SweAgentImporter().detect(head.encode(), "x.traj") is known


@pytest.mark.parametrize("document", [{}, [], {"trajectory": [], "history": []}, {"trajectory": [7]}])
def test_a_file_without_a_step_is_an_error(document: Any):
    with pytest.raises(DataError, match="holds no step of a SWE-agent run"):
        of(document)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_no_value_of_any_shape_breaks_the_import(drawn: st.DataObject):
    survives("swe-agent", json.dumps(drawn.draw(mutated(CALLING))).encode(), path="x.traj")


@settings(max_examples=60, deadline=None)
@given(st.integers(0, len(json.dumps(CALLING)) - 1), st.binary(max_size=100))
def test_a_cut_document_and_any_bytes_give_no_trace(size: int, content: bytes):
    assert survives("swe-agent", json.dumps(CALLING).encode()[:size]) is None
    assert survives("swe-agent", content) is None
