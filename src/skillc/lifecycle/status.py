"""Status: what is captured, what waits, what is verified, and the one command that helps most now.

Reads everything and changes nothing but a cache; no network. Not here: whether the machine is set up well
(lifecycle.doctor).
"""

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from skillc.core.compile.conflict import open_conflicts
from skillc.core.compile.history import RunRecord
from skillc.core.compile.select import Attempt, consumed_keys, role_of, select_evidence
from skillc.core.compile.withdrawal import WithdrawalReason
from skillc.core.record import Moment, Record
from skillc.core.skill.contract import cited_events
from skillc.core.trace.verification import Strength
from skillc.lifecycle.attempts import load_attempts
from skillc.lifecycle.candidates import Candidate, pending_candidates
from skillc.lifecycle.context import Context
from skillc.lifecycle.families import seen_groups
from skillc.lifecycle.folder_branches import folder_branches
from skillc.lifecycle.host_state import HostStatus, host_states
from skillc.lifecycle.hosts import HookEvent
from skillc.lifecycle.repairs import DueRepair, due_repairs
from skillc.lifecycle.skill_states import AdmittedSkill, GoneSkill, admitted_skills, gone_skills
from skillc.lifecycle.skills import StoredSkill, current_skills
from skillc.lifecycle.transcripts import NO_TRANSCRIPT, find_transcripts
from skillc.lifecycle.unverified import UnverifiedTrace, unverified_traces, waits
from skillc.lifecycle.upkeep import decided_withdrawals, weak_words
from skillc.repo.session_spool import off_switch, read_spool, unread_entries

_OFF = {"repository": "capture by hook is off here", "shell": "SKILLC_OFF is set in this shell"}


class SpooledLine(Record):
    """A session that the hook told about and that no command took yet. `problem`: why no command can take it now."""

    agent: str
    session: str
    event: HookEvent
    at: float
    problem: str | None = None


class TraceCounts(Record):
    """All Traces by what their outcome is worth."""

    total: int
    by_strength: dict[str, int]
    verified_successes: int
    verified_failures: int
    conflicted: int
    unverified: int


class ReadyFamily(Record):
    """A task family with verified successes that no run has read."""

    task_family: str
    fresh: int
    attempt_families: int


class WaitingCandidate(Record):
    """A candidate branch that waits for a merge or a rejection."""

    task_family: str
    branch: str
    skills: tuple[str, ...]


class WaitingFolder(Record):
    """A branch of a person's command that takes a Skill away or brings it back, and that base has not taken yet."""

    branch: str
    skills: tuple[str, ...]


class OpenConflict(Record):
    """A conflict that waits for a person, also when the Skill's folder is gone already."""

    conflict: str
    skill: str
    task_family: str


class DecidedSkill(Record):
    """A Skill out of service for a conflict that a person decided, whose next version no run has made."""

    skill: str
    task_family: str


class NextStep(Record):
    """The one command that helps most, and why."""

    command: str
    reason: str


class StatusReport(Record):
    """The answer of `skillc status`.

    `capture_off`: the hook is off in this repository, or in the hosts that this shell starts. `spool_unread` counts
    entries of the hook that were put aside.
    """

    format: Literal["skillc.status/1"] = "skillc.status/1"
    at: Moment
    namespace: str
    base: str
    base_commit: str | None
    is_draft: bool
    hosts: tuple[HostStatus, ...]
    capture_off: Literal["repository", "shell"] | None = None
    spool: tuple[SpooledLine, ...]
    spool_unread: int = 0
    traces: TraceCounts
    unverified: tuple[UnverifiedTrace, ...]
    families_ready: tuple[ReadyFamily, ...]
    groups_ready: tuple[str, ...]
    candidates: tuple[WaitingCandidate, ...]
    folders: tuple[WaitingFolder, ...] = ()
    repairs: tuple[DueRepair, ...] = ()
    skills: tuple[AdmittedSkill, ...]
    gone: tuple[GoneSkill, ...] = ()
    conflicts: tuple[OpenConflict, ...] = ()
    decided: tuple[DecidedSkill, ...] = ()
    uncounted: tuple[str, ...] = ()
    next: NextStep | None


