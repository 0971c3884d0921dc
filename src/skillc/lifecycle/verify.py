"""What every way to verify answers: one result for each Trace, and how many records were signed.

The ways are modules of their own: verify_run, verify_events, verify_git, verify_ci, verify_person, verify_walk.
Paper: 5.1. Not here: signing (lifecycle.statements), what a verdict is worth (core.trace.verification).
"""

from collections import Counter
from collections.abc import Iterable
from typing import Literal

from skillc.core.record import Record
from skillc.core.trace.records import Outcome
from skillc.lifecycle.statements import Recorded
from skillc.lifecycle.undo import ledger_undo


class VerifyResult(Record):
    """What one verifier says of one Trace: verified, known as it is recorded already, held, or skipped."""

    trace_id: str
    state: Literal["verified", "known", "held", "skipped"]
    outcome: Outcome | None = None
    commit: str | None = None
    reason: str = ""
    verifier: str | None = None
    landed: bool = False


class VerifyReport(Record):
    """The answer of `skillc verify`."""

    format: Literal["skillc.verify/1"] = "skillc.verify/1"
    verifier: str
    results: tuple[VerifyResult, ...]
    recorded: int
    pushed: bool = False
    commit: str | None = None
    undo: str | None = None


class VerifyCounts(Record):
    """What became of the Traces that were looked at: each is counted once, so the others add up to `traces`."""

    traces: int
    recorded: int
    known: int
    held: int
    verified_before: int
    silent: int


VERIFIED_BEFORE = "verified already"


def count_traces(results: Iterable[VerifyResult]) -> VerifyCounts:
    """Counts Traces by the best that any verifier said of them: new, known, held, verified before, nothing."""
    best: dict[str, int] = {}
    for result in results:
        rank = {"verified": 0, "known": 1, "held": 2, "skipped": 4}[result.state]
        rank -= rank == 4 and result.reason == VERIFIED_BEFORE
        best[result.trace_id] = min(rank, best.get(result.trace_id, rank))
    count = Counter(best.values())
    return VerifyCounts(
        traces=len(best), recorded=count[0], known=count[1], held=count[2], verified_before=count[3], silent=count[4]
    )


def report_of(verifier: str, results: Iterable[VerifyResult], done: Recorded) -> VerifyReport:
    """Returns the answer of a way that recorded `done` on the ledger."""
    return VerifyReport(
        verifier=verifier,
        results=tuple(results),
        recorded=done.count,
        commit=done.commit,
        undo=ledger_undo(done.commit),
    )


class HeldError(Exception):
    """The verdict waits for a person; the text says why."""
