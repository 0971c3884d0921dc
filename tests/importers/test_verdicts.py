"""A mapping gives an outcome for a number only."""

from typing import Any

import pytest

from skillc.core.trace.records import Outcome
from skillc.importers.base import ImportReport, OutcomeMapping
from skillc.importers.verdicts import mapped_verdict


def verdict(record: Any, field: str = "a.b"):
    report = ImportReport(path="x", kind="k")
    return mapped_verdict(record, OutcomeMapping("v", field, 0.9), report, what="record 1"), report.notes


@pytest.mark.parametrize(
    ("value", "outcome"), [(0.9, "success"), (0.8, "failure"), (True, "success"), (False, "failure")]
)
def test_a_number_at_the_field_is_an_outcome(value: float, outcome: str):
    found, _ = verdict({"a": {"b": value}})
    assert found is not None
    assert found.outcome is Outcome(outcome)


@pytest.mark.parametrize("record", [{}, {"a": None}, {"a": {"b": "1"}}, {"a": {"b": None}}, None, 7])
def test_no_number_is_no_verdict_and_is_told(record: Any):
    found, notes = verdict(record)
    assert found is None
    assert notes == ["record 1: no number at 'a.b', so no verdict"]


def test_the_last_of_a_list_has_the_place_minus_one():
    found, _ = verdict({"rewards": [0, 1]}, "rewards.-1")
    assert found is not None
    assert found.outcome is Outcome.SUCCESS
    assert verdict({"rewards": []}, "rewards.-1")[0] is None


def test_without_a_mapping_nothing_is_read_or_told():
    report = ImportReport(path="x", kind="k")
    assert mapped_verdict({"reward": 1}, None, report, what="x") is None
    assert report.notes == []
