"""Verdicts that only narrow: missing, doubled and unknown ones, decisions, comparisons, canaries."""

import json
from typing import Any

from skillc.core.compile.answer_text import AnswerProblem
from skillc.core.compile.curator_answer import (
    CanaryFailed,
    CuratorAnswer,
    curator_question,
    read_curator,
    settled_lines,
)
from skillc.core.compile.evidence import CurrentSkill
from skillc.core.compile.proposal import CuratorDecision, Proposal, ProposalOperation
from skillc.core.skill.contract import iter_claims
from tests.model_case import judge, refunds

CONTRACT = judge().changes[0].contract
PROPOSAL = Proposal(id="p-1", operation=ProposalOperation.ADD, contract=CONTRACT)
QUESTION = curator_question((PROPOSAL,), refunds())
REAL = [c for c in QUESTION.claims if c.proposal is not None]
GOOD: dict[str, Any] = {
    "verdicts": [{"claim_id": c.alias, "verdict": "supported", "reason": ""} for c in REAL],
    "decisions": [{"proposal_key": "p1", "decision": "add", "target": "", "similar_to": []}],
    "comparisons": [],
}


def read(answer: Any, evidence: Any = None) -> Any:
    return read_curator(json.dumps(answer), QUESTION, (PROPOSAL,), evidence or refunds())


def test_every_claim_that_nobody_computed_is_asked_once_among_canaries():
    settled = settled_lines(PROPOSAL, refunds())
    asked = [c.claim_id for c in REAL]
    assert sorted(asked + list(settled)) == sorted(c.id for _, c in iter_claims(CONTRACT))
    assert len({c.alias for c in QUESTION.claims}) == len(QUESTION.claims)
    assert curator_question((PROPOSAL,), refunds()) == QUESTION


def test_a_good_answer_supports_every_line():
    answer = read(GOOD)
    assert isinstance(answer, CuratorAnswer)
    (verdict,) = answer.verdicts
    assert verdict.decision is CuratorDecision.ADD
    assert all(c.supported for c in verdict.claims)
    assert {c.claim_id for c in verdict.claims} == {c.id for _, c in iter_claims(CONTRACT)}


def test_a_canary_that_is_supported_fails_the_call_even_when_it_is_also_denied():
    canary = next(c.alias for c in QUESTION.claims if c.proposal is None)
    verdict = {"claim_id": canary, "verdict": "supported", "reason": ""}
    for more in ([verdict], [verdict, verdict | {"verdict": "unsupported"}]):
        assert isinstance(read(GOOD | {"verdicts": GOOD["verdicts"] + more}), CanaryFailed)


def test_no_reason_of_a_model_enters_a_verdict():
    answer = read(GOOD | {"verdicts": [v | {"reason": "secret", "verdict": "unsupported"} for v in GOOD["verdicts"]]})
    assert "secret" not in answer.model_dump_json()


def test_the_current_skill_is_kept_when_it_is_better():
    evidence = refunds(current=(CurrentSkill(contract=CONTRACT, tree="b" * 40),))
    comparison = {"current_skill": "s1", "better": "current", "lost_fields": []}
    (verdict,) = read(GOOD | {"comparisons": [comparison]}, evidence).verdicts
    assert verdict.decision is CuratorDecision.REJECT
    (verdict,) = read(GOOD | {"comparisons": [comparison | {"better": "candidate"}]}, evidence).verdicts
    assert verdict.decision is CuratorDecision.ADD


def test_a_line_of_the_current_version_is_not_asked_again():
    evidence = refunds(current=(CurrentSkill(contract=CONTRACT, tree="b" * 40),))
    assert set(settled_lines(PROPOSAL, evidence)) == {c.id for _, c in iter_claims(CONTRACT)}


def test_an_answer_without_its_fields_is_none():
    assert isinstance(read({"verdicts": []}), AnswerProblem)
    assert isinstance(read([]), AnswerProblem)
