"""Bare `verify`: what a person sees of each attempt that nobody verified, one after the other.

Paper: 5.1. Not here: asking and printing (cli.cmd_verify), signing (lifecycle.verify_person).
"""

from collections.abc import Sequence

from skillc.core.compile.select import Attempt
from skillc.core.record import Record
from skillc.core.trace.codec import Trace
from skillc.core.trace.records import Event, Outcome
from skillc.lifecycle.attempts import chosen_attempts
from skillc.lifecycle.context import Context

SHOWN_EVENTS = 5
_SHOWN_CHARS = 2000
ANSWERS = {"s": Outcome.SUCCESS, "p": Outcome.PARTIAL, "f": Outcome.FAILURE}


class WalkItem(Record):
    """One attempt that waits: its last events as `id kind text`, and what else could verify it."""

    trace: Trace
    events: tuple[tuple[str, str], ...]
    ways: tuple[str, ...]
    reasons: tuple[str, ...]


def walk_items(context: Context, trace_ids: Sequence[str] = ()) -> list[WalkItem]:
    """Returns the attempts that nobody verified and that did not report a failure, oldest first."""
    waiting = [a for a in chosen_attempts(context, trace_ids) if trace_ids or _waits(a)]
    waiting.sort(key=lambda a: (str(a.trace.header.started_at or "9"), a.trace.trace_id))
    checks = [v.id for v in context.policy.verifiers if v.run]
    return [
        WalkItem(
            trace=a.trace,
            events=tuple((f"{e.id} {e.kind.value}", _words(e)) for e in a.trace.events[-SHOWN_EVENTS:]),
            ways=tuple(_ways(a.trace, checks)),
            reasons=a.standing.reasons,
        )
        for a in waiting
    ]


def _waits(attempt: Attempt) -> bool:
    standing = attempt.standing
    return not standing.strength.is_strong and standing.outcome in (Outcome.SUCCESS, Outcome.UNKNOWN)


def _ways(trace: Trace, checks: Sequence[str]) -> list[str]:
    short = trace.trace_id[:14]
    git = trace.header.environment.git
    at = "" if git is not None and git.head_end else " --at COMMIT"
    ways = [f"skillc verify --run {check} {short}{at}" for check in checks]
    ways += [f"skillc verify --from-events {short}"] if checks else []
    return [*ways, f"skillc verify --from-git {short}, once its work is merged"]


def _words(event: Event) -> str:
    if event.restricted is not None:
        return "(restricted)"
    if event.arguments is not None:
        return f"{event.tool or ''} {event.arguments}"[:_SHOWN_CHARS]
    return (event.text or "")[:_SHOWN_CHARS]
