"""`policy explain SKILL` says which rule decided, for what waits and for what is on base."""

from pathlib import Path

import pytest

from skillc.core.admit.gates import GateResult
from skillc.errors import UsageError
from skillc.lifecycle.approve import approve
from skillc.lifecycle.policy_explain import explain_policy
from tests.approvers import key_that_asks, public_of, register_person
from tests.world import FIELD, World


def test_a_candidate_waits_for_its_merge_by_the_mode_of_base(world: World):
    world.compile(FIELD)
    report = explain_policy(world.context(), FIELD)
    assert (report.state, report.decision.decided_by) == ("candidate", "approval.mode")
    assert report.policy_commit == world.git("rev-parse", "main")
    assert report.decision.next == "merge the candidate branch"


def test_a_policy_that_is_not_on_base_decides_nothing(world: World):
    world.compile(FIELD)
    text = (world.root / "skillc.yaml").read_text("utf-8")
    world.write("skillc.yaml", text.replace("mode: pr", "mode: auto"))
    assert explain_policy(world.context(), FIELD).decision.decided_by == "approval.mode"


def test_a_skill_on_base_says_on_whose_word_it_is_there(world: World):
    world.compile(FIELD)
    world.merge(FIELD)
    report = explain_policy(world.context(), FIELD)
    assert report.state == "admitted"
    assert report.admission is not None
    assert report.admission.proof == "unproven"


def test_what_an_approval_settled_is_not_said_to_hold_on_base(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    key = key_that_asks(tmp_path, monkeypatch)
    register_person(world, public_of(key))
    world.compile(FIELD)
    approve(world.context(), FIELD, key_path=key)
    world.merge(FIELD)
    decision = explain_policy(world.context(), FIELD).decision
    assert (decision.result, decision.decided_by) == (GateResult.PASS, "admission")
    assert "an approval record of exactly this group" in decision.reason


def test_every_rule_tells_its_value_here(world: World):
    world.set_policy("effects: [money, delete]", "effects: [write]")
    world.compile(FIELD)
    rules = {r.setting: r for r in explain_policy(world.context(), FIELD).rules}
    assert rules["approval.person_for.effects"].applies
    assert rules["approval.person_for.effects"].value == "write"
    assert not rules["evaluations.required"].applies


def test_an_unknown_name_is_an_error_with_the_next_command(world: World):
    with pytest.raises(UsageError, match="there is no Skill 'nothing'"):
        explain_policy(world.context(), "nothing")
