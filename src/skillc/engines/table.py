"""The engines by name: one explicit table. Paper: 5.3.

Not here: engines that need a model or a key; each is added to this table with its own room.
"""

from skillc.core.compile.roles import Engine
from skillc.core.policy import Thresholds
from skillc.errors import UsageError

OFFLINE = "offline"
ENGINES = (OFFLINE,)


def engine_named(name: str, thresholds: Thresholds | None = None) -> Engine:
    """Returns the engine with this name, under the policy's thresholds. Raises UsageError that lists the known ones."""
    if name == OFFLINE:
        from skillc.engines.offline.engine import OfflineEngine

        return OfflineEngine(thresholds)
    raise UsageError(f"no engine is named {name!r}", hint=f"known engines: {', '.join(ENGINES)}")
