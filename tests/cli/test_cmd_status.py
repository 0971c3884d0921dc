"""`status` and `doctor` on the command line."""

import json

import pytest

from skillc.lifecycle.schemas import schema_of
from tests.lifecycle.test_host_state import kept
from tests.world import CHECK, FIX, World, sessions_of


@pytest.fixture(autouse=True)
def _hosts(monkeypatch: pytest.MonkeyPatch):
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME"):
        monkeypatch.delenv(name, raising=False)


def test_status_ends_with_the_next_command(fresh: World):
    kept(fresh, sessions_of(FIX)[0])
    done = fresh.run("status")
    assert done.returncode == 0
    assert "claude-code" in done.stdout
    assert "1 new" in done.stdout
    assert done.stderr.split("next: ")[1].splitlines()[0] == "skillc capture --all"


def test_status_says_how_to_verify_each_possible_success(fresh: World):
    fresh.capture(sessions_of(FIX)[:1])
    done = fresh.run("status")
    assert "1 possible successes are not verified" in done.stdout
    assert f"skillc verify --run {CHECK} t-" in done.stdout


def test_status_as_json_has_its_named_fields(world: World):
    report = json.loads(world.run("status", "--json").stdout)
    assert report["format"] == "skillc.status/1"
    assert list(report) == [
        "format", "at", "namespace", "base", "base_commit", "is_draft", "hosts", "capture_off", "spool",
        "spool_unread", "traces", "unverified", "families_ready", "groups_ready", "candidates", "folders",
        "repairs", "skills", "gone", "conflicts", "decided", "uncounted", "next",
    ]  # fmt: skip
    assert [host["host"] for host in report["hosts"]] == ["claude-code", "codex", "gemini"]


def test_status_without_a_namespace_says_how_to_make_one(root):
    done = World(root.parent, root).run("status")
    assert done.returncode == 2
    assert "skillc init" in done.stderr


def test_status_does_not_drain_the_spool(fresh: World):
    from tests.lifecycle.test_status import spool

    spool(fresh, "SessionEnd")
    assert "in the spool: 1 ended" in fresh.run("status").stdout
    assert len(list((fresh.root / ".git" / "skillc" / "spool").glob("*.json"))) == 1


def test_doctor_ends_with_one_when_a_check_fails(fresh: World, tmp_path):
    done = fresh.run("doctor")
    assert done.returncode == 0
    assert "0 failed" in done.stdout
    (fresh.home / ".config" / "skillc" / "keys" / "tool").chmod(0o666)
    done = fresh.run("doctor")
    assert done.returncode == 1
    assert "fail  tool key" in done.stdout
    assert "next: chmod 600 " in done.stdout


def test_doctor_works_outside_a_repository_too(tmp_path):
    done = World(tmp_path, tmp_path).run("doctor", "--json")
    assert done.returncode == 1
    report = json.loads(done.stdout)
    assert report["format"] == "skillc.doctor/1"
    assert report["failed"] == 1


@pytest.mark.parametrize("name", ["status", "doctor", "plugin"])
def test_the_answers_have_published_schemas(name: str):
    assert json.loads(schema_of(name))["$id"] == f"skillc:{name}"
