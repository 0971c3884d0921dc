"""Files outside git: whole or not at all, and never through a link."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from skillc.errors import RepoError
from skillc.repo.files import read_small, unwritable, write_whole


def test_a_file_and_its_folders_are_written(tmp_path: Path):
    write_whole(tmp_path / "a" / "b" / "c", b"data")
    assert (tmp_path / "a" / "b" / "c").read_bytes() == b"data"
    assert os.listdir(tmp_path / "a" / "b") == ["c"], "no temporary file is left"


def test_a_write_that_fails_leaves_the_old_file_and_no_rest(tmp_path: Path, monkeypatch):
    """A full disk is simulated where the bytes are forced out."""
    path = tmp_path / "f"
    write_whole(path, b"old")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(RepoError, match="No space left") as caught:
        write_whole(path, b"new")
    assert "free some space" in str(caught.value.hint)
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["f"]


def test_a_rest_of_a_killed_process_with_our_number_is_replaced(tmp_path: Path):
    rest = tmp_path / f".f.{os.getpid()}.tmp"
    rest.symlink_to(tmp_path / "elsewhere")
    write_whole(tmp_path / "f", b"data")
    assert not (tmp_path / "elsewhere").exists()
    assert (tmp_path / "f").read_bytes() == b"data"


def test_a_link_is_replaced_and_not_written_through(tmp_path: Path):
    (tmp_path / "target").write_bytes(b"mine")
    (tmp_path / "link").symlink_to("target")
    write_whole(tmp_path / "link", b"new")
    assert (tmp_path / "target").read_bytes() == b"mine"
    assert not (tmp_path / "link").is_symlink()


def test_a_folder_in_the_way_is_an_error(tmp_path: Path):
    (tmp_path / "d").mkdir()
    with pytest.raises(RepoError, match="cannot write"):
        write_whole(tmp_path / "d", b"x")
    (tmp_path / "f").write_bytes(b"x")
    with pytest.raises(RepoError, match="cannot write"):
        write_whole(tmp_path / "f" / "below", b"x")


def test_the_mode_is_the_one_that_was_asked_for(tmp_path: Path):
    write_whole(tmp_path / "secret", b"x", mode=0o600)
    assert (tmp_path / "secret").stat().st_mode & 0o777 == 0o600


def test_a_file_that_is_not_there_reads_as_none(tmp_path: Path):
    assert read_small(tmp_path / "gone", limit=10) is None
    (tmp_path / "f").write_bytes(b"x")
    assert read_small(tmp_path / "f" / "below", limit=10) is None


def test_a_small_regular_file_is_read(tmp_path: Path):
    (tmp_path / "f").write_bytes(b"0123456789")
    assert read_small(tmp_path / "f", limit=10) == b"0123456789"


@pytest.mark.parametrize("kind", ["link", "folder", "pipe", "large"])
def test_anything_else_is_refused_and_nothing_hangs(tmp_path: Path, kind: str):
    path = tmp_path / "p"
    if kind == "link":
        (tmp_path / "f").write_bytes(b"x")
        path.symlink_to("f")
    elif kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.write_bytes(b"x" * 11)
    with pytest.raises(RepoError):
        read_small(path, limit=10)


def test_the_message_names_the_file_and_the_way_out(tmp_path: Path):
    error = unwritable(tmp_path / "f", OSError(13, "Permission denied"))
    assert str(tmp_path / "f") in error.message
    assert error.hint == "check the folder's owner and mode"


def test_the_neighbour_that_a_killed_write_left_goes_with_the_next_write(tmp_path: Path):
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    for name in (f".a.{dead.pid}.tmp", f".a.{os.getpid()}.tmp", ".a.x.tmp", f".b.{dead.pid}.tmp"):
        (tmp_path / name).write_bytes(b"half")
    write_whole(tmp_path / "a", b"whole")
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(["a", ".a.x.tmp", f".b.{dead.pid}.tmp"])
