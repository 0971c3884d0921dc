"""`check` asks the gates about what a revision brings, and a red gate is a problem with its next step."""

import pytest

from skillc.lifecycle.check import check
from tests.world import FIELD, FIX, World


def branch(family: str = FIELD) -> str:
    return f"skillc/candidate/{family}"


def codes(world: World, revision: str) -> set[str]:
    return {p.code for p in check(world.context(), revision).problems}


def test_every_group_of_a_revision_has_its_own_gates(world: World):
    world.compile()
    world.git("switch", "--quiet", "-c", "both", branch(FIELD))
    world.merge(FIX)
    report = check(world.context(), "both")
    assert [g.task_family for g in report.groups] == [FIELD, FIX]
    assert all({v.gate for v in g.gates} >= {"stale base", "evaluations", "approval"} for g in report.groups)
    assert report.ok


def test_a_skill_that_changed_on_base_since_the_proposal_is_stale(world: World):
    world.compile(FIELD)
    world.commit({f".claude/skills/{FIELD}/SKILL.md": "by hand\n"})
    assert "stale-base" in codes(world, branch())


def test_a_skill_above_the_limits_of_policy_is_too_large(world: World):
    world.compile(FIELD)
    world.set_policy("body_lines: 500", "body_lines: 20")
    assert "too-large" in codes(world, branch())


def test_what_waits_for_a_person_is_no_problem_of_a_pull_request(world: World):
    world.set_policy("effects: [money, delete]", "effects: [read, write]")
    world.compile(FIELD)
    report = check(world.context(), branch())
    assert report.ok
    effects = next(v for v in report.groups[0].gates if v.gate == "effects")
    assert effects.result.value == "hold"


def test_base_itself_brings_nothing_and_tells_what_is_unproven(world: World):
    world.compile(FIELD)
    world.merge(FIELD)
    report = check(world.context())
    assert (report.ok, report.groups) == (True, ())
    assert [a.skill for a in report.unproven] == [FIELD]


@pytest.mark.parametrize("how", [("--squash",), ("--no-ff", "-m", "ok")])
def test_a_squashed_pull_request_meets_the_same_gates(world: World, how: tuple[str, ...]):
    world.compile(FIELD)
    world.git("switch", "--quiet", "-c", "pr")
    world.merge(FIELD, *how)
    if how == ("--squash",):
        world.git("commit", "--quiet", "-m", "squashed")
    report = check(world.context(), "pr")
    assert [g.skills for g in report.groups] == [(FIELD,)]
    assert report.ok
