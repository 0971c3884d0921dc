"""A real benchmark from end to end: 100 attempts, outcomes by a registered mapping, groups, contracts."""

import json

import pytest
from tests.corpora import corpus
from tests.world import World

from skillc.core.trace.records import EventKind
from skillc.importers.base import MessagesOptions
from skillc.lifecycle.capture import CaptureOptions, capture
from skillc.lifecycle.check import check
from skillc.lifecycle.families import accept_groups, families_report
from skillc.lifecycle.init import init
from skillc.lifecycle.registry import add_verifier
from skillc.lifecycle.review import review

OPTIONS = CaptureOptions(kind="messages", messages=MessagesOptions("traj", "task_id"), verifier_id="reward")


@pytest.fixture(scope="module")
def airline(tmp_path_factory: pytest.TempPathFactory):
    path = corpus("taubench-airline-gpt4o") / "attempts.json"
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("airline")
        made = World(folder / "home", folder / "airline")
        made.home.mkdir()
        made.root.mkdir()
        (made.home / ".gitconfig").write_text(
            "[user]\n\tname = A\n\temail = a@example.org\n[init]\n\tdefaultBranch = main\n"
        )
        made.set_environment(patch)
        made.git("init", "--quiet")
        init(made.root)
        mapping = {"field": "reward", "success_at": 1.0}
        add_verifier(made.root, {"id": "reward", "kind": "external", "mapping": mapping})
        made.git("add", "-A")
        made.git("commit", "--quiet", "-m", "namespace")
        first = capture(made.context(), [str(path)], OPTIONS)
        second = capture(made.context(), [str(path)], OPTIONS)
        accept_groups(made.context(), list(made.attempts().values()), [], minimum=3)
        yield made, first, second, made.compile()


def test_all_attempts_are_imported_twice_and_stored_once(airline):
    world, first, second, _ = airline
    assert (first.totals.traces, first.totals.new, first.verifications) == (100, 100, 100)
    assert (second.totals.traces, second.totals.new, second.verifications) == (100, 0, 0)
    assert second.commits == ()
    assert world.git("status", "--porcelain") == ""


def test_outcomes_come_from_the_registered_mapping(airline):
    world, _, _, _ = airline
    standings = [a.standing for a in world.attempts().values()]
    assert {s.strength.value for s in standings} == {"external"}
    assert {s.assurance.label for s in standings} == {"local"}
    assert sum(s.is_verified_success for s in standings) == 49
    assert sum(s.is_verified_failure for s in standings) == 51


def test_trials_of_one_task_are_one_attempt_family(airline):
    world, _, _, _ = airline
    assert len({a.attempt_family for a in world.attempts().values()}) == 25


def test_the_answer_key_is_in_no_event(airline):
    """The hidden scenario says `You are <user id>`; a user turn never does, and no event holds a scenario whole."""
    world, _, _, _ = airline
    records = json.loads((corpus("taubench-airline-gpt4o") / "attempts.json").read_text("utf-8"))
    scenarios = {r["info"]["task"]["instruction"] for r in records}
    assert len(scenarios) == 25
    for attempt in world.attempts().values():
        for event in attempt.trace.events:
            assert "gt_data_hash" not in (event.text or "")
            assert not any(scenario in (event.text or "") for scenario in scenarios)
            if event.kind is EventKind.USER_MESSAGE:
                assert not (event.text or "").startswith("You are ")


def test_groups_are_by_changing_operation_and_large_ones_become_families(airline):
    world, _, _, _ = airline
    report = families_report(world.context(), list(world.attempts().values()))
    assert {f.slug for f in report.families} == {
        "transfer-to-human-agents",
        "update-reservation-flights",
        "book-reservation",
        "send-certificate",
    }
    assert all(f.attempt_families >= 3 for f in report.families)
    assert "cancel-reservation" in {g.slug for g in report.groups}


def test_every_family_with_a_verified_success_becomes_a_candidate_that_passes_the_gate(airline):
    world, _, _, report = airline
    made = {f.task_family: [v.skill for v in f.group.versions] for f in report.families}
    assert made == {
        "transfer-to-human-agents": ["transfer-to-human-agents"],
        "update-reservation-flights": ["update-reservation-flights"],
        "send-certificate": ["send-certificate"],
        "book-reservation": [],
    }
    failed = next(f for f in report.families if f.task_family == "book-reservation")
    assert "no strongly verified success" in failed.note
    for family in made:
        if made[family]:
            assert check(world.context(), f"skillc/candidate/{family}").ok


def test_an_effect_on_money_waits_for_a_person(airline):
    world, _, _, _ = airline
    effects = {v.skill: v.effects for c in review(world.context()).candidates for v in c.versions}
    assert "money" in effects["send-certificate"]
