"""Review: every line with its evidence, what it risks, and the commands that decide."""

import pytest

from skillc.core.scan.finding import Finding, Severity
from skillc.errors import UsageError
from skillc.lifecycle.review import next_steps, review
from tests.reward_world import FAMILY, refund_run, take
from tests.world import FIELD, World


def test_a_candidate_is_shown_with_the_events_behind_each_line(world: World):
    world.compile(FIELD)
    candidate = review(world.context(), FIELD).candidates[0]
    version = candidate.versions[0]

    assert candidate.branch == f"skillc/candidate/{FIELD}"
    assert version.change == "add"
    assert all(c.citations and all(e.excerpt for x in c.citations for e in x.events) for c in version.claims)
    assert {x.strength for c in version.claims for x in c.citations} == {"tool"}
    assert candidate.read == 5


@pytest.mark.parametrize("name", ["family", "branch", "run", "skill_id"])
def test_a_candidate_is_found_by_every_name_it_has(world: World, name: str):
    version = world.compile_one(FIELD)
    names = {
        "family": FIELD,
        "branch": f"skillc/candidate/{FIELD}",
        "run": version.run,
        "skill_id": version.group.versions[0].skill_id,
    }
    assert len(review(world.context(), names[name]).candidates) == 1


def test_an_unknown_name_is_a_usage_error(world: World):
    with pytest.raises(UsageError, match="no candidate 'nope'"):
        review(world.context(), "nope")


def test_nothing_waits_after_the_merge(world: World):
    world.compile(FIELD)
    world.merge(FIELD)
    assert review(world.context()).candidates == ()


def test_the_next_steps_are_commands_that_work(world: World):
    world.compile(FIELD)
    steps = next_steps(world.context(), review(world.context()).candidates[0])
    for line in steps.local:
        world.git(*line.split()[1:], "--no-edit") if "merge" in line else world.git(*line.split()[1:])
    assert review(world.context()).candidates == ()


def test_a_conflict_is_shown_with_both_sides_and_a_withdrawal_with_its_reason(shop: World):
    take(shop, "vouchers", *(refund_run(n, method="voucher") for n in range(10, 13)))
    shop.compile(FAMILY)
    (candidate,) = review(shop.context()).candidates
    assert [(v.change, v.claims) for v in candidate.versions] == [("withdraw", ())]
    told = "\n".join(candidate.reasons)
    assert "refund-order: out of service, conflict" in told
    assert told.count('"method": "original"') == 3
    assert told.count('"method": "voucher"') == 3
    assert "skillc resolve refund-order" in told


def test_what_a_version_loses_is_told_with_its_reason(shop: World):
    take(shop, "more", *(refund_run(n, method="voucher", status="pending") for n in range(10, 13)))
    shop.compile(FAMILY)
    shop.merge(FAMILY)
    take(shop, "again", *(refund_run(n, method="voucher", status="delivered") for n in range(20, 26)))
    shop.compile(FAMILY)
    (candidate,) = review(shop.context()).candidates
    assert any("loses decisions" in r and "do not show it any more" in r for r in candidate.reasons)


def test_what_a_candidate_is_held_for_is_told(world: World, monkeypatch):
    """Whoever merges must see what the scanner saw."""
    world.compile(FIELD)
    seen = Finding(
        path="x/contract.json#inputs/inputs-url-1", line=1, column=1, rule="tainted-origin", severity=Severity.WARN,
        title="First seen in untrusted output", excerpt="https://drop.example.net", fingerprint="sha256:0",
    )  # fmt: skip
    monkeypatch.setattr("skillc.lifecycle.scanning.scan_artifact", lambda *_: (seen,))
    candidate = review(world.context(), FIELD).candidates[0]
    assert len(candidate.warnings) == 1
    assert "tainted-origin in inputs/inputs-url-1" in candidate.warnings[0]


def test_what_the_policy_lets_stand_is_told_as_such(world: World, monkeypatch):
    world.compile(FIELD)
    seen = Finding(
        path="x/contract.json#steps/s1", line=1, column=1, rule="private-url", severity=Severity.BLOCK, title="T",
        excerpt="E", fingerprint="sha256:0", suppressed=True, suppressed_by="policy", reason="no secret here",
    )  # fmt: skip
    monkeypatch.setattr("skillc.lifecycle.scanning.scan_artifact", lambda *_: (seen,))
    (warning,) = review(world.context(), FIELD).candidates[0].warnings
    assert warning == "block private-url in steps/s1: T: E (suppressed by policy: no secret here)"


def test_a_candidate_without_a_finding_has_no_warning(world: World):
    world.compile(FIELD)
    assert review(world.context(), FIELD).candidates[0].warnings == ()


def test_effects_that_nobody_can_take_back_and_tools_that_policy_keeps_are_risks(shop: World):
    """5.4: what a person should look at before all else."""
    shop.set_policy("tools: []", 'tools: ["refund*"]')
    take(shop, "more", *(refund_run(n, method="voucher", status="pending") for n in range(10, 13)))
    shop.compile(FAMILY)
    (candidate,) = review(shop.context()).candidates
    told = "\n".join(candidate.risks)
    assert "effects that nobody can take back: money" in told
    assert "policy keeps this for a person: money, refund" in told


def test_the_next_steps_are_safe_in_a_shell(world: World):
    world.compile(FIELD)
    candidate = review(world.context()).candidates[0].model_copy(update={"branch": "a;id", "task_family": "b$(id)"})
    steps = next_steps(world.context(), candidate)
    assert steps.local[1] == "git merge --no-ff 'a;id'"
    assert steps.forge[0] == "skillc review 'b$(id)' --body pr.md"
