"""A call in a run record holds ids and numbers, never a negative one."""

import pytest
from pydantic import ValidationError

from skillc.core.compile.calls import CallFailure, ModelCall
from skillc.core.record import canonical_json


def test_negative_numbers_are_no_record():
    ModelCall(role="curator", request="sha256:0", model="m", outcome="answered")
    for field in ("input_tokens", "output_tokens", "cost_usd"):
        with pytest.raises(ValidationError):
            ModelCall(role="curator", request="sha256:0", model="m", outcome="answered", **{field: -1})


def test_a_failure_says_who_failed_and_why():
    failure = CallFailure(role="curator", kind="refusal", reason="the model refused to answer")
    assert b'"hint"' not in canonical_json(failure)
