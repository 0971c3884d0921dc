"""What every way to verify answers: one result for each Trace, and how many records were signed.

The ways are modules of their own: verify_run, verify_events, verify_git, verify_ci, verify_person, verify_walk.
Paper: 5.1. Not here: signing (lifecycle.statements), what a verdict is worth (core.trace.verification).
"""

from typing import Literal

from skillc.core.record import Record
from skillc.core.trace.records import Outcome


class VerifyResult(Record):
    """What became of one Trace: verified, held with a reason, or skipped."""

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


class HeldError(Exception):
    """The verdict waits for a person; the text says why."""
