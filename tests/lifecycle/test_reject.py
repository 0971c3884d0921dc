"""A person's no is remembered, and new evidence opens it again."""

from pathlib import Path

import pytest

from skillc.core.compile.proposal import ProposalOutcome
from skillc.core.compile.rejected import WORKED_OUT
from skillc.errors import UsageError
from skillc.lifecycle.candidates import pending_candidates
from skillc.lifecycle.reject import reject
from skillc.lifecycle.review import review
from skillc.lifecycle.skills import current_skills
from skillc.lifecycle.upkeep import withdrawals
from tests.reward_world import FAMILY, new_reward_world, refund_run, take
from tests.world import FIELD, FIX, World, sessions_of


@pytest.fixture
def fresh_shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    made = new_reward_world(tmp_path / "new", monkeypatch)
    take(made, "first", *(refund_run(n) for n in range(3)))
    return made


def test_a_rejected_run_is_not_made_again_from_the_same_evidence(world: World):
    world.compile(FIELD)
    report = reject(world.context(), FIELD, None, reason="too long", by="ada")
    again = world.compile_one(FIELD)

    assert report.branch == f"skillc/candidate/{FIELD}"
    assert world.git("branch", "--list", report.branch) == ""
    assert world.git("cat-file", "-t", report.commit or "") == "commit"
    assert again.group.versions == ()
    assert "human-rejected" in again.note


def test_a_rejected_line_is_left_out_of_the_next_run(world: World):
    first = world.compile_one(FIELD)
    commit = first.group.versions[0].commit
    before = world.git("show", f"{commit}:.claude/skills/{FIELD}/SKILL.md")
    line = "failure-modes"
    from skillc.lifecycle.explain import why

    claim = next(c for c in why(world.context(), FIELD).claims if c.field == "failure_modes")
    reject(world.context(), FIELD, claim.id, reason="not ours", by="ada")
    second = world.compile_one(FIELD)
    after = world.git("show", f"skillc/candidate/{FIELD}:.claude/skills/{FIELD}/SKILL.md")

    assert second.run != first.run
    assert claim.text in before
    assert claim.text not in after
    assert line in claim.id


def test_a_rejected_line_of_an_admitted_skill_goes_by_a_patch(world: World):
    world.compile(FIELD)
    world.merge(FIELD)
    from skillc.lifecycle.explain import why

    claim = next(c for c in why(world.context(), FIELD).claims if c.field == "failure_modes")
    reject(world.context(), FIELD, claim.id, reason="wrong", by="ada")
    report = world.compile_one(FIELD)

    assert [v.change for v in report.group.versions] == ["patch"], report.note
    world.merge(FIELD)
    contract = current_skills(world.context())[FIELD].contract
    assert contract is not None
    assert claim.id not in {c.id for c in contract.failure_modes}


@pytest.mark.parametrize("is_admitted", [False, True])
def test_a_rejected_input_leaves_its_step_whole_and_review_says_what_went(fresh_shop: World, is_admitted: bool):
    fresh_shop.compile(FAMILY)
    (version,) = pending_candidates(fresh_shop.context())[FAMILY].versions
    assert version.contract is not None
    before = version.contract
    if is_admitted:
        fresh_shop.merge(FAMILY)
    constant = next(c for c in before.inputs if c.name == "method")
    reject(fresh_shop.context(), FAMILY, constant.id, reason="no constant", by="ada")
    report = fresh_shop.compile_one(FAMILY)
    assert [v.change for v in report.group.versions] == ["patch" if is_admitted else "add"]
    (version,) = pending_candidates(fresh_shop.context())[FAMILY].versions
    assert version.contract is not None
    assert version.contract.steps == before.steps
    kept = {c.name: c.text for c in before.inputs if c.name != "method"}
    assert {c.name: c.text for c in version.contract.inputs} == kept | {"method": WORKED_OUT}
    (candidate,) = review(fresh_shop.context(), FAMILY).candidates
    assert "without 1 line that ada rejected: no constant" in candidate.reasons
    assert any(constant.id in r and "<method> is said to be worked out" in r for r in candidate.reasons)
    # The same once more changes nothing, and the line does not come back.
    fresh_shop.merge(FAMILY)
    assert fresh_shop.compile_one(FAMILY).group.versions == ()


