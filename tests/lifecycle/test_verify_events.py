"""`verify --from-events`: what a session itself shows, signed as a tool's verdict and looked up when it is read."""

import pytest

from skillc.core.trace.records import Outcome
from skillc.errors import PolicyError, UsageError
from skillc.lifecycle.verify_events import verify_by_events
from tests.approvers import session
from tests.makers import bash, call, fails, gives, user
from tests.world import CHECK, FIX, World, manifest, sessions_of

ID = "t-00000001"
LINE = "python3 -m unittest -q"
PASSES = (bash(LINE), gives("Ran 3 tests\n\nOK", is_error=False))
EDIT = (call("Edit", {"file_path": "stockroom/report.py", "old_string": "x", "new_string": "y"}), gives("updated"))


def test_a_run_in_the_session_is_a_tools_verdict(fresh: World):
    session(fresh, user("x"), *EDIT, *PASSES, start=fresh.git("rev-parse", "HEAD"))
    report = verify_by_events(fresh.context())
    assert [(r.state, r.outcome, r.verifier) for r in report.results] == [("verified", Outcome.SUCCESS, CHECK)]
    standing = fresh.attempts()[ID].standing
    assert (standing.strength.value, standing.assurance.label) == ("tool", "local")
    assert standing.basis is not None
    assert (standing.basis.kind.value, standing.basis.ref) == ("events", "e3 e4")
    again = verify_by_events(fresh.context(), trace_ids=[ID])
    assert (again.recorded, again.results[0].state) == (0, "known")


def test_the_shipped_sessions_say_what_the_check_says(fresh: World):
    """Where the session's own runs can be read, they agree with the run at its commit."""
    fresh.set_policy("run: [python3,", "run: [python,")
    fresh.capture(sessions_of(FIX), task_family=FIX)
    report = verify_by_events(fresh.context())
    found = {r.trace_id: r.outcome for r in report.results if r.state == "verified"}
    ends = {s["end_commit"][:7]: s["passes"] for s in manifest()["sessions"]}
    assert found
    for trace_id, outcome in found.items():
        end = fresh.attempts()[trace_id].trace.header.environment.git.head_end
        assert (outcome is Outcome.SUCCESS) is ends[end[:7]]


def test_the_verdict_ends_when_the_registered_command_changes(fresh: World):
    session(fresh, user("x"), *EDIT, *PASSES, start=fresh.git("rev-parse", "HEAD"))
    verify_by_events(fresh.context())
    fresh.set_policy('unittest, "-q"]', 'unittest, "-v"]')
    standing = fresh.attempts()[ID].standing
    assert not standing.strength.is_strong
    assert "never ran" in standing.reasons[0]


def test_a_protected_file_that_the_session_changed_holds(fresh: World):
    test_file = sorted((fresh.root / "tests").glob("test_*.py"))[0].relative_to(fresh.root)
    edit = call("Edit", {"file_path": str(test_file), "old_string": "x", "new_string": "y"})
    session(fresh, user("x"), edit, gives("updated"), *PASSES, start=fresh.git("rev-parse", "HEAD"))
    assert "tests changed" in verify_by_events(fresh.context()).results[0].reason
    added = call("Write", {"file_path": "tests/test_brand_new.py", "content": "x"})
    session(fresh, user("x"), added, gives("ok"), *PASSES, trace_id="t-00000002", start=fresh.git("rev-parse", "HEAD"))
    assert verify_by_events(fresh.context(), trace_ids=["t-00000002"]).results[0].state == "verified"


def test_a_protected_file_that_only_the_commits_show_as_changed_holds(fresh: World):
    """A script may write what no event names; the commits say it."""
    start = fresh.git("rev-parse", "HEAD")
    test_file = sorted((fresh.root / "tests").glob("test_*.py"))[0].relative_to(fresh.root)
    commit = fresh.commit({str(test_file): "weak\n"}, "weak")
    session(fresh, user("x"), bash("python3 weaken.py"), gives(), *PASSES, start=start, commits=(commit,))
    assert "tests changed" in verify_by_events(fresh.context()).results[0].reason


def test_what_is_held_says_why_and_what_is_verified_is_left_alone(world: World):
    report = verify_by_events(world.context())
    assert {(r.state, r.reason) for r in report.results} == {("skipped", "verified already")}


def test_fails_before_is_read_from_the_events(fresh: World):
    fresh.set_policy('protects: ["tests/**"]', 'protects: ["tests/**"], fails_before: true')
    start = fresh.git("rev-parse", "HEAD")
    failed = (bash(LINE), fails("Exit code 1\nFAILED (failures=1)"))
    session(fresh, user("x"), *EDIT, *PASSES, start=start)
    session(fresh, user("x"), *failed, *EDIT, *PASSES, start=start, trace_id="t-00000002")
    states = {r.trace_id: r.state for r in verify_by_events(fresh.context()).results}
    assert states == {ID: "held", "t-00000002": "verified"}


def test_without_a_check_or_its_key_nothing_is_read(fresh: World):
    for path in (fresh.home / ".config" / "skillc" / "keys").iterdir():
        path.unlink()
    with pytest.raises(PolicyError, match="not on this machine"):
        verify_by_events(fresh.context())
    text = (fresh.root / "skillc.yaml").read_text("utf-8")
    start = text.index("verifiers:")
    end = text.index("\n\n", start)
    fresh.commit({"skillc.yaml": text[:start] + "verifiers: []" + text[end:]}, "none")
    with pytest.raises(UsageError, match="no registered check"):
        verify_by_events(fresh.context())
