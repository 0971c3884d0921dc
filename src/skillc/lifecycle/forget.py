"""`forget`: the content of a Trace or of single events goes, and every Skill that rests on it goes out of service.

Traces, ledger, base and candidates move in one transaction of refs, so nobody ever sees half of it. What stays is a
hash in each place. Caches that could hold the text are thrown away. Paper: 5.6, Deletion.
Not here: what goes and what stays of a file (core.remove), what history still holds (lifecycle.forget_left), the
repair, which the next compilation makes (lifecycle.compile).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from pydantic import Field

from skillc.core.compile.withdrawal import WithdrawalReason
from skillc.core.policy import TracesLocation
from skillc.core.record import Record
from skillc.core.remove import Deletion, TombstoneRecord, also_holds, delete_events, delete_trace, rests_on
from skillc.core.trace.codec import Trace, parse_trace, parse_trace_tombstone
from skillc.errors import UsageError
from skillc.lifecycle.audit_records import signed_file, signs_here
from skillc.lifecycle.candidates import Candidate, pending_candidates
from skillc.lifecycle.context import Context
from skillc.lifecycle.forget_left import Left, PurgeReport, drop_derived, what_is_left
from skillc.lifecycle.run_records import superseded_files
from skillc.lifecycle.skills import StoredSkill, contract_at, current_skills
from skillc.lifecycle.withdrawal import record_of, removal_commit
from skillc.repo import layout
from skillc.repo.checkout import advance_branch
from skillc.repo.commits import NewCommit, Put, RefUpdate, update_refs, write_commits
from skillc.repo.keys import make_tool_key
from skillc.repo.ledger import LedgerFile, ledger_file, prepare_records
from skillc.repo.lock import write_lock
from skillc.repo.objects import open_reader
from skillc.repo.signing import signed
from skillc.repo.traces import StoredTrace

Targets = Mapping[str, frozenset[str] | None]


class ForgottenTrace(Record):
    """What went of one Trace. `also` are events that repeat a deleted text and were not named."""

    trace_id: str
    state: Literal["forgotten", "already"]
    is_whole: bool
    events: tuple[str, ...]
    also: dict[str, tuple[str, ...]] = Field(default_factory=dict)


class ForgetReport(Record):
    """What `forget` did. `repairs` are the families whose next compilation mends what went out of service.

    `counts` says whether the registry knows the key of this machine: else `check` names the deletion until it does.
    """

    format: Literal["skillc.forget/1"] = "skillc.forget/1"
    traces: tuple[ForgottenTrace, ...]
    withdrawn: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    repairs: tuple[str, ...] = ()
    branch: str | None = None
    commits: dict[str, str] = Field(default_factory=dict)
    counts: bool = True
    left: Left | None = None
    purge: PurgeReport | None = None

    @property
    def is_news(self) -> bool:
        """Says whether anything was there to forget."""
        return any(t.state == "forgotten" for t in self.traces)


@dataclass
class _Plan:
    """What one deletion writes, worked out before anything is written."""

    deletions: dict[str, Deletion] = field(default_factory=dict)
    places: dict[str, StoredTrace] = field(default_factory=dict)
    traces: dict[str, Trace] = field(default_factory=dict)
    already: list[str] = field(default_factory=list)
    skills: list[StoredSkill] = field(default_factory=list)
    candidates: list[Candidate] = field(default_factory=list)


def forget(context: Context, names: Sequence[str], *, by: str, reason: str = "", dry_run: bool = False) -> ForgetReport:
    """Forgets Traces (`TRACE`) or single events (`TRACE#e3,e5`), named by id or by its unique beginning.

    Raises UsageError for a name that is no stored Trace or event; nothing is changed then. A second run is a no-op.
    """
    if dry_run:
        targets = _targets(context, names)
        return _report(context, _plan(context, targets), targets, None, {})
    commits: dict[str, str] = {}
    branch = None
    make_tool_key()  # a deletion is always signed; whether it counts says the registry
    with write_lock(context.repository):  # what it rests on is read inside, so that no other command changes it
        context.read_again()
        targets = _targets(context, names)
        plan = _plan(context, targets)
        if plan.deletions:
            branch, commits = _write(context, plan, targets, by=by, reason=reason)
            context.forget_ledger()
        drop_derived(context.repository)
    return _report(context, plan, targets, branch, commits)


def _targets(context: Context, names: Sequence[str]) -> dict[str, frozenset[str] | None]:
    stored = context.traces.stored()
    found: dict[str, frozenset[str] | None] = {}
    for name in names:
        start, _, events = name.partition("#")
        fits = [t for t in stored if t == start] or [t for t in stored if len(start) >= 8 and t.startswith(start)]
        if len(fits) != 1:
            what = "no stored Trace" if not fits else f"{len(fits)} stored Traces"
            raise UsageError(f"{start!r} names {what}", hint="run: skillc traces")
        wanted = frozenset(e.strip() for e in events.split(",") if e.strip()) if "#" in name else None
        if wanted is not None and not wanted:
            raise UsageError(f"{name!r} names no event", hint="name it as TRACE#e3,e5, or the whole Trace as TRACE")
        before = found.get(fits[0], frozenset())
        found[fits[0]] = None if wanted is None or before is None else before | wanted
    return found


def _plan(context: Context, targets: Targets) -> _Plan:
    plan = _Plan()
    store = context.traces
    stored = store.stored()
    with open_reader(context.repository) as reader:
        for trace_id, events in targets.items():
            place = stored[trace_id]
            data = reader.read(place.object_id) or b""
            if parse_trace_tombstone(data) is not None:
                plan.already.append(trace_id)
                continue
            trace = parse_trace(data, path=place.path)
            unknown = sorted(e for e in events or () if not _was_there(trace, e))
            if unknown:
                raise UsageError(f"Trace {trace_id!r} has no event {unknown[0]!r}", hint=f"run: skillc show {trace_id}")
            made = delete_trace(trace, data) if events is None else delete_events(trace, data, events)
            if not made.lines:
                plan.already.append(trace_id)
                continue
            plan.deletions[trace_id], plan.places[trace_id], plan.traces[trace_id] = made, place, trace
    gone = {t: e for t, e in targets.items() if t in plan.deletions}
    plan.skills = [s for s in current_skills(context).values() if s.contract is not None and _rests(s, gone)]
    plan.candidates = [
        c
        for c in pending_candidates(context).values()
        if any(v.contract is not None and any(rests_on(v.contract, t, e) for t, e in gone.items()) for v in c.versions)
    ]
    return plan


def _was_there(trace: Trace, event: str) -> bool:
    return any(e.id == event for e in trace.events)


def _rests(skill: StoredSkill, gone: Targets) -> bool:
    return skill.contract is not None and any(rests_on(skill.contract, t, e) for t, e in gone.items())


def _write(
    context: Context, plan: _Plan, targets: Targets, *, by: str, reason: str
) -> tuple[str | None, dict[str, str]]:
    """Writes everything off-ref, then moves all refs at once; returns the branch of removals and the commits."""
    repository, store = context.repository, context.traces
    in_tree = context.policy.traces.location is TracesLocation.TREE
    changes = [Put(plan.places[t].path, d.data) for t, d in plan.deletions.items()]
    message = "traces: forgotten\n\n" + "".join(f"{t}\n" for t in plan.deletions)
    why = WithdrawalReason.EVIDENCE_DELETED
    removal = [removal_commit(context, s, why, _detail(s, plan, targets)[0]) for s in plan.skills]
    updates: list[RefUpdate] = []
    drop: list[str] = []
    commits: dict[str, str] = {}
    records = prepare_records(
        repository, _records(context, plan, targets, by=by, reason=reason), message="forgotten\n", at=context.now
    )
    if records is not None:
        updates.append(records.update)
        drop.append(records.tmp_ref)
        commits["ledger"] = records.commit
    on_base = [NewCommit(message, changes, context.now)] if in_tree else []
    if not in_tree:
        local = repository.refs(layout.TRACES_REF).get(layout.TRACES_REF)
        written = write_commits(
            repository, [NewCommit(message, changes, context.now)], parent=local or store.tip, label="traces"
        )
        updates.append(RefUpdate(layout.TRACES_REF, local, written.ids[-1]))
        drop.append(written.tmp_ref)
        commits["traces"] = written.ids[-1]
    updates += [RefUpdate(layout.candidate_ref(c.task_family), c.tip, None) for c in plan.candidates]
    updates += _pins(context, targets, plan)
    branch = None
    if context.policy.approval.protected_base and removal:
        branch = f"{layout.CANDIDATE_PREFIX}forget-{plan.skills[0].name}"
        ref = layout.LOCAL_REFS + branch
        made = signed(repository, write_commits(repository, removal, parent=context.base.commit, label="forget"))
        updates.append(RefUpdate(ref, repository.refs(ref).get(ref), made.ids[-1]))
        drop.append(made.tmp_ref)
        commits["removal"] = made.ids[-1]
    else:
        on_base += removal
    if on_base:
        branch = branch or (context.base.branch if removal else None)
        commits["base"] = advance_branch(repository, context.base, on_base, label="forget", also=updates)
        update_refs(repository, [], drop=drop)
    else:
        update_refs(repository, updates, drop=drop)
    return branch, commits


def _pins(context: Context, targets: Targets, plan: _Plan) -> list[RefUpdate]:
    """Returns the updates that let go of the commits with which whole Traces ended."""
    wanted = [layout.session_ref(t) for t in plan.deletions if targets[t] is None]
    if not wanted:
        return []
    known = context.repository.refs(layout.SESSION_REFS.rstrip("/"))
    return [RefUpdate(ref, known[ref], None) for ref in wanted if ref in known]


def _records(context: Context, plan: _Plan, targets: Targets, *, by: str, reason: str) -> list[LedgerFile]:
    files = []
    for trace_id, made in plan.deletions.items():
        folder = f"tombstones/{trace_id}"
        resting = tuple(s.name for s in plan.skills if _rests(s, {trace_id: targets[trace_id]}))
        stone = TombstoneRecord(
            namespace=context.policy.namespace,
            trace_id=trace_id,
            trace_digest=plan.traces[trace_id].digest,
            is_whole=targets[trace_id] is None,
            lines=made.lines,
            header=made.header,
            skills=resting,
            by=by,
            reason=reason,
            ledger_commit=context.ledger.commit,
            at=context.now,
            previous=context.ledger.heads(folder),
        )
        files.append(signed_file(folder, stone))
    for skill in plan.skills:
        detail, refs = _detail(skill, plan, targets)
        record = record_of(context, skill, WithdrawalReason.EVIDENCE_DELETED, detail, refs, by=by, at=context.now)
        files.append(ledger_file("withdrawals", record))
    for candidate in plan.candidates:
        files += superseded_files(context, candidate, by="forget", at=context.now)
    return files


def _detail(skill: StoredSkill, plan: _Plan, targets: Targets) -> tuple[str, tuple[str, ...]]:
    """Returns why a Skill goes, in words and by the Traces that are meant."""
    refs = tuple(t for t in plan.deletions if _rests(skill, {t: targets[t]}))
    return f"{len(refs)} cited {'Trace is' if len(refs) == 1 else 'Traces are'} deleted, whole or in part", refs


def _texts_of(trace: Trace, made: Deletion) -> list[str]:
    """Returns the texts of a Trace that go."""
    ids = {line.id for line in made.lines}
    return [e.text for e in trace.events if e.text and e.id in ids]


def _versions_on(context: Context, targets: Targets) -> set[str]:
    """Returns the versions of Skills, by the identity of their folders, that any run made from what is deleted."""
    runs = (r for r in context.ledger.runs if any(s.trace_id in targets for s in r.read))
    trees = {v.tree for r in runs for v in r.versions if v.tree}
    made = ((tree, contract_at(context, tree)) for tree in sorted(trees))
    return {tree for tree, c in made if c is not None and any(rests_on(c, t, e) for t, e in targets.items())}


def _report(
    context: Context, plan: _Plan, targets: Targets, branch: str | None, commits: dict[str, str]
) -> ForgetReport:
    gone_texts = {t: _texts_of(plan.traces[t], made) for t, made in plan.deletions.items()}
    others = list(context.traces.read_all()) if any(gone_texts.values()) else []
    named = {t: {line.id for line in made.lines} for t, made in plan.deletions.items()}
    told = []
    for trace_id, events in targets.items():
        made = plan.deletions.get(trace_id)
        gone = tuple(line.id for line in made.lines) if made is not None else tuple(sorted(events or ()))
        repeats = also_holds(others, gone_texts.get(trace_id, ()))
        rest = {t: tuple(e for e in ids if e not in named.get(t, ())) for t, ids in repeats.items()}
        told.append(
            ForgottenTrace(
                trace_id=trace_id,
                state="already" if made is None else "forgotten",
                is_whole=events is None,
                events=gone,
                also={t: ids for t, ids in rest.items() if ids} if made is not None else {},
            )
        )
    families = {s.contract.task_family for s in plan.skills if s.contract} | {c.task_family for c in plan.candidates}
    stored = context.traces.stored()
    paths = [stored[t].path for t in targets if t in stored]
    return ForgetReport(
        traces=tuple(told),
        withdrawn=tuple(s.name for s in plan.skills),
        dropped=tuple(c.branch for c in plan.candidates),
        repairs=tuple(sorted(families)),
        branch=branch,
        commits=commits,
        counts=signs_here(context.policy),
        left=what_is_left(context, paths, sorted(_versions_on(context, targets) | {s.tree for s in plan.skills})),
    )