def test_what_a_rejected_step_said_goes_from_the_description_and_the_reason_is_the_persons_no(world: World):
    world.compile(FIELD)
    world.merge(FIELD)
    contract = current_skills(world.context())[FIELD].contract
    assert contract is not None
    assert "write a new test file" in contract.description.text
    step = next(s for s in contract.steps if "<test_file>" in s.text)
    reject(world.context(), FIELD, step.id, reason="ours live elsewhere", by="Ada")
    world.compile(FIELD)
    (candidate,) = review(world.context()).candidates
    told = "\n".join(candidate.reasons)
    assert f"loses steps {step.id}: a person rejected this line" in told
    assert "no step of the new version uses it" in told
    assert "do not show it any more" not in told
    world.merge(FIELD)
    after = current_skills(world.context())[FIELD].contract
    assert after is not None
    assert "test file" not in after.description.text
    assert "nothing new" in world.compile_one(FIELD).note


def test_new_evidence_opens_a_rejected_proposal_again(fresh: World):
    first, *rest = sessions_of(FIX, passes=True)
    fresh.capture([first], task_family=FIX)
    fresh.verify()
    fresh.compile(FIX)
    reject(fresh.context(), FIX, None, reason="one case is not enough", by="ada")
    assert fresh.compile_one(FIX).group.versions == ()
    fresh.capture(rest, task_family=FIX)
    fresh.verify()

    assert [v.change for v in fresh.compile_one(FIX).group.versions] == ["add"]


def test_a_rejection_needs_a_reason(world: World):
    world.compile(FIELD)
    with pytest.raises(UsageError, match="say why"):
        reject(world.context(), FIELD, None, reason="  ", by="ada")


def test_what_does_not_wait_cannot_be_rejected(world: World):
    with pytest.raises(UsageError, match="no candidate"):
        reject(world.context(), FIELD, None, reason="x", by="ada")
    world.compile(FIELD)
    with pytest.raises(UsageError, match="no line"):
        reject(world.context(), FIELD, "no-such-line", reason="x", by="ada")


def test_the_outcome_holds_no_event_text(world: World):
    world.compile(FIELD)
    reject(world.context(), FIELD, None, reason="no", by="ada")
    record = world.context().ledger.outcomes[-1]
    assert record.reason == "no"
    assert all(len(s) == 32 for s in record.sources)


def test_a_refused_removal_is_remembered_and_the_skill_stays_out_of_service(shop: World):
    shop.set_policy("success_at: 1", "success_at: 2")
    (version,) = shop.compile_one(FAMILY).group.versions
    assert version.change == "withdraw"
    tree = current_skills(shop.context())[FAMILY].tree
    reject(shop.context(), FAMILY, None, reason="we want the folder", by="ada")
    (outcome,) = [o for o in shop.context().ledger.outcomes if o.outcome is ProposalOutcome.HUMAN_REJECTED]
    assert (outcome.task_family, outcome.reason, outcome.by) == (FAMILY, "we want the folder", "ada")
    assert outcome.content is None  # the words of the Skill are not refused
    again = shop.compile_one(FAMILY)
    assert again.group.versions == ()
    assert "ada rejected the removal" in again.note
    assert pending_candidates(shop.context()) == {}
    assert list(withdrawals(shop.context())) == [tree]
    shop.set_policy("success_at: 2", "success_at: 1")  # the evidence is strong again: the no is in nobody's way
    shop.compile_one(FAMILY)
    assert withdrawals(shop.context()) == {}
