"""A session that went on: the closed Trace stays, what is new becomes its child."""

import shutil
from pathlib import Path

import pytest

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
