"""What doctor says of capture by hook: registered, runnable, switched off, stuck."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from skillc.lifecycle.doctor import hooks
from skillc.lifecycle.doctor.finding import State
from skillc.lifecycle.drain import switch_hook
from skillc.lifecycle.hosts import register_host
from skillc.repo.host_folders import host_home, settings_file
from skillc.repo.repository import Repository
from skillc.repo.session_spool import hook_log
from tests.lifecycle.doctor.looking import at, found, states
from tests.world import World


@pytest.fixture(autouse=True)
def managed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("skillc.lifecycle.host_settings.managed_folder", lambda: tmp_path / "managed")
    return tmp_path / "managed"


def register(world: World, host: str, **options: bool) -> None:
    register_host(Repository.open(world.root), host, **options)


def put(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value), "utf-8")
    return path


def test_a_host_that_is_used_without_the_hook_is_told(fresh: World):
    assert states(hooks.check_registered, at(fresh)) == ["ok", "ok", "ok"]
    host_home("codex").mkdir()
    (words,) = [f.next_step for f in hooks.check_registered(at(fresh)) if f.state is State.WARN]
    assert words == "skillc init --host codex"
    register(fresh, "codex")
    assert states(hooks.check_registered, at(fresh)) == ["ok", "ok", "ok"]


def test_settings_that_are_no_json_are_told(fresh: World):
    path = put(settings_file("gemini", None), "{ // mine")
    assert found(hooks.check_registered, at(fresh), State.WARN) == [f"{path} is not plain JSON"]


def test_a_hook_whose_program_is_gone_fails(fresh: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    program = tmp_path / "bin" / "skillc"
    put(program, "#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setattr("sys.argv", [str(program)])
    register(fresh, "claude-code")
    assert found(hooks.check_programs, at(fresh), State.OK) == [str(program)]
    program.chmod(0o644)
    assert states(hooks.check_programs, at(fresh)) == ["fail"]
    program.unlink()
    assert states(hooks.check_programs, at(fresh)) == ["fail"]


def test_a_shared_hook_needs_the_program_on_the_path(fresh: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    register(fresh, "claude-code", shared=True)
    monkeypatch.setenv("PATH", str(tmp_path))
    place = fresh.root
    from tests.lifecycle.doctor.looking import nowhere

    assert states(hooks.check_programs, nowhere(place)) == ["fail"]
    put(tmp_path / "skillc", "#!/bin/sh\n").chmod(0o755)
    assert states(hooks.check_programs, nowhere(place)) == ["ok"]


def test_hooks_that_an_organisation_switched_off_fail_once_they_are_registered(fresh: World, managed: Path):
    assert states(hooks.check_switched_off, at(fresh)) == ["ok"]
    path = put(managed / "managed-settings.json", {"allowManagedHooksOnly": True})
    assert states(hooks.check_switched_off, at(fresh)) == ["warn"]
    register(fresh, "claude-code")
    (finding,) = hooks.check_switched_off(at(fresh))
    assert finding.state is State.FAIL
    assert finding.found == f"allowManagedHooksOnly is set in {path}"
    assert "your organisation" in finding.meaning


def test_hooks_that_the_person_switched_off_fail_too(fresh: World):
    path = put(settings_file("claude-code", None), {"disableAllHooks": True})
    register(fresh, "claude-code")
    (finding,) = hooks.check_switched_off(at(fresh))
    assert (finding.state, finding.next_step) == (State.FAIL, f"remove disableAllHooks from {path}")


def test_codex_with_hooks_off_fails_and_else_must_trust_them(fresh: World):
    assert states(hooks.check_codex, at(fresh)) == []
    register(fresh, "codex")
    (words,) = found(hooks.check_codex, at(fresh), State.OK)
    assert "/hooks" in words
    put(host_home("codex") / "config.toml", "[features]\nhooks = false\n")
    assert states(hooks.check_codex, at(fresh)) == ["fail"]


def test_capture_that_is_off_is_told(fresh: World, monkeypatch: pytest.MonkeyPatch):
    assert states(hooks.check_off, at(fresh)) == ["ok"]
    switch_hook(fresh.root, is_off=True)
    assert found(hooks.check_off, at(fresh), State.WARN) == ["off in this repository"]
    monkeypatch.setenv("SKILLC_OFF", "1")
    assert states(hooks.check_off, at(fresh)) == ["warn", "warn"]
    switch_hook(fresh.root, is_off=False)
    assert found(hooks.check_off, at(fresh), State.WARN) == ["SKILLC_OFF is set in this shell"]


def test_recent_trouble_of_the_hook_is_told(fresh: World):
    assert states(hooks.check_log, at(fresh)) == ["ok"]
    now = int(time.time())
    put(hook_log(), f"{now - 30 * 86400} 'old'\nnonsense\n{now - 60} 'first'\n{now} 'disk full'\n")
    (words,) = found(hooks.check_log, at(fresh), State.WARN)
    assert words == "2 errors in the last 7 days, the last: 'disk full'"


def spooled(world: World, *, at_s: float) -> None:
    record = {
        "agent": "claude-code", "session_id": "s", "hook_event_name": "SessionEnd",
        "common": str(world.root / ".git"), "at": at_s,
    }  # fmt: skip
    put(world.root / ".git" / "skillc" / "spool" / "claude-code.s.SessionEnd.json", record)


def test_sessions_that_wait_for_a_day_are_stuck(fresh: World):
    spooled(fresh, at_s=time.time() - 60)
    assert found(hooks.check_spool, at(fresh), State.OK) == ["1 sessions wait"]
    spooled(fresh, at_s=time.time() - 2 * 86400)
    assert states(hooks.check_spool, at(fresh)) == ["warn"]
