"""Where hosts keep things, moved by the variables that the hosts themselves read."""

from pathlib import Path

import pytest

from skillc.repo.host_folders import HOSTS, settings_file, transcript_roots


def test_the_hosts_own_variables_move_their_folders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "c"))
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "x"))
    assert transcript_roots("claude-code") == (tmp_path / "c" / "projects",)
    assert transcript_roots("codex")[0] == tmp_path / "x" / "sessions"


def test_settings_are_the_persons_own_or_the_projects(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    own = [settings_file(h, None).relative_to(tmp_path).as_posix() for h in HOSTS]
    project = [settings_file(h, Path("/p")).as_posix() for h in HOSTS]
    assert own == [".claude/settings.json", ".codex/hooks.json", ".gemini/settings.json"]
    assert project == ["/p/.claude/settings.json", "/p/.codex/hooks.json", "/p/.gemini/settings.json"]
