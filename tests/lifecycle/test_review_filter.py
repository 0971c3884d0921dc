"""Part of a review is the same part for the terminal and for `--json`."""

import pytest

from skillc.errors import UsageError
from skillc.lifecycle.review import ReviewReport, review
from skillc.lifecycle.review_filter import filtered
from tests.world import FIELD, FIX, World


@pytest.fixture
def report(world: World) -> ReviewReport:
    world.compile(FIELD, FIX)
    return review(world.context())


def test_parts_of_a_review(report: ReviewReport):
    """One compile for all rules: each part leaves out exactly what was not asked for."""
    steps = filtered(report, fields=["steps", "failure-modes"])
    assert {c.field for k in steps.candidates for v in k.versions for c in v.claims} <= {"steps", "failure_modes"}
    assert all(v.claims for k in steps.candidates for v in k.versions)

    (one,) = filtered(report, skill=FIELD).candidates
    assert [v.skill for v in one.versions] == [FIELD]
    assert one.gates == next(c for c in report.candidates if c.task_family == FIELD).gates

    for candidate in filtered(report, only_open=True).candidates:
        assert candidate.gates
        assert all(g.result.value != "pass" for g in candidate.gates)
        assert not any(v.claims or v.diff for v in candidate.versions)
        assert candidate.warnings == next(c for c in report.candidates if c.run == candidate.run).warnings

    assert filtered(report) == report
    with pytest.raises(UsageError, match="no field 'stepz'"):
        filtered(report, fields=["stepz"])
    with pytest.raises(UsageError, match="no Skill 'nope'"):
        filtered(report, skill="nope")
