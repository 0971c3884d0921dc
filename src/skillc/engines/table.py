"""The engines by name: one explicit table. Paper: 5.3.

Not here: what lifecycle hands to those that ask a model (engines.model.services).
"""

from skillc.core.compile.roles import Engine
from skillc.core.policy import Thresholds
from skillc.engines.model.services import ModelServices
from skillc.errors import UsageError

OFFLINE = "offline"
CLAUDE = "claude"
CLAUDE_CODE = "claude-code"
RECORDED = "recorded"
PAID = (CLAUDE, CLAUDE_CODE)
ENGINES = (OFFLINE, CLAUDE, CLAUDE_CODE, RECORDED)


def engine_named(name: str, thresholds: Thresholds | None = None, *, services: ModelServices | None = None) -> Engine:
    """Returns the engine with this name, under the policy's thresholds. Raises UsageError that lists the known ones.

    All but the offline engine need `services`.
    """
    if name == OFFLINE:
        from skillc.engines.offline.engine import OfflineEngine

        return OfflineEngine(thresholds)
    if name in ENGINES:
        from skillc.engines.model.build import model_engine

        assert services is not None, "an engine that asks a model needs services"
        return model_engine(name, services, thresholds or Thresholds())
    raise UsageError(f"no engine is named {name!r}", hint=f"known engines: {', '.join(ENGINES)}")
