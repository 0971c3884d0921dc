"""What the hosts' settings say: which hook, what is switched off, when transcripts go."""

import json
from pathlib import Path
from typing import Any

import pytest

from skillc.lifecycle import host_settings
from skillc.lifecycle.host_settings import (
    codex_hooks_off,
    hook_place,
    hooks_switched_off,
    is_readable,
    registered_commands,
    retention_days,
)
from skillc.lifecycle.hosts import register_host
from skillc.repo.host_folders import HOSTS, host_home, settings_file
from skillc.repo.repository import Repository


def put(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value), "utf-8")
    return path


@pytest.fixture(autouse=True)
def managed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(host_settings, "managed_folder", lambda: tmp_path / "managed")
    return tmp_path / "managed"


@pytest.mark.parametrize("host", HOSTS)
def test_the_place_of_a_hook_is_told(repository: Repository, host: str):
    root = repository.root
    assert hook_place(host, root) == "none"
    register_host(repository, host)
    assert hook_place(host, root) == "own"
    register_host(repository, host, shared=True)
    assert hook_place(host, root) == "both"
    settings_file(host, None).unlink()
    assert hook_place(host, root) == "shared"
    assert [path for path, _ in registered_commands(host, root)] == [settings_file(host, root)]


@pytest.mark.parametrize("setting", ["disableAllHooks", "allowManagedHooksOnly"])
@pytest.mark.parametrize("file", ["managed-settings.json", "managed-settings.d/10-hooks.json"])
def test_an_organisation_can_switch_hooks_off(managed: Path, root: Path, file: str, setting: str):
    path = put(managed / file, {setting: True})
    (off,) = hooks_switched_off(root)
    assert (off.path, off.setting, off.is_managed) == (path, setting, True)


def test_a_person_can_switch_all_hooks_off_and_only_that(root: Path):
    for path in (settings_file("claude-code", None), root / ".claude" / "settings.local.json"):
        put(path, {"disableAllHooks": True, "allowManagedHooksOnly": True})
    assert [(off.setting, off.is_managed) for off in hooks_switched_off(root)] == [("disableAllHooks", False)] * 2
    put(settings_file("claude-code", None), {"disableAllHooks": "yes"})
    put(root / ".claude" / "settings.local.json", "{not json")
    assert hooks_switched_off(root) == []


def test_claude_code_deletes_after_thirty_days_or_as_the_strongest_setting_says(managed: Path, root: Path):
    assert retention_days("claude-code", root) == 30
    put(settings_file("claude-code", None), {"cleanupPeriodDays": 365})
    assert retention_days("claude-code", root) == 365
    put(root / ".claude" / "settings.json", {"cleanupPeriodDays": 10})
    assert retention_days("claude-code", root) == 10
    put(managed / "managed-settings.json", {"cleanupPeriodDays": 3})
    assert retention_days("claude-code", root) == 3


@pytest.mark.parametrize("value", [True, "30", None, -1, [], {}])
def test_a_retention_that_is_no_number_does_not_count(root: Path, value: Any):
    put(settings_file("claude-code", None), {"cleanupPeriodDays": value})
    assert retention_days("claude-code", root) == 30


@pytest.mark.parametrize(
    ("kept", "days"),
    [
        ({"enabled": True, "maxAge": "30d"}, 30),
        ({"maxAge": "2w"}, 14),
        ({"enabled": True, "maxAge": "24h"}, 1),
        ({"enabled": False, "maxAge": "30d"}, None),
        ({"enabled": True, "maxAge": "soon"}, None),
        ({}, None),
        ([], None),
    ],
)
def test_gemini_deletes_only_as_its_settings_say(root: Path, kept: Any, days: float | None):
    assert retention_days("gemini", root) is None
    put(settings_file("gemini", None), {"general": {"sessionRetention": kept}})
    assert retention_days("gemini", root) == days


def test_codex_documents_no_deletion(root: Path):
    assert retention_days("codex", root) is None


@pytest.mark.parametrize(
    ("config", "is_off"),
    [
        ("[features]\nhooks = false\n", True),
        ("[features]\nhooks = true\n", False),
        ("features = 3\n", False),
        ("[features\n", False),
        ("", False),
    ],
)
def test_codex_can_switch_hooks_off_in_its_configuration(config: str, is_off: bool):
    assert codex_hooks_off() is None
    path = put(host_home("codex") / "config.toml", config)
    assert codex_hooks_off() == (path if is_off else None)


@pytest.mark.parametrize(
    ("text", "readable"),
    [("", True), ("{}", True), (" \n", True), ("[]", False), ("{ // x", False), ("[" * 9999, False)],
)
def test_settings_that_are_no_json_object_are_told(root: Path, text: str, readable: bool):
    assert is_readable(settings_file("gemini", None))
    assert is_readable(put(settings_file("gemini", None), text)) is readable


def test_a_device_in_place_of_settings_says_nothing(root: Path):
    path = settings_file("claude-code", None)
    path.parent.mkdir(parents=True)
    path.symlink_to("/dev/zero")
    assert retention_days("claude-code", root) == 30
    assert hook_place("claude-code", root) == "none"
    assert not is_readable(path)
