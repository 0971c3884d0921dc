"""Lost lines are found by comparing two contracts, and a limit is kept by its own words only."""

import pytest

from skillc.core.compile.losses import lost_lines
from skillc.core.compile.proposal import LossReason
from skillc.core.skill.claim import ClaimBasis, FailureClaim
from tests.refunds import cites, line, refund_contract, step


def lost(**changes):
    return [(item.field, item.claim_id) for item in lost_lines(refund_contract(), refund_contract(**changes))]


def test_the_same_contract_loses_nothing():
    assert lost() == []


@pytest.mark.parametrize("field", ["preconditions", "outputs", "use_when", "steps", "inputs"])
def test_an_emptied_field_loses_its_lines(field: str):
    assert {f for f, _ in lost(**{field: ()})} == {field}


def test_a_line_that_is_said_anew_from_the_same_events_is_kept():
    assert lost(outputs=(line("The whole refund.", "out-7", "e4"),)) == []
    assert lost(outputs=(line("The whole refund.", "out-7", "e0"),)) == [("outputs", "out-1")]


def test_a_limit_is_kept_by_its_own_words_only():
    assert lost(preconditions=(line("Any order will do.", "pre-1", "e2"),)) == [("preconditions", "pre-1")]


def test_a_step_is_kept_by_what_it_does():
    reworded = step("refund", "e3", id="step-9", text="Pay `<order>` back.")
    assert lost(steps=(step("find_order", "e1"), reworded)) == []


def test_one_new_line_keeps_one_old_line():
    before = refund_contract(outputs=(line("One.", "o-1"), line("Two.", "o-2")))
    after = refund_contract(outputs=(line("Both.", "o-3"),))
    assert len(lost_lines(before, after)) == 1


def test_a_failure_mode_without_its_recovery_is_lost():
    mode = FailureClaim(
        id="f-1", text="It fails.", citations=cites("e2"), recovery="Try again.", recovery_citations=cites("e3")
    )
    bare = mode.model_copy(update={"recovery": None, "recovery_citations": ()})
    assert len(lost_lines(refund_contract(failure_modes=(mode,)), refund_contract(failure_modes=(bare,)))) == 1


def test_a_reason_belongs_to_one_line_of_one_skill():
    before, after = refund_contract(), refund_contract(outputs=(), preconditions=())
    reason = LossReason(skill_id=before.skill_id, field="outputs", claim_id="out-1", reason="not any more")
    foreign = reason.model_copy(
        update={"skill_id": "s-ffffffffffffffff", "field": "preconditions", "claim_id": "pre-1"}
    )
    found = {item.field: item.reason for item in lost_lines(before, after, (reason, foreign))}
    assert found == {"outputs": "not any more", "preconditions": ""}


def test_a_persons_line_is_kept_only_by_itself_and_no_reason_stands_against_it():
    mine = {"basis": ClaimBasis.PERSON, "citations": ()}
    own, named = line("Mine.", "out-1").model_copy(update=mine), line("Mine.", "description").model_copy(update=mine)
    before = refund_contract(outputs=(own,), description=named)
    assert lost_lines(before, before) == ()
    reasons = tuple(
        LossReason(skill_id=before.skill_id, field=f, claim_id=c, reason="not any more")
        for f, c in (("outputs", "out-1"), ("description", "description"))
    )
    for other in (line("Mine.", "out-1"), own.model_copy(update={"person": "bob"}), line("Other.", "out-1", "e4")):
        after = before.model_copy(update={"outputs": (other,), "description": line("Other.", "description")})
        found = lost_lines(before, after, reasons)
        assert [(x.field, x.reason) for x in found] == [("description", ""), ("outputs", "")]
