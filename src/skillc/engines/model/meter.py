"""The meter: what a run has cost, and a hard stop before a call that could cost more than is allowed.

Before a call its greatest possible price is reckoned, every input token written to a cache and the whole answer used;
a call that could go over the limit is not made. Paper: none (ADR 0015).
Not here: the prices (engines.claude.prices), counting tokens (the transport).
"""

from dataclasses import dataclass

from skillc.core.policy import PROMPT_CHARS_PER_TOKEN
from skillc.engines.model.transport import ModelAnswer, ModelRequest, Price, Usage


@dataclass
class CostMeter:
    """Dollars spent in this run. `limit` is None without a limit."""

    limit: float | None = None
    spent: float = 0.0

    def allows(self, request: ModelRequest, price: Price | None, *, is_batch: bool = False) -> bool:
        """Says whether a call can be made without ever passing the limit. Without a known price there is no telling."""
        if self.limit is None:
            return True
        return price is not None and self.spent + worst_cost(request, price, is_batch=is_batch) <= self.limit

    def add(self, answer: ModelAnswer, asked: Price | None, answered: Price | None) -> float:
        """Adds a call and returns what it cost: by the dearer of the model that was asked and the one that answered."""
        costs = [p.cost(answer.usage) for p in (asked, answered) if p is not None]
        cost = max([*costs, answer.cost_usd or 0.0], default=0.0)
        self.spent += cost
        return cost


def estimated_tokens(request: ModelRequest) -> int:
    """Returns how many input tokens a request has at most, by its length."""
    return int(request.chars / PROMPT_CHARS_PER_TOKEN) + 1


def worst_cost(request: ModelRequest, price: Price, *, tokens: int | None = None, is_batch: bool = False) -> float:
    """Returns what a call can cost at most, in dollars."""
    known = estimated_tokens(request) if tokens is None else tokens
    return price.cost(Usage(cache_write_tokens=known, output_tokens=request.max_tokens, is_batch=is_batch))
