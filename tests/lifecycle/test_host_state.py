"""Which sessions of a host are captured, which are new, which went on, and which will be deleted."""

import json
import os
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skillc.lifecycle import host_state
from skillc.lifecycle.host_state import HostStatus, glance_at, host_states
from skillc.lifecycle.sources import HostSession, host_sessions
from tests.world import FIX, NOW, World, sessions_of

SESSION = "0b54c0de-1111-4222-8333-944455566677"
CODEX = "01998877-aaaa-7bbb-8ccc-ddddeeeeffff"


@pytest.fixture(autouse=True)
def _hosts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("skillc.lifecycle.host_settings.managed_folder", lambda: tmp_path / "managed")


def claude_folder(world: World) -> Path:
    name = "".join(c if c.isascii() and c.isalnum() else "-" for c in str(world.root))
    folder = world.home / ".claude" / "projects" / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def kept(world: World, source: str, *, days_ago: float = 0) -> Path:
    path = claude_folder(world) / Path(source).name
    shutil.copy(source, path)
    at = (NOW - timedelta(days=days_ago)).timestamp()
    os.utime(path, (at, at))
    return path


def state(world: World, host: str = "claude-code") -> HostStatus:
    context = world.context()
    return next(s for s in host_states(context, list(context.traces.read_all())) if s.host == host)


def counts(world: World, host: str = "claude-code") -> tuple[int, int, int]:
    found = state(world, host)
    return found.sessions, found.new, found.went_on


def line(role: str, text: str, at: str, **fields: Any) -> str:
    message = {"role": role, "content": text if role == "user" else [{"type": "text", "text": text}]}
    return json.dumps({"type": role, "sessionId": SESSION, "uuid": at, "timestamp": at, "message": message, **fields})


def written(world: World, *lines: str, name: str = SESSION) -> Path:
    path = claude_folder(world) / f"{name}.jsonl"
    path.write_text("".join(f"{one}\n" for one in lines), "utf-8")
    return path


def test_sessions_are_new_until_they_are_captured(fresh: World):
    paths = [str(kept(fresh, path)) for path in sessions_of(FIX)[:3]]
    assert counts(fresh) == (3, 3, 0)
    fresh.capture(paths[:2])
    assert counts(fresh) == (3, 1, 0)
    assert [s.path for s in state(fresh).uncaptured] == paths[2:]
    fresh.capture(paths[2:])
    assert counts(fresh) == (3, 0, 0)


def test_the_last_captured_session_of_each_host_is_told(world: World):
    newest = max(world.context().traces.read_all(), key=lambda t: str(t.close.at))
    last = state(world).last_captured
    assert last is not None
    assert (last.trace_id, last.at) == (newest.trace_id, newest.close.at)
    assert state(world, "codex").last_captured is None


def test_a_session_that_has_grown_since_went_on_until_it_is_captured_again(fresh: World):
    begin = [line("user", "mend it", "2026-11-20T10:00:00.000Z"), line("assistant", "done", "2026-11-20T10:01:00.000Z")]
    path = written(fresh, *begin)
    fresh.capture([str(path)])
    assert counts(fresh) == (1, 0, 0)
    more = [line("user", "and this", "2026-11-20T11:00:00.000Z"), line("assistant", "ok", "2026-11-20T11:01:00.000Z")]
    written(fresh, *begin, *more)
    assert counts(fresh) == (1, 0, 1)
    fresh.capture([str(path)])
    assert counts(fresh) == (1, 0, 0)


def test_a_session_without_events_is_not_counted_and_not_read_again(fresh: World, monkeypatch: pytest.MonkeyPatch):
    written(fresh, json.dumps({"type": "summary", "summary": "x", "leafUuid": "y", "sessionId": SESSION}))
    assert counts(fresh) == (1, 0, 0)
    monkeypatch.setattr(host_state, "_looked", lambda *_: pytest.fail("it was read again"))
    assert counts(fresh) == (1, 0, 0)


