"""`init`, `demo`, `schema` on the command line."""

import json
import subprocess
import sys

from tests.repositories import commit_files
from tests.world import World


def test_init_ends_with_past_sessions_and_the_next_command(root):
    commit_files(root, {"tests/test_a.py": ""})
    done = subprocess.run(
        [sys.executable, "-m", "skillc", "init"], cwd=root, capture_output=True, text=True, check=True
    )
    lines = done.stdout.splitlines()
    assert lines[-1] == "0 past sessions, 0 verifiable now"
    assert "git add skillc.yaml" in done.stderr
    again = subprocess.run(
        [sys.executable, "-m", "skillc", "init", "--json"], cwd=root, capture_output=True, text=True, check=True
    )
    assert json.loads(again.stdout)["written"] == []


def test_init_counts_past_sessions_and_those_a_check_can_verify(fresh: World):
    import shutil

    from tests.world import FIX, sessions_of

    name = "".join(c if c.isascii() and c.isalnum() else "-" for c in str(fresh.root))
    folder = fresh.home / ".claude" / "projects" / name
    folder.mkdir(parents=True)
    for path in sessions_of(FIX):
        shutil.copy(path, folder)
    done = fresh.run("init")
    assert "6 past sessions, 6 verifiable now" in done.stdout
    assert "skillc capture --all" in done.stderr
    assert fresh.run("capture", "--all").stdout.count("new  ") == 6


def test_init_dry_run_writes_nothing(root):
    subprocess.run([sys.executable, "-m", "skillc", "init", "-n"], cwd=root, capture_output=True, check=True)
    assert not (root / "skillc.yaml").exists()


def test_schema_lists_and_prints(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "skillc", "schema"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert "contract" in done.stdout.split()
    done = subprocess.run(
        [sys.executable, "-m", "skillc", "schema", "contract"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout)["$id"] == "skillc:contract"
