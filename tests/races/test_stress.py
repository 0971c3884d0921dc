"""Mixed commands, six at a time, on one repository and two clones of it: no record is lost and nothing is stuck."""

import json
import os
import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from skillc.repo.layout import TRACES_BRANCH
from tests.races.together import (
    CANCEL,
    Ran,
    clone,
    records_ever,
    require_clean_audit,
    require_equal_ledgers,
    require_whole,
    run_now,
    settle,
    shared,
)
from tests.reward_world import FAMILY, refund_run
from tests.world import World

AT_A_TIME, RUNS = 6, 100
SEED_VARIABLE = "SKILLC_STRESS_SEED"  # another order of the same commands
EDIT_BRANCH = "edit"
_CAPTURE = ("--from", "messages", "--attempt-key", "task", "--verifier", "reward")
# What must succeed at least once, and not only be told that it does not fit now. Whether a candidate waits for an
# evaluation or a rejection, and whether an edited version is in service still, is the order's doing.
DONE = frozenset(("audit", "capture", "compile", "forget", "retire", "status", "sync"))
# What check says of a Skill on a protected base until somebody merges its removal.
WAITING = frozenset(("unknown-event", "evidence-deleted", "out-of-service"))


def commands(world: World, number: int) -> list[tuple[str, ...]]:
    """The commands of one run; `number` picks what is told apart."""
    traces = sorted(world.git("ls-tree", "-r", "--name-only", TRACES_BRANCH).split())
    trace_id = Path(traces[number % len(traces)]).stem
    session = str(world.home / f"attempt-{number}.json")
    mixed: list[list[tuple[str, ...]]] = [
        [("compile", "--family", (FAMILY, CANCEL)[number // 13 % 2])],
        [("status",)],
        [("sync",)],
        [("capture", session, *_CAPTURE, "--family", FAMILY)],
        [("evaluation", "request", CANCEL, "--evaluator", "sandbox-eval")],
        [("forget", trace_id, "--dry-run")],
        [("reject", CANCEL, "--reason", f"too long {number}")],
        [("check",)],
        [("amend", FAMILY, "--from", EDIT_BRANCH)],
        [("forget", f"{trace_id}#e{1 + number % 3}", "--yes")],
        [("sync",)],
        [("audit",)],
        [("retire", FAMILY, "--reason", f"unused {number}"), ("restore", FAMILY, "1")],
    ]
    return mixed[number % len(mixed)]


def storm(clones: list[World], *, runs: int) -> Counter[tuple[str, int]]:
    """Runs that many commands in a mixed order; returns how often each ended with which code."""
    numbers = list(range(runs))
    seed = int(os.environ.get(SEED_VARIABLE, "7"))
    print(f"\nseed {seed}")
    random.Random(seed).shuffle(numbers)

    def one(number: int) -> list[Ran]:
        world = clones[number % len(clones)]
        return [run_now(world, *arguments) for arguments in commands(world, number)]

    with ThreadPoolExecutor(AT_A_TIME) as threads:
        ended = [ran for found in threads.map(one, numbers) for ran in found]
    return Counter((ran.arguments[0], ran.code) for ran in ended)


@pytest.fixture
def clones(merged: World, tmp_path: Path) -> list[World]:
    remote = shared(merged, tmp_path / "remote.git")
    others = [clone(remote, tmp_path / name, merged.home) for name in ("one", "two")]
    for other in others:
        assert run_now(other, "sync").code == 0
    for number in range(RUNS):
        (merged.home / f"attempt-{number}.json").write_text(json.dumps([refund_run(100 + number)]), "utf-8")
    for world in (merged, *others):
        _edit_on_a_branch(world)
    return [merged, *others]


def _edit_on_a_branch(world: World) -> None:
    """A person's edit of the Skill, committed and not amended."""
    path = f".claude/skills/{FAMILY}/SKILL.md"
    world.git("switch", "--quiet", "-c", EDIT_BRANCH)
    text = (world.root / path).read_text("utf-8")
    assert "## When to use\n\n" in text
    world.commit({path: text.replace("## When to use\n\n", "## When to use\n\n- The person holds a receipt.\n")})
    world.git("switch", "--quiet", "main")


def require_nothing_lost(clones: list[World]) -> None:
    said = records_ever(clones)
    settle(*clones)
    assert said <= require_equal_ledgers(*clones)
    for world in clones:
        require_clean_audit(world)
        require_whole(world, known=WAITING)


def test_twelve_mixed_commands_at_once_lose_no_record(clones: list[World]):
    assert sum(storm(clones, runs=12).values()) == 12
    require_nothing_lost(clones)


@pytest.mark.slow
def test_a_hundred_mixed_commands_at_once_lose_no_record(clones: list[World]):
    ended = storm(clones, runs=RUNS)
    print(f"\n{dict(sorted(ended.items()))}")
    assert sum(ended.values()) >= RUNS
    assert {name for (name, code) in ended if code == 0} >= DONE
    assert sum(n for (_, code), n in ended.items() if code in (0, 1)) >= 70
    require_nothing_lost(clones)
