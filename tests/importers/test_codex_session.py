"""What becomes an event of a Codex session, and how the session stands in git."""

from dataclasses import replace

import pytest

from skillc.core.policy import RestrictedPattern
from skillc.core.trace.edits import edits_of
from skillc.core.trace.records import Outcome
from skillc.importers.base import ImportContext
from tests.importers.reading import CONTEXT
from tests.importers.rollouts import HEAD, ID, Rollout


def test_a_persons_words_count_once_though_item_and_event_hold_them():
    for first, second in (("item", "event"), ("event", "item")):
        rollout = Rollout()
        for source in (first, second):
            if source == "item":
                rollout.user("Fix it\n")
            else:
                rollout.event("user_message", message="Fix it")
        reading = rollout.says("Yes").read()
        assert reading.kinds == ["user_message", "model_message"]
        assert reading.trace.header.objective == "Fix it"


def test_the_same_words_said_twice_are_two_turns():
    rollout = Rollout()
    for _ in range(2):
        rollout.user("Go on").event("user_message", message="Go on").says("Yes")

    assert rollout.read().kinds == ["user_message", "model_message"] * 2


def test_words_that_only_an_event_holds_are_a_turn():
    assert Rollout().event("user_message", message="Fix it").read().kinds == ["user_message"]


def test_a_stopped_turn_at_the_end_means_abandoned():
    rollout = Rollout().user("Fix it").event("turn_aborted", reason="interrupted")
    reading = rollout.user("<turn_aborted>\nThe user interrupted\n</turn_aborted>").read()

    assert reading.kinds == ["user_message", "note"]
    assert reading.trace.events[1].actor == "user"
    assert reading.trace.close.outcome is Outcome.ABANDONED
    assert rollout.says("Done").read().trace.close.outcome is Outcome.UNKNOWN


def test_a_turn_that_another_prompt_replaced_is_not_abandoned():
    reading = Rollout().user("Fix it").event("turn_aborted", reason="replaced").read()

    assert reading.trace.close.outcome is Outcome.UNKNOWN
    assert reading.trace.events[1].actor == "system"


def test_an_error_of_the_client_is_an_error_event():
    assert Rollout().user("x").event("error", message="stream disconnected").read().kinds == ["user_message", "error"]


def test_the_exit_code_says_whether_a_call_failed():
    rollout = (
        Rollout()
        .shell("c1", "true", "")
        .shell("c2", "false", "", code=1)
        .call("c3", "update_plan", {})
        .gives("c3", "ok")
    )

    assert [e.is_error for e in rollout.read().trace.events if e.kind == "tool_result"] == [False, True, None]


def test_an_exit_code_beside_the_item_counts_where_the_output_has_none():
    rollout = Rollout().call("c1", "shell", {"command": ["false"]})
    rollout.event("item_completed", item={"type": "CommandExecution", "id": "c1", "exit_code": 3}).gives("c1", "text")
    rollout.call("c2", "shell", {"command": ["x"]}).event("exec_command_end", call_id="c2", exit_code=0).gives(
        "c2", "t"
    )
    rollout.event("patch_apply_end", call_id="c4", success=False).call("c4", "apply_patch", {}).gives("c4", "text")

    assert [e.is_error for e in rollout.read().trace.events if e.kind == "tool_result"] == [True, False, True]


def test_the_head_that_a_session_began_at_is_not_where_its_work_ends():
    """A check that runs at `head_end` would otherwise judge the state before the work."""
    git = Rollout(git={"branch": "fix", "commit_hash": HEAD}).user("x").read().trace.header.environment.git
    assert git is not None
    assert (git.branch, git.head_start, git.head_end, git.commits) == ("fix", HEAD, None, ())


def test_commits_that_the_shell_shows_are_the_sessions_own():
    rollout = Rollout(git={"branch": "fix", "commit_hash": HEAD}).user("x")
    rollout.shell("c1", "cat notes", "[main 1111111] not a commit").shell("c2", "git commit -am y", "[fix abc1234] y\n")
    git = rollout.read().trace.header.environment.git

    assert git is not None
    assert (git.head_start, git.head_end, git.commits) == (HEAD, "abc1234", ("abc1234",))


def test_an_address_of_a_repository_is_stored_nowhere():
    rollout = Rollout(git={"repository_url": "https://git.acme.example/secret", "commit_hash": "not a commit"}).user(
        "x"
    )

    assert "secret" not in rollout.read().text
    assert rollout.read().trace.header.environment.git is None


