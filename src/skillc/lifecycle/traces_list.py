"""What `skillc traces` answers: every Trace, what it is worth, and why it can or cannot support a Skill."""

from collections.abc import Sequence
from typing import Literal

from skillc.core.compile.select import Attempt, support_words
from skillc.core.record import Record


class TraceLine(Record):
    """One Trace of the list."""

    trace_id: str
    objective: str
    outcome: str
    strength: str
    assurance: str
    conflicted: bool
    task_family: str | None
    family_is_inferred: bool = False
    attempt_family: str
    events: int
    can_support: bool
    reasons: tuple[str, ...]
    landed: bool = False


class TracesReport(Record):
    """The answer of `skillc traces`."""

    format: Literal["skillc.traces/1"] = "skillc.traces/1"
    traces: tuple[TraceLine, ...]


def traces_report(attempts: Sequence[Attempt], *, task_family: str | None = None) -> TracesReport:
    """Returns one line per Trace, in order of start, then id."""
    words = support_words(attempts)
    chosen = [a for a in attempts if task_family is None or a.task_family == task_family]
    chosen.sort(key=lambda a: (str(a.trace.header.started_at or "9"), a.trace.trace_id))
    return TracesReport(traces=tuple(_line(a, *words[a.trace.trace_id]) for a in chosen))


def _line(attempt: Attempt, can_support: bool, reason: str) -> TraceLine:
    standing, header = attempt.standing, attempt.trace.header
    return TraceLine(
        trace_id=header.trace_id,
        objective=header.objective,
        outcome=standing.outcome.value,
        strength=standing.strength.value,
        assurance=standing.assurance.label,
        conflicted=standing.conflicted,
        task_family=attempt.task_family,
        family_is_inferred=attempt.is_inferred,
        attempt_family=attempt.attempt_family,
        events=len(attempt.trace.events),
        can_support=can_support,
        reasons=(reason, *standing.reasons),
        landed=standing.landed,
    )
