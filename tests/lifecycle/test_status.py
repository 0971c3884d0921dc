"""Status tells the whole way from sessions to Skills, and the one command that helps most."""

import json
import shutil
import time
from pathlib import Path
from typing import Any

import pytest

from skillc.lifecycle.drain import switch_hook
from skillc.lifecycle.hosts import register_host
from skillc.lifecycle.status import StatusReport, status
from skillc.repo.repository import Repository
from tests.lifecycle.test_host_state import kept
from tests.reward_world import FAMILY, refund_run, take
from tests.world import CHECK, FIELD, FIX, World, sessions_of


@pytest.fixture(autouse=True)
def _hosts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("skillc.lifecycle.host_settings.managed_folder", lambda: tmp_path / "managed")


def told(world: World) -> StatusReport:
    return status(world.context())


def next_of(world: World) -> str:
    step = told(world).next
    return step.command if step else ""


def spool(world: World, event: str, **fields: Any) -> None:
    folder = world.root / ".git" / "skillc" / "spool"
    folder.mkdir(parents=True, exist_ok=True)
    record = {
        "agent": "claude-code", "session_id": "s-1", "hook_event_name": event,
        "common": str(world.root / ".git"), "at": time.time(), **fields,
    }  # fmt: skip
    (folder / f"claude-code.s-1.{event}.json").write_text(json.dumps(record), "utf-8")


def test_the_next_command_leads_from_nothing_to_an_admitted_skill(fresh: World):
    assert next_of(fresh) == "skillc init --host claude-code"
    register_host(Repository.open(fresh.root), "claude-code")
    assert next_of(fresh) == ""
    paths = [str(kept(fresh, path)) for path in sessions_of(FIX)]
    assert next_of(fresh) == "skillc capture --all"
    fresh.capture(paths)
    assert next_of(fresh) == f"skillc verify --run {CHECK}"
    fresh.verify()
    (group,) = told(fresh).groups_ready
    assert next_of(fresh) == f"skillc families accept {group}"
    assert fresh.run("families", "accept", group).returncode == 0
    assert next_of(fresh) == f"skillc compile --family {group}"
    assert fresh.run("compile").returncode == 0
    assert next_of(fresh) == f"skillc review {group}"
    fresh.merge(group)
    report = told(fresh)
    assert report.next is None
    assert [(s.name, s.is_compiled) for s in report.skills] == [(group, True)]


def test_traces_are_counted_by_what_their_outcome_is_worth(world: World):
    counts = told(world).traces
    assert counts.total == 11
    assert counts.by_strength == {"none": 0, "self": 0, "tool": 11, "human": 0, "external": 0}
    assert (counts.verified_successes, counts.verified_failures, counts.unverified) == (9, 2, 0)


def test_a_family_is_ready_until_a_run_has_read_it(world: World):
    assert [f.task_family for f in told(world).families_ready] == [FIELD, FIX]
    assert next_of(world) == "skillc compile"
    world.compile(FIX)
    report = told(world)
    assert [f.task_family for f in report.families_ready] == [FIELD]
    assert [(c.task_family, c.skills) for c in report.candidates] == [(FIX, (FIX,))]
    world.merge(FIX)
    report = told(world)
    assert [f.task_family for f in report.families_ready] == [FIELD]
    assert report.candidates == ()


def test_transcripts_that_go_soon_come_before_everything(world: World):
    shutil.rmtree(world.home / ".claude", ignore_errors=True)
    text = Path(sessions_of(FIX)[0]).read_text("utf-8")
    other = world.root.parent / "0b54c0de-1111-4222-8333-944455566677.jsonl"
    other.write_text(text, "utf-8")
    kept(world, str(other), days_ago=28)
    report = told(world)
    assert report.hosts[0].deleted_soon == 1
    assert report.next is not None
    assert report.next.command == "skillc capture --all"
    assert "within a week" in report.next.reason


