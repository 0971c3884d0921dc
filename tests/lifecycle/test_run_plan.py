"""What a run would start from, or why there is none."""

from skillc.lifecycle.forget import forget
from skillc.lifecycle.run_plan import deleted_skills, plan_run
from skillc.lifecycle.skills import current_skills
from tests.world import FIELD, World

ENGINE = ("offline", "1")


def plan(world: World, **options: bool):
    members = [a for a in world.attempts().values() if a.task_family == FIELD]
    return plan_run(world.context(), FIELD, members, ENGINE, **options)


def test_the_plan_is_the_same_for_the_same_inputs(world: World):
    assert plan(world).run_id == plan(world).run_id
    assert plan(world).is_due


def test_a_person_who_names_attempts_gets_a_run_from_what_was_read_before(world: World):
    world.compile(FIELD)
    world.merge(FIELD)
    assert not plan(world).is_due
    assert plan(world, single=True).is_due


def test_a_skill_of_deleted_evidence_is_made_again_and_not_patched(world: World):
    world.compile(FIELD)
    world.merge(FIELD)
    world.set_policy("protected_base: false", "protected_base: true")
    skill = current_skills(world.context())[FIELD]
    assert deleted_skills(world.context(), [skill]) == []
    forget(world.context(), [next(iter(c.trace_id for c in skill.contract.steps[0].citations))], by="Ada")
    made = plan(world)
    assert [s.name for s in deleted_skills(world.context(), [skill])] == [FIELD]
    assert (made.evidence.current, made.own) == ((), ())
    assert [(c.tree, c.is_on_base) for c in made.evidence.former] == [(skill.tree, True)]


def test_a_skill_that_was_edited_by_hand_stands_in_the_way(world: World):
    world.compile(FIELD)
    world.merge(FIELD)
    path = world.root / ".claude" / "skills" / FIELD / "SKILL.md"
    path.write_text(path.read_text("utf-8") + "\nOne more line.\n", "utf-8")
    world.git("commit", "--quiet", "-am", "edit")
    assert "edited by hand" in (plan(world).nothing or "")
