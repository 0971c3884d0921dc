"""Putting an engine together: the roles over the transport that its name stands for.

Not here: the table of names (engines.table).
"""

from skillc.core.policy import Thresholds
from skillc.engines.model.asking import Asker
from skillc.engines.model.engine import ModelEngine
from skillc.engines.model.meter import CostMeter
from skillc.engines.model.services import ModelServices
from skillc.engines.model.transport import Transport


def model_engine(name: str, services: ModelServices, thresholds: Thresholds) -> ModelEngine:
    """Returns the engine `claude`, `claude-code` or `recorded`."""
    policy = services.policy
    asker = Asker(
        transport=_transport(name, services),
        store=services.store,
        meter=CostMeter(services.max_cost),
        timeout_s=policy.timeout_s,
        run_timeout_s=policy.run_timeout_s,
        tell=services.tell,
    )
    return ModelEngine(name, asker, policy, thresholds, is_batch=services.is_batch)


def _transport(name: str, services: ModelServices) -> Transport:
    if name == "claude":
        from skillc.engines.claude.transport import ClaudeTransport

        return ClaudeTransport(services.policy)
    if name == "claude-code":
        from skillc.engines.claude_code.transport import ClaudeCodeTransport

        return ClaudeCodeTransport(services)
    from skillc.engines.recorded.transport import RecordedTransport

    assert name == "recorded"
    return RecordedTransport()
