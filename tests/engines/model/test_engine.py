"""The roles over a transport: what is left out when a summary fails, scans, families, and a version of settings."""

import pytest

from skillc.core.compile.roles import FamilyQuestion
from skillc.core.policy import ClaudePolicy, RoleModel, Thresholds
from skillc.engines.model.engine import ModelEngine
from skillc.errors import CallFailedError
from tests.model_case import engine_with, judge, refunds
from tests.model_server import Asked, Reply, honest


def refuses(*traces: str):
    def behave(asked: Asked):
        if asked.role == "summarizer" and any(name in asked.prompt for name in traces):
            return Reply(text="no", stop="refusal")
        return honest(asked)

    return behave


def test_a_source_whose_summary_failed_is_left_out_and_kept():
    engine = engine_with(refuses("W2209947"))
    evidence = engine.prepare(refunds())
    assert [s.trace_id for s in evidence.sources] == ["t-00000001", "t-00000004", "t-00000003", "t-00000009"]
    assert [(left.trace_id, left.reason) for left in evidence.left_out] == [
        ("t-00000002", "its summary failed: refusal")
    ]
    judged = judge(refuses("W2209947"))
    assert judged.changes[0].contract.support.attempt_families == ("t-00000001", "t-00000003")


def test_without_a_success_left_the_run_fails():
    with pytest.raises(CallFailedError):
        engine_with(refuses("W1188231", "W2209947", "W3345610")).prepare(refunds())


def test_nothing_is_asked_about_no_proposals():
    engine = engine_with()
    assert engine.curate(refunds(), ()) == ()
    assert engine.scan(()) == ()
    assert engine.take_calls() == ()


def test_settings_and_prompts_are_part_of_the_version():
    asker = engine_with().asker
    policy = ClaudePolicy()
    other = policy.model_copy(update={"curator": RoleModel(model="claude-opus-5-5")})
    versions = {ModelEngine("claude", asker, p, Thresholds()).version for p in (policy, other)}
    assert len(versions) == 2


def test_a_family_guess_comes_back_as_a_slug():
    question = FamilyQuestion(trace_id="t-00000001", objective="x", summary=(), names=(), families=(("refunds", ""),))
    assert engine_with().score_family(question).task_family == "refunds"


def test_the_curator_sees_the_cited_events_and_no_others():
    judged = judge()
    rows = next(a for a in judged.server.asked if a.role == "curator").rows
    assert not any(str(r.get("event", "")).endswith(".e6") for r in rows), "nobody cites the thanks"


def test_batch_summaries_are_asked_in_one_go():
    engine = engine_with()
    engine.is_batch = True
    engine.prepare(refunds())
    assert {c.is_recorded for c in engine.take_calls()} <= {True, False}
    assert engine.asker.meter.spent > 0
