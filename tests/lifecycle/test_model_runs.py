"""A failed call ends a run as a value: proposals under way are called failed, others keep how they ended."""

from skillc.core.compile.calls import CallFailure, ModelCall
from skillc.core.compile.history import RunRecord
from skillc.core.compile.proposal import Proposal, ProposalOperation, ProposalOutcome
from skillc.core.compile.select import Selection
from skillc.errors import CallFailedError
from skillc.lifecycle.judging import Run
from skillc.lifecycle.model_runs import end_by_failure, is_recorded_failure, passes_model_scan
from skillc.lifecycle.status import status
from tests.makers import make_evidence
from tests.model_case import changing, engine_with, judge
from tests.refunds import ONE, TWO, refund
from tests.reward_world import FAMILY, refund_run, take
from tests.world import NOW, World

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


def test_a_failed_run_is_recorded_once_and_its_sources_stay_for_every_engine(shop: World):
    take(shop, "more", *(refund_run(n) for n in range(20, 23)))
    assert shop.compile_one(FAMILY, engine="recorded").failure is not None
    ledger = shop.git("rev-parse", "skillc/ledger")
    for _ in range(3):
        assert shop.compile_one(FAMILY, engine="recorded").failure is not None
    assert shop.git("rev-parse", "skillc/ledger") == ledger
    assert [f.fresh for f in status(shop.context()).families_ready] == [3]  # a failed run has read nothing
    report = shop.compile_one(FAMILY)
    assert (len(report.read), [v.change for v in report.group.versions]) == (6, ["patch"])
    assert "waits for review" in shop.compile_one(FAMILY).note


def test_a_failed_run_changes_nothing_for_a_plain_compile_that_had_nothing_to_do(shop: World):
    take(shop, "more", *(refund_run(n) for n in range(20, 23)))
    shop.compile(FAMILY)
    shop.merge(FAMILY)
    notes = [shop.compile_one(FAMILY).note for _ in range(2)][1:]
    shop.compile(FAMILY, engine="recorded")
    report = shop.compile_one(FAMILY)
    assert (report.read, [report.note]) == ((), notes)


def run_and_record(calls: tuple[ModelCall, ...], kind: str = "auth") -> tuple[Run, RunRecord]:
    evidence = make_evidence(refund(ONE), refund(TWO))
    run = Run("r-1", evidence, Selection(sources=evidence.sources, left_out=(), fresh=()), NOW, {})
    run.failure = CallFailure(role="curator", kind=kind, reason="r")
    run.calls = calls
    record = RunRecord(
        run="r-1", namespace="n", task_family="refunds", engine="claude", engine_version="1", at=NOW, read=(),
        left_out=(), proposals=(), failure=CallFailure(role="curator", kind="auth", reason="other words"),
    )  # fmt: skip
    return run, record


def test_the_same_failure_is_known_and_another_kind_another_run_or_money_is_recorded():
    asked = ModelCall(role="curator", request="sha256:a", model="m", outcome="auth")
    run, record = run_and_record((asked,))
    assert is_recorded_failure([record], run)
    assert not is_recorded_failure([], run)
    assert not is_recorded_failure([record.model_copy(update={"run": "r-2"})], run)
    assert not is_recorded_failure([record], run_and_record((asked,), kind="refusal")[0])
    paid = asked.model_copy(update={"outcome": "answered", "cost_usd": 0.01})
    assert not is_recorded_failure([record], run_and_record((paid, asked))[0])
    kept = paid.model_copy(update={"is_recorded": True})
    assert is_recorded_failure([record], run_and_record((kept, asked))[0])
