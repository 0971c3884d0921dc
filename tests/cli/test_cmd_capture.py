"""`capture` on the command line: what it takes, and the switch of the hook."""

import json

import pytest

from tests.lifecycle.test_drain import ended, left
from tests.world import FIX, World, sessions_of


def test_capture_says_what_it_stored_and_what_comes_next(fresh: World):
    done = fresh.run("capture", sessions_of(FIX)[0])
    assert done.returncode == 0
    assert "1 Traces, 1 new" in done.stdout
    assert "skillc verify --run unit-tests" in done.stderr
    commit = fresh.git("rev-parse", "skillc/traces")[:12]
    assert f"undo: git update-ref -d refs/heads/skillc/traces {commit}" in done.stderr
    assert "undo" not in fresh.run("capture", sessions_of(FIX)[0]).stderr


def test_drain_of_an_empty_spool_says_so(fresh: World):
    assert "the spool is empty" in fresh.run("capture", "--drain").stdout
    assert json.loads(fresh.run("capture", "--drain", "--json").stdout)["captured"] is None


@pytest.mark.parametrize("arguments", [("--agent", "codex"), ()])
def test_what_is_asked_in_vain_is_a_usage_error(fresh: World, arguments: tuple[str, ...]):
    done = fresh.run("capture", *arguments)
    assert done.returncode == 2
    assert "hint" in done.stderr


def test_off_and_on_at_once_is_a_usage_error_and_switches_nothing(fresh: World):
    done = fresh.run("capture", "--off", "--on")
    assert done.returncode == 2
    assert not (fresh.root / ".git" / "skillc" / "off").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ("--drain", "--off"), ("--drain", "--on"), ("--drain", "a.jsonl"), ("--off", "a.jsonl"), ("--on", "--all"),
        ("--drain", "--family", "f"), ("--drain", "--from", "codex"), ("--off", "--split", "session"),
        ("--drain", "--messages-field", "x"),
    ],
)  # fmt: skip
def test_what_the_hook_has_no_use_for_is_a_usage_error_and_does_nothing(fresh: World, arguments: tuple[str, ...]):
    ended(fresh)
    done = fresh.run("capture", *arguments)
    assert done.returncode == 2
    assert len(left(fresh)) == 1
    assert not (fresh.root / ".git" / "skillc" / "off").exists()


def test_the_switch_answers_in_json_too(fresh: World):
    for option, is_on in (("--off", False), ("--on", True)):
        answer = json.loads(fresh.run("capture", option, "--json").stdout)
        assert answer == {"format": "skillc.hook-switch/1", "is_on": is_on}


def test_off_and_on_change_one_file_of_the_git_folder(fresh: World):
    fresh.run("capture", "--off")
    assert (fresh.root / ".git" / "skillc" / "off").exists()
    fresh.run("capture", "--on")
    fresh.run("capture", "--on")
    assert not (fresh.root / ".git" / "skillc" / "off").exists()
    assert fresh.git("status", "--porcelain") == ""


def test_init_host_registers_and_removes_the_hook(fresh: World):
    done = fresh.run("init", "--host", "claude-code", "--deny-rules")
    assert done.returncode == 0
    path = fresh.home / ".claude" / "settings.json"
    assert "capture --hook" in path.read_text("utf-8")
    fresh.run("init", "--host", "claude-code", "--shared")
    removed = fresh.run("init", "--remove-host", "claude-code")
    assert f"the hook is still in {fresh.root / '.claude' / 'settings.json'}" in removed.stdout
    assert "no longer" not in removed.stdout
    assert "hint: next: skillc init --remove-host claude-code --shared" in removed.stderr
    assert not path.exists()
    assert "no longer captured" in fresh.run("init", "--remove-host", "claude-code", "--shared").stdout
    assert "codex reads no deny rules" in fresh.run("init", "--host", "codex", "--deny-rules").stderr
    both = fresh.run("init", "--host", "codex", "--remove-host", "codex")
    assert both.returncode == 2
