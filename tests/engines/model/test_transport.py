"""A request is known by everything that can change its answer."""

import pytest

from skillc.engines.model.transport import PromptBlock
from tests.engines.model.test_asking import REQUEST


@pytest.mark.parametrize(
    "change",
    [
        {"role": "curator"},
        {"model": "other"},
        {"effort": "low"},
        {"max_tokens": 1001},
        {"system": "other"},
        {"blocks": (PromptBlock(text="What?", is_stable=True),)},
        {"answer_schema": {}},
    ],
)
def test_every_part_of_a_request_is_in_its_digest(change: dict):
    assert REQUEST.model_copy(update=change).digest != REQUEST.digest


def test_the_same_request_has_the_same_digest():
    assert REQUEST.model_copy().digest == REQUEST.digest
    assert REQUEST.chars > len("What?")
