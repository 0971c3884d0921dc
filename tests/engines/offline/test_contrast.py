"""Rules of contrast: when to stop, and what failures left out."""

from skillc.core.compile.checks import check_proposal
from skillc.core.policy import Thresholds
from skillc.core.trace.records import Outcome
from skillc.engines.offline.contrast import left_out_reads, stop_conditions_of
from skillc.engines.offline.curate import claim_verdicts
from skillc.engines.offline.induction import induce
from skillc.engines.offline.reflect import propose
from tests.makers import call, gives, make_evidence, make_source, user

FAILED = Outcome.FAILURE


def order(number, status="pending", *, outcome=Outcome.SUCCESS, reads=True, acts=True, extra=None):
    oid = f"ord-{number}44"
    look = [call("get_order", {"order_id": oid}), gives({"status": status})] if reads else []
    act = [call("cancel_order", {"order_id": oid}), gives({})] if acts else []
    more = [call(extra, {"order_id": oid}), gives({})] if extra else []
    return make_source(user(f"cancel {oid}"), *look, *act, *more, trace_id=f"t-000000{number}", outcome=outcome)


def stops(*sources):
    return [c.text for c in stop_conditions_of(induce(make_evidence(*sources), Thresholds()))]


ACTED = [order(n) for n in range(11, 16)]
SHIPPED = [order(n, "shipped", outcome=FAILED) for n in range(31, 35)]


def test_verified_attempt_that_met_another_state_and_changed_nothing_says_when_to_stop():
    refused = order(21, "shipped", acts=False)

    assert stops(*ACTED, *SHIPPED, refused) == [
        "`status` in the result of `get_order` is not `pending`: then nothing is changed."
    ]


def test_failures_alone_give_no_stop_condition():
    assert stops(*ACTED, *SHIPPED) == []


def test_action_that_only_failures_take_stops_the_work():
    extra = [order(n, outcome=FAILED, extra="refund_order") for n in range(41, 45)]

    assert stops(*ACTED, *extra) == [
        "The request would need `refund_order`: no verified success of this kind calls it."
    ]
    assert stops(*ACTED, *extra[:2]) == []
    assert stops(*ACTED, *extra, order(16, extra="refund_order")) == []


def test_look_that_every_success_took_and_failures_did_not_is_told_with_its_remedy():
    blind = [order(n, outcome=FAILED, reads=False) for n in range(41, 45)]

    (claim,) = left_out_reads(induce(make_evidence(*ACTED, *blind), Thresholds()))

    assert claim.text == "Something was changed without `get_order` before it"
    assert claim.recovery == "Call `get_order` before the first change."
    assert left_out_reads(induce(make_evidence(*ACTED, *blind[:2]), Thresholds())) == ()


def test_contrast_passes_the_trusted_checks_and_the_curator():
    blind = [order(n, outcome=FAILED, reads=False, extra="refund_order") for n in range(41, 49)]
    evidence = make_evidence(*ACTED, *SHIPPED, *blind, order(21, "shipped", acts=False))

    (proposal,) = propose(evidence, run="r-1", thresholds=Thresholds())

    assert len(proposal.contract.stop_conditions) == 2
    assert any("without `get_order`" in c.text for c in proposal.contract.failure_modes)
    assert check_proposal(proposal, evidence) == ()
    assert all(v.supported for v in claim_verdicts(evidence, proposal.contract))