def test_sessions_in_the_spool_are_counted_and_left_there(fresh: World):
    transcript = fresh.home / ".claude" / "projects" / "-elsewhere" / "s-1.jsonl"
    transcript.parent.mkdir(parents=True)
    shutil.copy(sessions_of(FIX)[0], transcript)
    spool(fresh, "SessionEnd", transcript_path=str(transcript))
    (line,) = told(fresh).spool
    assert (line.agent, line.session, line.event, line.problem) == ("claude-code", "s-1", "SessionEnd", None)
    assert next_of(fresh) == "skillc capture --drain"
    bad = fresh.root / ".git" / "skillc" / "spool" / "claude-code.x.Stop.json"
    bad.write_text("{", "utf-8")
    assert fresh.run("status").returncode == 0
    assert bad.exists()
    assert len(told(fresh).spool) == 1


def test_a_session_without_a_transcript_is_told_and_asks_for_nothing(fresh: World):
    register_host(Repository.open(fresh.root), "claude-code")
    spool(fresh, "SessionEnd", transcript_path=str(fresh.home / ".claude" / "projects" / "-x" / "s-1.jsonl"))
    report = told(fresh)
    assert [line.problem for line in report.spool] == ["its transcript is not among the host's own files"]
    assert report.next is None


def test_an_entry_that_was_put_aside_is_counted(fresh: World):
    spool(fresh, "Stop")
    bad = fresh.root / ".git" / "skillc" / "spool" / "x.json"
    bad.write_text("{", "utf-8")
    assert told(fresh).spool_unread == 0
    assert fresh.run("traces").returncode == 0
    assert told(fresh).spool_unread == 1


def test_capture_that_is_off_is_told_and_turned_on_last(fresh: World):
    register_host(Repository.open(fresh.root), "claude-code")
    switch_hook(fresh.root, is_off=True)
    report = told(fresh)
    assert report.capture_off == "repository"
    assert report.next is not None
    assert report.next.command == "skillc capture --on"
    switch_hook(fresh.root, is_off=False)
    assert (told(fresh).capture_off, told(fresh).next) == (None, None)


@pytest.mark.parametrize("where", ["repository", "shell"])
def test_capture_all_is_said_to_take_what_was_made_while_capture_was_off(
    fresh: World, where: str, monkeypatch: pytest.MonkeyPatch
):
    kept(fresh, sessions_of(FIX)[0])
    step = told(fresh).next
    assert step is not None
    assert "off" not in step.reason
    if where == "shell":
        monkeypatch.setenv("SKILLC_OFF", "1")
    else:
        switch_hook(fresh.root, is_off=True)
    step = told(fresh).next
    assert step is not None
    assert step.command == "skillc capture --all"
    assert step.reason.endswith(", and this takes what was made meanwhile too")


def test_a_draft_is_told_with_the_commit_that_ends_it(root: Path):
    from skillc.lifecycle.context import open_context
    from skillc.lifecycle.init import init

    init(root)
    report = status(open_context(root, for_reading=True))
    assert report.is_draft
    assert report.next is not None
    assert report.next.command.startswith("git add skillc.yaml")


def test_status_changes_nothing_but_its_cache(world: World, snapshot: Any):
    kept(world, sessions_of(FIX)[0])
    before, refs = snapshot(world.root), world.git("for-each-ref")
    told(world)
    assert snapshot(world.root) == before
    assert world.git("for-each-ref") == refs


def test_a_hand_written_skill_is_told_as_one(fresh: World):
    fresh.commit({".claude/skills/deploy/SKILL.md": "---\nname: deploy\ndescription: x\n---\n"})
    assert [(s.name, s.is_compiled) for s in told(fresh).skills] == [("deploy", False)]


def test_an_open_conflict_is_told_also_when_the_folder_is_gone(shop: World):
    take(shop, "vouchers", *(refund_run(n, method="voucher") for n in range(10, 13)))
    shop.compile(FAMILY)
    shop.merge(FAMILY)
    report = status(shop.context())
    assert report.skills == ()
    assert [c.skill for c in report.conflicts] == [FAMILY]
    assert report.next.command.startswith(f"skillc resolve {FAMILY}")
