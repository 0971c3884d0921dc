"""Groups of Traces become task families when a person accepts them."""

import pytest

from skillc.errors import UsageError
from skillc.lifecycle.families import accept_groups, assign_traces, families_report, read_assignment, require_slug
from tests.world import FIELD, FIX, World, sessions_of


@pytest.fixture
def undeclared(fresh: World) -> World:
    fresh.capture(sessions_of(FIELD))
    fresh.verify()
    return fresh


def attempts(world: World) -> list:
    return list(world.attempts().values())


def test_an_accepted_group_takes_its_traces_and_later_ones_that_change_the_same(undeclared: World):
    group = families_report(undeclared.context(), attempts(undeclared)).groups[0]
    accept_groups(undeclared.context(), attempts(undeclared), [group.slug], minimum=1)
    families = {a.task_family for a in attempts(undeclared)}
    assert group.slug in families

    undeclared.capture(sessions_of(FIX, passes=True))
    later = [a for a in attempts(undeclared) if a.task_family == group.slug]
    assert len(later) > group.traces


def test_only_groups_of_enough_attempt_families_are_accepted_by_default(undeclared: World):
    assert accept_groups(undeclared.context(), attempts(undeclared), [], minimum=99).records == ()
    assert undeclared.context().ledger.families == ()


def test_a_group_can_get_another_name(undeclared: World):
    group = families_report(undeclared.context(), attempts(undeclared)).groups[0]
    accept_groups(undeclared.context(), attempts(undeclared), [group.slug], minimum=1, name="extend-schema")
    assert "extend-schema" in {a.task_family for a in attempts(undeclared)}


def test_an_unknown_group_is_a_usage_error(undeclared: World):
    with pytest.raises(UsageError, match="no group 'nope'"):
        accept_groups(undeclared.context(), attempts(undeclared), ["nope"], minimum=1)


def test_an_assignment_beats_what_a_trace_declares(world: World):
    chosen = [a for a in attempts(world) if a.task_family == FIX][:1]
    assign_traces(world.context(), chosen, "other-work")
    assert world.attempts()[chosen[0].trace.trace_id].task_family == "other-work"


IDS = ("t-1b2c0000", "t-77aa0000", "t-77bb0000")


@pytest.mark.parametrize(
    ("words", "traces", "family"),
    [
        (("t-1b2c", "fix"), ("t-1b2c",), "fix"),
        (("fix", "t-1b2c"), ("t-1b2c",), "fix"),
        (("t-1b2c", "t-77aa", "fix"), ("t-1b2c", "t-77aa"), "fix"),
        (("fix", "t-1b2c", "t-77aa"), ("t-1b2c", "t-77aa"), "fix"),
        (("t-1b2c0000", "t-7"), ("t-1b2c0000",), "t-7"),  # a whole id is a Trace
        (("t-7", "t-1b2c0000"), ("t-1b2c0000",), "t-7"),
        (("t-9", "fix"), ("t-9",), "fix"),  # no Trace at all: said when it is looked up
    ],
)
def test_the_traces_come_first_and_the_other_order_is_understood(words, traces, family):
    assert read_assignment(IDS, words) == (traces, family)


@pytest.mark.parametrize("words", [("t-1b", "t-77"), ("t-1b2c0000", "t-77aa0000")])
def test_words_that_fit_both_ways_are_refused_with_the_right_form(words):
    with pytest.raises(UsageError) as caught:
        read_assignment(IDS, words)
    assert "skillc families assign TRACE FAMILY" in (caught.value.hint or "")


@pytest.mark.parametrize("slug", ["", "Fix", "a--b", "-a", "a b", "a" * 65, "../x", "é"])
def test_a_slug_that_is_no_safe_name_is_refused(slug: str):
    with pytest.raises(UsageError):
        require_slug(slug)


def test_the_report_counts_attempt_families_and_verified_ones(world: World):
    lines = {f.slug: f for f in families_report(world.context(), attempts(world)).families}
    assert (lines[FIX].traces, lines[FIX].attempt_families, lines[FIX].verified_families) == (6, 5, 5)
    assert (lines[FIELD].traces, lines[FIELD].attempt_families, lines[FIELD].verified_families) == (5, 4, 4)
