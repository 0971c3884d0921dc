"""The engines by name. Explicit, so that nothing is discovered or loaded by accident."""

from skillc.core.compile.roles import Engine
from skillc.engines.offline.engine import OfflineEngine
from skillc.errors import UsageError

ENGINES: dict[str, type[Engine]] = {"offline": OfflineEngine}


def engine_named(name: str) -> Engine:
    """Returns the engine with this name. Raises UsageError that lists the known ones."""
    engine = ENGINES.get(name)
    if engine is None:
        raise UsageError(f"there is no engine {name!r}", hint=f"engines: {', '.join(ENGINES)}")
    return engine()
