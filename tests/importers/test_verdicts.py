"""A mapping gives an outcome for a number only."""

from typing import Any

import pytest

from skillc.core.trace.records import Outcome
from skillc.importers.base import ImportReport, OutcomeMapping
from skillc.importers.verdicts import field_at, field_verdict


def verdict(record: Any, field: str = "a.b"):
    report = ImportReport(path="x", kind="k")
    return field_verdict(record, OutcomeMapping("v", field, 0.9), report), report.skipped


@pytest.mark.parametrize(
    ("value", "outcome"), [(0.9, "success"), (0.8, "failure"), (True, "success"), (False, "failure")]
)
def test_a_number_at_the_field_is_an_outcome(value: float, outcome: str):
    found, _ = verdict({"a": {"b": value}})
    assert found is not None
    assert found.outcome is Outcome(outcome)


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"a": None},
        {"a": {"b": "1"}},
        {"a": {"b": None}},
        None,
        7,
        {"a": {"b": 10**400}},
        {"a": {"b": float("inf")}},
    ],
)
def test_no_number_is_no_verdict_and_is_counted(record: Any):
    found, skipped = verdict(record)
    assert found is None
    assert skipped == {"outcome without a number at the mapping's field": 1}


def test_the_last_of_a_list_has_the_place_minus_one():
    found, _ = verdict({"rewards": [0, 1]}, "rewards.-1")
    assert found is not None
    assert found.outcome is Outcome.SUCCESS
    assert verdict({"rewards": []}, "rewards.-1")[0] is None


def test_without_a_mapping_nothing_is_read_or_told():
    report = ImportReport(path="x", kind="k")
    assert field_verdict({"reward": 1}, None, report) is None
    assert report.skipped == {}


def test_dotted_paths_reach_into_objects_and_lists():
    assert field_at({"a": [{"b": 5}]}, "a.0.b") == 5
    assert field_at({"a": [{"b": 5}]}, "a.1.b") is None
    assert field_at(None, "a") is None
