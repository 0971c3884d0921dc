"""A model's account of a Trace: only what the events show, tools counted, outcome compared, recoveries in order."""

import json
from typing import Any

from skillc.core.compile.aliases import Aliases
from skillc.core.compile.answer_text import AnswerProblem
from skillc.core.compile.summary_answer import SummaryAnswer, read_summary
from tests.makers import bash, fails, gives, make_trace, user

TRACE = make_trace(user("Fix it"), bash("make"), fails("no rule"), bash("make all"), gives("done"))
ALIASES = Aliases({TRACE.trace_id: tuple(e.id for e in TRACE.events)})
GOOD: dict[str, Any] = {
    "trace_id": "t1",
    "objective": {"text": "Fix it.", "cites": ["t1.e0"]},
    "approach": {"text": "Built twice.", "cites": ["t1.e1", "t1.e3"]},
    "steps": [{"text": "Built all.", "cites": ["t1.e3"], "kind": "effective"}],
    "errors": [
        {"text": "No rule.", "cites": ["t1.e2"], "recovery": "Built all.", "recovery_cites": ["t1.e3", "t1.e4"]}
    ],
    "outcome": "unknown",
    "tools_used": ["rm -rf"],
}


def read(**changes: Any) -> Any:
    return read_summary(json.dumps(GOOD | changes), TRACE, ALIASES, engine="claude", version="1")


def test_a_good_answer_becomes_a_summary_with_counted_tools():
    answer = read()
    assert isinstance(answer, SummaryAnswer)
    assert answer.dropped == ()
    summary = answer.summary
    assert [c.text for c in (*summary.objective, *summary.effective, *summary.errors, *summary.recoveries)] == [
        "Fix it.", "Built all.", "No rule.", "Built all.",
    ]  # fmt: skip
    assert [c.text for c in summary.tools] == ["`make`, 1 call", "`make all`, 1 call"]


def test_a_summary_of_another_trace_is_refused_whole():
    assert isinstance(read(trace_id="t2"), AnswerProblem)
    assert isinstance(read(outcome="great"), AnswerProblem)
    assert isinstance(read(outcome=["success"]), AnswerProblem)


def test_the_outcome_of_the_record_stays_and_a_difference_is_told():
    assert read(outcome="success").disagrees
    assert not read(outcome="unknown").disagrees


def test_a_claim_that_matches_no_event_falls_and_is_counted():
    answer = read(steps=[{"text": "x", "cites": ["t1.e9"], "kind": "effective"}], objective=None)
    assert answer.summary.effective == ()
    assert answer.summary.objective == ()
    assert len(answer.dropped) == 2


def test_an_error_must_be_one_and_its_recovery_comes_later():
    wrong = read(errors=[GOOD["errors"][0] | {"cites": ["t1.e4"]}])
    assert wrong.summary.errors == ()
    early = read(errors=[GOOD["errors"][0] | {"recovery_cites": ["t1.e1"]}])
    assert len(early.summary.errors) == 1
    assert early.summary.recoveries == ()
