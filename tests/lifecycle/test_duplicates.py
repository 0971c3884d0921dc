"""A near-duplicate across families is proposed as a merge and waits for a person; it is proposed once."""

from skillc.lifecycle.check import check
from skillc.lifecycle.skills import current_skills
from tests.reward_world import FAMILY, refund_run, take
from tests.world import World

OTHER = "give-money-back"
BRANCH = f"skillc/candidate/{FAMILY}"


def test_a_merge_is_proposed_with_the_evidence_of_both_and_only_once(shop: World):
    take(shop, "other", *(refund_run(n) for n in range(50, 52)), family=OTHER)
    shop.compile(OTHER)
    shop.merge(OTHER)
    report = shop.compile()
    merge = report.families[-1]
    assert [(v.skill, v.change) for v in merge.group.versions] == [(FAMILY, "merge")]
    assert {g.gate for g in merge.group.gates if g.result == "hold"} >= {"merges"}
    changed = shop.git("diff-tree", "-r", "--name-status", "--no-commit-id", BRANCH).splitlines()
    assert {line.split("\t")[1].split("/")[2] for line in changed} == {FAMILY, OTHER}
    assert check(shop.context(), BRANCH).problems == ()
    assert [f.task_family for f in shop.compile().families] == sorted([FAMILY, OTHER])
    shop.merge(FAMILY)
    skills = current_skills(shop.context())
    assert OTHER not in skills
    assert len(skills[FAMILY].contract.support.attempt_families) == 5
    # New attempts of the other family make no twin: a person puts them where the Skill is.
    take(shop, "more", *(refund_run(n) for n in range(60, 63)), family=OTHER)
    assert "merged into refund-order" in shop.compile_one(OTHER).note


def test_skills_that_do_other_work_stay_apart(shop: World):
    assert [f.task_family for f in shop.compile().families] == [FAMILY]
