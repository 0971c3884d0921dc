"""A disk that is full, a folder that is read-only: told, and nothing is half written."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bad_input.mounts import fill, read_only, small_disk
from tests.bad_input.telling import GIT, Done, require_fine, require_told
from tests.faults.states import require_sound, state_of
from tests.world import FIELD, FIX, World, sessions_of

pytestmark = pytest.mark.slow  # a process or a repository for each case

COMMANDS = {
    "capture": ("capture", "--family", FIX, *sessions_of(FIX)),
    "compile": ("compile", "--family", FIELD),
}


@pytest.fixture
def on_disk(world: World, tmp_path: Path) -> Iterator[World]:
    """The world's repository on a small disk of its own."""
    with small_disk(tmp_path / "disk", 24) as disk:
        shutil.copytree(world.root, disk / "stockroom", symlinks=True)
        yield World(world.home, disk / "stockroom")


@pytest.fixture
def unread(on_disk: World) -> World:
    """The same without Traces, so that a capture has something to write."""
    on_disk.git("branch", "-D", "skillc/traces")
    return on_disk


def require_full(done: Done) -> None:
    words = "disk is full" if "disk is full" in done.stderr else "No space left"
    require_told(done, GIT, words, "free some space")


@pytest.mark.parametrize("leave_bytes", [0, 4096, 16384])
def test_a_full_disk_stops_a_capture_whole(unread: World, leave_bytes: int):
    before = state_of(unread.root)
    filler = fill(unread.root.parent, leave_bytes=leave_bytes)
    done = unread.run(*COMMANDS["capture"])

    require_full(done)
    assert state_of(unread.root) == before
    filler.unlink()
    require_sound(unread.root)
    require_fine(unread.run(*COMMANDS["capture"]))


@pytest.mark.parametrize("leave_bytes", [0, 8192, 24576])
def test_a_full_disk_stops_an_admission_whole_or_lets_the_next_command_finish_it(on_disk: World, leave_bytes: int):
    on_disk.set_policy("mode: pr", "mode: auto")
    on_disk.set_policy("minimum_assurance: attended", "minimum_assurance: local")
    before = state_of(on_disk.root)
    filler = fill(on_disk.root.parent, leave_bytes=leave_bytes)
    done = on_disk.run(*COMMANDS["compile"])

    require_full(done)
    filler.unlink()
    require_sound(on_disk.root)
    require_fine(on_disk.run("traces"))
    now = state_of(on_disk.root)
    if now != before:
        assert now["ref refs/heads/main"] != before["ref refs/heads/main"]
        assert now["ref refs/heads/skillc/ledger"] != before["ref refs/heads/skillc/ledger"]
    require_fine(on_disk.run(*COMMANDS["compile"]))
    assert on_disk.git("status", "--porcelain") == ""
    assert (on_disk.root / ".claude" / "skills" / FIELD / "SKILL.md").is_file()


def test_a_full_home_stops_the_first_capture(fresh: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    with small_disk(tmp_path / "disk", 1) as disk:
        monkeypatch.setenv("XDG_CONFIG_HOME", str(disk / "config"))
        fill(disk, leave_bytes=0)
        require_told(fresh.run(*COMMANDS["capture"]), GIT, "capture.secret", "free some space")


def test_a_read_only_repository_stops_a_capture(unread: World):
    before = state_of(unread.root)
    with read_only(unread.root.parent):
        require_told(unread.run(*COMMANDS["capture"]), GIT, "ead-only file system", "")
    assert state_of(unread.root) == before


def test_a_read_only_repository_stops_a_compile(on_disk: World):
    before = state_of(on_disk.root)
    with read_only(on_disk.root.parent):
        for command in (("show",), ("traces",), ("check",), ("review",)):
            require_fine(on_disk.run(*command))
        done = on_disk.run(*COMMANDS["compile"])
        require_told(done, GIT, "ead-only file system", "")
    assert state_of(on_disk.root) == before


def test_a_read_only_home_stops_init(tmp_path: Path, fresh: World, monkeypatch: pytest.MonkeyPatch):
    with small_disk(tmp_path / "disk", 1) as disk, read_only(disk):
        monkeypatch.setenv("XDG_CONFIG_HOME", str(disk / "config"))
        (fresh.root / "skillc.yaml").unlink()
        require_told(fresh.run("init"), GIT, "Read-only file system", "")
        assert not (fresh.root / "skillc.yaml").exists()
