"""`check` of one Skill, beside what tests/lifecycle/test_check.py asks of it: one look for many, and only what differs."""

import pytest

from skillc.lifecycle.check import check
from tests.world import FIELD, FIX, World


def test_of_a_pull_request_only_the_skills_that_it_changes_are_looked_at(world: World):
    world.compile()
    world.merge(FIX)
    world.git("switch", "--quiet", "-c", "pr")
    world.merge(FIELD)
    assert check(world.context(), "pr").checked == 1
    assert check(world.context(), "main").checked == 1
    world.git("switch", "--quiet", "main")
    world.merge(FIELD)
    assert check(world.context()).checked == 2


def test_an_unchanged_skill_is_still_found_wrong_on_base(world: World):
    world.compile(FIX)
    world.merge(FIX)
    world.commit({f".claude/skills/{FIX}/extra.md": "x"})
    assert {p.code for p in check(world.context()).problems} >= {"foreign-file"}
    world.git("switch", "--quiet", "-c", "pr")
    world.commit({"other.txt": "x"})
    assert check(world.context(), "pr").ok


def test_each_folder_is_judged_by_its_own_files(world: World):
    world.compile()
    world.merge(FIX)
    world.merge(FIELD)
    world.commit({f".claude/skills/{FIX}/more.md": "x"})
    found = [(p.skill, p.path) for p in check(world.context()).problems if p.code == "foreign-file"]
    assert found == [(FIX, f".claude/skills/{FIX}/more.md")]


@pytest.mark.parametrize("head", ["as it was", "quoted"])
def test_a_compiled_skill_cannot_get_rid_of_its_contract_by_another_name(world: World, head: str):
    world.compile(FIX)
    world.merge(FIX)
    world.git("switch", "--quiet", "-c", "pr")
    old, new = f".claude/skills/{FIX}", ".claude/skills/renamed-skill"
    world.git("rm", "--quiet", f"{old}/contract.json")
    world.git("mv", old, new)
    text = (world.root / new / "SKILL.md").read_text("utf-8")
    assert "  skillc-id:" in text
    if head == "quoted":
        text = text.replace("  skillc-id:", '  "skillc-id" :')
    world.commit({f"{new}/SKILL.md": text}, "rename")
    (problem,) = [p for p in check(world.context(), "pr").problems if p.code == "contract-removed"]
    assert (problem.path, problem.hold) == (f"{new}/SKILL.md", False)
    world.commit({f"{new}/SKILL.md": "---\nname: renamed-skill\ndescription: Mine.\n---\n\nskillc-id: no\n"}, "mine")
    assert "contract-removed" not in {p.code for p in check(world.context(), "pr").problems}
