"""A conflict ends by a person's word, and what they set aside stays aside."""

import pytest

from skillc.errors import UsageError
from skillc.lifecycle.resolve import resolve
from skillc.lifecycle.restore import restore
from skillc.lifecycle.skills import current_skills
from skillc.lifecycle.upkeep import withdrawals
from tests.reward_world import FAMILY, refund_run, take
from tests.world import World

VOUCHERS = range(10, 13)


@pytest.fixture
def conflicted(shop: World) -> World:
    take(shop, "vouchers", *(refund_run(n, method="voucher") for n in VOUCHERS))
    assert len(shop.compile_one(FAMILY).conflicts) == 1
    return shop


def text_of(world: World, revision: str = "main") -> str:
    return world.git("show", f"{revision}:.claude/skills/{FAMILY}/SKILL.md")


def test_a_puts_the_skill_back_and_sets_the_other_side_aside(conflicted: World):
    report = resolve(conflicted.context(), FAMILY, "A", reason="vouchers ended", by="ada")
    assert (report.in_service, report.dropped_branch) == (True, f"skillc/candidate/{FAMILY}")
    assert withdrawals(conflicted.context()) == {}
    family = conflicted.compile_one(FAMILY)
    assert "nothing new" in family.note
    assert len([x for x in family.left_out if "a person kept" in x.reason]) == len(VOUCHERS)
    # A new attempt of the other side is new evidence: the conflict is raised again.
    take(conflicted, "later", *(refund_run(n, method="voucher") for n in range(40, 42)))
    assert len(conflicted.compile_one(FAMILY).conflicts) == 1


def test_a_brings_back_a_folder_that_is_gone_already(conflicted: World):
    tree = current_skills(conflicted.context())[FAMILY].tree
    conflicted.merge(FAMILY)
    report = resolve(conflicted.context(), FAMILY, "A", reason="vouchers ended", by="ada")
    assert report.restored is not None
    assert current_skills(conflicted.context())[FAMILY].tree == tree


def test_b_makes_the_next_version_without_the_first_side(conflicted: World):
    report = resolve(conflicted.context(), FAMILY, "B", reason="only vouchers now", by="ada")
    assert not report.in_service
    family = conflicted.compile_one(FAMILY)
    assert [v.change for v in family.group.versions] == ["patch"]
    conflicted.merge(FAMILY)
    text = text_of(conflicted)
    assert "voucher" in text
    assert "`original`" not in text
    assert current_skills(conflicted.context())[FAMILY].tree not in withdrawals(conflicted.context())


def test_split_keeps_both_and_states_neither_as_the_rule(conflicted: World):
    resolve(conflicted.context(), FAMILY, "split", reason="the user chooses", by="ada")
    family = conflicted.compile_one(FAMILY)
    assert family.conflicts == ()
    assert [v.change for v in family.group.versions] == ["patch"]
    assert family.group.versions[0].attempt_families == 6
    conflicted.merge(FAMILY)
    assert "Always" not in text_of(conflicted)


def test_a_version_in_conflict_does_not_come_back_by_restore(conflicted: World):
    conflicted.merge(FAMILY)
    with pytest.raises(UsageError, match="conflict"):
        restore(conflicted.context(), FAMILY, "1")


def test_a_resolution_needs_a_conflict_and_a_reason(conflicted: World):
    before = conflicted.git("for-each-ref")
    with pytest.raises(UsageError, match="say why"):
        resolve(conflicted.context(), FAMILY, "A", reason="", by="ada")
    with pytest.raises(UsageError, match="no conflict"):
        resolve(conflicted.context(), "another", "A", reason="r", by="ada")
    resolve(conflicted.context(), FAMILY, "A", reason="r", by="ada", dry_run=True)
    assert conflicted.git("for-each-ref") == before
