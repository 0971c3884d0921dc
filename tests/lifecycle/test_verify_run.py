"""Verdicts: a real run at the session's commit, protected files, trust, and a person's key."""

import json
from pathlib import Path

import pytest

from skillc.core.trace.records import Outcome
from skillc.errors import PolicyError, UsageError
from skillc.lifecycle.trust import trust_check
from skillc.lifecycle.verify_run import verify_by_check
from tests.world import CHECK, FIELD, FIX, World, manifest, session_path, sessions_of


def test_the_check_runs_at_the_commit_that_the_session_ended_with(world: World):
    wanted = {s["end_commit"][:7]: "success" if s["passes"] else "failure" for s in manifest()["sessions"]}
    found = {a.trace.header.environment.git.head_end[:7]: a.standing.outcome.value for a in world.attempts().values()}
    assert found == wanted
    assert {a.standing.strength.value for a in world.attempts().values()} == {"tool"}
    assert {a.standing.assurance.label for a in world.attempts().values()} == {"local"}


def test_verifying_again_records_nothing_new(world: World):
    tip = world.git("rev-parse", "skillc/ledger")
    ids = tuple(world.attempts())
    assert world.verify().recorded == 0
    assert world.verify(*ids).recorded == 0
    assert world.git("rev-parse", "skillc/ledger") == tip


def test_the_checkout_leaves_no_worktree_behind(world: World):
    world.verify(*world.attempts())
    assert len(world.git("worktree", "list").splitlines()) == 1


def test_an_untrusted_check_does_not_run(fresh: World):
    (fresh.home / ".config" / "skillc" / "trusted-checks.json").unlink()
    fresh.capture(sessions_of(FIX)[:1])
    with pytest.raises(PolicyError, match="was never trusted") as stop:
        fresh.verify()
    assert stop.value.hint is not None
    assert "skillc trust unit-tests" in stop.value.hint


def test_trust_ends_when_the_command_or_a_named_file_changes(fresh: World):
    fresh.capture(sessions_of(FIX)[:1])
    fresh.set_policy('"-q"], protects', '"-v"], protects')
    with pytest.raises(PolicyError, match="changed since it was trusted"):
        fresh.verify()
    trust_check(fresh.context(), CHECK)
    assert fresh.verify().recorded == 1


def test_a_key_of_another_machine_cannot_verify(fresh: World):
    fresh.capture(sessions_of(FIX)[:1])
    keys = fresh.home / ".config" / "skillc" / "keys"
    for path in keys.iterdir():
        path.unlink()
    with pytest.raises(PolicyError, match="not on this machine"):
        fresh.verify()


def _session_that_edits_tests(world: World, tmp_path: Path) -> str:
    """A shipped session whose end commit is replaced by one that weakens a test."""
    session = next(s for s in manifest()["sessions"] if s["passes"] and s["task_family"] == FIX)
    world.git("switch", "--quiet", "-c", "weak", session["start_commit"])
    test_file = sorted((world.root / "tests").glob("test_*.py"))[0]
    text = test_file.read_text("utf-8")
    weak = world.commit({str(test_file.relative_to(world.root)): text + "\n# weakened\n"}, "weaken")
    world.git("switch", "--quiet", "main")
    data = Path(session_path(session)).read_text("utf-8").replace(session["end_commit"][:7], weak[:7])
    copy = tmp_path / "weak.jsonl"
    copy.write_text(data, "utf-8")
    return str(copy)


def test_a_session_that_changed_protected_files_is_held(fresh: World, tmp_path: Path):
    fresh.capture([_session_that_edits_tests(fresh, tmp_path)], kind="claude-code")
    report = fresh.verify()

    assert [r.state for r in report.results] == ["held"]
    assert "tests changed" in report.results[0].reason
    assert report.recorded == 0


def test_fails_before_wants_the_failure_before_the_session(fresh: World):
    fresh.set_policy('protects: ["tests/**"]', 'protects: ["tests/**"], fails_before: true')
    fresh.trust()
    fresh.capture(sessions_of(FIX, passes=True), task_family=FIX)
    fresh.capture(sessions_of(FIELD, passes=True), task_family=FIELD)
    by_id = {r.trace_id: r for r in fresh.verify().results}
    attempts = fresh.attempts()

    assert {by_id[t].state for t, a in attempts.items() if a.task_family == FIX} == {"verified"}
    held = [by_id[t] for t, a in attempts.items() if a.task_family == FIELD]
    assert {r.state for r in held} == {"held"}
    assert all("passes already before" in r.reason for r in held)


