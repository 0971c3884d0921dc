"""skillc compiles verified agent runs into Agent Skills that you review like code.

The stable API is small: records and the trusted checks. Everything else is reached by the command line.
Names load on first use, so that `import skillc` costs nothing.
"""

from skillc.version import __version__

TYPE_CHECKING = False  # as in `typing`, which takes as long to import as the whole capture hook
if TYPE_CHECKING:
    from skillc.core.policy import Policy, parse_policy
    from skillc.core.skill.contract import Contract
    from skillc.core.skill.render import render_agent_view, render_full_form
    from skillc.core.trace.codec import Trace, parse_trace
    from skillc.errors import SkillcError

__all__ = [
    "Contract",
    "Policy",
    "SkillcError",
    "Trace",
    "__version__",
    "parse_policy",
    "parse_trace",
    "render_agent_view",
    "render_full_form",
]

_HOMES = {
    "Contract": "skillc.core.skill.contract",
    "Policy": "skillc.core.policy",
    "SkillcError": "skillc.errors",
    "Trace": "skillc.core.trace.codec",
    "parse_policy": "skillc.core.policy",
    "parse_trace": "skillc.core.trace.codec",
    "render_agent_view": "skillc.core.skill.render",
    "render_full_form": "skillc.core.skill.render",
}


def __getattr__(name: str) -> object:
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'skillc' has no attribute {name!r}")
