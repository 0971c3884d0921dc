"""The files below a folder: no link, no git folder, and limits on depth and number."""

from pathlib import Path

import pytest

from skillc.errors import UsageError
from skillc.lifecycle import walk
from skillc.lifecycle.walk import files_below


def put(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("x")
    return path


def test_links_and_git_folders_are_left_out(tmp_path: Path):
    own = put(tmp_path / "in" / "a" / "own")
    put(tmp_path / "in" / ".git" / "config")
    outside = put(tmp_path / "out" / "other")
    (tmp_path / "in" / "file").symlink_to(outside)
    (tmp_path / "in" / "folder").symlink_to(outside.parent)

    assert list(files_below(tmp_path / "in")) == [own]


def test_too_many_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(walk, "MAX_FILES_SEEN", 2)
    for name in "ab":
        put(tmp_path / name)
    assert len(list(files_below(tmp_path))) == 2
    put(tmp_path / "c")
    with pytest.raises(UsageError, match="more than 2 files"):
        list(files_below(tmp_path))


def test_folders_that_lie_too_deep_are_left_out_and_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(walk, "MAX_DEPTH", 1)
    near = put(tmp_path / "a" / "near")
    put(tmp_path / "a" / "b" / "far")
    too_deep: list[Path] = []

    assert list(files_below(tmp_path, too_deep)) == [near]
    assert too_deep == [tmp_path / "a" / "b"]
