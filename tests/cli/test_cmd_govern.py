"""`approve`, `policy explain` and `evaluation` as a person types them."""

import json
from pathlib import Path

import pytest

from tests.approvers import key_that_asks, make_key, public_of, register_evaluator, register_person
from tests.terminals import in_terminal
from tests.world import FIELD, World


@pytest.fixture
def waiting(world: World) -> World:
    world.compile(FIELD)
    return world


def test_policy_explain_names_the_rule_first_and_has_a_published_shape(waiting: World):
    done = waiting.run("policy", "explain", FIELD)
    assert done.returncode == 0
    assert "decided by approval.mode" in done.stdout.splitlines()[1]
    found = json.loads(waiting.run("policy", "explain", FIELD, "--json").stdout)
    assert (found["format"], found["decision"]["result"]) == ("skillc.policy/1", "hold")


def test_an_evaluation_is_asked_for_recorded_and_listed(waiting: World, tmp_path: Path):
    key = tmp_path / "eval"
    make_key(key)
    register_evaluator(waiting, public_of(key), required_of=FIELD)
    waiting.compile(FIELD)
    assert waiting.run("evaluation", "list").returncode == 1
    assert "requested" in waiting.run("evaluation", "request", FIELD).stdout
    done = waiting.run(
        "evaluation", "record", FIELD, "--evaluator", "sandbox-eval", "--verdict", "passed", "--evaluator-version", "2",
        "--environment", "staging", "--evidence", "log 17", SKILLC_EVALUATION_KEY=key.read_text("utf-8"),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "passed" in done.stdout
    assert "undo: git update-ref" in done.stdout
    listed = waiting.run("evaluation", "list", "--json")
    assert listed.returncode == 0
    assert [e["state"] for e in json.loads(listed.stdout)["evaluations"]] == ["passed"]


def test_review_shows_every_gate_and_who_approved(waiting: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    key = key_that_asks(tmp_path, monkeypatch)
    register_person(waiting, public_of(key))
    code, said = in_terminal(waiting, "approve", FIELD, "--key", str(key), "--reason", "fine")
    assert code == 0, said
    shown = waiting.run("review", FIELD).stdout
    assert "approved by alice" in shown
    for gate in ("verification", "stale base", "evaluations", "limits", "effects"):
        assert gate in shown
    found = json.loads(waiting.run("review", FIELD, "--json").stdout)["candidates"][0]
    assert found["approved_by"] == "alice"
    assert {g["gate"] for g in found["gates"]} >= {"verification", "approval"}


def test_each_help_has_an_example(waiting: World):
    for command in (["approve"], ["policy", "explain"], *(["evaluation", c] for c in ("request", "record", "list"))):
        assert f"skillc {' '.join(command)}" in waiting.run(*command, "--help").stdout
