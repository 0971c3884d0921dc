"""A citation is repaired only where one event alone can be meant, and support is checked again after it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.core.compile.proposal import ProposalOperation
from skillc.core.compile.repair import certain_reference, repaired
from skillc.core.compile.sifting import sift
from skillc.core.skill.contract import iter_claims
from tests.refunds import ONE, cites, line, proposal, refund_contract, refunds


def marked(text: str):
    return refund_contract(outputs=(line(text, "out-1").model_copy(update={"citations": ()}),))


def test_a_mark_in_the_text_moves_into_the_citation():
    made, repairs = repaired(marked(f"The refund. [{ONE}#e4]"), refunds())
    assert made.outputs[0].text == "The refund."
    assert made.outputs[0].citations == cites("e4", traces=(ONE,))
    assert [(r.trace_id, r.event) for r in repairs] == [(ONE, "e4")]


def test_case_and_blanks_do_not_matter():
    made, _ = repaired(marked(f"The refund. [ {ONE.upper()}#E4 ]"), refunds())
    assert made.outputs[0].citations == cites("e4", traces=(ONE,))


@pytest.mark.parametrize(
    "text", [f"x [{ONE}#e99]", "x [t-99999999#e4]", f"x [{ONE}#e4] [t-00000002#e4]", f"[{ONE}#e4]", "x e4"]
)
def test_what_is_not_certain_stays_as_it_is(text: str):
    assert repaired(marked(text), refunds()) == (marked(text), ())


def test_a_claim_that_cites_something_gets_nothing_more():
    made = refund_contract(outputs=(line(f"The refund. [{ONE}#e4]", "out-1", "e4"),))
    assert repaired(made, refunds()) == (made, ())


def test_a_repair_is_recorded_and_gives_no_support_by_itself():
    """The repaired claim goes on to the checks; an event of a kind that its field does not allow still falls."""
    sifted = sift(proposal(marked(f"The refund. [{ONE}#e4]"), ProposalOperation.ADD), refunds())
    assert sifted.proposal.contract.origin.notes[0].kind == "repaired"
    bad = refund_contract(
        steps=(
            *refund_contract().steps,
            refund_contract().steps[0].model_copy(update={"id": "s-9", "text": f"Go. [{ONE}#e0]", "citations": ()}),
        )
    )
    left = sift(proposal(bad), refunds())
    assert [d.claim_id for d in left.dropped] == ["s-9"]
    assert "s-9" not in {c.id for _, c in iter_claims(left.proposal.contract)}


@given(st.sampled_from(["e1", "e2", "e10"]), st.sampled_from(["{}", " {}", "{} ", "[{}]", "`{}`"]), st.booleans())
def test_a_reference_is_found_in_any_writing(event: str, frame: str, upper: bool):
    written = frame.format(event.upper() if upper else event)
    assert certain_reference(written, ["e1", "e2", "e10"]) == event


@given(st.text(max_size=8))
def test_a_stranger_names_nothing_by_chance(text: str):
    found = certain_reference(text, ["e1", "E1", "e2"])
    assert found is None or found.casefold() in text.casefold()
    assert certain_reference("E2 ", ["e2", "E2\t"]) is None
