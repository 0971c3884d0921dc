"""The outcome that a registered mapping reads from a field of a foreign record.

A field without a number gives no verdict and is counted: absent is not a failure. Paper: 5.1.
Not here: scores with a name and a source of their own (importers.scores), what a mapped outcome is worth
(core.trace.verification).
"""

from math import isfinite
from typing import Any

from skillc.core.trace.records import Outcome
from skillc.importers.base import ImportReport, MappedVerdict, OutcomeMapping


def field_at(record: Any, path: str) -> Any:
    """Returns the value at a dotted path of objects and list positions (`-1`: the last), or None without one."""
    value = record
    for part in path.split("."):
        if isinstance(value, dict):
            value = value.get(part)
        elif isinstance(value, list) and part.isascii() and part.isdigit() and int(part) < len(value):
            value = value[int(part)]
        elif isinstance(value, list) and part == "-1" and value:
            value = value[-1]
        else:
            return None
    return value


def number_of(value: Any) -> float | None:
    """Returns a number or a truth value as a finite float, None for all else."""
    if not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if isfinite(number) else None


def field_verdict(record: Any, mapping: OutcomeMapping | None, report: ImportReport) -> MappedVerdict | None:
    """Returns the outcome at the mapping's field of a record; without a number there it counts and gives None."""
    if mapping is None:
        return None
    value = number_of(field_at(record, mapping.field))
    if value is None:
        report.skipped["outcome without a number at the mapping's field"] += 1
        return None
    outcome = Outcome.SUCCESS if value >= mapping.success_at else Outcome.FAILURE
    return MappedVerdict(outcome=outcome, detail=f"{mapping.field} = {value}")
