"""Combinations of hostile answers, drawn by hypothesis: the promises hold, nothing crashes, failures keep the sources.

The default run draws a few; the slow one plays at least 2,000 model answers, and a sample of them over the wire.
"""

import shutil
from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from skillc.core.compile.evidence import CurrentSkill, Evidence
from skillc.core.compile.select import select_evidence
from skillc.core.policy import ClaudePolicy
from skillc.core.skill.contract import parse_contract
from skillc.engines.claude.transport import ClaudeTransport
from tests.model_case import SECRETS, Judged, engine_with, judge, refunds
from tests.model_path.hostile import behaviours
from tests.model_server import serving
from tests.promises import broken_promises
from tests.world import FIELD, World

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


@settings(QUIET, max_examples=30)
@given(behaviours())
def test_no_admitted_skill_breaks_a_promise(behave: Any):
    hold(judge(behave, EVIDENCE), EVIDENCE)


@settings(QUIET, max_examples=15)
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


@pytest.mark.slow
def test_a_sample_of_them_through_the_whole_command_in_a_real_repository(world: World, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "stub")
    monkeypatch.setattr("skillc.engines.claude.transport.MAX_RETRIES", 0)
    seen: Counter[str] = Counter()
    main = world.git("rev-parse", "main")
    ledger = world.git("rev-parse", "skillc/ledger")
    attempts = [a for a in world.attempts().values() if a.task_family == FIELD]
    selection = select_evidence(attempts, cited=frozenset(), consumed=frozenset())
    evidence = Evidence(namespace=attempts[0].trace.header.namespace, task_family=FIELD, sources=selection.sources)
    with serving() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)

        @settings(QUIET, max_examples=30)
        @given(behaviours())
        def one(behave: Any) -> None:
            world.git("update-ref", "refs/heads/skillc/ledger", ledger)
            world.git("update-ref", "-d", f"refs/heads/skillc/candidate/{FIELD}")
            shutil.rmtree(world.root / ".git" / "skillc" / "answers-1", ignore_errors=True)
            server.behave = behave
            report = world.compile_one(FIELD, engine="claude")
            run = world.context().ledger.runs[-1]
            assert world.git("rev-parse", "main") == main
            if report.failure is not None:
                assert (run.failure, run.versions) == (report.failure, ())
                assert world.git("for-each-ref", "refs/heads/skillc/candidate") == ""
            for version in report.group.versions:
                path = f"{version.commit}:.claude/skills/{version.skill}/contract.json"
                contract = parse_contract(world.git("show", path).encode(), path=path)
                assert broken_promises(contract, evidence, SECRETS) == []
            seen["failed" if report.failure else "made" if report.group.versions else "nothing"] += 1

        one()
        assert seen["failed"] > 0
        assert seen["made"] > 0
