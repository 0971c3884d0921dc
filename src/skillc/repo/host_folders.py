"""Where each agent host keeps its transcripts and its settings, for this account and for a project.

Not here: reading transcripts (importers), changing settings (lifecycle.hosts).
"""

import os
from pathlib import Path

HOSTS = ("claude-code", "codex", "gemini")


def host_home(host: str) -> Path:
    """Returns the host's own folder of this account."""
    variable, name = {
        "claude-code": ("CLAUDE_CONFIG_DIR", ".claude"),
        "codex": ("CODEX_HOME", ".codex"),
        "gemini": ("GEMINI_CLI_HOME", ".gemini"),
    }[host]
    moved = os.environ.get(variable, "")
    if moved:
        return Path(moved) / name if host == "gemini" else Path(moved)  # Gemini CLI takes it for the home folder
    return Path.home() / name


def transcript_roots(host: str) -> tuple[Path, ...]:
    """Returns the folders below which the host writes transcripts."""
    below = {"claude-code": ("projects",), "codex": ("sessions", "archived_sessions"), "gemini": ("tmp",)}[host]
    return tuple(host_home(host) / name for name in below)


def settings_file(host: str, project: Path | None) -> Path:
    """Returns the file in which hooks are registered: the person's own, or with `project` the project's."""
    name = {"claude-code": "settings.json", "codex": "hooks.json", "gemini": "settings.json"}[host]
    if project is None:
        return host_home(host) / name
    return project / {"claude-code": ".claude", "codex": ".codex", "gemini": ".gemini"}[host] / name
