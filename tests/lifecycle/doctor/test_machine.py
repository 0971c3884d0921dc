"""What doctor says of programs, of this account's keys and of where they lie."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from skillc.lifecycle.doctor import machine
from skillc.lifecycle.doctor.finding import State
from skillc.repo.home import config_home, tool_key_path
from tests.lifecycle.doctor.looking import at, found, nowhere, states, without_namespace
from tests.world import CHECK, World


def program(folder: Path, name: str, script: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
    path.chmod(0o755)


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in front of all programs."""
    folder = tmp_path / "programs"
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return folder


@pytest.mark.parametrize(("version", "state"), [("2.38.0", "ok"), ("2.47.1", "ok"), ("3.0", "ok"), ("2.37.9", "warn")])
def test_git_is_new_enough_or_told(programs: Path, version: str, state: str):
    program(programs, "git", f"echo git version {version}")
    assert states(machine.check_git, nowhere(programs)) == [state]


def test_without_git_or_ssh_keygen_nothing_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert states(machine.check_git, nowhere(tmp_path)) == ["fail"]
    assert states(machine.check_ssh_keygen, nowhere(tmp_path)) == ["fail"]


@pytest.mark.parametrize(
    ("words", "state"),
    [("OpenSSH_9.2p1 Debian", "ok"), ("OpenSSH_8.2p1", "ok"), ("OpenSSH_7.9p1", "fail"), ("?", "warn")],
)
def test_openssh_is_new_enough_to_sign(programs: Path, words: str, state: str):
    program(programs, "ssh", f"echo '{words}' >&2")
    assert states(machine.check_ssh_keygen, nowhere(programs)) == [state]


def test_this_python_is_new_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    assert states(machine.check_python, nowhere(tmp_path)) == ["ok"]
    monkeypatch.setattr(machine, "NEEDED_PYTHON", (99, 0))
    assert states(machine.check_python, nowhere(tmp_path)) == ["fail"]


def test_the_tool_key_is_here_private_and_registered(fresh: World):
    assert found(machine.check_tool_key, at(fresh), State.OK) == [f"is registered for {CHECK} on main"]
    tool_key_path().chmod(0o644)
    (words,) = found(machine.check_tool_key, at(fresh), State.FAIL)
    assert "has mode 0644" in words


def test_a_tool_key_that_base_does_not_know_is_worth_nothing(fresh: World):
    path = tool_key_path()
    for name in (path, path.with_suffix(".pub")):
        name.unlink()
    assert states(machine.check_tool_key, at(fresh)) == ["warn"]
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path)], check=True)
    assert found(machine.check_tool_key, at(fresh), State.WARN) == ["is not registered on main"]


def test_a_configuration_inside_the_repository_is_told(fresh: World, monkeypatch: pytest.MonkeyPatch):
    assert states(machine.check_configuration_place, at(fresh)) == ["ok"]
    monkeypatch.setenv("XDG_CONFIG_HOME", str(fresh.root / "config"))
    assert states(machine.check_configuration_place, at(fresh)) == ["fail"]


def test_a_configuration_inside_another_repository_is_a_warning(
    fresh: World, root: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(root / "dotfiles"))
    assert states(machine.check_configuration_place, at(fresh)) == ["warn"]


def test_private_files_that_others_can_read_are_told(fresh: World, tmp_path: Path):
    assert states(machine.check_readable_keys, at(fresh)) == ["ok"]
    secret = config_home() / "capture.secret"
    secret.write_bytes(b"s" * 32)
    secret.chmod(0o640)
    signing = tmp_path / "id"
    signing.write_text("key")
    signing.chmod(0o604)
    fresh.git("config", "user.signingkey", str(signing))
    told = found(machine.check_readable_keys, at(fresh), State.WARN)
    assert [words.rsplit(" ", 1)[1] for words in told] == ["0640", "0604"]


def test_gh_is_not_needed_and_told_when_it_is_not_logged_in(
    programs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    if shutil.which("gh") is None:
        assert states(machine.check_gh, nowhere(tmp_path)) == ["ok"]
    program(programs, "gh", 'case "$1" in --version) echo gh version 2.60.1;; auth) exit 1;; esac')
    assert found(machine.check_gh, nowhere(tmp_path), State.WARN) == ["gh 2.60.1, not logged in"]
    program(programs, "gh", 'case "$1" in --version) echo gh version 2.60.1;; auth) echo hidden-token;; esac')
    (finding,) = machine.check_gh(nowhere(tmp_path))
    assert finding.found == "gh 2.60.1, logged in"
    assert "hidden-token" not in finding.model_dump_json()


def test_your_signing_key_is_matched_with_the_registered_people(fresh: World, tmp_path: Path):
    assert states(machine.check_signing_key, at(fresh)) == []
    key = tmp_path / "ada"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "x", "-f", str(key)], check=True)
    public = key.with_suffix(".pub").read_text("utf-8").strip()
    fresh.set_policy("people: []", f"people: [{{id: ada, roles: [verifier], key: {public!r}}}]")
    assert found(machine.check_signing_key, at(fresh), State.OK) == ["git names no signing key"]
    for named in (str(key), f"key::{public}"):
        fresh.git("config", "user.signingkey", named)
        assert found(machine.check_signing_key, at(fresh), State.OK) == ["is registered for ada"]
    fresh.git("config", "user.signingkey", str(tmp_path / "gone"))
    assert states(machine.check_signing_key, at(fresh)) == ["warn"]


def test_without_a_namespace_the_machine_is_checked_all_the_same(root: Path):
    place = without_namespace(root)
    assert states(machine.check_tool_key, place) == ["warn"]
    assert states(machine.check_configuration_place, place) == ["ok"]
    assert states(machine.check_readable_keys, place) == ["ok"]
