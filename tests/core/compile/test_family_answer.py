"""A family scorer can name one of the families that it was given, and nothing else."""

import json
from typing import Any

import pytest

from skillc.core.compile.answer_text import AnswerProblem
from skillc.core.compile.family_answer import read_family
from skillc.core.compile.roles import FamilyGuess, FamilyQuestion

QUESTION = FamilyQuestion(
    trace_id="t-00000001", objective="x", summary=(), names=(), families=(("refunds", ""), ("deploys", ""))
)


def read(**changes: Any) -> Any:
    return read_family(json.dumps({"family": "f2", "confidence": 0.5} | changes), QUESTION)


def test_an_offered_alias_is_a_family_and_anything_else_is_none():
    assert read() == FamilyGuess(task_family="deploys", confidence=0.5)
    assert read(family="").task_family is None
    assert read(family="f9").task_family is None
    assert read(family="deploys").task_family is None


@pytest.mark.parametrize(
    "change", [{"confidence": 2}, {"confidence": True}, {"family": 5}, {"confidence": "1"}, {"more": 1}]
)
def test_another_shape_is_no_answer(change: dict[str, Any]):
    assert isinstance(read(**change), AnswerProblem)