def test_a_session_that_was_rewound_is_nothing_to_take(fresh: World):
    begin = line("user", "mend it", "2026-11-20T10:00:00.000Z")
    path = written(fresh, begin, line("assistant", "done", "2026-11-20T10:01:00.000Z"))
    fresh.capture([str(path)])
    written(fresh, begin, line("assistant", "another way", "2026-11-20T12:00:00.000Z"))
    assert fresh.capture([str(path)]).totals.new == 0
    assert counts(fresh) == (1, 0, 0)


def test_a_session_that_went_on_twice_is_known_after_each_capture(fresh: World):
    lines = [line("user", "mend it", "2026-11-20T10:00:00.000Z")]
    for hour in (11, 12, 13):
        path = written(fresh, *lines)
        fresh.capture([str(path)])
        assert counts(fresh) == (1, 0, 0)
        lines.append(line("user", f"more {hour}", f"2026-11-20T{hour}:00:00.000Z"))
        written(fresh, *lines)
        assert counts(fresh) == (1, 0, 1)


def test_a_captured_session_is_known_by_head_and_end_alone(fresh: World, monkeypatch: pytest.MonkeyPatch):
    path = kept(fresh, sessions_of(FIX)[0])
    fresh.capture([str(path)])
    monkeypatch.setattr(host_state, "_looked", lambda *_: pytest.fail("the whole file was read"))
    assert counts(fresh) == (1, 0, 0)