def test_a_repeated_item_counts_once_and_a_result_without_its_call_is_kept():
    rollout = Rollout().says("A", id="m1").says("A", id="m1").shell("c1", "ls", "a").gives("c1", "a").gives("c9", "b")
    reading = rollout.read()

    assert reading.kinds == ["model_message", "tool_call", "tool_result", "tool_result"]
    assert reading.report.skipped["repeated item"] == 2
    assert reading.report.skipped["result without its call (kept)"] == 1


def test_a_patch_is_an_edit_of_its_files():
    patch = "*** Begin Patch\n*** Add File: src/a.py\n+x = 1\n*** Update File: b.py\n@@\n-old\n+new\n*** End Patch"
    rollout = Rollout().item("custom_tool_call", name="apply_patch", call_id="c1", input=patch)
    rollout.item(
        "custom_tool_call_output", call_id="c1", output="Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess."
    )
    rollout.call(
        "c2", "shell", {"command": ["apply_patch", patch.replace("a.py", "c.py")], "workdir": "/home/ann/shop/api"}
    )
    rollout.gives("c2", '{"output": "Success.", "metadata": {"exit_code": 0}}')
    rollout.call("c3", "shell", {"command": ["bash", "-lc", f"apply_patch <<'EOF'\n{patch}\nEOF"]}).gives(
        "c3", "patch rejected"
    )
    edits = edits_of(rollout.read().trace)

    assert [(e.path, e.text, e.whole) for e in edits] == [
        ("src/a.py", "x = 1\n", True),
        ("b.py", "new", False),
        ("api/src/c.py", "x = 1\n", True),
        ("api/b.py", "new", False),
    ]


def test_a_call_with_an_environment_does_not_store_it():
    rollout = Rollout().item(
        "local_shell_call", call_id="c", action={"type": "exec", "command": ["ls"], "env": {"A": "hidden"}}
    )

    assert "hidden" not in rollout.read().text


def test_unknown_calls_and_items_of_newer_versions_are_kept_or_counted():
    rollout = (
        Rollout().item("tool_search_call", call_id="c1", arguments={"q": "x"}).item("tool_search_output", call_id="c1")
    )
    reading = rollout.item("ghost_snapshot", ghost_commit={}).add("state_v9", {}).says("x").read()

    assert reading.kinds == ["tool_call", "tool_result", "model_message"]
    assert reading.trace.events[0].tool == "tool_search"
    assert reading.report.skipped["item ghost_snapshot"] == 1
    assert reading.report.skipped["record state_v9"] == 1


def test_restricted_tools_leave_no_content():
    context = ImportContext(namespace="acme", secret=b"s" * 32, restricted=(RestrictedPattern(tool="exec_command"),))
    reading = Rollout().shell("c1", "cat salaries", "Mia Li").read(context=context)

    assert [bool(e.restricted) for e in reading.trace.events] == [True, True]
    assert "Mia Li" not in reading.text
    assert "salaries" not in reading.text


@pytest.mark.parametrize("meta", [{"id": 7}, {"git": "x"}, {"cwd": 3}, {"git": {"branch": 5}}, {"source": "exec"}])
def test_a_head_of_the_wrong_shape_does_not_stop_the_session(meta: dict[str, object]):
    assert Rollout(**meta).user("x").read().kinds == ["user_message"]


def test_with_split_objective_a_new_task_begins_a_new_trace_of_the_same_session():
    session = Rollout(git={"branch": "main", "commit_hash": "1" * 40}).user("Fix the failing cart total test")
    session.shell("c1", "git commit -m x", "[main aaaaaaa] x\n").says("Fixed.")
    session.user("Write release notes covering version 2.0 changes").shell("c2", "ls", "notes.md").says("Done.")
    first, second = session.read(context=replace(CONTEXT, splits_objectives=True)).traces

    assert [t.header.source.ref for t in (first, second)] == [ID, f"{ID}/2"]
    assert second.header.objective == "Write release notes covering version 2.0 changes"
    assert first.header.environment.git is not None
    assert second.header.environment.git is not None
    assert (first.header.environment.git.head_end, second.header.environment.git.head_start) == ("aaaaaaa", "aaaaaaa")
    assert second.header.environment.git.head_end is None
    assert second.header.environment.cwd_label == first.header.environment.cwd_label
    assert len(session.read().traces) == 1


def test_after_a_stopped_turn_the_person_goes_on_with_the_same_task():
    session = Rollout().user("Fix the failing cart total test").shell("c1", "ls", "x").says("Looking.")
    session.event("turn_aborted", reason="interrupted").user("Write release notes covering version 2.0 changes")
    assert len(session.read(context=replace(CONTEXT, splits_objectives=True)).traces) == 1