def status(context: Context) -> StatusReport:
    """Returns the state of the namespace at the context's time."""
    attempts = load_attempts(context)
    skills = current_skills(context)
    pending = pending_candidates(context)
    minimum = context.policy.thresholds.minimum_families
    report = StatusReport(
        at=context.now,
        namespace=context.policy.namespace,
        base=context.base.branch,
        base_commit=context.base.commit,
        is_draft=context.is_draft,
        hosts=host_states(context, [a.trace for a in attempts]),
        capture_off=off_switch(context.repository),
        spool=_spool(context),
        spool_unread=len(unread_entries(context.repository)),
        traces=_counts(attempts),
        unverified=unverified_traces(context, attempts),
        families_ready=_families_ready(context, attempts, skills, pending),
        groups_ready=tuple(
            g.slug
            for g in seen_groups(attempts)
            if g.operations and g.verified_families and g.attempt_families >= minimum
        ),
        candidates=tuple(_candidate(c) for c in pending.values()),
        folders=tuple(
            WaitingFolder(branch=b.branch, skills=tuple(c.skill for c in b.changes)) for b in folder_branches(context)
        ),
        repairs=due_repairs(context, attempts),
        skills=admitted_skills(context, skills, attempts),
        gone=gone_skills(context, skills),
        conflicts=tuple(
            OpenConflict(conflict=c.conflict, skill=c.skill, task_family=c.task_family)
            for c in open_conflicts(context.ledger.conflicts, context.ledger.resolutions)
        ),
        decided=tuple(
            DecidedSkill(skill=w.skill, task_family=w.task_family) for w in decided_withdrawals(context, set(pending))
        ),
        uncounted=tuple(f"{what}: {why}" for what, why in context.ledger.uncounted),
        next=None,
    )
    return report.model_copy(update={"next": next_step(report)})


def _spool(context: Context) -> tuple[SpooledLine, ...]:
    sessions = read_spool(context.repository, drops_bad=False)
    return tuple(
        SpooledLine(
            agent=s.agent,
            session=s.session_id[:64],
            event="SessionEnd" if s.has_ended else "Stop" if s.turn_ended else "SessionStart",
            at=s.at,
            problem=NO_TRANSCRIPT if path is None else None,
        )
        for s, path in zip(sessions, find_transcripts(sessions), strict=True)
    )


def _counts(attempts: Sequence[Attempt]) -> TraceCounts:
    strengths = Counter(a.standing.strength.value for a in attempts)
    return TraceCounts(
        total=len(attempts),
        by_strength={s.value: strengths[s.value] for s in Strength},
        verified_successes=sum(a.standing.is_verified_success for a in attempts),
        verified_failures=sum(a.standing.is_verified_failure for a in attempts),
        conflicted=sum(a.standing.conflicted for a in attempts),
        unverified=sum(waits(a) for a in attempts),
    )


def _families_ready(
    context: Context, attempts: Sequence[Attempt], skills: dict[str, StoredSkill], pending: dict[str, Candidate]
) -> tuple[ReadyFamily, ...]:
    """A family whose candidate waits is not ready: its evidence was read, and a person decides first."""
    by_family: dict[str, list[Attempt]] = {}
    for attempt in attempts:
        if attempt.task_family is not None:
            by_family.setdefault(attempt.task_family, []).append(attempt)
    found = []
    for family, members in sorted(by_family.items()):
        own = [s.contract for s in skills.values() if s.contract is not None and s.contract.task_family == family]
        cited = frozenset(t for contract in own for t in cited_events(contract))
        consumed = consumed_keys(context.ledger.runs, task_family=family, thresholds=context.policy.thresholds)
        selection = select_evidence(members, cited=cited, consumed=consumed)
        read = _read_by_runs(context.ledger.runs, family)
        by_id = {a.trace.trace_id: a for a in members}
        new = (by_id[trace_id] for trace_id in selection.fresh)
        fresh = [a for a in new if a.standing.is_verified_success and a.key not in read]
        if fresh and family not in pending:
            families = len({a.attempt_family for a in members if role_of(a)[0] is not None})
            found.append(ReadyFamily(task_family=family, fresh=len(fresh), attempt_families=families))
    return tuple(found)


def _read_by_runs(runs: Sequence[RunRecord], family: str) -> frozenset[str]:
    return frozenset(
        source.key for run in runs if run.task_family == family and run.failure is None for source in run.read
    )


def _candidate(candidate: Candidate) -> WaitingCandidate:
    return WaitingCandidate(
        task_family=candidate.task_family,
        branch=candidate.branch,
        skills=tuple(v.skill for v in candidate.versions),
    )


