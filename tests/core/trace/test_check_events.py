"""Which run of a check in a Trace counts: the last one after the last write, with its own end."""

import pytest

from skillc.core.trace.check_events import may_write, ran_no_test, read_check, written_paths
from skillc.core.trace.records import EventKind, Outcome
from tests.makers import bash, call, fails, gives, make_event, make_trace, says, user

RUN = ("pytest", "-q")
EDIT = (call("Edit", {"file_path": "a.py", "old_string": "x", "new_string": "y"}), gives("updated"))
PASSES = (bash("pytest -q"), gives("3 passed", is_error=False))
FAILS = (bash("pytest -q"), fails("Exit code 1\n1 failed"))


def reading(*drafts, **options):
    return read_check(make_trace(user("Do it."), *drafts), RUN, **options)


def outcome(*drafts, **options) -> Outcome | None:
    run = reading(*drafts, **options).run
    return run.outcome if run else None


def test_the_last_run_after_the_last_write_counts_and_names_its_events():
    found = reading(*FAILS, *EDIT, *PASSES)
    assert found.run is not None
    assert (found.run.outcome, found.run.code, found.run.ref) == (Outcome.SUCCESS, 0, "e5 e6")
    assert outcome(*PASSES, *EDIT, *FAILS) is Outcome.FAILURE
    assert outcome(*PASSES) is Outcome.SUCCESS


@pytest.mark.parametrize(
    "later",
    [
        EDIT, (bash("sed -i s/a/b/ a.py"), gives()), (bash("python gen.py"), gives()), (call("Task", {"prompt": "x"}), gives()),
        (call("mcp__fs__write_file", {"path": "a"}), gives()), (call("whatever", {}), gives()), (bash("pytest tests/a.py"), gives()),
        (bash("echo x > a.py"), gives()),
    ],
)  # fmt: skip
def test_a_run_before_something_that_may_write_does_not_count(later):
    assert "may have written files after" in reading(*PASSES, *later).reason


@pytest.mark.parametrize(
    "later",
    [
        (call("Read", {"file_path": "a"}), gives("x")), (bash("git add -A && git commit -m done"), gives()), (says("Done."),),
        (bash("ls; cat a.py | head"), gives()), (call("TodoWrite", {"todos": []}), gives()),
    ],
)  # fmt: skip
def test_looking_and_committing_after_the_run_is_no_write(later):
    assert outcome(*EDIT, *PASSES, *later) is Outcome.SUCCESS


def test_a_masked_last_run_is_not_passed_over_for_an_earlier_clean_one():
    found = reading(*EDIT, *PASSES, bash("pytest -q | tail -3"), gives("3 passed", is_error=False))
    assert found.run is None
    assert "does not count" in found.reason


def test_a_write_that_runs_beside_the_check_counts_as_later():
    """Two calls at once: nobody knows which of them came first."""
    edit, done = EDIT
    assert outcome({**edit, "call_id": "w"}, {**PASSES[0], "call_id": "r"}, {**PASSES[1], "call_id": "r"},
                   {**done, "call_id": "w"}) is None  # fmt: skip


@pytest.mark.parametrize(
    ("result", "why"),
    [
        (None, "has no result"), (gives("3 passed"), "does not say how it ended"), (fails("The user rejected it"), "does not say"),
        (gives("Exit code 1\nx", is_error=False), "does not say how it ended"), (fails("Exit code 127\nnot found"), "exit 127"),
        (fails("Exit code 124\n"), "exit 124"), (fails("Exit code 137\n"), "exit 137"), (gives("Ran 0 tests", is_error=False), "no test"),
        (gives("Command running in background with ID: 1", is_error=False), "to its end"),
        ({**gives(is_error=False), "text": None, "restricted": {"ref": "r"}}, "not stored"),
    ],
)  # fmt: skip
def test_a_result_that_is_missing_or_ambiguous_is_held(result, why: str):
    drafts = (bash("pytest -q"),) if result is None else (bash("pytest -q"), result)
    assert why in reading(*drafts).reason


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Exit code: 0\nWall time: 1 s\nOutput:\nok", Outcome.SUCCESS), ("Process exited with code 2\nx", Outcome.FAILURE),
        ('{"output": "ok", "metadata": {"exit_code": 0}}', Outcome.SUCCESS), ('{"metadata": {"exit_code": true}}', None),
        ("ok\nExit code: 0\n", None),
    ],
)  # fmt: skip
def test_an_exit_code_counts_only_where_the_host_writes_it(text: str, expected: Outcome | None):
    """A host without a flag tells the code at the very beginning; later lines are the command's own output."""
    assert outcome(bash("pytest -q"), gives(text)) is expected


