"""Capturing many sessions of one folder against as many sessions of a folder each.

A host keeps every session of a project in one folder, and each may be a fork of any other or have parts beside it.
That look-around must not grow with the square of the sessions.
"""

import uuid
from pathlib import Path

import pytest

from skillc.lifecycle.capture import CaptureOptions, capture
from tests.benchmarks.timing import Cost, cost_of, ratio_of
from tests.importers.reading import Transcript
from tests.world import World

pytestmark = pytest.mark.benchmark
ROUNDS = 3
SESSIONS = 300
MAX_RATIO = 1.5  # measured: 1.13, and 17 before a folder was listed once


def session(number: int) -> bytes:
    """A short session with ids of its own."""
    found = Transcript(session=str(uuid.UUID(int=number + 1)))
    for turn in range(10):
        found.user(f"Task {number}, turn {turn}: make the test pass").bash(f"c{turn}", "pytest -q", "1 passed").says(
            "Done."
        )
    for record in found.records:
        record["uuid"] = str(uuid.uuid5(uuid.UUID(int=number + 1), record["uuid"]))
    for before, record in zip(found.records, found.records[1:], strict=False):
        record["parentUuid"] = before["uuid"]
    return found.data()


def test_many_sessions_of_one_folder_cost_what_as_many_folders_cost(fresh: World, tmp_path: Path):
    together, apart = [], []
    for number in range(SESSIONS):
        for paths, folder in ((together, tmp_path / "one"), (apart, tmp_path / "each" / str(number))):
            folder.mkdir(parents=True, exist_ok=True)
            path = folder / f"{uuid.UUID(int=number + 1)}.jsonl"
            path.write_bytes(session(number))
            paths.append(str(path))

    def capturing(paths: list[str]) -> Cost:
        return cost_of(lambda: capture(fresh.context(), paths, CaptureOptions(dry_run=True)))

    report = capture(fresh.context(), together, CaptureOptions(dry_run=True))
    assert (len(report.sources), report.failed) == (SESSIONS, ())

    found = ratio_of(lambda: capturing(together), lambda: capturing(apart), rounds=ROUNDS)
    found.say(f"{SESSIONS} sessions of one folder", MAX_RATIO)
    assert found.cpu < MAX_RATIO
