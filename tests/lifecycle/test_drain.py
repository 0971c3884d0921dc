"""Sessions that ended become Traces at the next command, with no command typed for it."""

import json
import os
import shutil
import time
from pathlib import Path
from typing import Any

import pytest

from skillc.core.trace.records import GitContext
from skillc.lifecycle.drain import drain
from skillc.repo.pins import pinned
from tests.world import FIX, World, sessions_of


def ended(world: World, source: str = "", event: str = "SessionEnd", **fields: Any) -> Path:
    """Puts a transcript where the host keeps it, and the hook's entry for it."""
    source = source or sessions_of(FIX)[0]
    transcript = world.home / ".claude" / "projects" / "-shop" / Path(source).name
    transcript.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(source, transcript)
    record = {
        "agent": "claude-code",
        "session_id": transcript.stem,
        "hook_event_name": event,
        "transcript_path": str(transcript),
        "common": str(world.root / ".git"),
        "at": time.time(),
        "head": world.git("rev-parse", "HEAD"),
        **fields,
    }
    folder = world.root / ".git" / "skillc" / "spool"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"claude-code.{transcript.stem}.{event}.json").write_text(json.dumps(record), "utf-8")
    return transcript


def left(world: World) -> list[str]:
    return sorted(p.name for p in (world.root / ".git" / "skillc" / "spool").glob("*.json"))


@pytest.fixture(autouse=True)
def _home(fresh: World, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)


def test_any_later_command_captures_what_has_ended(fresh: World):
    ended(fresh)
    done = fresh.run("traces")

    assert done.returncode == 0
    assert "1 Trace" in done.stdout
    assert "captured 1 session" in done.stderr
    assert left(fresh) == []


def test_a_session_that_still_runs_waits_until_it_is_quiet(fresh: World):
    transcript = ended(fresh, event="Stop")
    assert drain(fresh.context()).captured is None
    assert len(left(fresh)) == 1
    old = time.time() - 7200
    os.utime(transcript, (old, old))
    ended(fresh, event="Stop", at=old)
    os.utime(transcript, (old, old))
    report = drain(fresh.context())

    assert report.captured is not None
    assert report.captured.totals.new == 1


def test_capture_drain_takes_a_session_whose_turn_has_ended(fresh: World):
    ended(fresh, event="Stop")
    report = json.loads(fresh.run("capture", "--drain", "--json").stdout)
    assert report["captured"]["totals"]["new"] == 1
    assert left(fresh) == []


def log_size(world: World) -> int:
    return (world.root / ".git/logs/HEAD").stat().st_size


def committing_session(world: World, tmp_path: Path, command: str) -> str:
    """Writes a session that ran one quiet git command."""
    call = {"type": "tool_use", "id": "c", "name": "Bash", "input": {"command": command}}
    result = {"type": "tool_result", "tool_use_id": "c", "content": ""}
    records: list[dict[str, Any]] = [
        {"type": "user", "message": {"role": "user", "content": "Do it"}},
        {"type": "assistant", "message": {"role": "assistant", "content": [call]}},
        {"type": "user", "message": {"role": "user", "content": [result]}},
    ]
    common = {"sessionId": "s", "cwd": str(world.root), "version": "2.1.39"}
    file = tmp_path / "0b7a8f52-3a0c-4a2e-9d3f-1c2b3a4d5e6f.jsonl"
    lines = [json.dumps({**common, "uuid": f"u{number}", **record}) for number, record in enumerate(records)]
    file.write_text("\n".join(lines) + "\n", "utf-8")
    return str(file)


def drained_git(world: World, source: str, *, before: tuple[str, int]) -> GitContext:
    ended(world, source, event="SessionStart", head=before[0], log_size=before[1], worktree="", at=1.0)
    ended(world, source, log_size=log_size(world), worktree="")
    drain(world.context())
    (trace,) = world.context().traces.read_all()
    assert trace.header.environment.git is not None
    return trace.header.environment.git


def test_what_the_hook_saw_of_git_is_in_the_header_and_the_last_own_commit_is_pinned(fresh: World, tmp_path: Path):
    before = (fresh.git("rev-parse", "HEAD"), log_size(fresh))
    fresh.git("checkout", "-q", "-b", "fix")
    own = fresh.commit({"a.txt": "a"})
    fresh.git("checkout", "-q", "-b", "other", "HEAD^")
    git = drained_git(
        fresh, committing_session(fresh, tmp_path, "git commit -qam x; git checkout -q other"), before=before
    )

    assert (git.head_start, git.head_end, git.commits) == (before[0], own, (own,))
    (trace,) = fresh.context().traces.read_all()
    assert pinned(fresh.context().repository) == {trace.trace_id: own}


def test_a_branch_that_a_session_only_looks_at_is_not_its_work(fresh: World, tmp_path: Path):
    fresh.git("checkout", "-q", "-b", "colleague")
    fresh.commit({"a.txt": "a"})
    fresh.git("checkout", "-q", "main")
    before = (fresh.git("rev-parse", "HEAD"), log_size(fresh))
    fresh.git("checkout", "-q", "colleague")
    git = drained_git(fresh, committing_session(fresh, tmp_path, "git checkout -q colleague"), before=before)

    assert (git.head_end, git.commits) == (None, ())
    assert pinned(fresh.context().repository) == {}


