"""The line that a write prints takes it back, and does nothing once something came after."""

import subprocess

from skillc.lifecycle.undo import ledger_undo, traces_undo
from skillc.lifecycle.verify_run import verify_by_check
from tests.world import CHECK, FIX, World, sessions_of


def typed(world: World, line: str) -> int:
    return subprocess.run(line, shell=True, cwd=world.root, capture_output=True, check=False).returncode


def test_the_first_and_every_later_record_can_be_taken_back(fresh: World):
    fresh.capture(sessions_of(FIX)[:2])
    first, second = sorted(fresh.attempts())
    lines = [verify_by_check(fresh.context(), CHECK, trace_ids=[t]).undo for t in (first, second)]
    assert typed(fresh, lines[0] or "") != 0, "something came after"
    for line in reversed(lines):
        assert typed(fresh, line or "") == 0
    assert fresh.context().ledger.paths == frozenset()
    assert verify_by_check(fresh.context(), CHECK, trace_ids=[first]).recorded == 1


def test_nothing_recorded_has_no_line():
    assert ledger_undo(None) is None


def test_captured_traces_on_their_branch_can_be_taken_back(fresh: World):
    commits = [fresh.capture([path]).commits[0] for path in sessions_of(FIX)[:2]]
    for line in traces_undo(fresh.context(), commits):
        assert typed(fresh, line) == 0, line
    assert fresh.attempts() == {}
    assert fresh.capture(sessions_of(FIX)[:1]).totals.new == 1


def test_captured_traces_in_the_tree_are_taken_back_by_a_revert(fresh: World):
    fresh.set_policy("location: branch", "location: tree")
    (commit,) = fresh.capture(sessions_of(FIX)[:1]).commits
    (line,) = traces_undo(fresh.context(), [commit])
    assert typed(fresh, line) == 0
    assert fresh.attempts() == {}
