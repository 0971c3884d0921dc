"""Trees become Traces, and files beside a source become rows."""

import io

import pytest

from skillc.errors import DataError
from skillc.importers.base import Companion, ImportContext, ImportReport, MessagesOptions
from skillc.importers.chat_forms import Said
from skillc.importers.scores import Score
from skillc.importers.span_store import StoredTree, import_trees, read_beside
from skillc.importers.spans import MODEL, Span
from tests.importers.reading import CONTEXT
from tests.importers.stores import mapped

NOTHING = DataError("holds nothing", hint="export more")


def tree(tree_id: str = "t", *, text: str = "Hi") -> StoredTree:
    return StoredTree(tree_id, [Span("m", "gone", "m", MODEL, (0,), outputs=[Said("assistant", text)] if text else [])])


def test_trees_without_content_are_counted_and_nothing_at_all_is_an_error():
    report = ImportReport(path="x.json", kind="k")

    assert len(list(import_trees([tree(), tree("u", text="")], CONTEXT, report, nothing=NOTHING))) == 1
    assert report.skipped["trace without content"] == 1
    with pytest.raises(DataError, match=r"x\.json:1: holds nothing"):
        list(import_trees([tree(text="")], CONTEXT, report, nothing=NOTHING))


def test_the_bounds_of_a_tree_hold_for_its_scores():
    one = tree()
    one.scores, one.high = [Score("s", 2.0)], 1.0
    report = ImportReport(path="x", kind="k")

    assert next(import_trees([one], mapped("s"), report, nothing=NOTHING)).verdict is None
    assert report.skipped["score out of range"] == 1


def test_a_span_whose_parent_is_missing_is_a_root():
    assert tree().root_ids() == {"m"}


def test_files_beside_and_the_outcome_file_give_rows(tmp_path):
    file = tmp_path / "more.jsonl"
    file.write_text('{"c": 3}\n')
    context = ImportContext(namespace="a", secret=b"s", messages=MessagesOptions(outcome_file=str(file)))
    beside = [
        Companion("f.json", lambda: io.BytesIO(b'{"feedback": [{"b": 2}]}')),
        Companion("g", lambda: io.BytesIO(b"{x")),
    ]
    report = ImportReport(path="x", kind="k")

    assert read_beside(beside, context, report) == [{"feedback": [{"b": 2}]}, {"b": 2}, {"c": 3}]
    assert report.skipped == {"file beside the source that cannot be read": 1}


def test_a_missing_outcome_file_is_named():
    context = ImportContext(namespace="a", secret=b"s", messages=MessagesOptions(outcome_file="gone.json"))
    with pytest.raises(DataError, match=r"gone\.json"):
        read_beside([], context, ImportReport(path="x", kind="k"))
