"""Rules of the known errors of checks and commands."""

import pytest

from skillc.core.trace.records import Outcome
from tests.engines.offline.stale_schema import EDIT, PASSED, STALE, mended, modes, source
from tests.makers import bash, call, fails, gives


def test_what_stands_between_an_error_and_the_call_that_worked_is_its_recovery():
    (mode,) = modes(mended(1), mended(2))

    assert mode.text == "`pytest` fails with “schema.py is out of date; run: python tools/gen.py”"
    assert mode.recovery == "Run `python tools/gen.py`, then run it again."
    assert {c.trace_id for c in mode.recovery_citations} == {"t-00000001", "t-00000002"}


def test_only_what_all_families_did_is_the_recovery():
    longer = source(
        3, *EDIT, bash("pytest"), STALE, *EDIT, bash("python tools/gen.py"), gives("wrote"), bash("pytest"), PASSED
    )

    (mode,) = modes(mended(1), longer)

    assert mode.recovery == "Run `python tools/gen.py`, then run it again."


def test_check_that_fails_before_the_change_is_the_task_and_no_failure_mode():
    drafts = [bash("pytest"), fails("E  ValueError: bad total amount here\n1 failed"), *EDIT, bash("pytest"), PASSED]

    assert modes(source(1, *drafts)) == ()


def test_tool_that_is_not_installed_is_replaced_by_the_one_that_ran():
    drafts = [
        bash("python -m pytest"), fails("python: No module named pytest"), bash("python -m unittest"), fails("FAILED (failures=1)"),
        *EDIT, bash("python -m unittest"), gives("OK"),
    ]  # fmt: skip

    (mode,) = modes(source(1, *drafts))

    assert mode.recovery == "Use `python -m unittest` instead."


def test_variable_that_was_missing_is_named_with_the_command_that_has_it():
    unset = fails("Exit code 1\nE   KeyError: 'SHOP_MODE'\n1 error in 0.1s")

    def attempt(number):
        run = [bash("pytest -q"), unset, bash("SHOP_MODE=test pytest -q"), PASSED]
        return source(number, *EDIT, *run)

    (mode,) = modes(attempt(1), attempt(2))

    assert mode.text == "`pytest -q` fails with “KeyError: 'SHOP_MODE'”"
    assert mode.recovery == "Set `SHOP_MODE`: run `SHOP_MODE=test pytest -q`."


def test_value_of_a_variable_that_differs_between_families_is_a_placeholder():
    unset = fails("Exit code 1\nError: SHOP_URL is not set\n# fail 1")

    def attempt(number, value):
        return source(number, *EDIT, bash("npm test"), unset, bash(f"export SHOP_URL={value} && npm test"), PASSED)

    (mode,) = modes(attempt(1, "one"), attempt(2, "two"))

    assert mode.recovery == "Set `SHOP_URL`: run `SHOP_URL=<shop_url> npm test`."


def test_variable_of_make_stands_behind_its_target():
    unset = fails("Exit code 2\nMakefile:3: *** name a PROFILE.  Stop.")

    def attempt(number):
        return source(number, *EDIT, bash("make test"), unset, bash("make test PROFILE=ci"), gives("OK"))

    (mode,) = modes(attempt(1), attempt(2))

    assert mode.text == "`make test` fails with “name a PROFILE.”"
    assert mode.recovery == "Set `PROFILE`: run `make test PROFILE=ci`."


LATE = fails("Exit code 1\nE   TimeoutError: the worker did not answer\n1 failed, 2 passed")


def test_same_run_with_another_result_and_nothing_in_between_fails_now_and_then():
    flaky = [*EDIT, bash("pytest"), LATE, bash("cat worker.log"), gives(""), bash("pytest -q"), PASSED]

    (mode,) = modes(source(1, *flaky), source(2, *flaky))

    assert mode.recovery == "Run it again before you change anything; it fails now and then."
    assert all(len(c.events) >= 4 for c in mode.citations), "the run that failed and the one that passed"


def test_run_that_passed_after_a_change_is_not_said_to_fail_now_and_then():
    changed = [
        *EDIT,
        bash("pytest"),
        LATE,
        call("Edit", {"file_path": "worker.py"}),
        gives("ok"),
        bash("pytest"),
        PASSED,
    ]

    (mode,) = modes(source(1, *changed), source(2, *changed))

    assert mode.recovery == "Change `worker.py`, then run it again."


def test_what_left_the_symptom_there_is_told_as_no_help():
    vain = [
        *EDIT, bash("pytest"), STALE, bash("npm install"), gives("up to date"), bash("pytest"), STALE,
        bash("python tools/gen.py"), gives("wrote"), bash("pytest"), PASSED,
    ]  # fmt: skip

    (mode,) = modes(source(1, *vain), mended(2))

    assert mode.text.endswith("; `npm install` does not help")
    assert mode.recovery == "Run `python tools/gen.py`, then run it again."


def test_last_approach_of_a_failed_attempt_is_told_as_no_help():
    lost = source(
        3, *EDIT, bash("pytest"), STALE, call("Write", {"file_path": "conftest.py"}), gives("ok"), bash("pytest"), PASSED,
        outcome=Outcome.FAILURE,
    )  # fmt: skip

    texts = [m.text for m in modes(mended(1), mended(2), lost)]

    assert any(t.endswith("; creating `conftest.py` does not help") for t in texts)


