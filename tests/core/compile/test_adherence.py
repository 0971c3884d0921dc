"""Whether an attempt did what a Skill says is seen from its acts."""

from skillc.core.compile.adherence import failed_uses, follows, required_acts
from skillc.core.trace.records import Outcome
from tests.makers import call, fails, gives, make_evidence, make_source, user
from tests.refunds import BAD, ONE, failed, refund, refund_contract, step

DONE_AND_FAILED = make_source(
    user("refund"), call("find_order"), gives(), call("refund"), gives(), trace_id=BAD, outcome=Outcome.FAILURE
)


def test_an_attempt_that_did_every_required_step_in_order_follows():
    assert follows(refund_contract(), refund(ONE))
    assert not follows(refund_contract(), failed())
    backwards = make_source(call("refund"), gives(), call("find_order"), gives())
    assert not follows(refund_contract(), backwards)


def test_an_act_that_failed_is_not_done():
    assert not follows(refund_contract(), make_source(call("find_order"), gives(), call("refund"), fails("no")))


def test_optional_steps_are_not_required_and_one_step_says_nothing():
    made = refund_contract(steps=(step("find_order", "e1", optional=True), step("refund", "e3")))
    assert required_acts(made) == (("refund", ""),)
    assert not follows(made, refund(ONE))


def test_failures_that_did_every_step_are_told_once_they_are_new():
    evidence = make_evidence(refund(ONE), DONE_AND_FAILED, failed("t-00000008"))
    line = failed_uses(refund_contract(), evidence, known=())
    assert line is not None
    assert (line.kind, line.agreeing, line.opposing) == ("failed-use", 1, 1)
    assert [c.trace_id for c in line.against] == [BAD]
    assert failed_uses(refund_contract(), evidence, known=(BAD,)) is None
