"""The price table covers the default models, also under dated names."""

from skillc.core.policy import ClaudePolicy, RoleModel
from skillc.engines.claude.prices import PRICES, price_of


def test_every_default_model_has_a_price():
    policy = ClaudePolicy()
    for _, role in policy:
        if isinstance(role, RoleModel):
            assert price_of(role.model) is not None


def test_a_dated_name_has_the_price_of_its_model_and_an_unknown_one_none():
    assert price_of("claude-haiku-4-5-20251001") == PRICES["claude-haiku-4-5"]
    assert price_of("claude-opus-6") is None
    assert price_of("") is None
