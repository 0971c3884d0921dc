"""Rules of the paired comparison."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.core.compare import Case, measured


def cases(*rows):
    return [Case(group, family, ours, {"other": other, "third": 0.0}) for group, family, ours, other in rows]


def test_every_attempt_family_counts_once_however_many_cases_it_has():
    measure = measured("m", cases(("a", "f", 1.0, 0.0), ("b", "g", 0.0, 1.0), ("b", "g", 1.0, 1.0)))

    assert (measure.ours, measure.baselines, measure.n) == (0.75, {"other": 0.5, "third": 0.0}, 3)
    assert measure.best_baseline == 0.5
    assert not measure.loses


def test_engine_loses_when_a_baseline_is_better_by_however_little():
    rows = [("a", "f", 1.0, 1.0)] * 99 + [("a", "f", 0.0, 1.0)]

    assert measured("m", cases(*rows)).loses


def test_interval_is_of_the_difference_to_the_best_baseline():
    same = measured("m", cases(*[(str(n), str(n), n % 2, n % 2) for n in range(10)]))
    better = measured("m", cases(*[(str(n), str(n), 1.0, 0.0) for n in range(10)]))
    mixed = measured("m", cases(*[(str(n), str(n), float(n < 5), 0.5) for n in range(10)]))

    assert same.interval == (0.0, 0.0)
    assert better.interval == (1.0, 1.0)
    assert mixed.interval[0] < 0 < mixed.interval[1]


def test_groups_are_drawn_and_not_cases():
    """A hundred cases of one group say no more than one."""
    one = measured("m", cases(*[("a", str(n), float(n % 2), 0.0) for n in range(100)]))

    assert one.interval == (0.5, 0.5)


def test_without_cases_there_is_no_figure():
    assert measured("m", []) is None


def test_arm_without_baselines_is_told_without_a_verdict():
    measure = measured("m", [Case("a", "f", 0.0, {})])

    assert measure.best_baseline is None
    assert not measure.loses


_ROWS = st.lists(
    st.tuples(st.sampled_from("abcd"), st.sampled_from("fgh"), st.floats(0, 1), st.floats(0, 1)),
    min_size=1,
    max_size=12,
)


@given(_ROWS)
def test_same_cases_give_the_same_numbers_in_any_order(rows):
    one, other = measured("m", cases(*rows)), measured("m", cases(*reversed(rows)))

    assert one.ours == pytest.approx(other.ours, abs=2e-4)
    assert one.interval == pytest.approx(other.interval, abs=2e-4)
    assert one.interval[0] <= one.interval[1]
