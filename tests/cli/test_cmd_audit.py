"""`audit` as a person types it."""

import json

import pytest

from tests.world import FIELD, World


@pytest.fixture
def merged(world: World) -> World:
    world.compile(FIELD)
    world.merge(FIELD)
    return world


def test_the_audit_lists_events_and_has_a_published_shape(merged: World):
    assert "compilation" in merged.run("audit", "--skill", FIELD).stdout
    found = json.loads(merged.run("audit", "--json").stdout)
    assert found["format"] == "skillc.audit-report/1"
    assert {e["event"] for e in found["events"]} == {"verification", "compilation", "admission"}


def test_verify_ends_with_1_and_names_what_is_not_explained(merged: World):
    done = merged.run("audit", "--verify")
    assert done.returncode == 1
    assert "[unproven-admission]" in done.stdout
    merged.git("reset", "--quiet", "--hard", "HEAD~1")
    done = merged.run("audit", "--verify", "--json")
    assert (done.returncode, json.loads(done.stdout)["ok"]) == (0, True)


def test_to_pin_anew_needs_a_terminal(merged: World):
    assert merged.run("audit", "--pin-anew").returncode == 2


def test_a_day_that_is_none_is_a_usage_error(merged: World):
    assert merged.run("audit", "--since", "soon").returncode == 2
