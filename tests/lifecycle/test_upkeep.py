"""What is due for Skills in service: weak evidence withdraws, contradicted lines are told, conflicts wait for a person."""

import pytest

from skillc.core.compile.withdrawal import WithdrawalReason
from skillc.core.skill.contract import cited_events
from skillc.core.trace.records import Outcome
from skillc.lifecycle.check import check
from skillc.lifecycle.skills import current_skills
from skillc.lifecycle.status import status
from skillc.lifecycle.upkeep import former_skills, withdrawals
from tests.reward_world import FAMILY, audit, refund_run, take
from tests.world import World

BRANCH = f"skillc/candidate/{FAMILY}"


def skill(world: World):
    return current_skills(world.context())[FAMILY]


def test_a_cited_trace_that_weakens_takes_the_skill_out_of_service(shop: World):
    cited = sorted(cited_events(skill(shop).contract))
    tree = skill(shop).tree
    audit(shop, cited[0], Outcome.FAILURE)
    assert "evidence-weakened" in {p.code for p in check(shop.context()).problems}
    told = status(shop.context())
    assert told.skills[0].weak == (cited[0],)
    assert told.next.command == f"skillc compile --family {FAMILY}"
    family = shop.compile_one(FAMILY)
    assert [w.traces[0].trace_id for w in family.weak] == [cited[0]]
    assert withdrawals(shop.context())[tree].reason is WithdrawalReason.EVIDENCE_WEAKENED
    assert "out-of-service" in {p.code for p in check(shop.context()).problems}
    # What is left of the evidence makes a version without it, under the same id.
    assert [(v.change, v.skill_id) for v in family.group.versions] == [("patch", skill(shop).contract.skill_id)]
    shop.merge(FAMILY)
    assert cited[0] not in cited_events(skill(shop).contract)
    assert skill(shop).tree not in withdrawals(shop.context())


def test_without_any_evidence_left_the_folder_goes_and_a_note_stays(shop: World):
    before = skill(shop)
    for trace_id in sorted(cited_events(before.contract)):
        audit(shop, trace_id, Outcome.FAILURE)
    family = shop.compile_one(FAMILY)
    assert [v.change for v in family.group.versions] == ["withdraw"]
    changed = shop.git("diff-tree", "-r", "--name-status", "--no-commit-id", f"{BRANCH}").splitlines()
    assert sorted(line.split("\t")[0] for line in changed) == ["A", "D", "D"]
    assert check(shop.context(), BRANCH).problems == ()
    shop.merge(FAMILY)
    assert FAMILY not in current_skills(shop.context())
    note = shop.git("show", f"main:.skillc/withdrawn/{FAMILY}.json")
    assert before.contract.skill_id in note
    assert before.tree in note
    # New evidence brings it back under its own id, and the note goes.
    take(shop, "new", *(refund_run(n) for n in range(20, 23)))
    family = shop.compile_one(FAMILY)
    assert [(v.change, v.skill_id) for v in family.group.versions] == [("restore", before.contract.skill_id)]
    shop.merge(FAMILY)
    assert shop.git("ls-tree", "-r", "--name-only", "main", ".skillc") == ""


def test_evidence_that_is_strong_again_ends_the_withdrawal(shop: World):
    tree, cited = skill(shop).tree, sorted(cited_events(skill(shop).contract))
    text = (shop.root / "skillc.yaml").read_text("utf-8")
    shop.set_policy("success_at: 1", "success_at: 2")
    family = shop.compile_one(FAMILY)
    assert len(family.weak[0].traces) == len(cited)
    assert tree in withdrawals(shop.context())
    shop.commit({"skillc.yaml": text}, "policy as before")
    assert shop.compile_one(FAMILY).weak == ()
    assert withdrawals(shop.context()) == {}


def test_opposite_rules_of_verified_attempts_are_recorded_and_withdraw_the_skill(shop: World):
    tree = skill(shop).tree
    take(shop, "vouchers", *(refund_run(n, method="voucher") for n in range(10, 13)))
    family = shop.compile_one(FAMILY)
    (conflict,) = family.conflicts
    assert [len(side.citations) for side in conflict.sides] == [3, 3]
    assert [v.change for v in family.group.versions] == ["withdraw"]
    ledger = shop.context().ledger
    assert ledger.conflicts[0].tree == tree
    assert withdrawals(shop.context())[tree].reason is WithdrawalReason.CONFLICT
    told = status(shop.context())
    assert told.skills[0].conflicts == (ledger.conflicts[0].conflict,)
    assert "skillc resolve" in shop.compile_one(FAMILY).note
    # Until it is resolved nothing of the family is made, with the folder and without it.
    shop.merge(FAMILY)
    take(shop, "more", refund_run(30))
    assert "skillc resolve" in shop.compile_one(FAMILY).note


def test_one_against_nearly_all_is_told_and_changes_nothing_by_itself(shop: World):
    take(shop, "more", *(refund_run(n) for n in range(10, 13)))
    take(shop, "one", refund_run(20, method="voucher"))
    family = shop.compile_one(FAMILY)
    assert family.conflicts == ()
    assert [(line.kind, line.opposing) for s in family.stale for line in s.lines] == [("value", 1)]
    assert "evidence-weakened" not in {p.code for p in check(shop.context()).problems}


def test_a_verified_failure_that_did_every_step_is_told_even_when_nothing_is_added(shop: World):
    take(shop, "bad", refund_run(10, reward=0.0))
    family = shop.compile_one(FAMILY)
    assert [line.kind for s in family.stale for line in s.lines] == ["failed-use"]
    told = [line for run in shop.context().ledger.runs for line in run.stale or ()]
    assert [(line.skill, line.reason) for line in told] == [(FAMILY, "failed-use")]


def test_a_skill_on_base_is_no_former_one(shop: World):
    context = shop.context()
    assert former_skills(context, FAMILY, [skill(shop)]) == ()
    assert former_skills(context, "another", []) == ()


@pytest.mark.parametrize("way", ["revert", "withdraw"])
def test_a_skill_that_is_gone_is_made_again_under_its_own_id(shop: World, way: str):
    before = skill(shop).contract.skill_id
    if way == "revert":
        shop.git("revert", "--no-edit", "-m", "1", "HEAD")
    else:
        from skillc.lifecycle.withdrawal import retire

        retire(shop.context(), FAMILY, reason="not now", by="ada")
    assert FAMILY not in current_skills(shop.context())
    take(shop, "new", *(refund_run(n) for n in range(20, 23)))
    family = shop.compile_one(FAMILY)
    assert [v.skill_id for v in family.group.versions] == [before]


def test_opposite_rules_that_a_fact_separates_are_split_and_no_conflict(shop: World):
    take(shop, "vouchers", *(refund_run(n, method="voucher", status="pending") for n in range(10, 13)))
    family = shop.compile_one(FAMILY)
    assert family.conflicts == ()
    assert [v.change for v in family.group.versions] == ["patch"]
    assert any(line.condition for s in family.stale for line in s.lines)
    shop.merge(FAMILY)
    text = (shop.root / f".claude/skills/{FAMILY}/SKILL.md").read_text("utf-8")
    assert "use `original` for `method` of `refund_order`; when it is `pending`, use `voucher`" in text
    assert "Always `original`" not in text
