"""Partial rows are merged, older versions left out."""

from typing import Any

from skillc.importers.base import ImportReport
from skillc.importers.braintrust_rows import merged_rows


def merged(*rows: dict[str, Any]) -> tuple[list[dict[str, Any]], dict[str, int]]:
    report = ImportReport(path="x", kind="k")
    return merged_rows(list(rows), report), dict(report.skipped)


def part(**fields: Any) -> dict[str, Any]:
    return {"id": "a", "_is_merge": True} | fields


def test_objects_are_merged_deep_and_other_values_replaced():
    (row,), skipped = merged(
        {"id": "a", "m": {"x": 1, "y": {"z": 1}}}, part(m={"y": {"w": 2}}), part(output=[1]), part(output=[2])
    )

    assert row["m"] == {"x": 1, "y": {"z": 1, "w": 2}}
    assert row["output"] == [2]
    assert skipped == {}


def test_a_part_that_comes_before_its_row_is_merged_into_it():
    (row,), _ = merged(part(output="o"), {"id": "a", "input": "i"})

    assert (row["input"], row["output"]) == ("i", "o")


def test_a_merge_path_is_replaced_whole():
    (row,), _ = merged({"id": "a", "m": {"x": {"old": 1}}}, part(m={"x": {"new": 1}}, _merge_paths=[["m", "x"]]))

    assert row["m"] == {"x": {"new": 1}}


def test_the_newest_version_of_a_row_stays_and_the_others_are_counted():
    rows, skipped = merged({"id": "a", "_xact_id": "1000", "v": 2}, {"id": "a", "_xact_id": "999", "v": 1})

    assert [row["v"] for row in rows] == [2]
    assert skipped == {"older version of a row": 1}


def test_deleted_rows_and_parts_of_no_row_are_counted():
    rows, skipped = merged({"id": "a", "_object_delete": True}, part(id="b"))

    assert [row["id"] for row in rows] == ["b"]
    assert skipped == {"deleted row": 1, "merge into a row that the file does not hold": 1}


def test_fields_that_are_json_in_a_string_are_opened_and_texts_are_not():
    (row,), _ = merged({"id": "a", "metadata": '{"model": "m"}', "output": '{"x": 1}'})

    assert row["metadata"] == {"model": "m"}
    assert row["output"] == '{"x": 1}'
