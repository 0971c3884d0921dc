"""`forget` as a person types it: it asks first, and without a terminal it wants to be told that it need not."""

import json

import pytest

from tests.terminals import in_terminal
from tests.world import FIELD, World


@pytest.fixture
def trace_id(world: World) -> str:
    world.compile(FIELD)
    world.merge(FIELD)
    why = json.loads(world.run("why", FIELD, "--json").stdout)
    return why["claims"][0]["citations"][0]["trace_id"]


def test_without_a_terminal_it_does_nothing_unless_it_is_told_yes(world: World, trace_id: str):
    refs = world.git("for-each-ref")
    done = world.run("forget", trace_id)
    assert (done.returncode, "say --yes" in done.stderr) == (2, True)
    assert world.git("for-each-ref") == refs
    assert world.run("forget", trace_id, "--yes").returncode == 0
    assert world.git("for-each-ref") != refs


def test_a_no_at_the_terminal_deletes_nothing_and_a_yes_does(world: World, trace_id: str):
    refs = world.git("for-each-ref")
    code, said = in_terminal(world, "forget", trace_id, answers="n\n")
    assert code == 1
    assert FIELD in said
    assert world.git("for-each-ref") == refs
    code, said = in_terminal(world, "forget", trace_id, answers="y\n")
    assert code == 0, said
    assert "out of service" in said


def test_the_shape_is_published_and_a_second_run_says_already(world: World, trace_id: str):
    found = json.loads(world.run("forget", trace_id, "--yes", "--json").stdout)
    assert (found["format"], found["withdrawn"]) == ("skillc.forget/1", [FIELD])
    assert "already forgotten" in world.run("forget", trace_id, "--yes").stdout


def test_an_unknown_trace_is_a_usage_error(world: World):
    assert world.run("forget", "t-nothing-here", "--yes").returncode == 2