@pytest.mark.parametrize(
    "earlier",
    ["alias pytest=true", "pytest() { true; }", "trap 'exit 0' EXIT", "export PATH=/tmp/fake:$PATH", "source env"],
)
def test_a_shell_that_was_changed_before_makes_the_run_another(earlier: str):
    assert "the shell was changed" in reading(bash(earlier), gives(), *PASSES).reason


def test_a_run_in_another_folder_is_another():
    assert "left its folder" in reading(bash("cd sub"), gives(), *PASSES).reason
    assert outcome(bash("cd sub"), gives(), bash("cd ."), gives(), *PASSES) is Outcome.SUCCESS
    there = call("exec_command", {"cmd": "pytest -q", "workdir": "sub"})
    assert "another folder" in reading(there, gives(is_error=False)).reason


def test_a_list_of_words_is_a_line():
    there = call("shell", {"command": ["bash", "-lc", "pytest -q"], "workdir": "."})
    assert outcome(there, gives("ok", is_error=False)) is Outcome.SUCCESS


def test_fails_before_wants_the_failure_before_the_first_write():
    assert outcome(*FAILS, *EDIT, *PASSES, fails_before=True) is Outcome.SUCCESS
    for drafts in ((*PASSES, *EDIT, *PASSES), (*EDIT, *FAILS, *EDIT, *PASSES), (*EDIT, *PASSES), (*FAILS, *PASSES)):
        assert "failed before the first write" in reading(*drafts, fails_before=True).reason


@pytest.mark.parametrize(
    "change",
    [
        call("Edit", {"file_path": "tests/test_a.py", "old_string": "x", "new_string": "y"}), bash("sed -i s/a/b/ tests/test_a.py"),
        call("Edit", {"file_path": "src/../tests/test_a.py", "old_string": "x", "new_string": "y"}), bash("rm -rf tests"),
        call("apply_patch", {"input": "*** Begin Patch\n*** Update File: tests/test_a.py\n"}), bash("echo > tests/test_a.py"),
        call("mcp__fs__edit_file", {"path": "tests/test_a.py"}), bash("git checkout x -- tests/test_a.py"),
    ],
)  # fmt: skip
def test_a_session_that_touched_protected_files_is_held(change):
    def existed(path: str) -> bool | None:
        return path in ("tests", "tests/test_a.py")

    assert "tests changed" in reading(change, gives(), *PASSES, protects=["tests/**"], existed=existed).reason
    assert "tests changed" in reading(change, gives(), *PASSES, protects=["tests/**"], existed=lambda p: None).reason


def test_adding_a_protected_file_and_running_one_is_no_change():
    added = call("Write", {"file_path": "tests/test_new.py", "content": "x"})
    ran = bash("pytest tests/test_a.py")
    drafts = (added, gives(), ran, gives(), *PASSES)
    assert outcome(*drafts, protects=["tests/**"], existed=lambda p: p == "tests/test_a.py") is Outcome.SUCCESS


def test_a_check_that_never_ran_is_said():
    assert reading(bash("ls"), gives()).reason == "the session never ran `pytest -q`"


def test_what_may_write():
    def event(draft):
        return make_event({**draft, "kind": EventKind.TOOL_CALL})

    assert may_write(event(call("Bash", {})))
    assert may_write(event(call("write_stdin", {"chars": "x"})))
    assert not may_write(event(call("get_order", {"id": "1"})))
    paths = written_paths(make_trace(bash("cp a=b --out=tests/x c"), gives()))
    assert {"a=b", "b", "tests/x", "c"} <= paths


@pytest.mark.parametrize(
    ("text", "expected"), [("Ran 0 tests in 0s", True), ("Ran 3 tests", False), ("0 passing", True)]
)
def test_output_that_tells_that_nothing_ran(text: str, expected: bool):
    assert ran_no_test(text) is expected
