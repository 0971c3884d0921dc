"""Stored Traces are scanned where they lie, each by its events."""

from pathlib import Path

import pytest

from skillc.errors import RepoError, UsageError
from skillc.lifecycle.scan.by_hand import ScanOptions, scan_paths
from tests.core.scan.test_first_look import ORDERS
from tests.lifecycle.test_first_look import session
from tests.world import World


def scanned(*names: str):
    return scan_paths([], options=ScanOptions(traces=names))


@pytest.fixture
def captured(fresh: World, tmp_path: Path, monkeypatch) -> tuple[str, str]:
    """Two Traces in the namespace around the current folder: one with an order, one without."""
    bad, good = session(tmp_path / "a.json", ORDERS[0]), session(tmp_path / "b.json", "all fine")
    report = fresh.capture([str(bad), str(good)])
    monkeypatch.chdir(fresh.root)
    return report.sources[0].traces[0].trace_id, report.sources[1].traces[0].trace_id


def test_a_stored_trace_is_scanned_by_its_id(captured: tuple[str, str]):
    bad, good = captured
    (found,) = [f for f in scanned(bad).findings if f.rule == "instruction-override"]
    assert found.file.endswith(f"{bad}.jsonl")
    assert found.place == "e2"
    assert not scanned(good).is_blocked
    assert scanned(bad[:12]).scanned.files == 1


def test_all_stored_traces_are_scanned(captured: tuple[str, str]):
    report = scanned("all")
    assert (report.scanned.files, report.is_blocked, report.unread) == (2, True, ())


def test_an_id_that_is_not_stored_or_not_one_is_a_usage_error(captured: tuple[str, str]):
    with pytest.raises(UsageError, match="no Trace with an id like 't-nope'"):
        scanned("t-nope")
    with pytest.raises(UsageError, match="2 Traces with an id like"):
        scanned("t-")


def test_without_a_namespace_there_are_no_stored_traces(tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RepoError, match="here is none"):
        scanned("all")
