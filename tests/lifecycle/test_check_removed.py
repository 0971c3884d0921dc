"""A Skill that a revision takes away is told; a note that says what is not so is a problem."""

import json

import pytest

from skillc.lifecycle.check import check
from skillc.lifecycle.check_told import check_annotations, check_summary
from skillc.lifecycle.skills import current_skills
from tests.world import FIELD, World

NOTE = f".skillc/withdrawn/{FIELD}.json"


@pytest.fixture
def branch(world: World) -> World:
    world.compile(FIELD)
    world.merge(FIELD)
    world.git("switch", "--quiet", "-c", "pr")
    return world


def note(world: World, **changes: str) -> str:
    skill = current_skills(world.context())[FIELD]
    said = {
        "format": "skillc.withdrawn/1",
        "skill_id": skill.contract.skill_id,
        "reason": "retired",
        "tree": skill.tree,
    }
    return json.dumps(said | changes)


def remove(world: World) -> None:
    world.git("rm", "-r", "--quiet", f".claude/skills/{FIELD}")
    world.git("commit", "--quiet", "-m", "away")


def test_a_pull_request_that_takes_a_skill_away_is_told_and_no_problem(branch: World):
    remove(branch)
    report = check(branch.context(), "pr")
    assert report.ok
    assert [(r.skill, r.tree) for r in report.removed] == [(FIELD, current_skills(branch.context())[FIELD].tree)]
    assert any("removed Skill" in line and FIELD in line for line in check_annotations(report))
    assert f"this takes {FIELD} out of service" in check_summary(report)


def test_a_branch_that_is_behind_takes_nothing_away(world: World):
    world.git("branch", "behind")
    world.compile(FIELD)
    world.merge(FIELD)
    assert check(world.context(), "behind").removed == ()


def test_a_true_note_beside_a_removal_is_right(branch: World):
    text = note(branch)
    remove(branch)
    branch.commit({NOTE: text})
    assert check(branch.context(), "pr").ok


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"tree": "0" * 40}, "never had"),
        ({"skill_id": "s-other"}, "never had"),
        ({"reason": "because"}, "is no note"),
    ],
)
def test_a_note_that_says_what_is_not_so_is_a_problem(branch: World, changes: dict[str, str], why: str):
    text = note(branch, **changes)
    remove(branch)
    branch.commit({NOTE: text})
    (problem,) = check(branch.context(), "pr").problems
    assert (problem.code, why in problem.message) == ("false-note", True)


def test_a_note_beside_the_folder_itself_is_a_problem(branch: World):
    branch.commit({NOTE: note(branch)})
    assert [p.code for p in check(branch.context(), "pr").problems] == ["false-note"]
