"""Applicability within the evidence: a step with a tool that nobody used is outside."""

from skillc.core.admit.applicability import outside_evidence
from skillc.core.skill.claim import Action, ClaimBasis, StepClaim
from tests.makers import call, gives, make_citation, make_contract, make_trace, user


def contract_with(tool: str, basis: ClaimBasis = ClaimBasis.EVENTS):
    citations = (make_citation(),) if basis is ClaimBasis.EVENTS else ()
    step = StepClaim(id="s-1", text="Do it.", action=Action(tool=tool), citations=citations, basis=basis)
    return make_contract(steps=(step,))


def traces():
    cited = next(iter(make_citation().model_dump().values()))
    return [make_trace(user("Do it."), call("get_order", {}), gives("ok"), trace_id=cited)]


def test_a_step_whose_tool_a_cited_trace_used_is_within():
    assert list(outside_evidence(contract_with("get_order"), traces())) == []


def test_a_step_whose_tool_no_cited_trace_used_is_outside():
    found = list(outside_evidence(contract_with("send_money"), traces()))
    assert [line.split(" ", 1)[1] for line in found] == ["steps s-1"]


def test_a_persons_own_step_stands_on_the_persons_word():
    given = contract_with("send_money", ClaimBasis.PERSON)
    assert list(outside_evidence(given, traces())) == []
