"""A condition that tells two constants apart becomes a decision with the evidence of both."""

from skillc.core.policy import Thresholds
from skillc.engines.offline.reflect import propose
from skillc.engines.offline.splits import splits_of
from tests.core.compile.test_splitting import CLEAR, CONTRACT, attempts
from tests.refunds import step


def test_a_split_is_one_decision_that_cites_both_sides():
    (claim,) = splits_of(CONTRACT.steps, attempts(*CLEAR))
    assert "use `original` for `method` of `refund`" in claim.text
    assert len(claim.citations) == 4


def test_reading_steps_and_clear_constants_split_nothing():
    assert splits_of((step("find_order", "e1"),), attempts(*CLEAR)) == ()
    assert splits_of(CONTRACT.steps, attempts(*CLEAR[:3])) == ()


def test_the_decision_stands_in_what_the_engine_proposes():
    (made,) = propose(attempts(*CLEAR), run="r-1", thresholds=Thresholds())
    assert "when it is `pending`, use `voucher`" in " ".join(c.text for c in made.contract.decisions)
