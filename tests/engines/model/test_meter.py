"""What calls cost, and that no call is allowed whose greatest price passes the limit."""

from hypothesis import given
from hypothesis import strategies as st

from skillc.engines.model.meter import CostMeter, estimated_tokens, worst_cost
from skillc.engines.model.transport import ModelAnswer, Price, Usage
from tests.engines.model.test_asking import REQUEST

PRICE = Price(input=4, output=20, cache_read=0.2, cache_write=5)
COUNTS = st.integers(0, 10**6)


def answer(**usage: int) -> ModelAnswer:
    return ModelAnswer(text="", stop_reason="end_turn", model="m", usage=Usage(**usage))


def test_worked_numbers():
    assert PRICE.cost(Usage(input_tokens=1_000_000, output_tokens=100_000)) == 6.0
    assert PRICE.cost(Usage(output_tokens=100_000, is_batch=True)) == 1.0
    long = Price(input=0.1, output=0.5, cache_read=0.01, cache_write=0.125, long_from=100_000, long_factor=5)
    assert round(long.cost(Usage(input_tokens=100_001)), 6) == round(5 * 0.0100001, 6)


def test_the_dearer_of_the_model_asked_and_the_one_that_answered_counts():
    meter = CostMeter()
    cheap = Price(input=1, output=1, cache_read=1, cache_write=1)
    assert meter.add(answer(output_tokens=1_000_000), cheap, PRICE) == 20
    assert meter.add(answer(output_tokens=1_000_000), cheap, None) == 1
    assert meter.spent == 21


@given(COUNTS, COUNTS, COUNTS)
def test_a_call_within_its_estimate_costs_at_most_what_was_reserved(tokens: int, read: int, out: int):
    request = REQUEST.model_copy(update={"max_tokens": max(out, 256)})
    most = worst_cost(request, PRICE, tokens=tokens + read)
    assert PRICE.cost(Usage(input_tokens=tokens, cache_read_tokens=read, output_tokens=out)) <= most


def test_the_limit_is_hard_and_an_unknown_price_never_passes_one():
    assert CostMeter(None).allows(REQUEST, None)
    assert not CostMeter(100).allows(REQUEST, None)
    most = worst_cost(REQUEST, PRICE)
    assert CostMeter(most).allows(REQUEST, PRICE)
    assert not CostMeter(most, spent=1e-6).allows(REQUEST, PRICE)
    assert estimated_tokens(REQUEST) > 10
