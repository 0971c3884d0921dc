"""`skillc demo` shows commands, outputs and what to look at, and cleans up."""

import json
import time
from pathlib import Path

import pytest

from tests.world import World


def test_the_demo_runs_offline_in_time_and_leaves_nothing(world: World, tmp_path: Path):
    started = time.monotonic()
    done = world.run("demo", TMPDIR=str(tmp_path))
    assert done.returncode == 0, done.stdout[-2000:]
    assert time.monotonic() - started < 60
    assert "$ skillc verify --run unit-tests" in done.stdout
    assert "look:" in done.stdout
    assert list(tmp_path.glob("skillc-demo-*")) == []


@pytest.mark.slow
def test_the_demo_as_json_names_every_step(world: World):
    answer = json.loads(world.run("demo", "--json").stdout)
    assert answer["ok"]
    assert all({"title", "command", "output", "code", "look"} <= set(step) for step in answer["steps"])
