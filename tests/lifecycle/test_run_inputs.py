"""What a run starts from decides which run it is."""

from skillc.core.compile.select import select_evidence
from skillc.lifecycle.run_inputs import evidence_of, has_closed_line, newest_of, run_id_of, work_of_people
from skillc.lifecycle.skills import current_skills
from skillc.lifecycle.upkeep import Upkeep, examine
from skillc.lifecycle.withdrawal import retire
from tests.reward_world import FAMILY, refund_run, take
from tests.world import World


def inputs(world: World):
    context = world.context()
    own = [current_skills(context)[FAMILY]]
    attempts = list(world.attempts().values())
    selection = select_evidence(attempts, cited=frozenset(), consumed=frozenset())
    evidence = evidence_of(context, FAMILY, selection, own, [FAMILY, "by-hand"])
    return context, own, attempts, evidence, selection


def test_the_same_inputs_are_the_same_run_and_new_findings_are_another(shop: World):
    context, _, _, evidence, _ = inputs(shop)
    one = run_id_of(context, evidence, Upkeep(), "offline", "1")
    assert one == run_id_of(context, evidence, Upkeep(), "offline", "1")
    assert one != run_id_of(context, evidence, Upkeep(), "offline", "2")
    take(shop, "vouchers", *(refund_run(n, method="voucher") for n in range(10, 13)))
    context, own, attempts, evidence, _ = inputs(shop)
    found = examine(context, own, attempts, evidence)
    assert found.conflicts
    assert run_id_of(context, evidence, found, "offline", "1") != run_id_of(context, evidence, Upkeep(), "offline", "1")


def test_the_evidence_names_the_skills_of_the_family_and_the_names_of_others(shop: World):
    _, own, _, evidence, selection = inputs(shop)
    assert [c.tree for c in evidence.current] == [own[0].tree]
    assert evidence.other_names == ("by-hand",)
    assert not has_closed_line(evidence)
    assert newest_of(selection) == newest_of(selection)


def test_an_edit_by_hand_stands_in_the_way(shop: World):
    context, own, _, _, _ = inputs(shop)
    assert work_of_people(context, FAMILY, current_skills(context), own) is None
    shop.commit({f".claude/skills/{FAMILY}/SKILL.md": "mine\n"}, "by hand")
    context = shop.context()
    skills = current_skills(context)
    assert "edited by hand" in str(work_of_people(context, FAMILY, skills, [skills[FAMILY]]))


def test_a_skill_that_a_person_retired_is_told_as_such_and_how_it_comes_back(shop: World):
    """Its branch is still there: nobody closed a proposal."""
    retire(shop.context(), FAMILY, reason="not now", by="ada")
    note = shop.compile_one(FAMILY).note
    assert "out of service, retired" in note
    assert f"skillc restore {FAMILY}" in note
