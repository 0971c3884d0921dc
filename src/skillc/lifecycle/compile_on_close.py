"""`compile.on: close`: what a capture closed is compiled at once, offline, and never fails the capture.

Which families: those of the Traces that are new. The policy of base decides, as everywhere. Paper: 5.3.
Not here: capturing (lifecycle.capture, lifecycle.drain), one family's run (lifecycle.compile).
"""

from collections.abc import Iterable

from skillc.core.admission_policy import CompileTrigger
from skillc.core.skill.render import plural
from skillc.errors import SkillcError
from skillc.lifecycle.attempts import load_attempts
from skillc.lifecycle.capture_report import CaptureReport
from skillc.lifecycle.context import Context


def compile_on_close(context: Context, captured: CaptureReport | None) -> list[str]:
    """Compiles the families that a capture gave a new Trace, when policy says so; returns what to say of it."""
    if context.policy.compile.on is not CompileTrigger.CLOSE or context.repository.is_dry or captured is None:
        return []
    new = {t.trace_id for s in captured.sources for t in s.traces if t.is_new}
    if not new:
        return []
    context.base = context.repository.base()  # Traces in the tree moved it
    context.forget_ledger()
    try:
        return _compiled(context, _families_of(context, new))
    except (SkillcError, OSError) as error:
        # The capture is done; whatever keeps the compile from working is met again by `skillc compile`.
        what = error.message if isinstance(error, SkillcError) else str(error)
        return [f"compile.on is close, and nothing was compiled: {what}"]


def _families_of(context: Context, traces: Iterable[str]) -> list[str]:
    wanted = set(traces)
    found = (a for a in load_attempts(context) if a.trace.trace_id in wanted)
    return sorted({a.task_family for a in found if a.task_family is not None})


def _compiled(context: Context, families: list[str]) -> list[str]:
    from skillc.lifecycle.compile import CompileOptions
    from skillc.lifecycle.compile_all import compile_namespace

    said = []
    for family in families:
        report = compile_namespace(context, families=[family], traces=[], options=CompileOptions())
        for run in report.families:
            count = sum(1 for v in run.group.versions if v.commit)
            if count:
                versions = f"{count} {plural('version', count)}"
                said.append(f"compiled {family}: {run.group.state}, {versions}: skillc review {family}")
    return said
