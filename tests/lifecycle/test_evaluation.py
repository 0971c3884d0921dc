"""Evaluations: asked for, recorded by a registered evaluator, and what a failed, missing or passed one does."""

from pathlib import Path
from typing import Any

import pytest

from skillc.core.admit.evaluation import EVALUATION_NAMESPACE, EvaluationVerdict
from skillc.core.compile.proposal import ProposalOutcome
from skillc.errors import PolicyError, UsageError
from skillc.lifecycle.approve import approve
from skillc.lifecycle.audit_verify import verify_audit
from skillc.lifecycle.candidates import candidate_named, pending_candidates
from skillc.lifecycle.check import check
from skillc.lifecycle.evaluation import (
    evaluation_key,
    evaluations_of,
    list_evaluations,
    record_evaluation,
    request_evaluation,
)
from skillc.lifecycle.skills import current_skills
from skillc.repo.keys import sign
from skillc.repo.ledger import append_to_ledger, ledger_file
from tests.approvers import key_that_asks, make_key, public_of, register_evaluator, register_person
from tests.world import FIELD, NOW, World


@pytest.fixture
def key(world: World, tmp_path: Path) -> Path:
    path = tmp_path / "eval"
    make_key(path)
    register_evaluator(world, public_of(path), required_of=FIELD)
    return path


def record(world: World, key: Path, verdict: str, **changes: Any):
    fields: dict[str, Any] = {
        "evaluator": "sandbox-eval", "version": "1.2", "environment": "staging", "evidence": "log 17",
        "verdict": EvaluationVerdict(verdict), "key_path": key,
    }  # fmt: skip
    return record_evaluation(world.context(), FIELD, **(fields | changes))


def states(world: World) -> list[str]:
    return [line.state for line in list_evaluations(world.context()).evaluations]


def test_a_required_evaluation_goes_from_missing_to_requested_to_passed(world: World, key: Path):
    world.compile(FIELD)
    assert states(world) == ["missing"]
    request_evaluation(world.context(), FIELD, by="Ada")
    assert states(world) == ["requested"]
    record(world, key, "passed")
    line = list_evaluations(world.context()).evaluations[0]
    assert (line.state, line.evaluator_version, line.environment, line.evidence) == (
        "passed", "1.2", "staging", "log 17"
    )  # fmt: skip


def test_a_candidate_without_a_passing_result_stays_a_candidate_and_is_admitted_after_it(world: World, key: Path):
    world.set_policy("mode: pr", "mode: auto")
    world.set_policy("minimum_assurance: attended", "minimum_assurance: local")
    assert world.compile_one(FIELD).group.state == "candidate"
    assert world.compile_one(FIELD).group.state == "candidate"
    record(world, key, "passed")
    report = world.compile_one(FIELD)
    assert (report.group.state, report.note) == ("admitted", "nothing holds its candidate any more")
    assert FIELD in current_skills(world.context())


def test_check_holds_a_pull_request_until_the_evaluation_passed(world: World, key: Path):
    world.compile(FIELD)
    branch = f"skillc/candidate/{FIELD}"
    report = check(world.context(), branch)
    assert [(p.code, p.hold) for p in report.problems] == [("evaluation", True)]
    record(world, key, "passed")
    assert check(world.context(), branch).ok


def test_a_failed_evaluation_rejects_the_result_group_and_the_outcome_history_records_it(world: World, key: Path):
    world.compile(FIELD)
    tip = world.git("rev-parse", f"skillc/candidate/{FIELD}")
    report = record(world, key, "failed", evidence="12 of 40 tasks")
    assert report.dropped_branch == f"skillc/candidate/{FIELD}"
    assert not pending_candidates(world.context())
    (outcome,) = world.context().ledger.outcomes
    assert outcome.outcome is ProposalOutcome.EVALUATION_FAILED
    assert "12 of 40 tasks" in outcome.reason
    assert report.undo == f"git branch skillc/candidate/{FIELD} {tip[:12]}"

    world.compile(FIELD)
    assert not pending_candidates(world.context())
    world.git("branch", f"skillc/candidate/{FIELD}", tip)
    assert {p.code for p in check(world.context(), tip).problems} == {"evaluation"}


