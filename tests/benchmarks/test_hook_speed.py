"""The capture hook, from a 2 KB event to a durable entry in the spool, as a ratio to an empty Python."""

import json
import sys
from pathlib import Path

import pytest

from tests.benchmarks.timing import program, ratio_of, with_bytecode
from tests.world import World

pytestmark = pytest.mark.benchmark
ROUNDS = 25
MAX_RATIO = 2.5
# What the installed console script does before it calls us.
_SCRIPT = "import re, sys; from skillc.entry import main; sys.argv[0] = re.sub('x', '', 'skillc'); sys.exit(main())"


def test_an_event_is_in_the_spool_almost_at_once(fresh: World, tmp_path: Path):
    event = {
        "session_id": "4fa9a9f2-a8d9-41fe-bf78-e2f5beb60d58",
        "transcript_path": "/home/ann/.claude/projects/-shop/4fa9a9f2.jsonl",
        "cwd": str(fresh.root),
        "hook_event_name": "Stop",
    }
    event["last_assistant_message"] = "w" * (2048 - len(json.dumps(event)))
    environment = with_bytecode(tmp_path / "cache")
    data = json.dumps(event).encode()
    hook = (sys.executable, "-c", _SCRIPT, "capture", "--hook")
    ratio = ratio_of(
        program(*hook, environment=environment, folder=fresh.root, stdin=data),
        program(sys.executable, "-c", "pass", environment=environment, folder=fresh.root),
        rounds=ROUNDS,
    )
    ratio.say("hook against python -c pass", MAX_RATIO)
    assert len(list((fresh.root / ".git" / "skillc" / "spool").glob("*.Stop.json"))) == 1
    assert ratio.cpu <= MAX_RATIO
