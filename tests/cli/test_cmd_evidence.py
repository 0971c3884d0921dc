"""`capture`, `verify`, `traces`, `trust`, `families` on the command line."""

import json
import os
import pty
import subprocess
import sys

import pytest

from skillc.cli.cmd_capture import FORMATS
from skillc.importers.table import IMPORTERS
from tests.world import CHECK, FIELD, FIX, World, sessions_of


def on_terminal(world: World, *arguments: str, answer: str = "") -> tuple[int, str]:
    """Runs a command with a terminal of its own, as a person would."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "skillc", *arguments], cwd=world.root, stdin=follower, stdout=follower, stderr=follower
    )
    os.close(follower)
    if answer:
        os.write(leader, answer.encode())
    output = b""
    while True:
        try:
            chunk = os.read(leader, 4096)
        except OSError:
            break
        if not chunk:
            break
        output += chunk
    os.close(leader)
    return process.wait(), output.decode("utf-8", "replace")


def test_capture_says_what_it_took_and_what_comes_next(fresh: World):
    done = fresh.run("capture", *sessions_of(FIX))
    assert done.returncode == 0
    assert "6 Traces, 6 new" in done.stdout
    assert "redacted" in done.stdout
    assert "hint: next: skillc verify" in done.stderr


def test_capture_without_a_source_says_how(fresh: World):
    assert "name a session file" in fresh.run("capture").stderr
    assert "no host keeps a session" in fresh.run("capture", "--all").stderr


def test_the_help_of_capture_names_every_format():
    assert FORMATS.split(", ") == [importer.kind for importer in IMPORTERS]


def test_capture_json_has_the_shape_that_others_build_on(fresh: World):
    answer = json.loads(fresh.run("capture", "--json", *sessions_of(FIX)[:1]).stdout)
    source = answer["sources"][0]
    assert set(answer["totals"]) == {"traces", "new", "events"}
    assert {"path", "kind", "traces", "skipped", "redacted", "notes"} <= set(source)
    assert {"trace_id", "path", "events", "outcome", "strength", "task_family", "is_new"} <= set(source["traces"][0])


def test_verify_prints_each_verdict(fresh: World):
    fresh.capture(sessions_of(FIX))
    done = fresh.run("verify", "--run", CHECK)
    assert done.returncode == 0
    assert done.stdout.count("success ") == 5
    assert done.stdout.count("failure ") == 1
    assert "6 recorded" in done.stdout


def test_traces_is_a_table_with_reasons(world: World):
    done = world.run("traces")
    assert "11 Traces in 9 attempt families" in done.stdout
    assert "verified failure: contrast only" in done.stdout
    answer = json.loads(world.run("traces", "--json").stdout)["traces"][0]
    assert {
        "trace_id",
        "objective",
        "outcome",
        "strength",
        "assurance",
        "conflicted",
        "task_family",
        "attempt_family",
    } <= set(answer)


def test_trust_asks_on_a_terminal_and_no_is_no(fresh: World):
    (fresh.home / ".config" / "skillc" / "trusted-checks.json").unlink()
    code, output = on_terminal(fresh, "trust", CHECK, answer="n\n")
    assert code == 1
    assert "python3 -m unittest -q" in output
    assert "not trusted" in output
    code, output = on_terminal(fresh, "trust", CHECK, answer="y\n")
    assert code == 0
    fresh.capture(sessions_of(FIX)[:1])
    assert fresh.verify().recorded == 1


def test_families_lists_and_accepts(fresh: World):
    fresh.capture(sessions_of(FIX) + sessions_of(FIELD))
    assert "group" in fresh.run("families").stdout
    accepted = fresh.run("families", "accept")
    assert accepted.returncode == 0
    assert "accepted" in accepted.stdout
    assert "family" in fresh.run("families").stdout
    assert fresh.run("families", "accept", "--minimum", "99").returncode == 1


def test_families_assign_takes_beginnings_of_ids(fresh: World):
    fresh.capture(sessions_of(FIX)[:1])
    trace_id = next(iter(fresh.attempts()))
    for family, words in {"other": (trace_id[:10], "other"), "third": ("third", trace_id)}.items():
        done = fresh.run("families", "assign", *words)
        assert done.returncode == 0, done.stderr
        assert fresh.attempts()[trace_id].task_family == family
    commit = fresh.git("rev-parse", "skillc/ledger")[:12]
    assert f"on the ledger in {commit}" in done.stdout
    undo = next(line for line in done.stderr.splitlines() if "undo: " in line).split("undo: ")[1]
    fresh.git(*undo.removeprefix("git ").split())
    assert fresh.attempts()[trace_id].task_family == "other"
    assert fresh.run("families", "assign", trace_id).returncode == 2


@pytest.mark.parametrize("family", ["Not A Slug", "../x", ""])
def test_a_family_that_is_no_safe_name_is_refused(fresh: World, family: str):
    assert fresh.run("capture", "--family", family, *sessions_of(FIX)[:1]).returncode == 2
