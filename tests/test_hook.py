"""The capture hook: quiet, harmless, quick to start, and durable."""

import io
import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc import hook
from tests.world import World

END = {
    "session_id": "4fa9a9f2-a8d9-41fe-bf78-e2f5beb60d58",
    "transcript_path": "/home/ann/.claude/projects/-shop/4fa9a9f2-a8d9-41fe-bf78-e2f5beb60d58.jsonl",
    "hook_event_name": "SessionEnd",
    "reason": "other",
}


def spool_of(world: World) -> Path:
    return world.root / ".git" / "skillc" / "spool"


def entries(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(p.read_bytes()) for p in sorted(folder.glob("*.json"))] if folder.is_dir() else []


def send(world: World, event: Any = None, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    data = event if isinstance(event, bytes) else json.dumps({**END, "cwd": str(world.root), **(event or {})}).encode()
    return world.run("capture", "--hook", *arguments, stdin=data, **environment)


def test_a_session_end_becomes_one_entry_and_the_hook_says_nothing(fresh: World):
    done = send(fresh)

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    (entry,) = entries(spool_of(fresh))
    assert entry["session_id"] == END["session_id"]
    assert entry["head"] == fresh.git("rev-parse", "HEAD")
    assert entry["log_size"] == (fresh.root / ".git/logs/HEAD").stat().st_size
    assert entry["worktree"] == ""
    assert entry["agent"] == "claude-code"
    assert fresh.git("status", "--porcelain") == ""


@pytest.mark.parametrize(
    "data", [b"", b"no json", b"[]", b"{}", b'{"session_id": 3}', b"\xff\xfe", b"[" * 100_000, b'{"session_id":""}']
)
def test_whatever_stands_on_standard_input_the_hook_ends_with_0_and_prints_nothing(fresh: World, data: bytes):
    done = send(fresh, data)

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert entries(spool_of(fresh)) == []


def test_an_unknown_event_is_accepted_and_ignored(fresh: World):
    assert send(fresh, {"hook_event_name": "PostToolUse", "tool_response": "x"}).returncode == 0
    assert entries(spool_of(fresh)) == []


def test_no_text_of_the_session_is_kept(fresh: World):
    send(fresh, {"hook_event_name": "Stop", "last_assistant_message": "canary-words", "prompt": "canary-words"})
    (path,) = spool_of(fresh).glob("*.json")

    assert b"canary" not in path.read_bytes()
    assert path.stat().st_mode & 0o077 == 0


def test_a_repository_without_a_namespace_is_left_alone(fresh: World, tmp_path: Path):
    other = tmp_path / "other"
    subprocess.run(["git", "init", "-q", str(other)], check=True)
    send(fresh, {"cwd": str(other)})
    send(fresh, {"cwd": str(tmp_path)})

    assert not (other / ".git" / "skillc").exists()


@pytest.mark.parametrize("environment", [{"SKILLC_OFF": "1"}, {"SKILLC_OFF": "yes"}])
def test_skillc_off_stops_the_hook_for_one_process(fresh: World, environment: dict[str, str]):
    send(fresh, None, **environment)
    assert entries(spool_of(fresh)) == []


def test_capture_off_stops_the_hook_here_until_capture_on(fresh: World):
    assert fresh.run("capture", "--off").returncode == 0
    send(fresh)
    assert entries(spool_of(fresh)) == []
    assert fresh.run("capture", "--on").returncode == 0
    send(fresh)
    assert len(entries(spool_of(fresh))) == 1


def test_where_the_git_folder_takes_no_file_the_entry_lies_in_the_own_folder(fresh: World, tmp_path: Path):
    spool_of(fresh).parent.mkdir(exist_ok=True)
    spool_of(fresh).write_text("in the way")
    send(fresh, None, XDG_STATE_HOME=str(tmp_path))

    assert len(entries(tmp_path / "skillc" / "spool")) == 1


def test_a_full_disk_is_no_business_of_the_host(monkeypatch: pytest.MonkeyPatch, fresh: World):
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    monkeypatch.setattr(sys, "stdin", _stdin(json.dumps({**END, "cwd": str(fresh.root)}).encode()))
    hook.main(["--hook"])

    assert list(spool_of(fresh).glob("*")) == []


def test_two_sessions_that_end_at_once_are_both_kept(fresh: World):
    threads = [threading.Thread(target=send, args=(fresh, {"session_id": f"session-{n}"})) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert {e["session_id"] for e in entries(spool_of(fresh))} == {f"session-{n}" for n in range(6)}


def test_a_hook_that_is_killed_leaves_a_whole_entry_or_none(fresh: World):
    data = json.dumps({**END, "cwd": str(fresh.root)}).encode()
    for delay in (0.0, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08):
        process = subprocess.Popen(
            [sys.executable, "-m", "skillc", "capture", "--hook"], stdin=subprocess.PIPE, cwd=fresh.root
        )
        assert process.stdin is not None
        process.stdin.write(data)
        process.stdin.close()
        threading.Event().wait(delay)
        process.kill()
        process.wait()
        entries(spool_of(fresh))  # every entry that is there is whole JSON


def test_the_start_of_a_session_stays_the_first_one(fresh: World):
    send(fresh, {"hook_event_name": "SessionStart", "source": "startup"})
    first = fresh.git("rev-parse", "HEAD")
    fresh.commit({"a.txt": "a"})
    send(fresh, {"hook_event_name": "SessionStart", "source": "resume"})
    send(fresh)

    heads = {e["hook_event_name"]: e["head"] for e in entries(spool_of(fresh))}
    assert heads == {"SessionStart": first, "SessionEnd": fresh.git("rev-parse", "HEAD")}


@pytest.mark.parametrize(
    ("event", "arguments", "agent"),
    [
        ({}, (), "claude-code"),
        ({"transcript_path": "/h/.codex/sessions/2026/11/30/rollout-1-2.jsonl"}, (), "codex"),
        ({"transcript_path": "/h/.gemini/tmp/1/chats/session-1.json"}, (), "gemini"),
        ({}, ("--agent", "codex"), "codex"),
        ({}, ("--agent", "claude"), "claude-code"),
        ({}, ("--agent", "nonsense"), "claude-code"),
        ({}, ("--agent",), "claude-code"),
    ],
)
def test_the_host_is_named_or_told_by_the_event(event: dict[str, str], arguments: tuple[str, ...], agent: str):
    assert hook._agent_of({**END, **event}, list(arguments)) == agent


def test_the_hook_loads_nothing_of_the_package_but_itself(fresh: World):
    code = (
        "import sys; sys.argv = ['skillc', 'capture', '--hook']\n"
        "from skillc.entry import main\n"
        "try: main()\nexcept SystemExit as end: assert end.code == 0\n"
        "sys.stderr.write(','.join(sorted(m for m in sys.modules if m.startswith('skillc'))))\n"
        "sys.stderr.write('|' + ','.join(m for m in ('typing', 'typer', 'pydantic', 'pathlib') if m in sys.modules))"
    )
    data = json.dumps({**END, "cwd": str(fresh.root)}).encode()
    done = subprocess.run([sys.executable, "-S", "-c", code], input=data, capture_output=True, env=_with_source())

    assert done.stderr.decode() == "skillc,skillc.entry,skillc.hook,skillc.version|"
    assert len(entries(spool_of(fresh))) == 1


def test_head_is_read_in_a_linked_work_tree_and_from_packed_refs(fresh: World, tmp_path: Path):
    tree = tmp_path / "linked"
    fresh.git("worktree", "add", "-q", "-b", "side", str(tree))
    fresh.git("pack-refs", "--all")
    top, git_dir, common = hook.find_git(str(tree))

    assert (top, common) == (str(tree), str(fresh.root / ".git"))
    assert hook.head_of(git_dir, common) == fresh.git("rev-parse", "side")


@given(st.text(max_size=60), st.text(max_size=60))
def test_no_text_in_head_makes_anything_but_a_commit_id_or_nothing(head: str, packed: str):
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "HEAD").write_text(head, "utf-8", "surrogatepass" if False else "replace")
        (Path(folder) / "packed-refs").write_text(packed, "utf-8", "replace")
        found = hook.head_of(folder, folder)
    assert found is None or (len(found) in (40, 64) and set(found) <= set("0123456789abcdef"))


@given(st.dictionaries(st.sampled_from([*END, "cwd", "x"]), st.one_of(st.text(max_size=40), st.integers(), st.none())))
def test_any_event_gives_a_safe_file_name_or_nothing(event: dict[str, Any]):
    import tempfile

    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        (Path(folder) / ".git" / "skillc").mkdir(parents=True)
        patch.setattr(sys, "stdin", _stdin(json.dumps({**event, "cwd": folder}).encode()))
        patch.setenv("XDG_STATE_HOME", folder)
        hook.main([])
        names = [p.name for p in (Path(folder) / ".git").rglob("*") if p.is_file()]
    assert all(n.isascii() and "/" not in n and n.endswith((".json", ".tmp")) for n in names)


def _stdin(data: bytes) -> Any:
    return SimpleNamespace(buffer=io.BytesIO(data), isatty=lambda: False)


def _with_source() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(Path(hook.__file__).parents[1])}
