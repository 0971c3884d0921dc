"""Rules of failure modes and their recoveries."""

from skillc.core.policy import Thresholds
from skillc.core.trace.records import Outcome
from skillc.engines.offline.failures import failures_of
from skillc.engines.offline.induction import induce
from tests.makers import bash, call, fails, gives, make_evidence, make_source, user

EDIT = [call("Edit", {"file_path": "schema.json"}), gives("updated")]
STALE = fails("Exit code 1\nAssertionError: schema.py is out of date; run: python tools/gen.py\n\n1 failed")
PASSED = gives("3 passed")


def modes(*sources):
    return failures_of(induce(make_evidence(*sources), Thresholds()))


def source(number, *drafts, **changes):
    return make_source(*drafts, trace_id=f"t-0000000{number}", **changes)


def mended(number):
    return source(
        number, *EDIT, bash("pytest"), STALE, bash("python tools/gen.py"), gives("wrote"), bash("pytest"), PASSED
    )


def test_what_stands_between_an_error_and_the_call_that_worked_is_its_recovery():
    (mode,) = modes(mended(1), mended(2))

    assert mode.text == "`pytest` fails with “schema.py is out of date; run: python tools/gen.py”"
    assert mode.recovery == "Run `python tools/gen.py`, then run `pytest` again."
    assert {c.trace_id for c in mode.recovery_citations} == {"t-00000001", "t-00000002"}


def test_only_what_all_families_did_is_the_recovery():
    longer = source(
        3, *EDIT, bash("pytest"), STALE, *EDIT, bash("python tools/gen.py"), gives("wrote"), bash("pytest"), PASSED
    )

    (mode,) = modes(mended(1), longer)

    assert mode.recovery == "Run `python tools/gen.py`, then run `pytest` again."


def test_failed_attempt_gives_no_recovery():
    """5.3: a recovery rests on a verified success."""
    drafts = [call("pay", {"id": "p1"}), fails("Error: payment method not found"), call("pay", {"id": "p2"}), gives({})]
    lost = [source(n, *drafts, outcome=Outcome.FAILURE) for n in (2, 3)]
    good = source(1, call("pay", {"id": "p9"}), gives({}))

    (mode,) = modes(good, *lost)

    assert mode.recovery is None
    assert "payment method not found" in mode.text


def test_error_of_one_failed_attempt_alone_is_not_told():
    lost = source(2, call("pay", {"id": "p1"}), fails("Error: payment method not found"), outcome=Outcome.FAILURE)

    assert modes(source(1, call("pay", {"id": "p9"}), gives({})), lost) == ()


def test_retry_with_another_value_names_the_argument_and_its_source():
    drafts = [
        user("pay"), call("pay", {"method_id": "card-1111"}), fails("Error: payment method not found"),
        call("get_user", {"user_id": "ann"}), gives({"methods": ["card-2222"]}),
        call("pay", {"method_id": "card-2222"}), gives({"status": "paid"}),
    ]  # fmt: skip

    (mode,) = modes(source(1, *drafts))

    assert mode.recovery == (
        "Call `get_user`, then call `pay` again with another `<method_id>`, taken from the result of `get_user`."
    )


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


def test_step_that_every_success_ran_and_a_failure_left_out_is_named():
    left_out = source(3, *EDIT, bash("pytest tests/test_a.py"), PASSED, outcome=Outcome.FAILURE)

    texts = {m.text: m.recovery for m in modes(mended(1), mended(2), left_out)}

    assert texts["The work looks finished although `python tools/gen.py` was not run"].startswith(
        "Run `python tools/gen.py`"
    )
    assert "The work looks finished after only a part of the tests was run" in texts


def test_refusal_of_a_person_is_no_failure_mode():
    drafts = [
        call("pay", {"id": "p1"}), fails("The user doesn't want to proceed with this tool use."),
        call("pay", {"id": "p2"}), gives({}),
    ]  # fmt: skip

    assert modes(source(1, *drafts)) == ()