def next_step(report: StatusReport) -> NextStep | None:
    """Returns the step that loses most when it is not done, then the one that the most waits for."""
    soon = sum(h.deleted_soon for h in report.hosts)
    new = sum(h.new + h.went_on for h in report.hosts)
    ended = sum(1 for s in report.spool if s.event == "SessionEnd" and s.problem is None)
    off = f"; {_OFF[report.capture_off]}, and this takes what was made meanwhile too" if report.capture_off else ""
    steps = (
        (soon, "skillc capture --all", f"{soon} uncaptured transcripts are deleted within a week{off}"),
        (
            int(report.is_draft),
            "git add skillc.yaml .gitattributes && git commit -m 'skillc: namespace'",
            f"nothing is admitted until skillc.yaml is on {report.base}",
        ),
        *_upkeep_steps(report),
        (new, "skillc capture --all", f"{new} sessions are not captured{off}"),
        (ended, "skillc capture --drain", f"{ended} sessions that ended wait in the spool"),
        *((1, f"skillc review {c.task_family}", "a candidate waits for you") for c in report.candidates[:1]),
        *((1, f"skillc review {f.branch}", f"{f.branch} waits for a merge") for f in report.folders[:1]),
        _compile_step(report.families_ready),
        *(
            (1, f"skillc families accept {slug}", "verified Traces form a group that has no family")
            for slug in report.groups_ready[:1]
        ),
        *_verify_step(report.unverified, report.traces.unverified),
        (
            int(all(h.hook == "none" for h in report.hosts)),
            f"skillc init --host {max(report.hosts, key=lambda h: h.sessions).host}",
            "no hook captures sessions by itself",
        ),
        (
            int(report.capture_off == "repository"),
            "skillc capture --on",
            f"{_OFF['repository']}: no session is taken by itself",
        ),
    )
    return next((NextStep(command=command, reason=reason) for is_due, command, reason in steps if is_due), None)


def _upkeep_steps(report: StatusReport) -> tuple[tuple[int, str, str], ...]:
    """A Skill that agents load although something speaks against it comes before new work."""
    found = []
    for conflict in report.conflicts:
        command = f"skillc resolve {conflict.skill} --keep A|B --reason TEXT"
        found.append((1, command, f"two verified rules of {conflict.skill} are opposite"))
    for decided in report.decided:
        reason = f"the conflict of {decided.skill} is decided, and the next run makes its new version"
        found.append((1, f"skillc compile --family {decided.task_family}", reason))
    found += [
        (1, f"skillc compile --family {r.task_family}", f"{r.skill} went with deleted evidence; mend it from the rest")
        for r in report.repairs
    ]
    for skill in report.skills:
        if skill.weak and skill.out_of_service is None:
            reason = f"{skill.name}: {weak_words(len(skill.weak))}"
            found.append((1, f"skillc compile --family {skill.task_family}", reason))
    found += [
        (1, "skillc maintain", f"the validity of {skill.name} is past, and hosts load it still")
        for skill in report.skills
        if skill.out_of_service == WithdrawalReason.EXPIRED.value
    ]
    found += [
        (1, f"skillc stale {skill.name}", f"{skill.name} names what is gone: {skill.stale[0]}")
        for skill in report.skills
        if skill.stale and skill.out_of_service is None
    ]
    return tuple(found[:1])


def _compile_step(ready: Sequence[ReadyFamily]) -> tuple[int, str, str]:
    fresh = sum(family.fresh for family in ready)
    one = f" --family {ready[0].task_family}" if len(ready) == 1 else ""
    return len(ready), f"skillc compile{one}", f"{fresh} verified successes were never compiled"


def _verify_step(unverified: Sequence[UnverifiedTrace], total: int) -> tuple[tuple[int, str, str], ...]:
    """The way that is the first one of most Traces; a way that takes several Traces at once is named without them."""
    ways = Counter(trace.ways[0] for trace in unverified)
    if not ways:
        return ()
    way, _ = ways.most_common(1)[0]
    first = next(trace for trace in unverified if trace.ways[0] == way)
    command = first.commands[0]
    if not way.startswith("as ") and way != "none yet" and "--at" not in command:
        command = command.rsplit(" ", 1)[0]
    return ((1, command, f"{total} possible successes are not verified"),)
