"""`check` of one Skill, beside what tests/lifecycle/test_check.py asks of it: one look for many, and only what differs."""

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
