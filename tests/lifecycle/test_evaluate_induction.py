"""`evaluate induction` over a namespace."""

import pytest

from skillc.errors import UsageError
from skillc.lifecycle.evaluate_induction import evaluate_induction
from tests.world import FIELD, FIX, World


def test_it_refuses_without_a_grouping_field_and_names_those_that_are_here(world: World):
    with pytest.raises(UsageError, match="grouping field") as error:
        evaluate_induction(world.context(), families=[], group_by=None)
    assert "--group-by FIELD; fields here: " in error.value.hint


def test_field_that_no_trace_has_and_unknown_family_are_usage_errors(world: World):
    with pytest.raises(UsageError, match="no Trace has the field 'customer'"):
        evaluate_induction(world.context(), families=[], group_by="customer")
    with pytest.raises(UsageError, match="no Trace belongs to the family 'nope'"):
        evaluate_induction(world.context(), families=["nope"], group_by="attempt_family")


def test_each_family_has_its_measures_with_baselines_and_nothing_is_written(world: World):
    before = world.git("for-each-ref")

    report = evaluate_induction(world.context(), families=[], group_by="attempt_family")

    assert [f.task_family for f in report.families] == [FIELD, FIX]
    for family in report.families:
        assert family.groups > 1
        assert family.problems == ()
        names = [m.name for m in family.measures]
        assert "next_action" in names
        assert len(names) + len(family.not_measured) == 7
        assert all(m.baselines and m.n > 0 for m in family.measures)
    assert report.ok is (not report.loses)
    assert world.git("for-each-ref") == before


def test_same_traces_give_the_same_report(world: World):
    one = evaluate_induction(world.context(), families=[FIX], group_by="attempt_family")

    assert one == evaluate_induction(world.context(), families=[FIX], group_by="attempt_family")


def test_family_with_one_group_is_told_and_not_measured(world: World):
    report = evaluate_induction(world.context(), families=[FIX], group_by="agent")

    assert report.families[0].measures == ()
    assert "fewer than two groups" in report.families[0].note
    assert not report.ok
