"""What earlier runs decided: the same thing is not proposed again without new evidence. Paper: 5.3."""

from datetime import timedelta

import pytest

from skillc.core.compile.evidence import PastProposal
from skillc.core.compile.history import OutcomeRecord, closed_lines, is_closed, keys_of, past_proposals, source_key
from skillc.core.compile.proposal import ProposalOutcome
from skillc.core.trace.records import Outcome
from skillc.core.trace.verification import Assurance, Strength
from tests.makers import START, make_evidence, make_standing, make_trace, user
from tests.refunds import ONE, TWO, refund


def outcome(kind: ProposalOutcome = ProposalOutcome.HUMAN_REJECTED, **changes: object) -> OutcomeRecord:
    fields = {
        "namespace": "acme", "run": "r-1", "proposal": "p-1", "task_family": "refunds", "outcome": kind, "reason": "no",
        "content": "c1", "sources": ("k1",), "by": "alice", "at": START,
    } | changes  # fmt: skip
    return OutcomeRecord.model_validate(fields)


def past(*, content: str = "c1", claims: tuple[str, ...] = (), sources: tuple[str, ...] = ("k1",)) -> PastProposal:
    return PastProposal(
        run="r-1", proposal="p-1", outcome="human-rejected", content=content, claims=claims, sources=sources
    )


def test_a_rejected_proposal_stays_closed_until_a_source_is_new():
    assert is_closed([past()], content="c1", sources=frozenset({"k1"}))
    assert is_closed([past(sources=("k1", "k2"))], content="c1", sources=frozenset({"k1"})), "with less evidence too"
    assert not is_closed([past()], content="c1", sources=frozenset({"k1", "new"}))
    assert not is_closed([past()], content="other", sources=frozenset({"k1"}))
    assert not is_closed([], content="c1", sources=frozenset())


def test_a_rejected_line_closes_that_line_and_not_the_proposal():
    history = [past(claims=("line",))]
    assert closed_lines(history, sources=frozenset({"k1"})) == {"line"}
    assert closed_lines(history, sources=frozenset({"k1", "new"})) == frozenset()
    assert not is_closed(history, content="c1", sources=frozenset({"k1"}))


@pytest.mark.parametrize("kind", ProposalOutcome)
def test_only_a_decision_closes_a_proposal(kind: ProposalOutcome):
    """A broken call, or an engine's own no, may be tried again."""
    closes = {ProposalOutcome.HUMAN_REJECTED, ProposalOutcome.REVERTED, ProposalOutcome.EVALUATION_FAILED}
    assert bool(past_proposals([outcome(kind)], task_family="refunds")) == (kind in closes)


def test_the_history_is_of_one_family_and_oldest_first():
    records = [
        outcome(run="r-2", at=START + timedelta(days=2)),
        outcome(run="r-1"),
        outcome(run="r-3", task_family="other"),
    ]
    assert [p.run for p in past_proposals(records, task_family="refunds")] == ["r-1", "r-2"]
    assert past_proposals(records, task_family="refunds") == past_proposals(reversed(records), task_family="refunds")


def test_a_later_verdict_makes_a_new_source():
    trace = make_trace(user("x"))
    standing = make_standing(check="unit-tests")
    keys = {
        source_key(trace, standing),
        source_key(make_trace(user("y")), standing),
        source_key(trace, standing.model_copy(update={"outcome": Outcome.FAILURE})),
        source_key(trace, standing.model_copy(update={"strength": Strength.HUMAN})),
        source_key(trace, standing.model_copy(update={"conflicted": True})),
    }
    assert len(keys) == 5
    assert source_key(trace, standing.model_copy(update={"assurance": Assurance.ISOLATED})) in keys


def test_sources_have_keys_where_there_is_a_history_to_look_into():
    evidence = make_evidence(refund(ONE), refund(TWO))
    past = PastProposal(run="r-0", proposal="p-0", outcome="reverted", content="c")

    assert keys_of(evidence) == frozenset()
    assert keys_of(evidence.model_copy(update={"history": (past,)})) == {
        source_key(s.trace, s.standing) for s in evidence.sources
    }
