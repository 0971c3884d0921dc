"""The transcript of a session that the hook told about: a host may name it, or give the session's id alone."""

import json
from pathlib import Path
from typing import Any

import pytest

from skillc.lifecycle.transcripts import find_transcripts
from skillc.repo.session_spool import SpooledSession

ID = "44c1a2b3-1111-4222-8333-944455566677"


@pytest.fixture
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def spooled(agent: str = "gemini", session_id: str = ID, transcript: Path | None = None) -> SpooledSession:
    return SpooledSession(
        agent=agent, session_id=session_id, transcript=transcript, has_ended=True, turn_ended=True, at=1.0,
        head_start=None, head_end=None, commits=None, files=(),
    )  # fmt: skip


def gemini(home: Path, name: str, session_id: str, *, as_lines: bool = False) -> Path:
    path = home / ".gemini" / "tmp" / "shop" / "chats" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    value: dict[str, Any] = {"sessionId": session_id, "projectHash": "h", "startTime": "2026-01-05T09:00:00Z"}
    messages = [{"type": "user", "content": "x", "id": "u"}]
    lines = [value, *messages] if as_lines else [{**value, "messages": messages}]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path


def found(session: SpooledSession) -> Path | None:
    return find_transcripts([session])[0]


@pytest.mark.parametrize("as_lines", [False, True])
def test_a_gemini_session_is_found_by_the_begin_of_its_id_and_the_id_inside(at_home: Path, as_lines: bool):
    end = "jsonl" if as_lines else "json"
    wanted = gemini(at_home, f"session-2026-01-05T09-00-{ID[:8]}.{end}", ID, as_lines=as_lines)
    gemini(at_home, f"session-2026-01-06T09-00-{ID[:8]}.{end}", ID[:8] + "-other", as_lines=as_lines)

    assert found(spooled()) == wanted


def test_the_same_begin_of_another_id_is_another_session(at_home: Path):
    gemini(at_home, f"session-2026-01-05T09-00-{ID[:8]}.json", ID[:8] + "-other")
    assert found(spooled()) is None


def test_a_link_in_the_hosts_folder_is_not_taken(at_home: Path, tmp_path: Path):
    real = gemini(at_home, f"session-2026-01-05T09-00-{ID[:8]}.json", ID)
    outside = real.rename(tmp_path / "outside.json")
    real.symlink_to(outside)
    assert found(spooled()) is None


@pytest.mark.parametrize(
    ("agent", "place"),
    [
        ("claude-code", f".claude/projects/-shop/{ID}.jsonl"),
        ("codex", f".codex/sessions/2026/12/04/rollout-2026-12-04T10-00-00-{ID}.jsonl"),
    ],
)
def test_other_hosts_name_a_file_by_the_whole_id(at_home: Path, agent: str, place: str):
    path = at_home / place
    path.parent.mkdir(parents=True)
    path.write_text("{}\n")

    assert found(spooled(agent)) == path
    assert found(spooled(agent, ID[:8])) is None


def test_a_named_file_is_taken_only_where_it_is_the_hosts(at_home: Path, tmp_path: Path):
    inside = gemini(at_home, "session-1.json", ID)
    outside = tmp_path / "session-1.json"
    outside.write_bytes(inside.read_bytes())

    assert found(spooled(transcript=inside)) == inside
    assert found(spooled(transcript=outside)) is None
