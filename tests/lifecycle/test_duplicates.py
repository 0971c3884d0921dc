"""A near-duplicate across families is proposed as a merge and waits for a person; it is proposed once."""

import pytest

from skillc.lifecycle.check import check
from skillc.lifecycle.reject import reject
from skillc.lifecycle.restore import restore
from skillc.lifecycle.review import review
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


@pytest.fixture
def merge_waits(shop: World) -> World:
    take(shop, "other", *(refund_run(n) for n in range(50, 52)), family=OTHER)
    first = shop.compile_one(OTHER)
    assert first.group.versions[0].near_duplicates == (FAMILY,)  # told before both are admitted
    assert any(f"nearly the same steps as {FAMILY}" in r for r in review(shop.context(), OTHER).candidates[0].reasons)
    shop.merge(OTHER)
    shop.compile()
    return shop


def test_the_reason_of_a_merge_is_told_once(merge_waits: World):
    (candidate,) = review(merge_waits.context(), FAMILY).candidates
    assert len([r for r in candidate.reasons if "nearly the same steps" in r]) == 1


@pytest.mark.parametrize("way", ["restore", "revert", "reject"])
def test_a_merge_that_a_person_took_back_or_rejected_is_not_proposed_again(merge_waits: World, way: str):
    if way == "reject":
        reject(merge_waits.context(), FAMILY, None, reason="they differ", by="ada")
    else:
        merge_waits.merge(FAMILY)
    if way == "restore":
        restore(merge_waits.context(), OTHER, "1")
    elif way == "revert":
        merge_waits.git("revert", "--no-edit", "-m", "1", "HEAD")
    merge_waits.git("branch", "--quiet", "-D", BRANCH, check=False)
    assert {FAMILY, OTHER} <= set(current_skills(merge_waits.context()))
    merge_waits.set_policy("retain_runs: 3", "retain_runs: 4")  # another policy is no new evidence
    for _ in range(2):
        made = [v for f in merge_waits.compile().families for v in f.group.versions]
        assert made == []
    # A new version of one of them is: what a person said was of other evidence.
    take(merge_waits, "more", *(refund_run(n) for n in range(60, 63)), family=OTHER)
    merge_waits.compile(OTHER)
    merge_waits.merge(OTHER)
    assert [v.change for f in merge_waits.compile().families for v in f.group.versions] == ["merge"]


def test_skills_that_do_other_work_stay_apart(shop: World):
    assert [f.task_family for f in shop.compile().families] == [FAMILY]
