"""What the hosts' own settings say about capture: our hook, what switches hooks off, when transcripts are deleted.

Reads settings of the person, of the project, and for Claude Code those that an organisation manages. A file that
cannot be read says nothing. Not here: changing settings (lifecycle.hosts).
"""

import json
import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from skillc.errors import RepoError
from skillc.lifecycle.hosts import MAX_SETTINGS_BYTES, hook_commands
from skillc.repo.files import read_small
from skillc.repo.host_folders import host_home, settings_file

HookPlace = Literal["own", "shared", "both", "none"]
CLAUDE_RETENTION_DAYS = 30  # Claude Code's own default for cleanupPeriodDays
_AGE = re.compile(r"([0-9]{1,6})([hdwm])")
_DAYS_OF_UNIT = {"h": 1 / 24, "d": 1.0, "w": 7.0, "m": 30.0}


@dataclass(frozen=True)
class SwitchedOff:
    """A setting that keeps hooks from running. `is_managed`: only an organisation can change it."""

    path: Path
    setting: str
    is_managed: bool


def hook_place(host: str, root: Path) -> HookPlace:
    """Says in whose settings the host's hook is registered: the person's own, the project's, both or none."""
    is_own = bool(hook_commands(settings_file(host, None)))
    is_shared = bool(hook_commands(settings_file(host, root)))
    if is_own and is_shared:
        return "both"
    return "own" if is_own else "shared" if is_shared else "none"


def registered_commands(host: str, root: Path) -> list[tuple[Path, str]]:
    """Returns (settings file, our command) of every registration."""
    files = (settings_file(host, None), settings_file(host, root))
    return [(path, command) for path in files for command in hook_commands(path)]


def hooks_switched_off(root: Path) -> list[SwitchedOff]:
    """Returns the settings of Claude Code that keep its hooks, or all that are not managed, from running."""
    found = []
    for path, is_managed in _claude_files(root):
        settings = settings_of(path)
        if settings.get("disableAllHooks") is True:
            found.append(SwitchedOff(path, "disableAllHooks", is_managed))
        if is_managed and settings.get("allowManagedHooksOnly") is True:
            found.append(SwitchedOff(path, "allowManagedHooksOnly", is_managed))
    return found


def retention_days(host: str, root: Path) -> float | None:
    """Returns after how many days without a change the host deletes a transcript; None where it says nothing.

    Claude Code deletes by default. Gemini CLI's default differs by version, so only its setting counts; Codex
    documents no deletion.
    """
    if host == "claude-code":
        for path, _ in reversed(_claude_files(root)):
            days = settings_of(path).get("cleanupPeriodDays")
            if isinstance(days, int | float) and not isinstance(days, bool) and days >= 0:
                return float(days)
        return float(CLAUDE_RETENTION_DAYS)
    if host == "gemini":
        for path in (settings_file(host, root), settings_file(host, None)):
            general = settings_of(path).get("general")
            kept = general.get("sessionRetention") if isinstance(general, dict) else None
            if isinstance(kept, dict):
                age = _AGE.fullmatch(str(kept.get("maxAge", "")).strip())
                is_on = kept.get("enabled") is not False
                return int(age[1]) * _DAYS_OF_UNIT[age[2]] if age and is_on else None
    return None


def codex_hooks_off() -> Path | None:
    """Returns the Codex configuration that switches its hooks off, None when none does."""
    import tomllib

    path = host_home("codex") / "config.toml"
    try:
        data = read_small(Path(os.path.realpath(path)), limit=MAX_SETTINGS_BYTES)
        config = tomllib.loads(data.decode()) if data else {}
    except (RepoError, OSError, ValueError, RecursionError):
        return None
    features = config.get("features")
    is_off = isinstance(features, dict) and any(features.get(n) is False for n in ("hooks", "codex_hooks"))
    return path if is_off else None


def managed_folder() -> Path:
    """Returns where an organisation puts the settings of Claude Code that nobody else can change."""
    mac = "/Library/Application Support/ClaudeCode"
    return Path(mac if sys.platform == "darwin" else "/etc/claude-code")


def settings_of(path: Path) -> dict[str, Any]:
    """Returns a JSON settings file as it is, through links; empty when it is missing or no JSON object."""
    try:
        data = read_small(Path(os.path.realpath(path)), limit=MAX_SETTINGS_BYTES)
        value = json.loads(data) if data else {}
    except (RepoError, OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def is_readable(path: Path) -> bool:
    """Says whether a settings file is missing, empty or a JSON object: then our hook can be put into it."""
    try:
        data = read_small(Path(os.path.realpath(path)), limit=MAX_SETTINGS_BYTES)
        return not data or not data.strip() or isinstance(json.loads(data), dict)
    except (RepoError, OSError, ValueError, RecursionError):
        return False


def _claude_files(root: Path) -> list[tuple[Path, bool]]:
    """Returns (file, is managed) of all settings of Claude Code, the weakest first."""
    project = root / ".claude"
    managed = managed_folder()
    files = [
        (host_home("claude-code") / "settings.json", False),
        (project / "settings.json", False),
        (project / "settings.local.json", False),
        (managed / "managed-settings.json", True),
    ]
    return files + [(path, True) for path in sorted((managed / "managed-settings.d").glob("*.json"))]