@pytest.mark.parametrize("how", ["outside", "link", "gone"])
def test_a_transcript_that_is_not_the_hosts_own_file_is_never_opened(fresh: World, tmp_path: Path, how: str):
    transcript = ended(fresh)
    other = tmp_path / "other.jsonl"
    shutil.move(transcript, other)
    if how == "outside":
        ended(fresh, transcript_path=str(other))
    elif how == "link":
        transcript.unlink(missing_ok=True)
        transcript.symlink_to(other)
    report = drain(fresh.context())

    assert report.captured is None
    assert report.waiting[0].reason.startswith("its transcript is not among the host's own files")
    assert len(left(fresh)) == 1  # the folder may be named by a variable that only the host's shell has
    ended(fresh, transcript_path=str(other), at=1.0)
    drain(fresh.context())
    assert left(fresh) == []


def test_an_entry_waits_for_a_shell_that_knows_the_hosts_folder(
    fresh: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    transcript = ended(fresh)
    moved = tmp_path / "moved"
    (moved / "projects").mkdir(parents=True)
    target = moved / "projects" / transcript.name
    shutil.move(transcript, target)
    ended(fresh, str(target), transcript_path=str(target))
    assert drain(fresh.context()).captured is None
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(moved))
    report = drain(fresh.context())
    assert report.captured is not None
    assert report.captured.totals.new == 1
    assert left(fresh) == []


def test_a_session_without_an_event_is_dropped_and_said(fresh: World, tmp_path: Path):
    empty = tmp_path / "11111111-2222-3333-4444-555555555555.jsonl"
    empty.write_text('{"type":"summary","summary":"x","leafUuid":"y"}\n', "utf-8")
    ended(fresh, str(empty))
    report = drain(fresh.context())

    assert report.captured is not None
    assert report.captured.totals.traces == 0
    assert [s.reason for s in report.captured.sources[0].skipped] == ["session without events"]
    assert left(fresh) == []


def test_a_transcript_that_is_no_session_is_said_and_kept_for_a_later_version(fresh: World, tmp_path: Path):
    strange = tmp_path / "11111111-2222-3333-4444-555555555555.jsonl"
    strange.write_text("just words\n", "utf-8")
    ended(fresh, str(strange))
    report = drain(fresh.context())

    assert report.captured is None
    assert "no format" in report.waiting[0].reason
    assert len(left(fresh)) == 1


def test_an_entry_stays_until_its_trace_is_stored(fresh: World, monkeypatch: pytest.MonkeyPatch):
    from skillc.errors import RepoError

    def full(*_: object, **__: object) -> None:
        raise RepoError("no space left")

    ended(fresh)
    with monkeypatch.context() as patch:
        patch.setattr("skillc.repo.traces.TraceStore.add", full)
        report = drain(fresh.context())
    assert report.waiting[0].reason == "no space left"
    assert len(left(fresh)) == 1
    captured = drain(fresh.context()).captured
    assert captured is not None
    assert captured.totals.new == 1


def test_a_drain_never_fails_the_command_that_did_it_by_the_way(fresh: World):
    ended(fresh)
    (fresh.root / ".git" / "skillc" / "spool" / "x.json").write_bytes(b"\x00\xff")
    assert fresh.run("traces").returncode == 0


def test_an_entry_that_cannot_be_read_is_told_and_kept_for_a_while(fresh: World):
    ended(fresh)
    bad = fresh.root / ".git" / "skillc" / "spool" / "x.json"
    bad.write_bytes(b"\x00\xff")
    assert "put aside 1 entry of the hook" in fresh.run("traces").stderr
    assert "put aside" not in fresh.run("traces").stderr
    report = drain(fresh.context())
    (aside,) = report.waiting

    assert (report.captured, report.put_aside) == (None, 0)
    assert (aside.agent, aside.session) == ("unknown", "x.json")
    assert aside.reason.startswith("it is no event of the hook; the entry is kept in ")
    kept = bad.parent / "unread" / "x.json"
    assert kept.read_bytes() == b"\x00\xff"
    os.utime(kept, (1.0, 1.0))
    assert drain(fresh.context()).waiting == ()
    assert not kept.exists()


def test_draining_twice_changes_nothing(fresh: World):
    ended(fresh)
    drain(fresh.context())
    tip = fresh.git("rev-parse", "skillc/traces")
    ended(fresh)
    drain(fresh.context())
    assert fresh.git("rev-parse", "skillc/traces") == tip
    assert left(fresh) == []


def test_inside_a_hook_of_git_nothing_is_captured_by_the_way(fresh: World):
    ended(fresh)
    done = fresh.run("traces", GIT_INDEX_FILE=str(fresh.root / ".git" / "index"))
    assert done.returncode == 0
    assert len(left(fresh)) == 1
    assert "0 Traces" in done.stdout
