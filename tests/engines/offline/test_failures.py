"""Rules of failure modes and their recoveries."""

import pytest

from skillc.core.policy import Thresholds
from skillc.core.trace.records import Outcome
from skillc.engines.offline.failures import failures_of
from skillc.engines.offline.induction import induce
from tests.makers import call, fails, gives, make_evidence, make_source, user


def modes(*sources):
    return failures_of(induce(make_evidence(*sources), Thresholds()))


def source(number, *drafts, **changes):
    return make_source(*drafts, trace_id=f"t-0000000{number}", **changes)


def test_failed_attempt_gives_no_recovery():
    """5.3: a recovery rests on a verified success."""
    drafts = [call("pay", {"id": "p1"}), fails("Error: payment method not found"), call("pay", {"id": "p2"}), gives({})]
    lost = [source(n, *drafts, outcome=Outcome.FAILURE) for n in (2, 3, 4)]
    good = source(1, call("pay", {"id": "p9"}), gives({}))

    (mode,) = modes(good, *lost)

    assert mode.recovery is None
    assert "payment method not found" in mode.text


@pytest.mark.parametrize("families", [1, 2])
def test_error_without_a_recovery_is_told_in_as_many_families_as_the_policy_asks(families):
    drafts = [call("pay", {"id": "p1"}), fails("Error: payment method not found")]
    lost = [source(n, *drafts, outcome=Outcome.FAILURE) for n in range(2, 2 + families)]

    assert modes(source(1, call("pay", {"id": "p9"}), gives({})), *lost) == ()


def test_error_of_a_tool_that_the_procedure_does_not_call_is_not_told_without_a_recovery():
    drafts = [call("book", {"id": "p1"}), fails("Error: payment method not found")]
    lost = [source(n, *drafts, outcome=Outcome.FAILURE) for n in (2, 3, 4)]

    assert modes(source(1, call("pay", {"id": "p9"}), gives({})), *lost) == ()


def test_answer_to_a_call_that_asked_nothing_is_no_failure_mode():
    """A query tool says how to ask when it is given prose: that is about the form of the question."""
    asked = [call("query", {"sql": "SELECT a FROM b"}), gives("1")] * 5
    prose = [call("query", {"sql": "I think that it is 3"}), fails("Your last action did not contain a statement")]

    assert modes(*(source(n, *asked, *prose, *asked) for n in (1, 2, 3))) == ()


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


def test_refusal_of_a_person_is_no_failure_mode():
    drafts = [
        call("pay", {"id": "p1"}), fails("The user doesn't want to proceed with this tool use."),
        call("pay", {"id": "p2"}), gives({}),
    ]  # fmt: skip

    assert modes(source(1, *drafts)) == ()
