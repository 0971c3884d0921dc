"""Every engine answer is a claim: what falls and why is kept on the record, and a line falls alone."""

import pytest

from skillc.core.compile.proposal import ClaimVerdict, CuratorDecision, Proposal, ProposalOutcome, Verdict
from skillc.core.compile.select import select_evidence
from skillc.core.skill.contract import iter_claims
from skillc.engines.table import engine_named
from skillc.lifecycle.judging import Run, judge, passes_checks
from skillc.lifecycle.run_inputs import evidence_of
from tests.world import FIELD, NOW, World


@pytest.fixture
def judged(world: World) -> tuple[World, Run, Proposal]:
    context = world.context()
    attempts = [a for a in world.attempts().values() if a.task_family == FIELD]
    selection = select_evidence(attempts, cited=frozenset(), consumed=frozenset())
    evidence = evidence_of(context, FIELD, selection, [])
    run = Run("r-1", evidence, selection, NOW, {a.trace.trace_id: a for a in attempts})
    return world, run, engine_named("offline").reflect(evidence, run="r-1")[0]


def verdict(proposal: Proposal, decision: CuratorDecision, *, without: int = 0) -> Verdict:
    assert proposal.contract is not None
    claims = [ClaimVerdict(field=f, claim_id=c.id, supported=True) for f, c in iter_claims(proposal.contract)]
    return Verdict(proposal_id=proposal.id, decision=decision, claims=tuple(claims[without:]))


def judged_by(run: Run, proposal: Proposal, *verdicts: Verdict) -> None:
    judge(run, (proposal,), verdicts)


def test_a_supported_proposal_becomes_a_change(judged):
    world, run, proposal = judged
    assert passes_checks(world.context(), run, proposal) == proposal
    judged_by(run, proposal, verdict(proposal, CuratorDecision.ADD))
    assert [c.proposal_id for c in run.changes] == [proposal.id]
    assert run.proposals[0].outcome is ProposalOutcome.PENDING
    assert run.proposals[0].dropped is None


def test_a_claim_without_a_verdict_is_unsupported(judged):
    """Nothing is left of a Skill without its description."""
    _, run, proposal = judged
    judged_by(run, proposal, verdict(proposal, CuratorDecision.ADD, without=1))
    assert run.changes == []
    assert [(d.field, d.reason) for d in run.proposals[0].dropped] == [
        ("description", "unsupported: it has no verdict")
    ]


@pytest.mark.parametrize("decision", [CuratorDecision.REJECT, CuratorDecision.NONE, CuratorDecision.CONFLICT])
def test_a_decision_that_is_no_change_rejects(judged, decision: CuratorDecision):
    _, run, proposal = judged
    judged_by(run, proposal, verdict(proposal, decision))
    assert run.changes == []
    assert run.proposals[0].outcome is ProposalOutcome.CURATOR_REJECTED


def test_silence_of_the_curator_rejects_and_so_do_two_answers(judged):
    _, run, proposal = judged
    judged_by(run, proposal)
    answer = verdict(proposal, CuratorDecision.ADD)
    judged_by(run, proposal, answer, answer)
    assert [p.reasons[-1] for p in run.proposals] == ["the Curator gave no verdict"] * 2


def test_an_invented_citation_costs_its_line_before_the_curator(judged):
    world, run, proposal = judged
    contract = proposal.contract
    made = contract.outputs[0] if contract.outputs else contract.use_when[0]
    fake = made.citations[0].model_copy(update={"events": ("e999",)})
    invented = made.model_copy(update={"id": "invented-1", "citations": (fake,)})
    changed = contract.model_copy(update={"outputs": (*contract.outputs, invented)})
    left = passes_checks(world.context(), run, proposal.model_copy(update={"contract": changed}))
    assert left == proposal
    judged_by(run, left, verdict(left, CuratorDecision.ADD))
    assert [(d.claim_id, d.reason[:13]) for d in run.proposals[0].dropped] == [("invented-1", "unknown-event")]


def test_a_proposal_of_which_no_step_is_left_ends_before_the_curator(judged):
    world, run, proposal = judged
    contract = proposal.contract
    step = contract.steps[0]
    fake = step.citations[0].model_copy(update={"events": ("e999",)})
    changed = contract.model_copy(update={"steps": (step.model_copy(update={"citations": (fake,)}),)})
    assert passes_checks(world.context(), run, proposal.model_copy(update={"contract": changed})) is None
    assert run.proposals[0].outcome is ProposalOutcome.CHECK_REJECTED
    assert "unknown-event" in run.proposals[0].reasons[0]


def test_a_value_of_a_source_ends_the_proposal_at_the_scanner(judged):
    world, run, proposal = judged
    contract = proposal.contract
    key = "AKIA" + "IOSFODNN7" + "EXAMPLQ"
    step = contract.steps[0].model_copy(update={"text": f"Use {key}."})
    changed = contract.model_copy(update={"steps": (step, *contract.steps[1:])})
    assert passes_checks(world.context(), run, proposal.model_copy(update={"contract": changed})) is None
    assert run.proposals[0].outcome is ProposalOutcome.SCANNER_REJECTED
    assert key not in " ".join(run.proposals[0].reasons)
