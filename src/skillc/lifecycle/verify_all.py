"""`verify --all`: asks base first, then the events, for every Trace. Paper: 5.1. Not here: either of the ways."""

from collections.abc import Sequence

from skillc.errors import PolicyError, UsageError
from skillc.lifecycle.context import Context
from skillc.lifecycle.verify import VerifyReport
from skillc.lifecycle.verify_events import verify_by_events
from skillc.lifecycle.verify_git import verify_by_git


def verify_all(context: Context, *, trace_ids: Sequence[str] = (), dry_run: bool = False) -> VerifyReport:
    """Tries both ways that run nothing. A way that this registry has no verifier for is left out and told."""
    reports: list[VerifyReport] = []
    refusals: list[PolicyError | UsageError] = []
    for way in (verify_by_git, verify_by_events):
        try:
            reports.append(way(context, trace_ids=trace_ids, dry_run=dry_run))
        except PolicyError as error:
            refusals.append(error)
        except UsageError as error:
            if way is verify_by_git:
                raise
            refusals.append(error)
    if not reports:
        raise refusals[0]
    context.notes += [f"left out: {refusal.message}" for refusal in refusals]
    return VerifyReport(
        verifier=", ".join(r.verifier for r in reports),
        results=tuple(result for report in reports for result in report.results),
        recorded=sum(report.recorded for report in reports),
        commit=next((report.commit for report in reversed(reports) if report.commit), None),
        undo="; ".join(report.undo for report in reversed(reports) if report.undo) or None,
    )
