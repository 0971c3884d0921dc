"""The hook's spool: read as data of anybody, dropped only when nothing newer took its place."""

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skillc.repo.repository import Repository
from skillc.repo.session_spool import (
    drop,
    has_entries,
    hook_log,
    is_own_file,
    logged,
    off_switch,
    read_spool,
    repository_around,
    spool_folders,
    unread_entries,
)
from tests.world import World

HEAD = "a" * 40


def put(world: World, event: str = "SessionEnd", session: str = "s-1", **fields: Any) -> Path:
    common = str(world.root / ".git")
    folder = world.root / ".git" / "skillc" / "spool"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"claude-code.{session}.{event}.json"
    record = {"agent": "claude-code", "session_id": session, "hook_event_name": event, "common": common, "at": 5.0}
    path.write_text(json.dumps({**record, "head": HEAD, **fields}), "utf-8")
    return path


def opened(world: World) -> Repository:
    return Repository.open(world.root)


def test_the_events_of_one_session_are_one_session(fresh: World):
    put(fresh, "SessionStart", at=1.0, head="b" * 40)
    put(fresh, "Stop", at=2.0)
    put(fresh, "SessionEnd", at=3.0, transcript_path="/x/y.jsonl")
    (session,) = read_spool(opened(fresh))

    assert (session.head_start, session.head_end) == ("b" * 40, HEAD)
    assert session.has_ended
    assert str(session.transcript) == "/x/y.jsonl"
    assert len(session.files) == 3


@pytest.mark.parametrize("empty", ["", None])
def test_an_empty_transcript_path_is_none_and_takes_no_earlier_one_away(fresh: World, empty: str | None):
    put(fresh, "SessionEnd", at=3.0, transcript_path=empty)
    (session,) = read_spool(opened(fresh))
    assert session.transcript is None
    put(fresh, "Stop", at=2.0, transcript_path="/x/y.jsonl")
    (session,) = read_spool(opened(fresh))
    assert str(session.transcript) == "/x/y.jsonl"


def test_a_session_that_was_resumed_has_not_ended(fresh: World):
    put(fresh, "SessionEnd", at=1.0)
    put(fresh, "Stop", at=2.0)
    (session,) = read_spool(opened(fresh))

    assert not session.has_ended
    assert session.turn_ended


def test_a_session_that_only_began_has_ended_nothing(fresh: World):
    put(fresh, "SessionStart")
    (session,) = read_spool(opened(fresh))
    assert (session.has_ended, session.turn_ended, session.head_end) == (False, False, None)


def test_an_entry_of_another_repository_is_left_where_it_is(fresh: World):
    path = put(fresh, common="/somewhere/else/.git")
    assert read_spool(opened(fresh)) == []
    assert path.exists()


def test_an_entry_that_is_no_event_is_put_aside(fresh: World):
    path = put(fresh)
    path.write_bytes(b"{half")
    assert read_spool(opened(fresh)) == []
    assert not path.exists()
    assert not has_entries(opened(fresh))
    assert [p.read_bytes() for p in unread_entries(opened(fresh))] == [b"{half"]
    assert read_spool(opened(fresh)) == []


@pytest.mark.parametrize("value", ["", "0", "1"])
def test_the_hook_is_off_here_or_in_this_shell(fresh: World, monkeypatch: pytest.MonkeyPatch, value: str):
    monkeypatch.setenv("SKILLC_OFF", value)
    assert off_switch(opened(fresh)) == ("shell" if value == "1" else None)
    (fresh.root / ".git" / "skillc").mkdir(exist_ok=True)
    (fresh.root / ".git" / "skillc" / "off").write_text("x")
    assert off_switch(opened(fresh)) == "repository"


def test_a_link_in_the_spool_is_not_followed(fresh: World, tmp_path: Path):
    target = put(fresh).rename(tmp_path / "target.json")
    link = fresh.root / ".git" / "skillc" / "spool" / "x.json"
    link.symlink_to(target)
    assert read_spool(opened(fresh)) == []
    assert target.exists()


def test_an_entry_that_the_hook_wrote_anew_is_not_dropped(fresh: World):
    path = put(fresh)
    (session,) = read_spool(opened(fresh))
    newer = path.with_suffix(".new")
    newer.write_bytes(path.read_bytes())
    os.replace(newer, path)
    drop(session.files)
    assert path.exists()

    drop(read_spool(opened(fresh))[0].files)
    assert not path.exists()
    assert not has_entries(opened(fresh))


def test_what_a_killed_hook_left_goes_after_an_hour(fresh: World):
    put(fresh)
    folder = spool_folders(opened(fresh))[0]
    old, new = folder / ".a.json.1.tmp", folder / ".b.json.2.tmp"
    for path in (old, new):
        path.write_bytes(b"{")
    os.utime(old, (time.time() - 4000,) * 2)
    read_spool(opened(fresh))
    assert (old.exists(), new.exists()) == (False, True)


def test_only_a_regular_file_of_this_user_below_the_hosts_folder_is_its_own(tmp_path: Path):
    root = tmp_path / "projects"
    root.mkdir()
    inside, outside = root / "a.jsonl", tmp_path / "b.jsonl"
    inside.write_text("x")
    outside.write_text("x")
    (root / "link.jsonl").symlink_to(outside)
    (root / "folder.jsonl").mkdir()
    os.mkfifo(root / "pipe.jsonl")

    assert is_own_file(inside, [root])
    for path in (outside, root / "link.jsonl", root / "folder.jsonl", root / "pipe.jsonl", root / "none.jsonl"):
        assert not is_own_file(path, [root])
    assert not is_own_file(root / ".." / "b.jsonl", [root])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(), lambda c: st.lists(c) | st.dictionaries(st.text(), c)
    )
)
def test_any_json_in_an_entry_is_an_event_or_put_aside(fresh: World, value: Any):
    path = put(fresh)
    path.write_text(json.dumps(value), "utf-8")
    assert read_spool(opened(fresh)) == []


def test_the_log_of_the_hook_is_read_line_by_line(home: Path, tmp_path: Path):
    path = hook_log()
    assert logged(path) == []
    path.parent.mkdir(parents=True)
    path.write_bytes(b"17 'disk full'\nnonsense\n99999999999999999999 x\n18 \xff\n")
    assert logged(path) == [(17, "'disk full'"), (18, "\ufffd")]
    path.unlink()
    path.symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere").write_text("17 x\n")
    assert logged(path) == []


def test_a_spool_that_is_only_read_keeps_what_is_no_event(fresh: World):
    bad = put(fresh)
    bad.write_text("{", "utf-8")
    assert read_spool(opened(fresh), drops_bad=False) == []
    assert bad.exists()


def test_the_repository_around_a_place_is_told_though_the_place_is_not_there(fresh: World, tmp_path: Path):
    assert repository_around(fresh.root / "a" / "b") == fresh.root.resolve()
    assert repository_around(tmp_path / "nowhere") is None
