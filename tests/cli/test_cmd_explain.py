"""`why`, `show`, `log`, `undo`, `restore` on the command line."""

import json

import pytest

from tests.world import FIELD, World


@pytest.fixture
def admitted(world: World) -> World:
    world.compile(FIELD)
    world.merge(FIELD)
    return world


def test_why_prints_lines_events_and_who_verified_them(admitted: World):
    done = admitted.run("why", FIELD, "steps")
    assert done.returncode == 0
    assert "tool_call: Bash" in done.stdout
    assert "(unit-tests, tool, local at " in done.stdout
    answer = json.loads(admitted.run("why", FIELD, "--json").stdout)
    assert {"id", "field", "text", "citations", "basis"} <= set(answer["claims"][0])


def test_show_lists_prints_and_explains(admitted: World):
    assert FIELD in admitted.run("show").stdout
    assert admitted.run("show", FIELD).stdout == (admitted.root / ".claude/skills" / FIELD / "SKILL.md").read_text(
        "utf-8"
    )
    assert "#e" in admitted.run("show", FIELD, "--full").stdout
    assert json.loads(admitted.run("show", FIELD, "--json").stdout)["format"] == "skillc.contract/1"
    assert json.loads(admitted.run("show", "--json").stdout)["skills"][0]["compiled"]


def test_show_prints_a_trace_by_the_beginning_of_its_id(admitted: World):
    trace_id = next(iter(admitted.attempts()))
    done = admitted.run("show", trace_id[:12])
    assert trace_id in done.stdout
    assert "tool_call" in done.stdout


def test_undo_log_and_restore_go_together(admitted: World):
    done = admitted.run("undo", FIELD)
    assert done.returncode == 0
    assert "hint: undo: git revert" in done.stderr
    restored = admitted.run("restore", FIELD, "1", "--json")
    assert json.loads(restored.stdout)["to_version"] == 1
    log = admitted.run("log", FIELD).stdout
    assert [line.split()[1] for line in log.splitlines()[1:]] == ["restore", "remove", "add"]
    answer = json.loads(admitted.run("log", FIELD, "--json").stdout)
    assert {"version", "commit", "tree", "change", "at", "run", "restores"} <= set(answer["versions"][0])


def test_the_undo_line_that_is_printed_works(admitted: World):
    line = admitted.run("undo", FIELD).stderr.split("hint: undo: git ")[1].strip()
    admitted.git(*line.split(), "--no-edit")
    assert (admitted.root / ".claude/skills" / FIELD / "SKILL.md").is_file()
