"""`compile`, `review`, `reject` on the command line."""

import json

from tests.world import FIELD, FIX, World


def test_compile_says_what_it_read_made_and_what_comes_next(world: World):
    done = world.run("compile")
    assert done.returncode == 0
    assert f"{FIELD}: read 5 Traces, 4 attempt families" in done.stdout
    assert "candidate  " + FIELD in done.stdout
    assert f"git merge --no-ff skillc/candidate/{FIELD}" in done.stderr


def test_require_makes_nothing_new_an_answer_of_no(world: World):
    assert world.run("compile", "--require").returncode == 0
    assert world.run("compile", "--require").returncode == 1
    assert world.run("compile").returncode == 0


def test_a_dry_run_shows_the_skill_and_writes_nothing(world: World):
    refs = world.git("for-each-ref")
    done = world.run("compile", "--family", FIX, "--dry-run")
    assert "# Fix failing test" in done.stdout
    assert world.git("for-each-ref") == refs


def test_an_unknown_engine_lists_the_known_ones(world: World):
    done = world.run("compile", "--engine", "oracle")
    assert done.returncode == 2
    assert "offline" in done.stderr


def test_review_prints_each_line_with_its_events_and_writes_the_body(world: World, tmp_path):
    world.compile(FIELD)
    done = world.run("review", FIELD, "--body", str(tmp_path / "pr.md"))
    assert done.returncode == 0
    assert "approve by merging:" in done.stdout
    assert "tool/local" in done.stdout
    assert (tmp_path / "pr.md").read_text("utf-8").startswith("Compiled by skillc")
    assert world.run("review").returncode == 0


def test_review_of_nothing_says_so(world: World):
    assert "nothing waits for review" in world.run("review").stdout


def test_reject_prints_the_way_back(world: World):
    world.compile(FIELD)
    done = world.run("reject", FIELD, "--reason", "too vague")
    assert done.returncode == 0
    assert f"hint: undo: git branch skillc/candidate/{FIELD}" in done.stderr


def test_a_scheduled_compile_works_only_while_policy_says_so(world: World):
    done = world.run("compile", "--scheduled")
    assert "nothing runs on a schedule" in done.stderr
    assert world.git("for-each-ref", "refs/heads/skillc/candidate") == ""
    world.set_policy("compile: {on: request}", "compile: {on: schedule}")
    assert "candidate" in world.run("compile", "--scheduled").stdout


def test_part_of_a_review_is_the_same_as_json(world: World):
    world.compile(FIELD)
    part = json.loads(world.run("review", "--field", "steps", "--json").stdout)
    assert {c["field"] for v in part["candidates"][0]["versions"] for c in v["claims"]} == {"steps"}
    assert "approval" in world.run("review", "--only-open").stdout
    assert world.run("review", "--field", "stepz").returncode == 2
    assert world.run("review", "--field", "steps", "--create-pr").returncode == 2


def test_a_pull_request_that_cannot_be_opened_ends_with_the_commands(world: World):
    world.compile(FIELD)
    done = world.run("review", "--create-pr")
    assert done.returncode == 4
    assert "gh pr create" in done.stderr
