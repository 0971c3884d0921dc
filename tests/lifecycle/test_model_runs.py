"""A failed call ends a run as a value: proposals under way are called failed, others keep how they ended."""

from skillc.core.compile.proposal import Proposal, ProposalOperation, ProposalOutcome
from skillc.errors import CallFailedError
from skillc.lifecycle.model_runs import end_by_failure, passes_model_scan
from tests.model_case import changing, engine_with, judge

ERROR = CallFailedError("the curator gave no answer", role="curator", kind="refusal")


def test_what_was_under_way_is_called_failed_and_nothing_is_left_to_admit():
    judged = judge()
    other = Proposal(id="p-other", operation=ProposalOperation.ADD, contract=judged.changes[0].contract)
    end_by_failure(judged.run, ERROR, [other])
    assert {p.outcome for p in judged.run.proposals} == {ProposalOutcome.CALL_FAILED}
    assert len(judged.run.proposals) == 2
    assert judged.changes == []
    assert judged.run.failure is not None
    assert judged.run.failure.kind == "refusal"


def test_a_run_without_proposals_has_one_that_says_why():
    judged = judge(changing("reflector", lambda a: {"proposals": []}))
    assert judged.run.proposals == []
    end_by_failure(judged.run, ERROR, [])
    (only,) = judged.run.proposals
    assert only.reasons == ("refusal: the curator gave no answer",)


def test_a_finding_stops_its_own_proposal_and_one_without_a_place_stops_all():
    judged = judge()
    contract = judged.changes[0].contract
    proposal = Proposal(id="p-1", operation=ProposalOperation.ADD, contract=contract)
    other = Proposal(
        id="p-2", operation=ProposalOperation.ADD, contract=contract.model_copy(update={"name": "another-one"})
    )
    place = {"path": "x1", "start": 0, "end": 6, "kind": "other", "confidence": "high", "quote": "refund"}
    engine = engine_with(changing("scanner", lambda a: {"findings": [place], "verdict": "reject"}))
    assert [p.id for p in passes_model_scan(judged.run, engine, [proposal, other])] == ["p-2"]
    engine = engine_with(changing("scanner", lambda a: {"findings": [place | {"path": "x99"}], "verdict": "clean"}))
    assert passes_model_scan(judged.run, engine, [proposal, other]) == []
