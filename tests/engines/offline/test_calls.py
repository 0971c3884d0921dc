"""Rules of reading events as calls."""

import pytest

from skillc.engines.offline.calls import CallKind, attempts_of
from tests.makers import bash, call, fails, gives, make_source, user


def calls(*drafts, **changes):
    return attempts_of((make_source(*drafts, **changes),))[0].calls


def test_line_of_several_commands_is_several_calls_with_the_same_events():
    found = calls(bash("python tools/gen.py && python -m pytest -q"), gives("2 passed"))

    assert [(c.kind, c.operation) for c in found] == [
        (CallKind.COMMAND, "python"),
        (CallKind.CHECK, "python -m pytest"),
    ]
    assert {c.events for c in found} == {("e0", "e1")}


def test_check_at_the_end_of_a_line_does_not_fail_what_ran_before_it():
    found = calls(bash("python tools/gen.py && python -m pytest -q"), fails("1 failed, 2 passed"))

    assert [c.failed for c in found] == [False, True]


def test_failing_check_behind_a_pipe_is_still_failing():
    (found,) = calls(bash("pytest | tail -3"), gives("== 1 failed, 2 passed ==", is_error=False))

    assert found.failed
    assert found.ran


def test_check_that_is_not_installed_did_not_run():
    (found,) = calls(bash("python -m pytest"), fails("/usr/bin/python: No module named pytest"))

    assert not found.ran


def test_patch_typed_as_a_command_edits_the_file_that_it_names():
    line = "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: src/a.py\n@@\n-x\n+y\n*** End Patch\nEOF"
    (found,) = calls(call("shell", {"command": ["bash", "-lc", line]}), gives("Success"))

    assert (found.kind, found.path) == (CallKind.EDIT, "src/a.py")


def test_kinds_follow_the_tool():
    found = calls(
        call("Read", {"file_path": "a.py"}),
        gives("x"),
        call("Edit", {"file_path": "a.py"}),
        gives("ok"),
        bash("cat > b.txt <<E\nx\nE"),
        gives(""),
        bash("grep -n x a.py"),
        gives(""),
        bash("python -c 'print(1)'"),
        gives("1"),
        call("get_order", {"id": "1"}),
        gives({"id": "1"}),
    )

    assert [c.kind.value for c in found] == ["look", "edit", "edit", "look", "look", "record"]
    assert found[-1].result == {"id": "1"}


def test_calls_about_the_agents_own_work_are_left_out():
    assert calls(call("TodoWrite", {"todos": []}), gives("ok"), bash("cd x"), gives("")) == ()


def test_tool_with_a_name_that_is_no_name_is_left_out():
    assert calls(call("run <this>\nnow", {}), gives("ok")) == ()


def test_after_a_change_means_after_one_that_worked():
    found = calls(
        call("Edit", {"file_path": "a.py"}), fails("no"), bash("pytest"), gives("1 passed"),
        call("Edit", {"file_path": "a.py"}), gives("ok"), bash("pytest"), gives("1 passed"),
    )  # fmt: skip

    assert [c.after_change for c in found] == [False, False, False, True]


def test_every_family_weighs_one():
    sources = tuple(make_source(user("x"), trace_id=f"t-0000000{n}", attempt_family="t-00000001") for n in (1, 2))

    assert [a.weight for a in attempts_of(sources)] == [0.5, 0.5]


def test_edit_without_a_path_is_of_the_file_that_is_open():
    found = calls(
        call("open", {"path": "a.py"}), gives("..."), call("edit", {"replacement_text": "x"}), gives("ok"),
        call("create", {"filename": "b.py"}), gives("ok"), call("insert", {"text": "y"}), gives("ok"),
    )  # fmt: skip

    assert [(c.kind.value, c.path) for c in found] == [
        ("look", "a.py"), ("edit", "a.py"), ("edit", "b.py"), ("edit", "b.py")
    ]  # fmt: skip


