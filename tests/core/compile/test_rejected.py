"""A no to one line takes that line and nothing else; the step of a rejected input stays whole."""

from skillc.core.compile.evidence import Evidence, PastProposal
from skillc.core.compile.history import source_key
from skillc.core.compile.proposal import Proposal, ProposalOperation, claim_digest
from skillc.core.compile.rejected import (
    WORKED_OUT,
    as_engines_see,
    has_rejected_line,
    is_rejected,
    line_digest,
    rejected_lines,
    restated,
)
from skillc.core.compile.sifting import sift
from skillc.core.skill.claim import InputClaim, InputSource
from skillc.core.skill.contract import Contract
from tests.makers import make_evidence
from tests.refunds import NEW, ONE, TWO, current, order_input, refund, refund_contract


def rejection(evidence: Evidence, *digests: str) -> PastProposal:
    sources = tuple(sorted(source_key(s.trace, s.standing) for s in evidence.sources))
    return PastProposal(
        run="r-0", proposal="p-0", outcome="human-rejected", content="", claims=digests, sources=sources
    )


def seen(*digests: str, **changes: object) -> Evidence:
    evidence = make_evidence(refund(ONE), refund(TWO))
    return evidence.model_copy(update={"history": (rejection(evidence, *digests),), **changes})


def twice(contract: Contract) -> Contract:
    other = contract.inputs[0].model_copy(update={"id": "inputs-other", "name": "other"})
    return contract.model_copy(update={"inputs": (*contract.inputs, other)})


CONTRACT = refund_contract()
(INPUT,) = CONTRACT.inputs
NO = line_digest("inputs", INPUT)


def test_inputs_that_say_the_same_words_are_different_lines():
    one, other = twice(CONTRACT).inputs
    assert one.text == other.text
    assert is_rejected("inputs", one, frozenset({NO}))
    assert not is_rejected("inputs", other, frozenset({NO}))


def test_a_record_by_words_alone_still_counts():
    old = frozenset({claim_digest("inputs", INPUT.text)})
    assert all(is_rejected("inputs", c, old) for c in twice(CONTRACT).inputs)


def test_a_rejected_input_is_said_to_be_worked_out_and_the_others_stay():
    left, gone = restated(twice(CONTRACT), frozenset({NO}))
    one, other = left.inputs
    assert (one.name, one.text, one.source) == (INPUT.name, WORKED_OUT, InputSource.CHOSEN)
    assert one.citations == INPUT.citations
    assert other.text == INPUT.text
    assert [(g.field, g.claim_id) for g in gone] == [("inputs", INPUT.id)]
    assert left.steps == CONTRACT.steps


def test_without_a_rejection_nothing_is_restated():
    assert restated(CONTRACT, frozenset({claim_digest("steps", INPUT.text)})) == (CONTRACT, ())


def test_the_steps_of_a_rejected_input_stay_whole_in_a_proposal():
    proposal = Proposal(id="p-1", operation=ProposalOperation.ADD, contract=CONTRACT)
    sifted = sift(proposal, seen(NO))
    assert sifted.proposal is not None
    assert sifted.proposal.contract is not None
    assert sifted.proposal.contract.steps == CONTRACT.steps
    assert sifted.proposal.contract.inputs[0].text == WORKED_OUT
    assert [d.claim_id for d in sifted.dropped] == [INPUT.id]


def test_a_step_goes_with_its_input_when_that_is_rejected_too_and_the_record_says_so():
    worked = restated(CONTRACT, frozenset({NO}))[0].inputs[0]
    evidence = seen(NO, line_digest("inputs", worked))
    sifted = sift(Proposal(id="p-1", operation=ProposalOperation.ADD, contract=CONTRACT), evidence)
    fallen = {(d.field, d.claim_id) for d in sifted.dropped}
    used = {("steps", s.id) for s in CONTRACT.steps if f"<{INPUT.name}>" in repr(s)}
    assert used
    assert used | {("inputs", INPUT.id)} <= fallen


def test_new_evidence_opens_a_line_again():
    evidence = seen(NO)
    assert has_rejected_line([CONTRACT], rejected_lines(evidence))
    more = make_evidence(refund(ONE), refund(TWO), refund(NEW)).model_copy(update={"history": evidence.history})
    assert not has_rejected_line([CONTRACT], rejected_lines(more))


def test_an_engine_sees_a_current_skill_as_the_rejection_leaves_it():
    """Else it would give the same lines and change nothing."""
    evidence = seen(NO, current=(current(CONTRACT),))
    (skill,) = as_engines_see(evidence).current
    assert skill.contract.inputs[0].text == WORKED_OUT
    assert skill.tree == evidence.current[0].tree
    calm = seen(current=(current(CONTRACT),))
    assert as_engines_see(calm) is calm


def test_every_input_of_a_contract_is_a_line_of_its_own():
    names = [order_input((ONE,)).model_copy(update={"name": n}) for n in ("a", "b", "c")]
    assert all(isinstance(c, InputClaim) for c in names)
    assert len({line_digest("inputs", c) for c in names}) == 3
