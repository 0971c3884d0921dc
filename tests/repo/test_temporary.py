"""Temporary folders: private, gone afterwards, and those of killed processes are removed by the next."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from skillc.repo.temporary import temporary_folder


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_it_is_private_and_gone_afterwards(place: Path):
    with temporary_folder("merge") as folder:
        assert folder.parent == place
        assert folder.stat().st_mode & 0o077 == 0
        (folder / "a").write_text("x")
    assert list(place.iterdir()) == []


def test_what_a_killed_process_left_goes_and_nothing_else_does(place: Path):
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    left = place / f"skillc-publish-{process.pid}-abc"
    (left / "deep").mkdir(parents=True)
    others = [place / "skillc-demo-abc", place / f"skillc-check-{os.getpid()}-x", place / "mine"]
    for other in others:
        other.mkdir()
    with temporary_folder("check") as own, temporary_folder("merge"):
        assert own.is_dir()
        assert not left.exists()
    assert sorted(place.iterdir()) == sorted(others)
