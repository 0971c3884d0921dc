"""Evidence selection: which sources a run reads, what role each plays, and why the others are left out.

Counts attempt families, not Traces; keeps failures as contrast; records every source read and left out.
Paper: 5.3, Evidence selection and Cite-or-retain rule. Not here: reading Traces (lifecycle.attempts).
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime

from skillc.core.compile.evidence import LeftOut, Source, SourceRole
from skillc.core.compile.history import RunRecord, source_key
from skillc.core.policy import Thresholds
from skillc.core.record import Record
from skillc.core.trace.codec import Trace
from skillc.core.trace.records import Origin, Outcome
from skillc.core.trace.verification import Standing

MAX_PER_FAMILY = 8
# What one run reads at most; Choice, ADR 0005. Cited Traces are counted, and come first.
MAX_TRACES = {SourceRole.SUPPORT: 400, SourceRole.CONTRAST: 200}
MAX_EVENTS = {SourceRole.SUPPORT: 12_000, SourceRole.CONTRAST: 4_000}
_FIRST = datetime.min.replace(tzinfo=UTC)


class Attempt(Record):
    """A Trace with everything that is known about it today."""

    trace: Trace
    standing: Standing
    attempt_family: str
    task_family: str | None
    is_inferred: bool = False  # the task family is by score, and nobody stated it

    @property
    def key(self) -> str:
        return source_key(self.trace, self.standing)


class Selection(Record):
    """What one run reads and leaves out. `fresh` are the ids of sources that no earlier run consumed."""

    sources: tuple[Source, ...]
    left_out: tuple[LeftOut, ...]
    fresh: tuple[str, ...]

    @property
    def has_support(self) -> bool:
        return any(s.role is SourceRole.SUPPORT for s in self.sources)


def select_evidence(
    attempts: Iterable[Attempt],
    *,
    cited: frozenset[str],
    consumed: frozenset[str],
    single: bool = False,
    set_aside: Mapping[str, str] | None = None,
    read_before: frozenset[str] = frozenset(),
) -> Selection:
    """Returns the sources of one task family.

    Args:
        attempts: every Trace of the family.
        cited: ids of Traces that the family's current Skill cites; they are read again as its support.
        consumed: keys of sources that earlier runs consumed and that are not cited.
        single: compile one named Trace alone; nothing is consumed then.
        set_aside: attempt family or Trace -> why a person's decision keeps it out.
        read_before: keys of sources that earlier runs read; over the limits, others come before them.
    """
    left_out: list[LeftOut] = []
    usable: list[tuple[Attempt, SourceRole]] = []
    for attempt in sorted(attempts, key=_order):
        trace_id = attempt.trace.trace_id
        role, reason = role_of(attempt)
        aside = (set_aside or {}).get(trace_id) or (set_aside or {}).get(attempt.attempt_family)
        is_read_before = is_known(attempt, consumed) and trace_id not in cited
        if aside is not None:
            left_out.append(LeftOut(trace_id=trace_id, reason=aside))
        elif role is None:
            left_out.append(LeftOut(trace_id=trace_id, reason=reason))
        elif is_read_before and role is SourceRole.SUPPORT and not single:
            left_out.append(LeftOut(trace_id=trace_id, reason="consumed by earlier runs"))
        else:
            usable.append((attempt, role))
    over = _over_the_limits(usable, cited, read_before)
    left_out += [LeftOut(trace_id=a.trace.trace_id, reason=reason) for a, reason in over]
    dropped = {a.trace.trace_id for a, _ in over}
    kept = [(a, role) for a, role in usable if a.trace.trace_id not in dropped]
    sources = tuple(
        Source(trace=a.trace, standing=a.standing, attempt_family=a.attempt_family, role=role) for a, role in kept
    )
    fresh = (a.trace.trace_id for a, _ in kept if not is_known(a, consumed))
    return Selection(sources=sources, left_out=tuple(left_out), fresh=tuple(t for t in fresh if t not in cited))


def _over_the_limits(
    usable: Iterable[tuple[Attempt, SourceRole]], cited: frozenset[str], read_before: frozenset[str]
) -> list[tuple[Attempt, str]]:
    """Returns what one run does not read, and why.

    Cited Traces come first, then those that no run has read, and one of each family before a second.
    """
    turns: dict[tuple[str, SourceRole], int] = {}
    ranked = []
    for place, (attempt, role) in sorted(enumerate(usable), key=lambda i: (i[1][0].trace.trace_id not in cited, i[0])):
        turn = turns.setdefault((attempt.attempt_family, role), 0)
        turns[attempt.attempt_family, role] += 1
        rank = (attempt.trace.trace_id not in cited, is_known(attempt, read_before), turn, place)
        ranked.append((rank, attempt, role))
    over: list[tuple[int, Attempt, str]] = []
    traces = dict.fromkeys(SourceRole, 0)
    events = dict.fromkeys(SourceRole, 0)
    for (_, _, turn, place), attempt, role in sorted(ranked, key=lambda item: item[0]):
        size = len(attempt.trace.events)
        if turn >= MAX_PER_FAMILY:
            over.append((place, attempt, "duplicate retry of its attempt family"))
        elif traces[role] >= MAX_TRACES[role] or (traces[role] and events[role] + size > MAX_EVENTS[role]):
            over.append((place, attempt, "over the size limit of one run"))
        else:
            traces[role] += 1
            events[role] += size
    return [(attempt, reason) for _, attempt, reason in sorted(over, key=lambda item: item[0])]


def is_known(attempt: Attempt, keys: frozenset[str]) -> bool:
    """Says whether a source is among those of earlier runs; without earlier runs nobody needs its key."""
    return bool(keys) and attempt.key in keys


def role_of(attempt: Attempt) -> tuple[SourceRole | None, str]:
    """Returns what a Trace may do in a compilation, or None and why it may do nothing. Paper: 5.1, 5.3."""
    standing = attempt.standing
    if attempt.trace.header.origin is Origin.SIMULATED:
        return None, "simulated: never evidence"
    if standing.conflicted:
        return None, "its verifications disagree"
    if standing.is_verified_success:
        return SourceRole.SUPPORT, ""
    if standing.is_verified_failure:
        return SourceRole.CONTRAST, ""
    if standing.strength.is_strong:
        return None, f"verified as {standing.outcome.value}: neither success nor failure"
    if standing.outcome is Outcome.SUCCESS:
        return None, "only the agent says that it succeeded"
    return None, "not verified"


def consumed_keys(runs: Iterable[RunRecord], *, task_family: str, thresholds: Thresholds) -> frozenset[str]:
    """Returns the keys of sources that finished runs consumed, citations aside.

    Failed sources at once; verified successes when `retain_runs` runs read them and made nothing of them. A run
    that made a version uses up nothing: until it is admitted, its sources are needed to make it again.
    Paper: 5.3, Cite-or-retain rule.
    """
    reads: dict[str, set[str]] = {}  # two clones can record the same run: it counts once
    consumed = set()
    for run in runs:
        if run.task_family != task_family or run.failure is not None:
            continue
        for source in run.read:
            if source.role == SourceRole.CONTRAST.value:
                consumed.add(source.key)
            elif not run.versions:
                reads.setdefault(source.key, set()).add(run.run)
    consumed.update(key for key, made in reads.items() if len(made) >= thresholds.retain_runs)
    return frozenset(consumed)


def read_keys(runs: Iterable[RunRecord], *, task_family: str) -> frozenset[str]:
    """Returns the keys of all sources that finished runs of a family read."""
    return frozenset(s.key for r in runs if r.task_family == task_family and r.failure is None for s in r.read)


def support_words(attempts: Iterable[Attempt]) -> Mapping[str, tuple[bool, str]]:
    """Returns trace_id -> (can support a Skill, why or why not), for `skillc traces`."""
    words = {}
    for attempt in attempts:
        role, reason = role_of(attempt)
        if role is SourceRole.SUPPORT and attempt.task_family is None:
            words[attempt.trace.trace_id] = (False, "no task family yet")
        elif role is SourceRole.SUPPORT:
            words[attempt.trace.trace_id] = (True, "strongly verified success")
        elif role is SourceRole.CONTRAST:
            words[attempt.trace.trace_id] = (False, "verified failure: contrast only")
        else:
            words[attempt.trace.trace_id] = (False, reason)
    return words


def _order(attempt: Attempt) -> tuple[str, datetime, str]:
    return attempt.attempt_family, attempt.trace.header.started_at or _FIRST, attempt.trace.trace_id