def test_over_the_budget_files_are_not_read_and_counted_by_their_head(fresh: World, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(host_state, "LOOK_BUDGET_BYTES", 10)
    monkeypatch.setattr(host_state, "_looked", lambda *_: pytest.fail("the whole file was read"))
    kept(fresh, sessions_of(FIX)[0])
    assert counts(fresh) == (1, 1, 0)


def test_a_session_below_an_excluded_path_is_not_counted(fresh: World):
    folder = str(fresh.root / "secret")
    written(fresh, line("user", "hello", "2026-11-20T10:00:00.000Z", cwd=folder))
    assert counts(fresh) == (1, 1, 0)
    text = (fresh.root / "skillc.yaml").read_text("utf-8")
    assert "exclude_paths: []" in text
    fresh.set_policy("exclude_paths: []", "exclude_paths: [secret]")
    assert counts(fresh) == (1, 0, 0)


def test_transcripts_that_the_host_deletes_within_a_week_are_told(fresh: World):
    first, second, third = sessions_of(FIX)[:3]
    soon = kept(fresh, first, days_ago=26)
    kept(fresh, second, days_ago=5)
    fresh.capture([str(kept(fresh, third, days_ago=29))])
    found = state(fresh)
    assert (found.retention_days, found.deleted_soon) == (30, 1)
    assert [s.deleted_in_days for s in found.uncaptured if s.path == str(soon)] == [4.0]


def test_without_a_documented_deletion_nothing_is_said_about_it(fresh: World):
    rollout(fresh, response("user", "fix it", "2026-11-20T10:00:00.000Z"))
    found = state(fresh, "codex")
    assert (found.retention_days, found.deleted_soon, found.new) == (None, 0, 1)
    assert found.uncaptured[0].deleted_in_days is None


def response(role: str, text: str, at: str) -> dict[str, Any]:
    kind = "input_text" if role == "user" else "output_text"
    payload = {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}
    return {"timestamp": at, "type": "response_item", "payload": payload}


def rollout(world: World, *items: dict[str, Any]) -> Path:
    path = world.home / ".codex" / "sessions" / "2026" / "11" / "20" / f"rollout-2026-11-20T10-00-00-{CODEX}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    meta = {"id": CODEX, "timestamp": "2026-11-20T10:00:00.000Z", "cwd": str(world.root)}
    lines = [{"timestamp": "2026-11-20T10:00:00.000Z", "type": "session_meta", "payload": meta}, *items]
    path.write_text("".join(json.dumps(one) + "\n" for one in lines), "utf-8")
    return path


def test_codex_sessions_are_new_captured_and_go_on(fresh: World):
    items = [
        response("user", "fix it", "2026-11-20T10:00:01.000Z"),
        response("assistant", "ok", "2026-11-20T10:02:00Z"),
    ]
    path = rollout(fresh, *items)
    assert counts(fresh, "codex") == (1, 1, 0)
    fresh.capture([str(path)])
    assert counts(fresh, "codex") == (1, 0, 0)
    tail = {"timestamp": "2026-11-20T10:05:00.000Z", "type": "event_msg", "payload": {"type": "token_count"}}
    rollout(fresh, *items, tail)
    assert counts(fresh, "codex") == (1, 0, 0)
    rollout(fresh, *items, tail, response("user", "more", "2026-11-20T12:00:00.000Z"))
    assert counts(fresh, "codex") == (1, 0, 1)


def test_gemini_sessions_are_new_captured_and_go_on(fresh: World):
    folder = fresh.home / ".gemini" / "tmp" / "shop" / "chats"
    folder.mkdir(parents=True)
    projects = {"projects": {str(fresh.root): "shop"}}
    (fresh.home / ".gemini" / "projects.json").write_text(json.dumps(projects), "utf-8")
    messages = [
        {"id": "1", "type": "user", "timestamp": "2026-11-20T10:00:00.000Z", "content": "fix it"},
        {"id": "2", "type": "gemini", "timestamp": "2026-11-20T10:01:00.000Z", "content": "ok"},
    ]
    path = folder / "session-2026-11-20T10-00-abcd.json"

    def write() -> None:
        body = {"sessionId": SESSION, "projectHash": "0" * 64, "messages": messages}
        path.write_text(json.dumps(body), "utf-8")

    write()
    assert counts(fresh, "gemini") == (1, 1, 0)
    fresh.capture([str(path)])
    assert counts(fresh, "gemini") == (1, 0, 0)
    messages.append({"id": "3", "type": "user", "timestamp": "2026-11-20T12:00:00.000Z", "content": "more"})
    write()
    assert counts(fresh, "gemini") == (1, 0, 1)


def test_a_file_that_no_importer_reads_is_not_counted(fresh: World):
    (claude_folder(fresh) / "notes.jsonl").write_text("\x00 nothing\n" * 5, "utf-8")
    assert counts(fresh) == (1, 0, 0)


def test_a_glance_reads_head_and_end_of_a_large_file_only(fresh: World):
    filler = line("assistant", "x" * 5000, "2026-11-20T10:30:00.000Z")
    path = written(
        fresh,
        line("user", "begin", "2026-11-20T10:00:00.000Z"),
        *[filler] * 200,
        line("assistant", "end", "2026-11-20T11:00:00.000Z"),
    )
    glance = glance_at(host_sessions(fresh.root)[0])
    assert path.stat().st_size > 900_000
    assert (glance.session, glance.ended) == (SESSION, datetime(2026, 11, 20, 11, tzinfo=UTC))


def test_a_file_that_went_away_says_nothing(tmp_path: Path):
    glance = glance_at(HostSession("codex", str(tmp_path / "gone.jsonl"), NOW))
    assert (glance.session, glance.ended) == (None, None)


@given(st.binary(max_size=400), st.sampled_from(["claude-code", "codex", "gemini"]))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
def test_any_bytes_give_a_glance(tmp_path: Path, data: bytes, host: str):
    path = tmp_path / "session.jsonl"
    path.write_bytes(data)
    glance = glance_at(HostSession(host, str(path), NOW))
    assert glance.ended is None or glance.ended.tzinfo is not None


@pytest.mark.parametrize(
    "text",
    ["[" * 99_999, '{"a":' * 9_999, '{"type": "user", "timestamp": 3}', '{"type": "user", "timestamp": "yesterday"}',
     '{"type": "user", "timestamp": "2026-11-20T10:00:00"}', '{"type": ["user"]}', "{}", ""],
)  # fmt: skip
def test_a_time_that_is_none_is_not_guessed(tmp_path: Path, text: str):
    path = tmp_path / f"{SESSION}.jsonl"
    path.write_text(text, "utf-8")
    assert glance_at(HostSession("claude-code", str(path), NOW)).ended is None
