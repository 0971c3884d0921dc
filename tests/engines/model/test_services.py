"""The services of an engine are values: without more they allow nothing and tell nothing."""

from skillc.core.policy import ClaudePolicy
from skillc.engines.model.services import ModelServices, ProgramAnswer
from tests.model_case import MemoryStore


def test_without_more_there_is_no_key_no_limit_and_no_batch():
    services = ModelServices(
        policy=ClaudePolicy(), store=MemoryStore(), start=lambda *_, **__: ProgramAnswer(0, "", "")
    )
    assert (services.has_key, services.max_cost, services.is_batch) == (False, None, False)
    assert services.tell("x") is None
