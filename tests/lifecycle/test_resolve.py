"""A conflict ends by a person's word, and what they set aside stays aside."""

import pytest

from skillc.core.compile.conflict import ResolutionRecord
from skillc.errors import UsageError
from skillc.lifecycle.check import check
from skillc.lifecycle.resolve import resolve
from skillc.lifecycle.restore import restore
from skillc.lifecycle.run_inputs import evidence_today
from skillc.lifecycle.skills import current_skills
from skillc.lifecycle.status import status
from skillc.lifecycle.upkeep import examine, withdrawals
from skillc.repo.ledger import append_to_ledger, ledger_file
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


def test_split_is_refused_where_nothing_tells_the_sides_apart_and_names_the_choices(conflicted: World):
    """To keep both would drop both: the next version would say neither."""
    before = conflicted.git("for-each-ref")
    with pytest.raises(UsageError, match="cannot be split") as refused:
        resolve(conflicted.context(), FAMILY, "split", reason="the user chooses", by="ada")
    assert "--keep A" in str(refused.value.hint)
    assert "--keep B" in str(refused.value.hint)
    assert conflicted.git("for-each-ref") == before


def test_split_keeps_both_under_the_condition_and_is_not_told_again(shop: World):
    take(shop, "vouchers", *(refund_run(n, method="voucher", status="shipped") for n in (10, 11)))
    assert len(shop.compile_one(FAMILY).conflicts) == 1
    take(shop, "more", refund_run(12, method="voucher", status="shipped"))
    assert "--keep A|B|split" in shop.compile_one(FAMILY).note  # three of each side show when each holds
    resolve(shop.context(), FAMILY, "split", reason="it depends on the status", by="ada")
    family = shop.compile_one(FAMILY)
    assert family.conflicts == ()
    assert [v.change for v in family.group.versions] == ["patch"]
    shop.merge(FAMILY)
    text = text_of(shop)
    assert "Always" not in text
    assert "When `status` is `delivered` in the result of `get_order`, use `original`" in text
    again = shop.compile_one(FAMILY)
    assert (again.conflicts, again.stale) == ((), ())
    assert withdrawals(shop.context()).keys().isdisjoint({current_skills(shop.context())[FAMILY].tree})


def test_what_a_person_decided_is_no_news_from_the_same_attempts(shop: World):
    take(shop, "vouchers", *(refund_run(n, method="voucher", status="shipped") for n in VOUCHERS[:2]))
    shop.compile(FAMILY)
    (made,) = shop.context().ledger.conflicts
    context = shop.context()
    attempts = [a for a in shop.attempts().values() if a.task_family == FAMILY]
    evidence = evidence_today(context, FAMILY)
    skill = current_skills(context)[FAMILY]
    assert examine(context, [skill], attempts, evidence).told
    record = ResolutionRecord(
        conflict=made.conflict, namespace=made.namespace, skill_id=made.skill_id, keep="split", reason="r", by="ada",
        at=context.now,
    )  # fmt: skip
    append_to_ledger(context.repository, [ledger_file("resolutions", record)], message="resolved\n", at=context.now)
    found = examine(shop.context(), [skill], attempts, evidence)
    assert (found.told, len(found.stale)) == ((), 1)  # the engine still knows it


def test_a_decision_drops_the_removal_that_waits_and_status_names_the_next_run(conflicted: World):
    report = resolve(conflicted.context(), FAMILY, "B", reason="only vouchers now", by="ada")
    assert report.dropped_branch == f"skillc/candidate/{FAMILY}"
    told = status(conflicted.context())
    assert told.candidates == ()
    assert [d.skill for d in told.decided] == [FAMILY]
    assert told.next is not None
    assert told.next.command == f"skillc compile --family {FAMILY}"
    (problem,) = [p for p in check(conflicted.context()).problems if p.code == "out-of-service"]
    assert "resolve" not in problem.next
    conflicted.compile(FAMILY)
    assert status(conflicted.context()).decided == ()


def test_a_decision_is_told_as_due_also_when_the_folder_is_gone(conflicted: World):
    conflicted.merge(FAMILY)
    resolve(conflicted.context(), FAMILY, "B", reason="only vouchers now", by="ada")
    assert status(conflicted.context()).next.command == f"skillc compile --family {FAMILY}"
    assert conflicted.compile_one(FAMILY).group.versions
    assert status(conflicted.context()).decided == ()


def test_a_version_comes_back_only_when_all_its_conflicts_were_decided_for_it(conflicted: World):
    context = conflicted.context()
    (made,) = context.ledger.conflicts
    other = made.model_copy(update={"conflict": "c-000000000000", "field": "steps"})
    append_to_ledger(context.repository, [ledger_file("conflicts", other)], message="conflict\n", at=context.now)
    first = resolve(conflicted.context(), FAMILY, "B", reason="r", by="ada", conflict=other.conflict)
    assert (first.left, first.dropped_branch) == (1, None)
    assert not resolve(conflicted.context(), FAMILY, "A", reason="r", by="ada").in_service
    assert current_skills(conflicted.context())[FAMILY].tree in withdrawals(conflicted.context())


def test_a_version_in_conflict_does_not_come_back_by_restore(conflicted: World):
    conflicted.merge(FAMILY)
    with pytest.raises(UsageError, match="conflict") as waits:
        restore(conflicted.context(), FAMILY, "1")
    assert "skillc resolve" in str(waits.value.hint)
    resolve(conflicted.context(), FAMILY, "B", reason="r", by="ada")
    with pytest.raises(UsageError, match="conflict") as decided:
        restore(conflicted.context(), FAMILY, "1")
    assert decided.value.hint == "make a new version from the evidence of today: skillc compile"


def test_a_resolution_needs_a_conflict_and_a_reason(conflicted: World):
    before = conflicted.git("for-each-ref")
    with pytest.raises(UsageError, match="say why"):
        resolve(conflicted.context(), FAMILY, "A", reason="", by="ada")
    with pytest.raises(UsageError, match="no conflict"):
        resolve(conflicted.context(), "another", "A", reason="r", by="ada")
    resolve(conflicted.context(), FAMILY, "A", reason="r", by="ada", dry_run=True)
    assert conflicted.git("for-each-ref") == before
