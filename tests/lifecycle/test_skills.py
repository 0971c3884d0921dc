"""The Skills of base: compiled ones with their contract, hand-written ones left alone."""

import pytest

from skillc.errors import DataError, UsageError
from skillc.lifecycle.skills import SkillHistory, current_skills, require_skill
from tests.world import FIELD, World


@pytest.fixture
def admitted(world: World) -> World:
    world.compile(FIELD)
    world.merge(FIELD)
    return world


def test_base_is_read_and_never_the_work_tree(admitted: World):
    admitted.git("switch", "--quiet", "--detach", "main~1")
    admitted.write(f".claude/skills/{FIELD}/contract.json", "{}")
    assert current_skills(admitted.context())[FIELD].contract is not None


def test_a_hand_written_skill_has_no_contract(admitted: World):
    admitted.commit({".claude/skills/by-hand/SKILL.md": "---\n---\n"})
    assert current_skills(admitted.context())["by-hand"].contract is None
    with pytest.raises(UsageError, match="written by hand"):
        require_skill(admitted.context(), "by-hand")


def test_a_damaged_contract_is_named_and_does_not_hide_the_others(admitted: World):
    admitted.commit({".claude/skills/broken/contract.json": "{}", ".claude/skills/broken/SKILL.md": "x"})
    skills = current_skills(admitted.context())
    assert skills["broken"].problem is not None
    assert skills[FIELD].contract is not None
    with pytest.raises(DataError):
        require_skill(admitted.context(), "broken")


def test_a_skill_is_found_by_name_or_id(admitted: World):
    contract = require_skill(admitted.context(), FIELD).contract
    assert contract is not None
    assert require_skill(admitted.context(), contract.skill_id).name == FIELD
    with pytest.raises(UsageError, match="no Skill 'nope'"):
        require_skill(admitted.context(), "nope")


def test_versions_are_numbered_along_the_first_parents(admitted: World):
    admitted.git("revert", "--no-edit", "-m", "1", "HEAD")
    admitted.git("revert", "--no-edit", "HEAD")
    versions = SkillHistory(admitted.context()).versions(FIELD)
    assert [(v.number, v.tree is not None, v.restores) for v in versions] == [
        (1, True, None),
        (2, False, None),
        (3, True, 1),
    ]
