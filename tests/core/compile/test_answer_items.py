"""The items of answers hold their limits, and the schemas made from them say what structured output knows."""

import pytest
from pydantic import ValidationError

from skillc.core.compile.answer_items import AddAnswer, AnswerClaim, AnswerFinding, AnswerStep, Target, item_schema

CLAIM = {"claim_id": "k1", "text": "Do it.", "cites": ["t1.e1"]}


@pytest.mark.parametrize(
    "change", [{"text": ""}, {"text": "x" * 401}, {"cites": []}, {"cites": ["x"] * 9}, {"more": 1}]
)
def test_a_claim_out_of_its_limits_is_refused(change: dict):
    AnswerClaim.model_validate(CLAIM)
    with pytest.raises(ValidationError):
        AnswerClaim.model_validate(CLAIM | change)


@pytest.mark.parametrize("name", ["../x", "A", "a_b", "", "x" * 65])
def test_a_name_is_a_slug(name: str):
    with pytest.raises(ValidationError):
        AddAnswer(op="add", proposal_key="p1", name=name, edits=(), placeholders=(), reason="")


def test_a_target_is_an_alias_and_a_version():
    with pytest.raises(ValidationError):
        Target(skill="refund-order", base_version="b")
    with pytest.raises(ValidationError):
        AnswerFinding(path="SKILL.md", start=0, end=1, kind="other", confidence="low", quote="x")


def test_a_schema_is_whole_closed_and_without_what_structured_output_does_not_know():
    schema = item_schema(AnswerStep)
    text = str(schema)
    assert "$ref" not in text
    assert "maxLength" not in text
    assert schema["additionalProperties"] is False
    assert set(schema["required"]) == set(AnswerStep.model_fields)
    assert schema["properties"]["arguments"]["items"]["required"] == ["name", "value"]
