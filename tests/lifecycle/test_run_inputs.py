"""What a run starts from decides which run it is."""

from skillc.core.compile.select import select_evidence
from skillc.lifecycle.reject import reject
from skillc.lifecycle.restore import restore, undo
from skillc.lifecycle.run_inputs import (
    decided_words,
    evidence_of,
    has_closed_line,
    newest_of,
    run_id_of,
    work_of_people,
)
from skillc.lifecycle.skills import current_skills
from skillc.lifecycle.upkeep import Upkeep, examine
from skillc.lifecycle.withdrawal import retire
from tests.reward_world import FAMILY, refund_run, take
from tests.world import FIELD, World


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
    tree = current_skills(shop.context())[FAMILY].tree
    retire(shop.context(), FAMILY, reason="not now", by="ada")
    note = shop.compile_one(FAMILY).note
    assert "out of service, retired" in note
    assert note.endswith(f"skillc restore {FAMILY} {tree[:12]}")


def test_a_skill_that_was_taken_back_is_told_as_such_and_the_way_back_works(shop: World):
    """Nobody deleted a candidate: the version was on base, also when it was retired and restored before."""
    tree = current_skills(shop.context())[FAMILY].tree
    retire(shop.context(), FAMILY, reason="not now", by="ada")
    restore(shop.context(), FAMILY, "1")
    undo(shop.context(), FAMILY)
    first = shop.compile_one(FAMILY).note
    assert "reverted" in first
    note = shop.compile_one(FAMILY).note
    assert "taken back on main" in note
    assert "branch" not in note
    command = note.rpartition("skillc restore ")[2].split()
    restore(shop.context(), *command)
    assert current_skills(shop.context())[FAMILY].tree == tree


def test_a_skill_out_of_service_for_weak_evidence_is_told_with_that_reason(shop: World):
    run = next(r for r in shop.context().ledger.runs if r.versions)
    shop.set_policy("success_at: 1", "success_at: 2")
    shop.compile(FAMILY)
    shop.merge(FAMILY)
    assert "out of service, evidence-weakened: 3 cited Traces" in decided_words(shop.context(), run)


def test_a_rejected_run_is_told_with_who_rejected_it(world: World):
    world.compile(FIELD)
    reject(world.context(), FIELD, None, reason="not so", by="ada")
    notes = {world.compile_one(FIELD).note for _ in range(2)}
    assert all("branch was deleted" not in note for note in notes)
    run = next(r for r in world.context().ledger.runs if r.versions)
    assert "ada rejected it" in decided_words(world.context(), run)
