"""Which file of a compiled Skill somebody edited, and what takes the edit over or back."""

import pytest

from skillc.errors import UsageError
from skillc.lifecycle.check import check
from skillc.lifecycle.edited_page import find_edit
from skillc.lifecycle.explain import why
from skillc.lifecycle.hand_edits import hand_edit
from skillc.lifecycle.skills import current_skills
from tests.world import FIELD, World

FOLDER = f".claude/skills/{FIELD}"


@pytest.fixture
def merged(world: World) -> World:
    world.compile(FIELD)
    world.merge(FIELD)
    return world


def edit(world: World, file: str, old: str, new: str) -> None:
    path = world.root / FOLDER / file
    text = path.read_text("utf-8")
    assert old in text
    world.commit({f"{FOLDER}/{file}": text.replace(old, new)})


def test_an_honest_skill_has_none(merged: World):
    assert hand_edit(merged.context(), current_skills(merged.context())[FIELD]) is None


def test_an_edited_page_is_taken_over_by_amend(merged: World):
    edit(merged, "SKILL.md", "Read `schema.json`.", "Read `schema.json` first.")
    found = hand_edit(merged.context(), current_skills(merged.context())[FIELD])
    assert found is not None
    assert (found.file, found.next.startswith(f"skillc amend {FIELD}")) == ("SKILL.md", True)


def test_an_edited_contract_is_named_and_taken_back(merged: World):
    """Its text is no run's word: neither why nor amend nor compile takes it for one."""
    edit(merged, "contract.json", "Read `schema.json`.", "Read `schema.json` first.")
    problem = next(p for p in check(merged.context()).problems if p.code == "render-mismatch")
    assert problem.path == f"{FOLDER}/contract.json"
    assert "contract.json" in problem.next
    context = merged.context()
    why(context, FIELD)
    assert any("contract.json" in note and "no run's word" in note for note in context.notes)
    with pytest.raises(UsageError, match=r"contract\.json"):
        find_edit(merged.context(), FIELD)
    assert "contract.json" in merged.compile_one(FIELD).note


def test_what_the_problem_says_to_do_takes_it_back(merged: World):
    before = merged.git("rev-parse", f"HEAD:{FOLDER}")
    edit(merged, "contract.json", "Read `schema.json`.", "Read `schema.json` first.")
    problem = next(p for p in check(merged.context()).problems if p.code == "render-mismatch")
    command = problem.next.removeprefix("take it back: ").split(";")[0]
    words = command.split(" >")
    data = merged.git(*words[0].split()[1:])
    (merged.root / words[1]).write_text(data + "\n", "utf-8")
    merged.git("commit", "--quiet", "-am", "back")
    assert merged.git("rev-parse", f"HEAD:{FOLDER}") == before
    assert check(merged.context()).ok
