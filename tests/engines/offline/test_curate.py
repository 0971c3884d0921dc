"""Rules of the Curator's decisions."""

from skillc.core.compile.evidence import CurrentSkill
from skillc.core.compile.proposal import CuratorDecision, Proposal, ProposalOperation
from skillc.core.skill.claim import ClaimBasis, StepClaim
from skillc.engines.offline.curate import claim_verdicts, curate
from skillc.engines.offline.engine import OfflineEngine
from tests.golden_cases import golden_evidence
from tests.makers import make_citation


def proposed():
    evidence = golden_evidence("refund-order")
    return evidence, OfflineEngine().reflect(evidence, run="r-1")[0]


def with_contract(proposal, **changes):
    return proposal.model_copy(update={"contract": proposal.contract.model_copy(update=changes)})


def test_every_claim_gets_a_verdict():
    evidence, proposal = proposed()

    (verdict,) = curate(evidence, (proposal,))

    assert verdict.proposal_id == proposal.id
    assert verdict.decision is CuratorDecision.ADD
    assert all(c.supported for c in verdict.claims)


def test_unsupported_claim_is_named_and_the_others_stay():
    evidence, proposal = proposed()
    foreign = StepClaim(id="foreign", text="Call `erase_all`.", citations=(make_citation("t-refund-a1", "e1"),))

    (verdict,) = curate(evidence, (with_contract(proposal, steps=(*proposal.contract.steps, foreign)),))

    assert [c.claim_id for c in verdict.claims if not c.supported] == ["foreign"]
    assert verdict.decision is CuratorDecision.ADD


def test_proposal_without_a_supported_step_is_rejected():
    evidence, proposal = proposed()

    (verdict,) = curate(evidence, (with_contract(proposal, steps=()),))

    assert verdict.decision is CuratorDecision.REJECT


def test_second_skill_of_a_family_is_rejected():
    evidence, proposal = proposed()
    current = CurrentSkill(contract=proposal.contract, tree="a" * 40)

    (verdict,) = curate(evidence.model_copy(update={"current": (current,)}), (proposal,))

    assert verdict.decision is CuratorDecision.REJECT


def test_no_change_stays_no_change():
    evidence, _ = proposed()

    (verdict,) = curate(evidence, (Proposal(id="p-1", operation=ProposalOperation.NONE),))

    assert verdict.decision is CuratorDecision.NONE


def test_what_a_person_wrote_needs_no_event():
    evidence, proposal = proposed()
    mine = {"basis": ClaimBasis.PERSON, "citations": ()}
    own = proposal.contract.description.model_copy(update={"text": "Zebras in the moonlight.", **mine})
    (verdict,) = curate(evidence, (with_contract(proposal, description=own),))
    assert verdict.decision is CuratorDecision.ADD
    assert all(c.supported for c in verdict.claims)


def test_line_that_was_judged_is_judged_anew_only_where_it_changed():
    """An input falls with its step, and a line of the same id is another one, whatever was known before."""
    evidence, proposal = proposed()
    contract, known = proposal.contract, {}
    (step, *others) = contract.steps
    erased = step.model_copy(update={"text": "Call `erase_all`."})

    first = claim_verdicts(evidence, contract, known)
    other = contract.model_copy(update={"steps": (erased, *others)})
    bare = contract.model_copy(update={"steps": ()})

    assert first == claim_verdicts(evidence, contract) == claim_verdicts(evidence, contract, known)
    assert claim_verdicts(evidence, other, dict(known)) == claim_verdicts(evidence, other)
    assert claim_verdicts(evidence, bare, dict(known)) == claim_verdicts(evidence, bare)
    assert not all(v.supported for v in claim_verdicts(evidence, bare, dict(known)))
