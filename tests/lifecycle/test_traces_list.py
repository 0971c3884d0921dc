"""`skillc traces` says for every Trace what it is worth and why."""

from skillc.lifecycle.traces_list import traces_report
from skillc.lifecycle.verify_git import verify_by_git
from tests.approvers import session
from tests.world import FIELD, World, sessions_of


def test_every_trace_has_a_line_with_a_reason(world: World):
    report = traces_report(list(world.attempts().values()))
    assert len(report.traces) == 11
    assert {(t.can_support, t.reasons[0]) for t in report.traces} == {
        (True, "strongly verified success"),
        (False, "verified failure: contrast only"),
    }


def test_a_family_can_be_listed_alone(world: World):
    report = traces_report(list(world.attempts().values()), task_family=FIELD)
    assert {t.task_family for t in report.traces} == {FIELD}


def test_an_unverified_trace_cannot_support(fresh: World):
    fresh.capture(sessions_of(FIELD)[:1])
    line = traces_report(list(fresh.attempts().values())).traces[0]
    assert (line.can_support, line.reasons[0], line.strength) == (False, "not verified", "none")


def test_a_verified_trace_without_a_family_says_so(fresh: World):
    fresh.capture(sessions_of(FIELD, passes=True)[:1])
    fresh.verify()
    line = traces_report(list(fresh.attempts().values())).traces[0]
    assert (line.can_support, line.reasons[0]) == (False, "no task family yet")


def test_work_that_only_landed_is_marked(fresh: World):
    start = fresh.git("rev-parse", "HEAD")
    fresh.git("switch", "--quiet", "-c", "work")
    commit = fresh.commit({"a.txt": "x\n"})
    fresh.git("switch", "--quiet", "main")
    fresh.git("merge", "--quiet", "--no-ff", "-m", "m", "work")
    session(fresh, start=start, commits=(commit,))
    verify_by_git(fresh.context())
    line = traces_report(list(fresh.attempts().values())).traces[0]
    assert (line.landed, line.strength, line.can_support) == (True, "none", False)
    assert "no registered approver signed that" in line.reasons[1]
    assert "landed" in fresh.run("traces").stdout
