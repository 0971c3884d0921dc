"""Out of service by a person's command, and the way back."""

import pytest

from skillc.core.compile.withdrawal import WithdrawalReason
from skillc.errors import UsageError
from skillc.lifecycle.restore import restore
from skillc.lifecycle.skills import current_skills
from skillc.lifecycle.upkeep import withdrawals
from skillc.lifecycle.withdrawal import retire
from tests.reward_world import FAMILY
from tests.world import World


def test_a_retired_skill_leaves_a_note_and_comes_back_by_restore(shop: World):
    tree = current_skills(shop.context())[FAMILY].tree
    report = retire(shop.context(), FAMILY, reason="the shop refunds nothing", by="ada")
    assert (report.tree, report.branch) == (tree, "main")
    assert FAMILY not in current_skills(shop.context())
    assert (shop.root / ".skillc" / "withdrawn" / f"{FAMILY}.json").is_file()
    assert withdrawals(shop.context())[tree].reason is WithdrawalReason.RETIRED
    assert "nothing new" in shop.compile_one(FAMILY).note  # its evidence is no reason to make it again
    restore(shop.context(), FAMILY, "1")
    assert current_skills(shop.context())[FAMILY].tree == tree
    assert withdrawals(shop.context()) == {}
    assert not (shop.root / ".skillc").exists()


def test_where_base_is_protected_the_removal_waits_on_a_branch(shop: World):
    shop.set_policy("protected_base: false", "protected_base: true")
    report = retire(shop.context(), FAMILY, reason="not now", by="ada")
    assert report.branch == f"skillc/candidate/{FAMILY}-retire"
    assert FAMILY in current_skills(shop.context())
    assert list(withdrawals(shop.context())) == [report.tree]  # and yet it counts at once


def test_a_dry_run_writes_nothing_and_a_reason_is_needed(shop: World):
    before = shop.git("for-each-ref")
    assert retire(shop.context(), FAMILY, reason="r", by="ada", dry_run=True).commit is None
    with pytest.raises(UsageError):
        retire(shop.context(), FAMILY, reason=" ", by="ada")
    assert shop.git("for-each-ref") == before


def test_auto_admission_takes_a_weak_skill_out_at_once(shop: World):
    shop.set_policy("mode: pr", "mode: auto")
    shop.set_policy("minimum_assurance: attended", "minimum_assurance: local")
    shop.set_policy("success_at: 1", "success_at: 2")
    family = shop.compile_one(FAMILY)
    assert (family.group.state, [v.change for v in family.group.versions]) == ("admitted", ["withdraw"])
    assert FAMILY not in current_skills(shop.context())
