"""The settings of admission: what they take, and that the policy's defaults are the documented ones."""

from typing import get_args

import pytest
from pydantic import ValidationError

from skillc.core.admission_policy import ApprovalPolicy, EffectName, EvaluationPolicy, LimitsPolicy
from skillc.core.policy import parse_policy
from skillc.core.trace.operation import Effect
from skillc.errors import PolicyError

HEAD = "format: skillc.namespace/1\nnamespace: acme\nsecurity_domain: acme\n"


def test_every_effect_of_an_operation_can_be_kept_for_a_person():
    assert set(get_args(EffectName)) == {e.value for e in Effect}


def test_by_default_money_and_deletion_wait_for_a_person_and_approval_is_by_merge():
    approval = ApprovalPolicy()
    assert approval.mode.value == "pr"
    assert approval.person_for.effects == ("money", "delete")
    assert approval.risky_assurance.value == "attended"


def test_an_effect_that_does_not_exist_is_refused_with_its_setting():
    with pytest.raises(PolicyError, match=r"approval\.person_for\.effects"):
        parse_policy((HEAD + "approval: {person_for: {effects: [teleport]}}\n").encode())


def test_evaluations_of_every_family_come_before_those_of_one():
    policy = EvaluationPolicy(required={"*": ("smoke",), "refunds": ("sandbox", "smoke")})
    assert policy.required_for("refunds") == ("smoke", "sandbox")
    assert policy.required_for("other") == ("smoke",)


def test_two_evaluators_cannot_share_an_id():
    with pytest.raises(ValidationError, match="two evaluators have the id 'e'"):
        EvaluationPolicy.model_validate({"evaluators": [{"id": "e", "key": "k"}, {"id": "e", "key": "l"}]})


def test_limits_are_at_most_what_every_host_reads_whole():
    with pytest.raises(ValidationError):
        LimitsPolicy(body_lines=501)


def test_the_setting_on_is_a_word_and_no_truth_value():
    assert parse_policy((HEAD + "compile: {on: schedule}\n").encode()).compile.on.value == "schedule"
