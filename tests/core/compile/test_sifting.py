"""Before the Curator: lines that break a rule of their own fall, and a broken whole ends the proposal."""

from skillc.core.compile.checks import check_contract
from skillc.core.compile.proposal import ProposalOperation
from skillc.core.compile.sifting import sift
from skillc.core.skill.contract import Replaced, Support
from tests.refunds import BAD, NEW, current, failed, line, proposal, refund, refund_contract, refunds, step


def test_a_sound_proposal_goes_on_as_it_is():
    made = proposal(refund_contract())
    assert sift(made, refunds()).proposal == made


def test_an_invented_citation_costs_its_line_alone():
    invented = line("A receipt.", "out-2", "e77")
    sifted = sift(proposal(refund_contract(outputs=(line("The refund.", "out-1"), invented))), refunds())
    assert sifted.proposal.contract == refund_contract()
    assert [(d.claim_id, d.reason[:13]) for d in sifted.dropped] == [("out-2", "unknown-event")]


def test_a_step_that_rests_on_a_failure_falls():
    bad = step("refund", "e1", id="step-bad", traces=(BAD,))
    sifted = sift(proposal(refund_contract(steps=(*refund_contract().steps, bad))), refunds(failed()))
    assert sifted.proposal.contract == refund_contract()


def test_a_proposal_whose_last_step_falls_ends_with_its_first_reasons():
    sifted = sift(proposal(refund_contract(steps=(step("refund", "e99"),))), refunds())
    assert sifted.proposal is None
    assert sifted.failures[0].code == "unknown-event"


def test_support_is_never_taken_from_the_engine():
    boasting = refund_contract(support=Support(attempt_families=("t-00000001", "t-invented0"), single_source=False))
    assert sift(proposal(boasting), refunds()).proposal.contract.support == refund_contract().support


def test_an_engine_says_nothing_of_what_a_version_takes_the_place_of():
    lying = refund_contract().origin.model_copy(
        update={"replaces": (Replaced(skill="other", skill_id="s-fedcba9876543210", tree="0" * 40),)}
    )
    assert sift(proposal(refund_contract(origin=lying)), refunds()).proposal.contract.origin.replaces is None


def test_a_patch_without_new_evidence_ends_here():
    made = proposal(refund_contract(outputs=(line("Other words.", "out-1"),)), ProposalOperation.PATCH)
    sifted = sift(made, refunds(refund(NEW), current=(current(),)))
    assert [f.code for f in sifted.failures] == ["no-new-evidence"]


def test_what_goes_on_keeps_every_rule():
    mixed = refund_contract(
        outputs=(line("The refund.", "out-1"), line("Nothing.", "out-2", "e9")),
        steps=(*refund_contract().steps, step("wire_money", "e3", id="step-wire")),
    )
    left = sift(proposal(mixed), refunds()).proposal.contract
    assert check_contract(left, refunds()) == ()
    assert [s.id for s in left.steps] == ["step-find-order", "step-refund"]
