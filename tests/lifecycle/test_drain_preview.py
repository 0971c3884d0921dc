"""A look at the spool tells what a drain would take, and takes nothing."""

from skillc.lifecycle.drain_preview import preview_drain
from tests.lifecycle.test_drain import ended, left
from tests.world import FIX, World, sessions_of


def test_a_session_that_ended_would_be_captured_and_one_that_runs_waits(fresh: World):
    ended(fresh, sessions_of(FIX)[0])
    ended(fresh, sessions_of(FIX)[1], event="SessionStart")
    kept = left(fresh)
    report = preview_drain(fresh.context())
    assert report.captured is None
    assert sorted(session.reason for session in report.waiting) == ["it still runs", "would be captured"]
    assert left(fresh) == kept


def test_an_empty_spool_gives_nothing(fresh: World):
    assert preview_drain(fresh.context()).waiting == ()
