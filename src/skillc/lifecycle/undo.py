"""The line that takes a write back, as a person would type it; every command that writes prints it.

Each line names what it moves and from where, so that git refuses it once something came after. What was synced
meanwhile comes back with the next sync. Not here: versions of Skills (lifecycle.restore).
"""

from collections.abc import Sequence

from skillc.core.policy import TracesLocation
from skillc.lifecycle.context import Context
from skillc.repo import layout

_DIGITS = 12


def ledger_undo(commit: str | None) -> str | None:
    """Returns the line that takes the newest commit of the ledger off it; the empty first commit is below all."""
    if commit is None:
        return None
    return f"git update-ref {layout.LEDGER_REF} {commit[:_DIGITS]}~1 {commit[:_DIGITS]}"


def traces_undo(context: Context, commits: Sequence[str]) -> tuple[str, ...]:
    """Returns the lines that take commits of Traces back, newest first."""
    newest_first = [commit[:_DIGITS] for commit in reversed(commits)]
    if context.policy.traces.location is TracesLocation.TREE:
        return tuple(f"git revert --no-edit {commit}" for commit in newest_first)
    return tuple(
        f"git update-ref {layout.TRACES_REF} {commit}~1 {commit}"
        if context.repository.resolve(f"{commit}~1")
        else f"git update-ref -d {layout.TRACES_REF} {commit}"
        for commit in newest_first
    )
