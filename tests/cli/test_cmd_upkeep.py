"""`resolve` and `retire` on the command line."""

import json

from skillc.lifecycle.skills import current_skills
from tests.reward_world import FAMILY, refund_run, take
from tests.world import World


def test_a_conflict_is_told_and_its_resolution_is_for_a_person(shop: World):
    take(shop, "vouchers", *(refund_run(n, method="voucher") for n in range(10, 13)))
    done = shop.run("compile", "--family", FAMILY)
    assert done.returncode == 0
    assert "conflict  inputs: two verified rules are opposite" in done.stdout
    assert "A  Always `original`." in done.stdout
    assert "B  `method` is `voucher`" in done.stdout
    refused = shop.run("resolve", FAMILY, "--keep", "A", "--reason", "r")
    assert refused.returncode == 2
    assert "needs a terminal" in refused.stderr
    dry = shop.run("resolve", FAMILY, "--keep", "A", "--reason", "r", "--dry-run", "--json")
    assert json.loads(dry.stdout)["in_service"] is True
    told = shop.run("status")
    assert "out of service: refund-order, conflict" in told.stdout


def test_retire_prints_the_way_back_and_it_works(shop: World):
    done = shop.run("retire", FAMILY, "--reason", "not now")
    assert done.returncode == 0
    assert FAMILY not in current_skills(shop.context())
    line = next(x for x in done.stderr.splitlines() + done.stdout.splitlines() if "skillc restore" in x)
    back = shop.run(*line.split("skillc ", 1)[1].split())
    assert back.returncode == 0
    assert FAMILY in current_skills(shop.context())


def test_a_reason_is_needed(shop: World):
    done = shop.run("retire", FAMILY)
    assert (done.returncode, "say why" in done.stderr) == (2, True)


def test_resolve_without_a_side_shows_both_and_is_one_message_with_the_choices(shop: World):
    take(shop, "vouchers", *(refund_run(n, method="voucher") for n in range(10, 13)))
    shop.compile(FAMILY)
    shop.merge(FAMILY)  # the removal is merged: review has nothing to show any more
    done = shop.run("resolve", FAMILY, "--reason", "r")
    assert done.returncode == 2
    assert "say which side is kept: --keep A, B or split" in done.stderr
    assert f"skillc resolve {FAMILY} --keep A|B --reason TEXT" in done.stderr
    sides = [line.split()[0] for line in done.stdout.splitlines()[1:]]
    assert (sides.count("A"), sides.count("B")) == (3, 3)
    assert '"method": "voucher"' in done.stdout
    wrong = shop.run("resolve", FAMILY, "--keep", "C")
    assert wrong.returncode == 2
    assert "\t" not in wrong.stderr
    assert len([x for x in wrong.stderr.splitlines() if x.startswith("error: ")]) == 1
