"""What belongs to this person on this machine stays outside every repository, and private."""

import subprocess
import sys
from pathlib import Path

import pytest

from skillc.errors import DataError, RepoError
from skillc.repo.home import capture_secret, config_home, read_state, tool_key_path, write_state


def test_the_folder_is_the_xdg_one_or_below_home(home: Path, monkeypatch):
    assert config_home() == home / ".config" / "skillc"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "xdg"))
    assert config_home() == home / "xdg" / "skillc"
    for relative in ("relative/path", ""):
        monkeypatch.setenv("XDG_CONFIG_HOME", relative)
        assert config_home() == home / ".config" / "skillc", "the XDG rule: a relative path is not valid"
    assert tool_key_path() == config_home() / "keys" / "tool"


def test_the_capture_secret_is_made_once_and_is_private():
    first = capture_secret()
    assert len(first) == 32
    assert capture_secret() == first
    assert (config_home() / "capture.secret").stat().st_mode & 0o777 == 0o600


def test_two_processes_make_one_secret(home: Path):
    code = "from skillc.repo.home import capture_secret; print(capture_secret().hex())"
    running = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) for _ in range(6)]
    assert len({process.communicate()[0] for process in running}) == 1


@pytest.mark.parametrize("data", [b"", b"short", b"x" * 33, b"x" * 100])
def test_a_damaged_secret_is_said_so_and_never_replaced(data: bytes):
    path = config_home() / "capture.secret"
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    with pytest.raises(RepoError):
        capture_secret()
    assert path.read_bytes() == data


def test_a_state_is_read_as_it_was_written():
    assert read_state("trusted.json") == {}
    write_state("trusted.json", {"b": [1], "a": "ü"})
    assert read_state("trusted.json") == {"a": "ü", "b": [1]}
    assert (config_home() / "trusted.json").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("data", [b"{", b"[]", b"\xff", b'"x"'])
def test_a_state_that_is_no_object_is_named(data: bytes):
    (config_home()).mkdir(parents=True)
    (config_home() / "trusted.json").write_bytes(data)
    with pytest.raises(DataError, match=r"trusted\.json:1:"):
        read_state("trusted.json")


def test_a_home_that_cannot_be_written_is_named(home: Path):
    """A file stands where the folder belongs; root is stopped by that too."""
    (home / ".config").write_text("x", "utf-8")
    with pytest.raises(RepoError, match="cannot write"):
        capture_secret()
    with pytest.raises(RepoError, match="cannot write"):
        write_state("trusted.json", {})