def test_at_names_a_commit_only_when_it_holds_the_sessions_edits(fresh: World):
    session = next(s for s in manifest()["sessions"] if s["passes"] and s["task_family"] == FIX)
    fresh.capture([session_path(session)])
    trace_id = next(iter(fresh.attempts()))

    wrong = fresh.verify(trace_id, at=session["start_commit"])
    assert wrong.results[0].state == "held"
    assert "files that the session edited" in wrong.results[0].reason
    right = fresh.verify(trace_id, at=session["end_commit"])
    assert right.results[0].outcome is Outcome.SUCCESS


def test_a_commit_that_is_not_in_this_clone_is_held(fresh: World, tmp_path: Path):
    session = manifest()["sessions"][0]
    data = Path(session_path(session)).read_text("utf-8").replace(session["end_commit"][:7], "feedbee")
    (tmp_path / "gone.jsonl").write_text(data, "utf-8")
    fresh.capture([str(tmp_path / "gone.jsonl")], kind="claude-code")
    assert "not in this clone" in fresh.verify().results[0].reason


def test_a_check_that_hangs_is_held(fresh: World):
    fresh.set_policy('run: [python3, "-m", unittest, "-q"]', 'run: [sleep, "30"], timeout_s: 1')
    fresh.trust()
    fresh.capture(sessions_of(FIX)[:1])
    assert "did not end within 1 s" in fresh.verify().results[0].reason


def test_a_failing_set_up_holds_and_says_so(fresh: World):
    fresh.set_policy("kind: tool,", 'kind: tool, setup: ["false"],')
    fresh.trust()
    fresh.capture(sessions_of(FIX)[:1])
    assert "set-up" in fresh.verify().results[0].reason


def test_only_a_registered_check_runs(fresh: World):
    with pytest.raises(UsageError, match="no registered check"):
        verify_by_check(fresh.context(), "nope")


def test_a_session_without_a_commit_is_held_and_told_when_head_holds_its_edits(fresh: World, tmp_path: Path):
    """The usual case of a careful person: the agent edits, the person commits."""
    session = next(s for s in manifest()["sessions"] if s["passes"] and s["task_family"] == FIX)
    lines = Path(session_path(session)).read_text("utf-8").splitlines()
    kept = [line for line in lines if "git commit" not in line and session["end_commit"][:7] not in line]
    (tmp_path / "uncommitted.jsonl").write_text("\n".join(kept) + "\n", "utf-8")
    fresh.capture([str(tmp_path / "uncommitted.jsonl")], kind="claude-code")
    held = fresh.verify().results[0]
    assert held.state == "held"
    assert "HEAD holds its edits" in held.reason
    trace_id = held.trace_id
    assert fresh.verify(trace_id, at="HEAD").results[0].outcome is Outcome.SUCCESS


@pytest.mark.parametrize(
    ("words", "is_held"),
    [
        ("Ran 0 tests in 0.000s\n\nOK", True),
        ("no tests ran in 0.01s", True),
        ("running 0 tests\n\ntest result: ok. 0 passed", True),
        ("  0 passing (2ms)", True),
        ("?   \tshop\t[no test files]", True),
        ("Ran 3 tests in 0.1s\n\nOK", False),
        ("12 passed in 0.3s", False),
        ("running 0 tests\n\nrunning 4 tests\ntest result: ok. 4 passed", False),
        ("?   \tshop\t[no test files]\nok  \tshop/cart\t0.01s", False),
    ],
)
def test_a_check_that_ran_no_test_proves_nothing(fresh: World, words: str, is_held: bool):
    fresh.set_policy('run: [python3, "-m", unittest, "-q"]', f"run: [printf, {json.dumps(words)}]")
    fresh.trust()
    fresh.capture(sessions_of(FIX)[:1])
    result = fresh.verify().results[0]
    assert (result.state == "held") is is_held, result.reason
    assert not is_held or "ran no test" in result.reason
