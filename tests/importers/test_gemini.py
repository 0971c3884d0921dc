"""A Gemini CLI session is known by its first bytes, becomes one Trace, and survives every wrong value."""

import hashlib
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillc.core.trace.edits import edits_of
from skillc.core.trace.records import Outcome
from skillc.errors import DataError
from skillc.importers.gemini import GeminiImporter
from tests.importers.fuzzing import lines, mutated, survives
from tests.importers.reading import CWD, read

HASH = hashlib.sha256(CWD.encode()).hexdigest()


def called(name: str, args: dict[str, Any], response: Any, status: str = "success", **fields: Any) -> dict[str, Any]:
    result = [{"functionResponse": {"id": name, "name": name, "response": response}}]
    return {"id": f"{name}-1", "name": name, "args": args, "result": result, "status": status} | fields


def gemini(content: str = "", *calls: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {
        "id": f"g{len(content)}{len(calls)}",
        "type": "gemini",
        "content": content,
        "toolCalls": list(calls),
    } | fields


def user(content: Any, **fields: Any) -> dict[str, Any]:
    return {"id": f"u{content}", "type": "user", "content": content, "timestamp": "2026-01-05T09:00:00.000Z"} | fields


def session(*messages: Any, **fields: Any) -> dict[str, Any]:
    return {
        "sessionId": "s-1",
        "projectHash": HASH,
        "startTime": "2026-01-05T09:00:00Z",
        "messages": list(messages),
    } | fields


def data(*messages: Any, **fields: Any) -> bytes:
    return json.dumps(session(*messages, **fields), indent=1).encode()


FULL = session(
    user("Fix the test\n\n"),
    gemini(
        "I look.",
        called(
            "write_file", {"file_path": f"{CWD}/a.py", "content": "x = 1\n"}, {"output": "ok"}, resultDisplay={"d": 1}
        ),
        called("replace", {"file_path": f"{CWD}/b.py", "old_string": "o", "new_string": "n"}, {"output": "ok"}),
        called("run_shell_command", {"command": "pytest -q"}, {"error": "stopped"}, "cancelled"),
        thoughts=[{"subject": "hidden", "description": "hidden"}],
        model="gemini-2.5-pro",
        tokens={"total": 1},
    ),
    {"id": "i", "type": "info", "content": "Update available"},
    {"id": "e", "type": "error", "content": "quota"},
    gemini("Done."),
)


def test_a_session_becomes_one_trace_with_calls_and_results_from_one_object():
    reading = read("gemini", json.dumps(FULL).encode(), path="session-x.json")

    assert reading.kinds == [
        "user_message",
        "model_message",
        *["tool_call", "tool_result"] * 3,
        "error",
        "model_message",
    ]
    assert [e.is_error for e in reading.trace.events if e.kind == "tool_result"] == [False, False, True]
    assert reading.trace.header.objective == "Fix the test"
    assert reading.trace.header.agent.model == "gemini-2.5-pro"
    assert "hidden" not in reading.text
    assert reading.report.skipped == {"thinking": 1, "message info": 1}


def test_the_project_folder_is_the_one_whose_hash_the_session_holds():
    reading = read("gemini", json.dumps(FULL).encode())

    assert reading.report.folders == {CWD}
    assert [(e.path, e.whole) for e in edits_of(reading.trace)] == [("a.py", True), ("b.py", False)]
    assert reading.trace.header.environment.cwd_label == "shop"


def test_a_folder_that_the_hash_does_not_prove_is_not_guessed():
    reading = read("gemini", data(*FULL["messages"], projectHash="0" * 64))

    assert reading.report.folders == set()
    assert reading.trace.header.environment.cwd_label is None


def test_the_exit_code_of_a_shell_call_counts_more_than_its_status():
    output = "Command: pytest\nDirectory: (root)\nStdout: Exit Code: 0\nStderr: (empty)\nExit Code: 1\nSignal: (none)"
    reading = read("gemini", data(gemini("", called("run_shell_command", {"command": "pytest"}, {"output": output}))))

    assert reading.trace.events[1].is_error is True


def test_a_commit_that_the_shell_shows_is_the_sessions_own():
    call = called("run_shell_command", {"command": "git commit -am x"}, {"output": "Stdout: [main abc1234] x\n 1 file"})
    git = read("gemini", data(gemini("", call))).trace.header.environment.git

    assert git is not None
    assert git.commits == ("abc1234",)


def test_a_command_of_the_client_is_no_user_turn():
    reading = read("gemini", data(user("/memory show"), user("/tmp/a is broken"), user("?help")))

    assert reading.kinds == ["note", "user_message", "note"]
    assert reading.trace.header.objective == "/tmp/a is broken"
    assert read("gemini", data(user("/compress"))).trace.header.objective == "/compress"


def test_a_cancelled_request_at_the_end_means_abandoned():
    cancelled = {"type": "info", "id": "i", "content": "Request cancelled."}

    assert read("gemini", data(user("x"), cancelled)).trace.close.outcome is Outcome.ABANDONED
    assert read("gemini", data(user("x"), cancelled, user("y"))).trace.close.outcome is Outcome.UNKNOWN


def test_parts_are_text_and_media_are_placeholders():
    parts = [{"text": "See"}, {"inlineData": {"mimeType": "image/png", "data": "AAAA"}}, {"fileData": 7}, "raw"]
    reading = read("gemini", data(user(parts)))

    assert reading.trace.events[0].text is not None
    assert reading.trace.events[0].text.startswith("See\n[media image/png 4 characters sha256:")
    assert "AAAA" not in reading.text


def test_a_call_without_a_result_stays_and_is_counted():
    reading = read("gemini", data(gemini("", {"id": "c", "name": "ls", "args": {}, "status": "executing"})))

    assert reading.kinds == ["tool_call"]
    assert reading.report.skipped["call without a result (kept)"] == 1


def test_the_lines_of_newer_versions_are_the_same_session():
    head = {k: v for k, v in FULL.items() if k != "messages"} | {"directories": ["/srv/other"]}
    reading = read("gemini", lines([head, *FULL["messages"]]))
    whole = read("gemini", json.dumps(FULL).encode())

    assert reading.trace.header.trace_id == whole.trace.header.trace_id
    assert [e.text for e in reading.trace.events] == [e.text for e in whole.trace.events]
    assert reading.report.folders == {CWD, "/srv/other"}


@pytest.mark.parametrize(
    "content",
    [
        b'{"sessionId":"s","parentUuid":null,"type":"user","message":{"role":"user"}}\n',
        b'[{"sessionId":"s","messageId":0,"type":"user","message":"x"}]',
        b'{"messages":[{"role":"user","content":"x"}]}',
        b"",
    ],
)
def test_other_files_are_no_gemini_sessions(content: bytes):
    assert not GeminiImporter().detect(content, "session-x.json")


def test_a_session_without_a_message_is_an_error():
    for content in (data(), b'{"sessionId":"s","projectHash":"h"}\n', b"[]"):
        with pytest.raises(DataError, match="holds no message of a Gemini CLI session"):
            read("gemini", content)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_no_value_of_any_shape_breaks_the_import(drawn: st.DataObject):
    survives("gemini", json.dumps(drawn.draw(mutated(FULL))).encode())


@settings(max_examples=100, deadline=None)
@given(st.integers(0, len(data(*FULL["messages"]))))
def test_a_document_cut_at_any_byte_is_an_error_never_a_half_trace(size: int):
    whole = data(*FULL["messages"])
    assert survives("gemini", whole[:size]) is None or size == len(whole)


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=200))
def test_no_bytes_break_the_import(content: bytes):
    survives("gemini", content)
