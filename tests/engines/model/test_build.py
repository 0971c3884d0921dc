"""An engine is the roles over the transport that its name stands for."""

from skillc.core.policy import ClaudePolicy, Thresholds
from skillc.engines.model.build import model_engine
from skillc.engines.model.services import ModelServices
from tests.model_case import MemoryStore


def test_each_name_has_its_transport_and_the_limits_of_the_command():
    def start(*_: object, **__: object):
        raise OSError

    services = ModelServices(policy=ClaudePolicy(), store=MemoryStore(), start=start, max_cost=2.5, is_batch=True)
    for name in ("claude", "claude-code", "recorded"):
        engine = model_engine(name, services, Thresholds())
        assert engine.name == engine.asker.transport.name == name
        assert engine.asker.meter.limit == 2.5
        assert engine.is_batch
