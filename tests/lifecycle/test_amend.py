"""A person's edit becomes a version: the text as it was written, the evidence where it still holds, and it stays."""

from pathlib import Path

import pytest

from skillc.core.skill.claim import ClaimBasis
from skillc.core.skill.contract import Contract, iter_claims
from skillc.errors import DataError, RepoError, UsageError
from skillc.lifecycle.amend import AmendReport, amend
from skillc.lifecycle.check import check
from skillc.lifecycle.explain import log, why
from skillc.lifecycle.restore import undo
from skillc.lifecycle.skills import current_skills
from tests.reward_world import FAMILY, refund_run, take
from tests.world import World

pytestmark = pytest.mark.slow  # a repository for each case
PAGE = f".claude/skills/{FAMILY}/SKILL.md"
CANDIDATE = f"skillc/candidate/{FAMILY}"


def page(world: World, revision: str = "main") -> str:
    return world.git("show", f"{revision}:{PAGE}") + "\n"


def edit(world: World, old: str, new: str) -> str:
    text = (world.root / PAGE).read_text("utf-8")
    assert old in text
    world.write(PAGE, text.replace(old, new, 1))
    return (world.root / PAGE).read_text("utf-8")


def contract(world: World) -> Contract:
    found = current_skills(world.context())[FAMILY].contract
    assert found is not None
    return found


def first_line(world: World, field: str) -> str:
    return getattr(contract(world), field)[0].text


def run(world: World, **options: object) -> AmendReport:
    return amend(world.context(), FAMILY, by="Ada", **options)  # type: ignore[arg-type]


def codes(world: World, revision: str = "main") -> set[str]:
    return {p.code for p in check(world.context(), revision).problems}


def test_an_edit_in_the_work_tree_becomes_a_version_on_base_with_the_same_bytes(shop: World):
    line = first_line(shop, "use_when")
    text = edit(shop, f"- {line}", f"- {line.removesuffix('.')} and the order is not older than a year.")
    report = run(shop)

    assert page(shop) == text == (shop.root / PAGE).read_text("utf-8")
    assert shop.git("status", "--porcelain") == ""
    assert codes(shop) == set()
    (changed,) = [x for x in report.lines if x.state == "changed"]
    assert (changed.field, changed.before) == ("use_when", line)
    assert changed.lost
    claims = {c.id: c for _, c in iter_claims(contract(shop))}
    assert claims[changed.claim_id].basis is ClaimBasis.PERSON
    assert [v.change for v in log(shop.context(), FAMILY).versions] == ["add", "amend"]


def test_a_persons_edit_survives_ten_further_compiles_byte_for_byte_in_its_lines(shop: World):
    step = first_line(shop, "steps")
    edit(shop, step, step.removesuffix(".") + " and read it twice.")
    use = first_line(shop, "use_when")
    edit(shop, f"- {use}\n", f"- {use}\n- The order is not older than a year, says the shop.\n")
    edit(shop, "- Call ", "- Call ") if "- Call " in page(shop) else None
    run(shop)
    mine = [c for _, c in iter_claims(contract(shop)) if c.is_persons]
    before = page(shop)
    assert len(mine) == 2
    for number in range(10):
        statuses = ("delivered", "shipped")
        take(shop, f"more-{number}", refund_run(100 + number, status=statuses[number % 2]))
        family = shop.compile_one(FAMILY)
        if family.group.versions:
            assert [v.change for v in family.group.versions] == ["patch"], family
            assert codes(shop, CANDIDATE) == set()
            shop.merge(FAMILY)
        left = [c for _, c in iter_claims(contract(shop)) if c.is_persons]
        assert left == mine
        assert step not in [s.text for s in contract(shop).steps]
    lines = [line for line in page(shop).splitlines() if line not in before.splitlines()]
    assert not any("twice" in line for line in lines)
    assert codes(shop) == set()
    assert len(contract(shop).support.attempt_families) > 3
