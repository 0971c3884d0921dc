"""Combinations of hostile answers, drawn by hypothesis: the promises hold, nothing crashes, failures keep the sources.

The default run draws a few; the slow one plays at least 2,000 model answers, and a sample of them over the wire.
"""

from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from skillc.core.compile.evidence import CurrentSkill
from skillc.core.policy import ClaudePolicy
from skillc.engines.claude.transport import ClaudeTransport
from tests.model_case import SECRETS, Judged, engine_with, judge, refunds
from tests.model_path.hostile import behaviours
from tests.model_server import serving
from tests.promises import broken_promises

QUIET = settings(deadline=None, suppress_health_check=list(HealthCheck), database=None)
EVIDENCE = refunds()
CURRENT = refunds(current=(CurrentSkill(contract=judge().changes[0].contract, tree="b" * 40),))
ANSWERS: Counter[str] = Counter()


def hold(judged: Judged, evidence: Any) -> None:
    """The invariant under every answer."""
    for change in judged.changes:
        assert broken_promises(change.contract, evidence, SECRETS) == []
    record = "\n".join(
        [p.model_dump_json() for p in judged.run.proposals] + [c.model_dump_json() for c in judged.calls]
    )
    assert all(secret not in record for secret in SECRETS if " " not in secret)
    if judged.failure is not None:
        assert judged.changes == []
        assert judged.run.failure is not None
        assert judged.run.failure.reason
        assert any(p.outcome.value == "call-failed" for p in judged.run.proposals) or judged.run.proposals
    kept = {s.trace_id for s in judged.run.evidence.sources} | {s.trace_id for s in judged.run.evidence.left_out}
    assert kept == {s.trace_id for s in evidence.sources}
    ANSWERS["answers"] += len(judged.server.asked)
    ANSWERS["admitted"] += len(judged.changes)
    ANSWERS["failed"] += judged.failure is not None


@settings(QUIET, max_examples=60)
@given(behaviours())
def test_no_admitted_skill_breaks_a_promise(behave: Any):
    hold(judge(behave, EVIDENCE), EVIDENCE)


@settings(QUIET, max_examples=25)
@given(behaviours())
def test_no_patch_breaks_a_promise_or_touches_what_it_does_not_name(behave: Any):
    hold(judge(behave, CURRENT), CURRENT)


def play(evidence: Any, examples: int) -> None:
    @settings(QUIET, max_examples=examples)
    @given(behaviours())
    def one(behave: Any) -> None:
        hold(judge(behave, evidence), evidence)

    one()


@pytest.mark.slow
def test_two_thousand_model_answers_break_no_promise():
    ANSWERS.clear()
    for evidence in (EVIDENCE, CURRENT):
        play(evidence, 400)
    assert ANSWERS["answers"] >= 2000, dict(ANSWERS)
    assert ANSWERS["admitted"] >= 20, "a run in which nothing comes through proves nothing"
    assert ANSWERS["failed"] >= 20


@pytest.mark.slow
def test_a_sample_of_them_over_the_real_sdk(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "stub")
    monkeypatch.setattr("skillc.engines.claude.transport.MAX_RETRIES", 0)
    with serving() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)

        @settings(QUIET, max_examples=60)
        @given(behaviours())
        def one(behave: Any) -> None:
            server.behave = behave
            transport = ClaudeTransport(ClaudePolicy())
            transport.server = server  # type: ignore[attr-defined]
            try:
                hold(judge(engine=engine_with(transport=transport), evidence=EVIDENCE), EVIDENCE)
            finally:
                transport.close()

        one()
