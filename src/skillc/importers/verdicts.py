"""The outcome that a registered mapping reads from a foreign record.

A value that is no number gives no verdict and a note: absent is not a failure. Paper: 5.1.
Not here: what a mapped outcome is worth (core.trace.verification).
"""

from typing import Any

from skillc.core.trace.records import Outcome
from skillc.importers.base import ImportReport, MappedVerdict, OutcomeMapping
from skillc.importers.messages import field_at


def mapped_verdict(
    record: Any, mapping: OutcomeMapping | None, report: ImportReport, *, what: str
) -> MappedVerdict | None:
    """Returns the outcome at the mapping's field of a record; a place `-1` in a list is its last.

    Without a number there is a note that names `what` and no verdict.
    """
    if mapping is None:
        return None
    value = field_at(record, mapping.field)
    if isinstance(value, bool):
        value = float(value)
    if not isinstance(value, int | float):
        report.notes.append(f"{what}: no number at {mapping.field!r}, so no verdict")
        return None
    outcome = Outcome.SUCCESS if value >= mapping.success_at else Outcome.FAILURE
    return MappedVerdict(outcome=outcome, detail=f"{mapping.field} = {value}")
