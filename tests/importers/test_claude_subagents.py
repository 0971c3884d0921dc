"""Subagents' files are merged into their session by time."""

import io

from skillc.importers.base import Companion, ImportReport
from skillc.importers.claude_subagents import END_OF_TIME, Subagents, is_compaction, stem_of, subagent_of
from tests.importers.reading import Transcript


def subagents(files: dict[str, bytes], session: str) -> tuple[Subagents, ImportReport]:
    report = ImportReport(path="x", kind="claude-code")
    companions = [Companion(name=n, open=lambda content=c: io.BytesIO(content)) for n, c in files.items()]
    return Subagents(companions, session, report), report


def at(second: int) -> str:
    return f"2026-01-05T09:00:{second:02d}.000Z"


def test_records_come_by_time_over_all_files():
    one = Transcript().says("a", timestamp=at(1)).says("c", timestamp=at(5))
    two = Transcript().says("b", timestamp=at(3))
    found, _ = subagents({"s/subagents/agent-x.jsonl": one.data(), "agent-y.jsonl": two.data()}, one.session)

    early = [(r.agent_id, r.is_sidechain) for r in found.until(at(4))]
    late = [r.agent_id for r in found.until(END_OF_TIME)]
    assert early == [("x", True), ("y", True)]
    assert late == ["x"]


def test_the_file_of_another_session_is_left_alone():
    found, _ = subagents({"agent-x.jsonl": Transcript(session="other").says("a").data()}, "mine")

    assert list(found.until(END_OF_TIME)) == []


def test_the_compaction_helper_is_left_out_and_counted():
    found, report = subagents({"agent-acompact-1.jsonl": Transcript().says("a").data()}, Transcript().session)

    assert list(found.until(END_OF_TIME)) == []
    assert report.skipped["compaction helper file"] == 1


def test_a_record_without_time_keeps_its_place():
    transcript = Transcript().says("a", timestamp=at(5)).says("b", timestamp=None)
    found, _ = subagents({"agent-x.jsonl": transcript.data()}, transcript.session)

    assert list(found.until(at(4))) == []
    assert len(list(found.until(at(5)))) == 2


def test_an_empty_file_is_nobodys():
    found, _ = subagents({"agent-x.jsonl": b""}, "mine")

    assert list(found.until(END_OF_TIME)) == []


def test_an_edit_of_a_subagent_stands_before_the_test_that_followed():
    main = Transcript().user("x", timestamp=at(0)).call("c", "Bash", {"command": "pytest"}, timestamp=at(9))
    side = Transcript().call("e", "Edit", {"file_path": "f"}, timestamp=at(5), uuid="side")
    reading = main.read(companions={"agent-x.jsonl": side.data()})

    assert [(e.tool, e.actor) for e in reading.trace.events[1:]] == [("Edit", "x"), ("Bash", "agent")]


def test_names_tell_what_a_file_is():
    assert stem_of("a/b\\agent-1.jsonl") == "agent-1"
    assert subagent_of("agent-a1") == "a1"
    assert subagent_of("session") is None
    assert is_compaction("agent-acompact-9")
