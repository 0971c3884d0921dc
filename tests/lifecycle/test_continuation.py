"""A session that went on: the closed Trace stays, what is new becomes its child."""

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from skillc.core.trace.codec import trace_id_of
from skillc.lifecycle.continuation import Part, part_at
from tests.importers.reading import Transcript
from tests.importers.test_claude_forks import with_real_ids
from tests.world import FIX, World, sessions_of


@pytest.fixture
def growing(fresh: World, tmp_path: Path) -> tuple[World, Path, list[str]]:
    copy = tmp_path / Path(sessions_of(FIX)[0]).name
    shutil.copy(sessions_of(FIX)[0], copy)
    return fresh, copy, copy.read_text("utf-8").splitlines(keepends=True)


def whole_events(world: World, path: Path, tmp_path: Path) -> int:
    return world.capture([str(path)], dry_run=True).sources[0].traces[0].events


def test_reimport_after_a_session_went_on_extends_and_never_duplicates(growing, tmp_path: Path):
    world, copy, lines = growing
    total = whole_events(world, copy, tmp_path)
    counts = []
    for cut in (len(lines) // 2, len(lines) - 4, len(lines)):
        copy.write_text("".join(lines[:cut]), "utf-8")
        world.capture([str(copy)])
        counts.append({t.trace_id: len(t.events) for t in world.context().traces.read_all()})

    assert [len(c) for c in counts] == [1, 2, 3]
    assert sum(counts[-1].values()) == total
    assert counts[0].items() <= counts[1].items() <= counts[2].items()


def test_a_continued_session_makes_a_child_trace(growing):
    world, copy, lines = growing
    copy.write_text("".join(lines[: len(lines) // 2]), "utf-8")
    world.capture([str(copy)])
    (first,) = world.context().traces.read_all()
    copy.write_text("".join(lines), "utf-8")
    world.capture([str(copy)])
    traces = {t.trace_id: t for t in world.context().traces.read_all()}
    child = next(t for t in traces.values() if t.header.parent_trace_id)

    assert child.header.parent_trace_id == first.trace_id
    assert traces[first.trace_id] == first
    assert [e.seq for e in child.events] == list(range(len(child.events)))
    families = {a.attempt_family for a in world.attempts().values()}
    assert len(families) == 1


def test_a_trace_of_the_same_events_is_known_and_silent(growing):
    world, copy, _ = growing
    world.capture([str(copy)])
    tip = world.git("rev-parse", "skillc/traces")
    again = world.capture([str(copy)])

    assert again.totals.new == 0
    assert again.sources[0].notes == ()
    assert world.git("rev-parse", "skillc/traces") == tip


def test_a_session_whose_past_changed_is_kept_as_it_was_and_said(growing):
    world, copy, lines = growing
    world.capture([str(copy)])
    tip = world.git("rev-parse", "skillc/traces")
    changed = "".join(lines).replace("test", "toast", 3)
    copy.write_text(changed, "utf-8")
    report = world.capture([str(copy)])

    assert report.totals.new == 0
    assert "stored with other bytes" in " ".join(report.sources[0].notes)
    assert world.git("rev-parse", "skillc/traces") == tip


FORKED_FROM, FORK = "0b7a8f52-3a0c-4a2e-9d3f-1c2b3a4d5e6f", "9d06946c-b41d-482e-8ad2-d1d64f54c34f"


def session_of(turns: int) -> Transcript:
    """A session that its person took up again for each turn."""
    found = Transcript(session=FORKED_FROM)
    for turn in range(turns):
        found.user(f"Turn {turn}: mend module {turn}").bash(f"c{turn}", "pytest", "1 failed").says("Seen.")
    return with_real_ids(found)


def fork_of_turns(turns: int) -> Transcript:
    found = session_of(turns)
    found.session = FORK
    for record in found.records:
        record["sessionId"] = FORK
    found.parent = found.records[-1]["uuid"]
    fork = with_real_ids(found.user("Try the other way").bash("x", "ls", "a.py"))
    own = {record["uuid"]: "f" + record["uuid"][1:] for record in fork.records[-3:]}
    for record in fork.records[-3:]:
        record["timestamp"] = "2026-02-05" + record["timestamp"][10:]
        record["uuid"] = own[record["uuid"]]
        record["parentUuid"] = own.get(record["parentUuid"], record["parentUuid"])
    return fork


class TestForkOfAContinuedSession:
    """The parent of a fork is the part of the session that it went on from."""

    @pytest.fixture
    def parts(self, fresh: World, tmp_path: Path) -> tuple[World, Path, list[str]]:
        """A session in three parts, each captured before it went on."""
        ids: list[str] = []
        for turns in (1, 2, 3):
            (tmp_path / f"{FORKED_FROM}.jsonl").write_bytes(session_of(turns).data())
            report = fresh.capture([str(tmp_path / f"{FORKED_FROM}.jsonl")])
            ids.append(report.sources[0].traces[-1].trace_id)
        assert len(set(ids)) == 3
        return fresh, tmp_path / f"{FORK}.jsonl", ids

    @pytest.mark.parametrize("turns", [1, 2, 3])
    def test_the_parent_is_the_part_that_the_fork_went_on_from(self, parts, turns: int):
        world, path, ids = parts
        path.write_bytes(fork_of_turns(turns).data())
        new = world.capture([str(path)]).sources[0].traces[0].trace_id
        header = next(t for t in world.context().traces.read_all() if t.trace_id == new).header

        assert header.parent_trace_id == ids[turns - 1]

    def test_importing_the_fork_again_changes_nothing(self, parts):
        world, path, _ = parts
        path.write_bytes(fork_of_turns(2).data())
        assert world.capture([str(path)]).totals.new == 1
        tip = world.git("rev-parse", "skillc/traces")
        again = world.capture([str(path)])

        assert (again.totals.new, again.sources[0].notes) == (0, ())
        assert world.git("rev-parse", "skillc/traces") == tip

    def test_a_fork_that_came_before_the_part_it_went_on_from_is_kept_in_silence(self, fresh: World, tmp_path: Path):
        original, path = tmp_path / f"{FORKED_FROM}.jsonl", tmp_path / f"{FORK}.jsonl"
        original.write_bytes(session_of(1).data())
        fresh.capture([str(original)])
        original.write_bytes(session_of(2).data())
        path.write_bytes(fork_of_turns(2).data())
        fresh.capture([str(path)])
        fresh.capture([str(original)])
        again = fresh.capture([str(path)])

        assert (again.totals.new, again.sources[0].notes) == (0, ())

    def test_a_part_that_waits_in_the_same_run_counts(self, fresh: World, tmp_path: Path):
        original, path = tmp_path / f"{FORKED_FROM}.jsonl", tmp_path / f"{FORK}.jsonl"
        original.write_bytes(session_of(1).data())
        fresh.capture([str(original)])
        original.write_bytes(session_of(2).data())
        path.write_bytes(fork_of_turns(2).data())
        report = fresh.capture([str(original), str(path)])
        child, fork = report.sources[0].traces[1].trace_id, report.sources[1].traces[0].trace_id
        stored = {t.trace_id: t.header for t in fresh.context().traces.read_all()}

        assert stored[fork].parent_trace_id == child
        assert len({a.attempt_family for a in fresh.attempts().values()}) == 1


def test_a_session_of_which_nothing_is_captured_is_named_as_a_whole():
    whole = part_at("acme", "claude-code", "s", "2026-01-05T09:00:00Z", lambda _: None)
    assert whole == trace_id_of("acme", "claude-code", "s")


def test_the_later_task_of_a_split_session_is_a_part_too():
    begins = {trace_id_of("n", "k", "s"): 9, trace_id_of("n", "k", "s", "2"): 10, trace_id_of("n", "k", "s", "3"): 11}

    def look(trace_id: str) -> Part | None:
        hour = begins.get(trace_id)
        return Part(trace_id, 4, datetime(2026, 1, 5, hour, tzinfo=UTC)) if hour is not None else None

    assert part_at("n", "k", "s", "2026-01-05T10:30:00Z", look) == trace_id_of("n", "k", "s", "2")
