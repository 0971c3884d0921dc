"""The rows of a Braintrust export made whole: partial rows merged into theirs, older versions left out.

A row with `_is_merge` changes the row of the same id: objects are merged, anything else is replaced; the paths in
`_merge_paths` are replaced whole. Of two whole rows of one id the one with the newer `_xact_id` stays.
Not here: what a row means (importers.braintrust).
"""

from typing import Any

from skillc.core.record import canonical_json
from skillc.importers.base import ImportReport
from skillc.importers.chat_forms import opened
from skillc.importers.lines import key_text

_MAX_DEPTH = 100
_TEXT_FIELDS = ("metadata", "metrics", "scores", "span_attributes", "span_parents")  # may be JSON in a string


def merged_rows(rows: list[dict[str, Any]], report: ImportReport) -> list[dict[str, Any]]:
    """Returns one row per id, in the order in which the ids first appear."""
    whole: dict[str, dict[str, Any]] = {}
    order: dict[str, None] = {}
    partial: list[tuple[str, dict[str, Any]]] = []
    for row in rows:
        row = {key: opened(value) if key in _TEXT_FIELDS else value for key, value in row.items()}
        row_id = _id(row)
        order.setdefault(row_id)
        if row.get("_is_merge") is True:
            partial.append((row_id, row))
        elif row_id not in whole or _version(row) >= _version(whole[row_id]):
            if row_id in whole:
                report.skipped["older version of a row"] += 1
            whole[row_id] = row
        else:
            report.skipped["older version of a row"] += 1
    for row_id, row in partial:
        if row_id not in whole:
            report.skipped["merge into a row that the file does not hold"] += 1
        whole[row_id] = _merge(whole.get(row_id, {}), row, _paths(row), depth=0)
    found = [whole[row_id] for row_id in order]
    deleted = sum(row.get("_object_delete") is True for row in found)
    if deleted:
        report.skipped["deleted row"] += deleted
    return [row for row in found if row.get("_object_delete") is not True]


def _id(row: dict[str, Any]) -> str:
    found = key_text(row.get("id")) or key_text(row.get("span_id"))
    return found if found is not None else canonical_json(row).decode("utf-8", "replace")


def _version(row: dict[str, Any]) -> tuple[int, str]:
    text = key_text(row.get("_xact_id")) or ""
    return len(text), text  # digits: the longer number is the larger


def _paths(row: dict[str, Any]) -> set[tuple[str, ...]]:
    found = row.get("_merge_paths")
    paths = found if isinstance(found, list) else []
    return {tuple(path) for path in paths if isinstance(path, list) and all(isinstance(part, str) for part in path)}


def _merge(
    old: dict[str, Any], new: dict[str, Any], whole: set[tuple[str, ...]], *, depth: int, path: tuple[str, ...] = ()
) -> dict[str, Any]:
    merged = dict(old)
    for key, value in new.items():
        before, here = merged.get(key), (*path, key)
        if isinstance(before, dict) and isinstance(value, dict) and here not in whole and depth < _MAX_DEPTH:
            merged[key] = _merge(before, value, whole, depth=depth + 1, path=here)
        else:
            merged[key] = value
    return merged