def test_what_an_evaluator_failed_and_somebody_merged_is_told_by_check_and_by_the_audit(world: World, key: Path):
    world.compile(FIELD)
    tip = world.git("rev-parse", f"skillc/candidate/{FIELD}")
    record(world, key, "failed")
    world.git("merge", "--quiet", "--no-ff", "-m", "all the same", tip)
    assert "evaluation" in {p.code for p in check(world.context()).problems}
    assert "failed-evaluation" in {p.code for p in verify_audit(world.context()).problems}
    world.git("switch", "--quiet", "-c", "other")
    world.commit({"other.txt": "x"})
    assert check(world.context(), "other").ok  # it is not this pull request that brought it
    world.git("switch", "--quiet", "main")
    world.git("revert", "--no-edit", "-m", "1", "HEAD")
    assert "evaluation" not in {p.code for p in check(world.context()).problems}
    assert "failed-evaluation" not in {p.code for p in verify_audit(world.context()).problems}


def test_a_result_of_somebody_who_is_no_registered_evaluator_is_refused(world: World, key: Path, tmp_path: Path):
    world.compile(FIELD)
    make_key(tmp_path / "mallory")
    with pytest.raises(PolicyError, match="is not the registered key"):
        record(world, tmp_path / "mallory", "passed")
    with pytest.raises(PolicyError, match="'other' is no registered evaluator"):
        record(world, key, "passed", evaluator="other")


def test_a_forged_result_on_the_ledger_counts_for_nothing(world: World, key: Path, tmp_path: Path):
    world.compile(FIELD)
    record(world, key, "passed")
    context = world.context()
    candidate = candidate_named(context, FIELD)
    ((_, true),) = context.ledger.evaluations[candidate.group[7:]]
    make_key(tmp_path / "mallory")
    forged = sign(true.payload.encode(), namespace=EVALUATION_NAMESPACE, key_path=tmp_path / "mallory")
    append_to_ledger(context.repository, [ledger_file(f"evaluations/{'0' * 64}", forged)], message="x\n", at=NOW)
    context.forget_ledger()
    assert evaluations_of(context, "sha256:" + "0" * 64) == {}


@pytest.mark.parametrize("field", ["evidence", "environment", "version"])
def test_a_result_that_names_nothing_is_a_usage_error(world: World, key: Path, field: str):
    world.compile(FIELD)
    with pytest.raises(UsageError, match="must be one line"):
        record(world, key, "passed", **{field: ""})


def test_what_no_policy_requires_and_nobody_names_cannot_be_asked_for(world: World):
    world.compile(FIELD)
    with pytest.raises(UsageError, match="requires no evaluation"):
        request_evaluation(world.context(), FIELD, by="Ada")


def test_the_key_comes_from_a_file_or_from_the_environment(
    world: World, key: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    with evaluation_key(key, "SKILLC_EVALUATION_KEY") as path:
        assert path == key
    with pytest.raises(UsageError, match="which key"), evaluation_key(None, "SKILLC_EVALUATION_KEY"):
        pass
    monkeypatch.setenv("SKILLC_EVALUATION_KEY", key.read_text("utf-8"))
    world.compile(FIELD)
    with evaluation_key(None, "SKILLC_EVALUATION_KEY") as path:
        record(world, path, "passed")
    assert states(world) == ["passed"]


def test_a_dry_run_records_nothing(world: World, key: Path):
    world.compile(FIELD)
    refs = world.git("for-each-ref")
    report = record(world, key, "failed", dry_run=True)
    assert report.dropped_branch is not None
    request_evaluation(world.context(), FIELD, by="Ada", dry_run=True)
    assert world.git("for-each-ref") == refs


def test_an_approval_that_came_before_the_evaluation_admits_with_it(
    world: World, key: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    own = tmp_path / "people"
    own.mkdir()
    alice = key_that_asks(own, monkeypatch)
    register_person(world, public_of(alice))
    world.set_policy("mode: pr", "mode: auto")
    world.compile(FIELD)
    assert approve(world.context(), FIELD, key_path=alice).state == "approved"
    assert world.compile_one(FIELD).group.state == "candidate"
    record(world, key, "passed")
    assert world.compile_one(FIELD).group.state == "admitted"
    assert FIELD in current_skills(world.context())
