"""Repositories with quirks: the compiled Skill names each quirk, and a machine that follows it passes.

The sessions were recorded in the repositories of tests/quirks; here they are read from tests/golden.
"""

from pathlib import Path

import pytest
from tests.golden_cases import evidence_of_lines, golden_evidence
from tests.quirks.executor import carry_out, without_mode, without_setting, without_step
from tests.quirks.recording import run, write_files
from tests.quirks.scripts import Bash, QuirkRepository
from tests.quirks.table import QUIRKS, recorded_lines

from skillc.core.compile.evidence import Evidence
from skillc.core.policy import Thresholds
from skillc.core.skill.claim import FailureClaim
from skillc.core.skill.contract import Contract
from skillc.core.skill.render import render_agent_view
from skillc.engines.offline.reflect import propose

# Runs of make take milliseconds; those of pytest and npm are left to the slow run.
TRIED = [
    pytest.param(QUIRKS["ledger"], id="ledger"),
    pytest.param(QUIRKS["parcels"], id="parcels", marks=pytest.mark.slow),
    pytest.param(QUIRKS["routes"], id="routes", marks=pytest.mark.slow),
]
ALL = [pytest.param(r, id=r.name) for r in QUIRKS.values()]


def compiled(repository: QuirkRepository) -> Contract:
    (proposal,) = propose(golden_evidence(repository.family), run="r-1", thresholds=Thresholds())
    assert proposal.contract is not None
    return proposal.contract


def mode_with(contract: Contract, words: str) -> FailureClaim:
    (mode,) = [m for m in contract.failure_modes if words in f"{m.text} {m.recovery}" and "“" in m.text]
    assert mode.citations
    assert mode.recovery_citations
    return mode


@pytest.mark.parametrize("repository", ALL)
def test_each_quirk_is_named_with_symptom_and_remedy(repository: QuirkRepository):
    contract = compiled(repository)

    assert f"Run `{repository.generator}`, then run it again." == mode_with(contract, repository.generator).recovery
    assert f"{repository.variable}=" in (mode_with(contract, repository.variable).recovery or "")
    assert "now and then" in (mode_with(contract, repository.flaky).recovery or "")


@pytest.mark.parametrize("repository", ALL)
def test_flaky_test_cites_the_run_that_failed_and_the_one_that_passed(repository: QuirkRepository):
    mode = mode_with(compiled(repository), repository.flaky)
    evidence = golden_evidence(repository.family)
    results = {}
    for citation in mode.citations:
        source = evidence.source(citation.trace_id)
        assert source is not None
        events = [source.trace.event(e) for e in citation.events]
        results[citation.trace_id] = [e.text for e in events if e is not None and e.kind == "tool_result"]

    assert results
    assert all(any(repository.flaky in text for text in texts) for texts in results.values())
    assert all(any(repository.flaky not in text for text in texts) for texts in results.values())


@pytest.mark.parametrize("repository", ALL)
def test_no_word_of_a_single_session_is_in_the_skill(repository: QuirkRepository):
    view = render_agent_view(compiled(repository))

    for session in repository.sessions:
        message = next(a.command for a in reversed(session.actions) if isinstance(a, Bash))
        name = message.rstrip("'\"").split(" && git status")[0].rstrip("'\"").rsplit(" ", 1)[-1]
        assert name not in view


@pytest.mark.parametrize("repository", TRIED)
def test_machine_that_follows_the_skill_passes_where_first_attempts_failed(repository: QuirkRepository, tmp_path: Path):
    first = tmp_path / "first"
    first.mkdir()
    write_files(repository, first)
    commands = [a.command for a in repository.sessions[0].actions if isinstance(a, Bash)]
    check = next(c for c in commands if "test" in c)

    assert run(check, first).returncode != 0, "the first attempts fail"
    done = carry_out(compiled(repository), repository, tmp_path / "skill")
    assert done.passed, done


@pytest.mark.parametrize("quirk", ["generator", "variable", "flaky"])
@pytest.mark.parametrize("repository", TRIED)
def test_line_of_a_quirk_is_what_makes_it_pass(repository: QuirkRepository, quirk: str, tmp_path: Path):
    """Without the step, the recovery line alone is enough; without both, the machine fails."""
    words = getattr(repository, quirk)
    contract = compiled(repository)
    if quirk == "generator":
        contract = without_step(contract, words)
    if quirk == "variable":
        contract = without_setting(contract, words)

    by_its_line = carry_out(contract, repository, tmp_path / "with")
    bare = contract
    for mode in contract.failure_modes:
        if words in f"{mode.text} {mode.recovery}" and mode in bare.failure_modes:
            bare = without_mode(bare, mode.text)
    without = carry_out(bare, repository, tmp_path / "without")

    assert by_its_line.passed, by_its_line
    assert not without.passed, without.ran


@pytest.mark.slow
@pytest.mark.parametrize("repository", ALL)
def test_sessions_recorded_again_give_the_same_skill(repository: QuirkRepository, tmp_path: Path):
    lines = recorded_lines(repository, tmp_path)

    assert skill_of(evidence_of_lines(repository.family, lines)) == skill_of(golden_evidence(repository.family))


def skill_of(evidence: Evidence) -> str:
    (proposal,) = propose(evidence, run="r-1", thresholds=Thresholds())
    assert proposal.contract is not None
    return render_agent_view(proposal.contract)