def test_status_that_is_not_hidden_is_believed_against_the_text():
    loud = gives("ERROR retrying the queue\n12 passed", is_error=False)

    assert not calls(bash("pytest"), loud)[0].failed
    assert calls(bash("pytest | tail -3"), gives("1 failed, 2 passed", is_error=False))[0].failed


def test_edit_that_makes_a_file_is_known_by_the_tool_or_the_first_sight_of_the_file():
    drafts = [
        (call("Write", {"file_path": "a.py"}), gives("File created successfully at: a.py"), True),
        (call("Write", {"file_path": "b.py"}), gives("The file b.py has been updated successfully"), False),
        (call("Edit", {"file_path": "c.py"}), gives("ok"), False),
        (bash("cat > d.py <<'E'\nx = 1\nE"), gives(""), True),
        (bash("cat > d.py <<'E'\nx = 2\nE"), gives(""), False),
    ]
    found = calls(*(d for asked, answer, _ in drafts for d in (asked, answer)))

    assert [c.creates for c in found] == [made for _, _, made in drafts]


def test_every_file_of_a_patch_is_an_edit():
    patch = "*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** Add File: tests/test_a.py\n+z\n*** End Patch"
    by_shell = calls(bash(f"apply_patch <<'EOF'\n{patch}\nEOF"), gives("Success"))
    by_tool = calls(call("apply_patch", {"input": patch}), gives("Success"))

    for found in (by_shell, by_tool):
        assert [(c.path, c.creates) for c in found] == [("a.py", False), ("tests/test_a.py", True)]


def test_check_that_a_pipe_hides_and_that_did_not_start_has_failed():
    (found,) = calls(bash("python -m pytest -q 2>&1 | tail -5"), gives("bash: line 1: python: command not found"))

    assert (found.failed, found.ran) == (True, False)


def test_shell_that_keeps_its_place_stands_where_the_last_line_left_it():
    moved = [bash("cd web"), gives(""), bash("npm test"), gives("1 passed")]
    reset = [bash("cd web"), gives("Shell cwd was reset to /srv/app"), bash("npm test"), gives("1 passed")]
    lost = [bash("cd wbe"), fails("bash: cd: wbe: No such file or directory"), bash("npm test"), gives("1 passed")]
    other = [
        call("exec_command", {"cmd": "cd web"}),
        gives(""),
        call("exec_command", {"cmd": "npm test"}),
        gives("1 passed"),
    ]

    assert [calls(*d)[-1].lead for d in (moved, reset, lost, other)] == [("cd web",), (), (), ()]


def test_files_of_a_command_that_runs_in_a_folder_are_seen_from_the_root():
    """The edit of a file and the check of it meet, wherever the shell stood."""
    edit, read, check = calls(
        call("Edit", {"file_path": "pkg/tests/test_x.py"}), gives("ok"),
        bash("cd pkg && cat tests/test_x.py"), gives("x"),
        bash("cd pkg && pytest tests/test_x.py -q"), gives("1 passed"),
    )  # fmt: skip

    assert {edit.path, read.path, check.path} == {"pkg/tests/test_x.py"}


def test_shell_that_keeps_its_folder_is_followed():
    _, check = calls(
        call("execute_bash", {"command": "cd pkg && ls"}), gives("a"),
        call("execute_bash", {"command": "pytest tests/test_x.py"}), gives("1 passed"),
    )  # fmt: skip

    assert check.path == "pkg/tests/test_x.py"


def test_patch_in_a_folder_edits_the_file_below_it():
    line = "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: src/a.py\n@@\n-x\n+y\n*** End Patch\nEOF"
    (found,) = calls(call("shell", {"command": ["bash", "-lc", line], "workdir": "pkg"}), gives("Success"))

    assert found.path == "pkg/src/a.py"


@pytest.mark.parametrize("text", ["[" * 50_000, '{"a":' * 30_000])
def test_result_that_is_nested_too_deep_is_text(text):
    (found,) = calls(call("get", {"a": 1}), gives(text))

    assert found.result is None
    assert found.text == text
