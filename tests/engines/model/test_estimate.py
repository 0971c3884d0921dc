"""An estimate asks nothing, counts every call, and is an upper bound."""

from skillc.engines.model.estimate import estimate_run
from tests.model_case import MemoryStore, engine_with, judge, refunds


def test_an_estimate_asks_nothing_and_bounds_the_run():
    store = MemoryStore()
    engine = engine_with(store=store)
    estimate = estimate_run(engine, refunds(), run="r-0123456789abcdef0123")
    assert engine.asker.transport.server.asked == []
    judged = judge(engine=engine_with(store=store))
    assert estimate.cost_usd_at_most is not None
    assert sum(c.cost_usd for c in judged.calls) <= estimate.cost_usd_at_most
    assert estimate.models == ("claude-haiku-5-5", "claude-opus-5-5", "claude-sonnet-5-5")
    assert estimate.counted_by == "their length"


def test_answers_that_are_kept_cost_nothing():
    store = MemoryStore()
    judge(engine=engine_with(store=store))
    again = estimate_run(engine_with(store=store), refunds(), run="r-0123456789abcdef0123")
    assert again.recorded >= 4
