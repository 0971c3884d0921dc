"""What Claude models cost, in US dollars for a million tokens, as published on 2026-11-30.

Used for `--dry-run` and `--max-cost` alone. A model that is not here has no known price: `--max-cost` refuses it
until `engines.claude.prices` of skillc.yaml names one. A price that differs with the length of a prompt is kept whole.
"""

from skillc.core.policy import ClaudePolicy
from skillc.engines.model.transport import Price

PRICES_OF = "2026-11-30"

PRICES = {
    "claude-opus-5-5": Price(input=4.0, output=20.0, cache_read=0.20, cache_write=5.0),
    "claude-sonnet-5-5": Price(input=2.0, output=10.0, cache_read=0.10, cache_write=2.5),
    "claude-haiku-5-5": Price(
        input=0.10, output=0.50, cache_read=0.01, cache_write=0.125, long_from=100_000, long_factor=5.0
    ),
    "claude-opus-5": Price(input=5.0, output=25.0, cache_read=0.50, cache_write=6.25),
    "claude-sonnet-5": Price(input=2.0, output=10.0, cache_read=0.20, cache_write=2.5),
    "claude-haiku-4-5": Price(input=1.0, output=5.0, cache_read=0.10, cache_write=1.25),
}


def price_of(model: str) -> Price | None:
    """Returns the published price of a model, also under a dated name of it; None when it is not known."""
    if model in PRICES:
        return PRICES[model]
    name, _, date = model.rpartition("-")
    return PRICES.get(name) if len(date) == 8 and date.isdigit() else None


def price_for(model: str, policy: ClaudePolicy) -> Price | None:
    """Returns the published price of a model, else the one that policy names for it, else None."""
    named = policy.prices.get(model)
    known = price_of(model)
    if known is not None or named is None:
        return known
    return Price(input=named.input, output=named.output, cache_read=named.input / 10, cache_write=named.input * 1.25)
