"""A condition that tells two constants apart becomes a decision with the evidence of both."""

from skillc.core.compile.checks import check_proposal
from skillc.core.policy import Thresholds
from skillc.engines.offline.reflect import propose
from skillc.engines.offline.splits import found_splits, splits_of
from tests.core.compile.test_splitting import CLEAR, CONTRACT, attempts
from tests.refunds import step


def test_a_split_is_one_decision_that_cites_both_sides():
    (claim,) = splits_of(found_splits(CONTRACT.steps, attempts(*CLEAR)))
    assert "use `original` for `method` of `refund`" in claim.text
    assert len(claim.citations) == 4


def test_reading_steps_and_clear_constants_split_nothing():
    assert found_splits((step("find_order", "e1"),), attempts(*CLEAR)) == ()
    assert found_splits(CONTRACT.steps, attempts(*CLEAR[:3])) == ()


def test_the_decision_stands_in_what_the_engine_proposes():
    (made,) = propose(attempts(*CLEAR), run="r-1", thresholds=Thresholds())
    assert "when it is `pending`, use `voucher`" in " ".join(c.text for c in made.contract.decisions)


def test_input_that_a_decision_settles_points_to_it():
    evidence = attempts(*CLEAR)
    (made,) = propose(evidence, run="r-1", thresholds=Thresholds())

    (method,) = [i for i in made.contract.inputs if i.name == "method"]

    assert method.text == "As `status` in the result of `find_order` decides, see Decisions."
    assert check_proposal(made, evidence) == ()