def test_symptom_that_comes_back_earlier_does_not_count_as_mended():
    """A run that fails at an earlier stage never came as far as the later symptom."""
    back = [
        *EDIT, bash("pytest"), STALE, bash("python tools/gen.py"), gives("wrote"), bash("pytest"), LATE,
        bash("make clean"), gives(""), bash("pytest"), STALE, bash("python tools/gen.py"), gives("wrote"),
        bash("pytest"), LATE, bash("make start"), gives(""), bash("pytest"), PASSED,
    ]  # fmt: skip

    found = {m.text: m.recovery for m in modes(source(1, *back), source(2, *back))}

    (late,) = [r for t, r in found.items() if "TimeoutError" in t]
    assert "make clean" not in late


def test_flag_that_made_a_command_work_is_the_remedy_and_not_what_was_done_meanwhile():
    refused = fails("fatal: The current branch fix-7 has no upstream branch.")
    push = [
        *EDIT, bash("git push"), refused, bash("make lint"), gives("ok"), bash("git push --set-upstream origin fix-7"), gives("ok"),
    ]  # fmt: skip

    (mode,) = modes(source(1, *push))

    assert mode.text == "`git push` fails with “The current branch … has no upstream branch.”"
    assert mode.recovery == "Use `git push --set-upstream` instead."


OWN = [call("Edit", {"file_path": "src/deep/one.py"}), gives("ok")]


def test_command_beside_the_tasks_own_work_is_no_remedy_by_itself():
    """The edit may have mended it; with one family there is nothing to tell the two apart."""
    both = [*EDIT, bash("pytest"), STALE, *OWN, bash("make gen"), gives("ok"), bash("pytest"), PASSED]

    assert modes(source(1, *both)) == ()


def test_command_that_two_families_ran_beside_their_own_work_is_the_remedy():
    def both(number):
        own = [call("Edit", {"file_path": f"src/deep/{number}.py"}), gives("ok")]
        run = [bash("pytest"), STALE, *own, bash("make gen"), gives("ok"), bash("pytest"), PASSED]
        return source(number, *EDIT, *run)

    (mode,) = modes(both(1), both(2))

    assert mode.recovery == "Run `make gen`, then run it again."


def test_what_did_not_help_before_is_not_the_remedy_later():
    twice = [
        *EDIT, bash("pytest"), STALE, bash("npm install"), gives("ok"), bash("pytest"), STALE,
        bash("npm install"), gives("ok"), bash("make gen"), gives("ok"), bash("pytest"), PASSED,
    ]  # fmt: skip

    (mode,) = modes(source(1, *twice))

    assert mode.recovery == "Run `make gen`, then run it again."


def test_variable_that_the_symptom_names_is_the_remedy_and_nothing_beside_it():
    unset = fails("Exit code 1\nE   KeyError: 'SHOP_MODE'\n1 error in 0.1s")
    run = [*EDIT, bash("pytest"), unset, bash("make gen"), gives("ok"), bash("SHOP_MODE=test pytest"), PASSED]

    (mode,) = modes(source(1, *run), source(2, *run))

    assert mode.recovery == "Set `SHOP_MODE`: run `SHOP_MODE=test pytest`."


def test_file_that_was_tried_and_removed_does_not_hide_the_remedy():
    tried = [
        *EDIT, bash("pytest"), STALE, call("Write", {"file_path": "conftest.py"}), gives("File created"),
        bash("pytest"), STALE, bash("rm conftest.py"), gives(""), bash("make gen"), gives("ok"), bash("pytest"), PASSED,
    ]  # fmt: skip

    (mode,) = modes(source(1, *tried))

    assert mode.text.endswith("; creating `conftest.py` does not help")
    assert mode.recovery == "Run `make gen`, then run it again."


def test_only_family_names_the_script_by_its_placeholder():
    found = [*EDIT, bash("pytest"), LATE, bash("python tools/gen_7.py"), gives("ok"), bash("pytest"), PASSED]

    (mode,) = modes(source(1, *found))

    assert mode.recovery == "Run `python <script>`, then run it again."


def beside_own_work(number, symptom, command):
    """The check fails, the agent goes on with its own edits and runs a command, and the check passes."""
    stale = fails(f"Exit code 1\nAssertionError: {symptom}\n\n1 failed")
    own = [call("Edit", {"file_path": f"src/part_{number}.py"}), gives("updated")]
    return source(number, *EDIT, bash("pytest"), stale, *own, bash(command), gives("ok"), bash("pytest"), PASSED)


@pytest.mark.parametrize(
    ("symptom", "command", "recovery"),
    [
        ("client is stale; run make gen first", "make gen", "Run `make gen`, then run it again."),
        ("schema.py is out of date; run: python tools/gen.py", "python tools/gen.py", "Run `python tools/gen.py`, then run it again."),
    ],
)  # fmt: skip
def test_remedy_that_the_message_asks_for_is_told_even_beside_own_edits(symptom, command, recovery):
    (mode,) = [m for m in modes(beside_own_work(1, symptom, command), mended(2)) if symptom[:12] in m.text]

    assert mode.recovery == recovery


def test_command_beside_own_edits_that_the_message_does_not_ask_for_is_no_remedy():
    found = modes(beside_own_work(1, "the total is wrong by one", "make gen"), source(2, *EDIT, bash("pytest"), PASSED))

    assert found == ()
