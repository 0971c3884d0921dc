"""What `skillc capture` answers: per source what was stored, skipped and redacted, and why.

Not here: capturing (lifecycle.capture).
"""

from typing import Literal

from skillc.core.record import Record


class CapturedTrace(Record):
    """One Trace of a source, new or known."""

    trace_id: str
    path: str
    events: int
    outcome: str
    strength: str
    task_family: str | None
    is_new: bool


class SkippedCount(Record):
    """Something that was not taken, and how often."""

    reason: str
    count: int


class CapturedSource(Record):
    """What one source gave."""

    path: str
    kind: str
    traces: tuple[CapturedTrace, ...]
    skipped: tuple[SkippedCount, ...]
    redacted: dict[str, int]
    notes: tuple[str, ...]
    cut: int = 0  # events whose text or arguments were cut in the middle


class CaptureTotals(Record):
    """Sums over all sources; `new` and `events` count new Traces only."""

    traces: int
    new: int
    events: int


class FailedSource(Record):
    """A source that gave nothing, and why; the others are not touched by it."""

    path: str
    message: str
    hint: str | None


class HookSwitch(Record):
    """The answer of `skillc capture --on` and `--off`: whether the hook works here."""

    format: Literal["skillc.hook-switch/1"] = "skillc.hook-switch/1"
    is_on: bool


class CaptureReport(Record):
    """The answer of `skillc capture`. `undo` are the lines that take the commits back, newest first."""

    format: Literal["skillc.capture/1"] = "skillc.capture/1"
    sources: tuple[CapturedSource, ...]
    totals: CaptureTotals
    commits: tuple[str, ...] = ()
    undo: tuple[str, ...] = ()
    verifications: int = 0
    failed: tuple[FailedSource, ...] = ()
