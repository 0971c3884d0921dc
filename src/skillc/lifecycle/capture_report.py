"""What `skillc capture` answers: per source what was stored, skipped and redacted, and why.

Not here: capturing (lifecycle.capture).
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Literal

from skillc.core.policy import Verifier
from skillc.core.record import Record
from skillc.core.skill.render import plural


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
    restricted: int = 0  # events that are stored as references without content
    orders: int = 0  # events of new Traces whose untrusted text the scanner would block


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


def unmapped_notes(verifier: Verifier | None, traces: Sequence[CapturedTrace]) -> list[str]:
    """Says that a mapping found no outcome in a whole source, and how its field is mended."""
    if verifier is None or verifier.mapping is None or not traces or any(t.strength != "none" for t in traces):
        return []
    return [
        f"no outcome was recorded: none of {len(traces)} {plural('Trace', len(traces))} has a number at "
        f"{verifier.mapping.field!r}, the field of {verifier.id!r}; mend `field` of its mapping in skillc.yaml, "
        "commit it on base, and capture the same source again"
    ]


def empty_source(path: str) -> CapturedSource:
    """Returns what a session without an event gave."""
    skipped = (SkippedCount(reason="session without events", count=1),)
    return CapturedSource(path=path, kind="unknown", traces=(), skipped=skipped, redacted={}, notes=())


def without_claims(source: CapturedSource, stored_meanwhile: Collection[str]) -> CapturedSource:
    """Returns what a source gave, without claiming as new what another capture stored meanwhile."""
    if not any(t.trace_id in stored_meanwhile for t in source.traces):
        return source
    traces = [t.model_copy(update={"is_new": False}) if t.trace_id in stored_meanwhile else t for t in source.traces]
    return source.model_copy(update={"traces": tuple(traces)})


def report_of(
    sources: Iterable[CapturedSource],
    commits: Sequence[str],
    verifications: int,
    failed: Sequence[FailedSource],
    *,
    undo: tuple[str, ...] = (),
) -> CaptureReport:
    """Returns the answer with its sums."""
    found = tuple(sources)
    traces = [t for s in found for t in s.traces]
    new = [t for t in traces if t.is_new]
    totals = CaptureTotals(traces=len(traces), new=len(new), events=sum(t.events for t in new))
    return CaptureReport(
        sources=found,
        totals=totals,
        commits=tuple(commits),
        undo=undo,
        verifications=verifications,
        failed=tuple(failed),
    )
