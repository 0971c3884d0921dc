"""A rollout is known by its lines, becomes one Trace, and survives every wrong byte."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillc.core.trace.codec import trace_id_of
from skillc.errors import DataError
from skillc.importers.codex import CodexImporter
from skillc.importers.companions import find_companions
from tests.importers.fuzzing import lines, mutated, survives
from tests.importers.reading import read
from tests.importers.rollouts import HEAD, ID, PARENT, Rollout

FULL = (
    Rollout(git={"branch": "main", "commit_hash": HEAD, "repository_url": "git@github.com:acme/secret-shop.git"})
    .event("task_started", turn_id="t1")
    .item("message", role="developer", content=[{"type": "input_text", "text": "Rules"}])
    .user("<environment_context>\n  <cwd>/home/ann/shop</cwd>\n</environment_context>")
    .user("Fix the test")
    .event("user_message", message="Fix the test")
    .add("turn_context", {"cwd": "/home/ann/shop", "model": "gpt-5"})
    .item("reasoning", summary=[{"type": "summary_text", "text": "hidden"}], encrypted_content="gAAAA-hidden")
    .event("agent_reasoning", text="hidden")
    .says("I look.", id="m1")
    .shell("c1", "git commit -am fix", "[main abc1234] fix\n 1 file changed")
    .item("custom_tool_call", name="apply_patch", call_id="c2", input="*** Begin Patch\n*** End Patch")
    .item("custom_tool_call_output", call_id="c2", output=json.dumps({"output": "Done", "metadata": {"exit_code": 0}}))
    .item("local_shell_call", call_id="c3", action={"type": "exec", "command": ["ls"], "env": {"TOKEN": "hidden"}})
    .gives("c3", "a\nb")
    .item("web_search_call", status="completed", action={"type": "search", "query": "pytest"})
    .event("token_count", info=None)
    .add("compacted", {"message": "hidden summary"})
    .says("Done.")
)


def test_a_rollout_becomes_one_trace_without_what_is_hidden_or_private():
    reading = FULL.read()

    assert reading.kinds == [
        *("user_message", "model_message", "tool_call", "tool_result", "tool_call", "tool_result"),
        *("tool_call", "tool_result", "tool_call", "model_message"),
    ]
    assert [e.tool for e in reading.trace.events if e.kind == "tool_call"] == [
        *("exec_command", "apply_patch", "local_shell_call", "web_search"),
    ]
    assert "hidden" not in reading.text
    assert "secret-shop" not in reading.text
    assert reading.trace.header.agent.model == "gpt-5"
    assert reading.report.folders == {"/home/ann/shop"}


def test_the_oldest_files_without_a_wrapper_are_read():
    data = lines(FULL.bare())

    assert CodexImporter().detect(data, "rollout-x.jsonl")
    reading = read("codex", data)
    assert reading.kinds == FULL.read().kinds
    assert reading.trace.header.trace_id == FULL.read().trace.header.trace_id


@pytest.mark.parametrize(
    "head",
    [
        b'{"type":"user","sessionId":"s","parentUuid":null,"message":{"role":"user"}}\n',
        b'{"id":"1","timestamp":"x","messages":[],"git":{}}',
        b'{"type":"response_item"}\n',
        b"just text",
        b"",
    ],
)
def test_other_files_are_no_rollouts(head: bytes):
    assert not CodexImporter().detect(head, "rollout-x.jsonl")


def test_a_head_that_ends_within_the_first_line_is_enough():
    long = Rollout(base_instructions={"text": "x" * 100_000}).data()

    assert CodexImporter().detect(long[: 64 * 1024], "rollout-x.jsonl")


def test_a_file_without_an_event_is_an_error_that_says_what_a_session_is():
    with pytest.raises(DataError, match="holds no event of a Codex session") as caught:
        Rollout().read()
    assert "rollout-" in caught.value.hint


def test_the_session_that_a_fork_names_is_found_beside_it_in_another_days_folder(tmp_path: Path):
    day, before = tmp_path / "2026" / "02" / "01", tmp_path / "2026" / "01" / "31"
    day.mkdir(parents=True)
    before.mkdir(parents=True)
    source = day / f"rollout-x-{ID}.jsonl"
    source.write_bytes(Rollout(forked_from_id=PARENT).data())
    (before / f"rollout-y-{PARENT}.jsonl").write_bytes(b"{}")
    (before / "rollout-z-other.jsonl").write_bytes(b"{}")

    names = [companion.name for companion in find_companions(source, CodexImporter())]
    assert names == [f"../../01/31/rollout-y-{PARENT}.jsonl"]
    assert find_companions(before / f"rollout-y-{PARENT}.jsonl", CodexImporter()) == ()


def test_an_id_that_is_a_pattern_finds_nothing():
    head = Rollout(forked_from_id="*").data()

    assert CodexImporter().companion_globs_of(head) == ()


def test_copied_items_count_once_and_the_trace_names_its_parent():
    parent = Rollout(session=PARENT).user("First", id="u1").shell("c1", "ls", "a").says("Seen.", id="m1")
    child = Rollout(forked_from_id=PARENT)
    child.records += parent.records
    child.user("Second", id="u2").shell("c2", "cat a", "text")
    reading = child.read(companions={f"rollout-p-{PARENT}.jsonl": parent.data()})

    assert [e.text for e in reading.trace.events if e.kind == "user_message"] == ["Second"]
    assert reading.report.skipped["item copied from another session"] == 4
    assert reading.trace.header.parent_trace_id == trace_id_of("acme", "codex", PARENT, "")
    assert reading.trace.header.parent_trace_id == parent.read().trace.header.trace_id


def test_copied_items_are_kept_and_told_when_the_source_is_not_here():
    child = Rollout(forked_from_id=PARENT).user("First", id="u1")
    reading = child.read()

    assert reading.kinds == ["user_message"]
    assert "not beside it" in reading.report.notes[0]


def test_a_session_that_is_nothing_but_a_copy_gives_no_trace_and_no_error():
    parent = Rollout(session=PARENT).user("First", id="u1").says("Seen.", id="m1")
    child = Rollout(forked_from_id=PARENT)
    child.records += parent.records[1:]
    reading = child.read(companions={f"rollout-p-{PARENT}.jsonl": parent.data()})

    assert reading.traces == []
    assert "copy of another session" in reading.report.notes[0]


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_no_record_of_any_shape_breaks_the_import(data: st.DataObject):
    survives("codex", lines(data.draw(mutated(FULL.records))))


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_no_old_record_of_any_shape_breaks_the_import(data: st.DataObject):
    survives("codex", lines(data.draw(mutated(FULL.bare()))))


@settings(max_examples=100, deadline=None)
@given(st.integers(0, len(FULL.data())))
def test_a_file_cut_at_any_byte_gives_the_events_before_the_cut(size: int):
    whole = FULL.read().trace.events
    reading = survives("codex", FULL.data()[:size], path=f"rollout-x-{ID}.jsonl")
    if reading is not None:
        found = reading.trace.events
        assert [e.text for e in found] == [e.text for e in whole[: len(found)]]


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=200))
def test_no_bytes_break_the_import(data: bytes):
    survives("codex", data)
