"""Candidates between clones: each is one branch, and of two that do not descend from each other the newer run's stays.

The ledger of both sides says which that is: a run that another one replaced, or that was closed, gives way; else the
later run stays, the same in every clone. What people committed or amended gives way to nothing by itself.
Paper: 5.4, 5.6. Not here: fetching, and the branches that are joined by union (lifecycle.sync).
"""

from dataclasses import dataclass
from typing import Literal

from skillc.core.compile.proposal import ProposalOutcome
from skillc.core.record import Record
from skillc.core.skill.contract import ChangeKind
from skillc.lifecycle.context import Context
from skillc.repo import layout
from skillc.repo.commits import RefUpdate, update_refs
from skillc.repo.lock import write_lock
from skillc.repo.repository import Repository

_REJECTED = (ProposalOutcome.HUMAN_REJECTED, ProposalOutcome.EVALUATION_FAILED)


class SyncedRef(Record):
    """What happened to one branch."""

    branch: str
    state: Literal[
        "up to date", "fetched", "merged", "pushed", "merged and pushed", "kept here", "diverged", "closed there"
    ]
    reason: str = ""


@dataclass(frozen=True)
class _Runs:
    """What the ledger says of runs, after the union: which ones were rejected or replaced, and their order."""

    rejected: frozenset[str]
    replaced: frozenset[str]
    order: dict[str, tuple[str, str]]

    def is_open(self, run: str) -> bool:
        """Says whether nobody rejected a run and no other replaced it."""
        return run not in self.rejected and run not in self.replaced

    def gives_way(self, run: str, other: str) -> bool | None:
        """Says whether one run gives way to another; None where the ledger does not know both."""
        if self.is_open(run) is not self.is_open(other):
            return self.is_open(other)
        if run == other or run not in self.order or other not in self.order:
            return None
        return self.order[run] < self.order[other]


@dataclass(frozen=True)
class _Tip:
    """The newest commit of a candidate branch on one side: the run that made it, and whose work it is."""

    run: str
    is_foreign: bool  # somebody committed it, and no run did
    is_amended: bool


def sync_candidates(context: Context, remote: str, *, push: bool) -> list[SyncedRef]:
    """Takes candidates that only the remote has or that are newer there, and pushes ours where they are."""
    repository = context.repository
    prefix = f"refs/remotes/{remote}/{layout.CANDIDATE_PREFIX}"
    refs = repository.refs(layout.CANDIDATE_REFS.rstrip("/"), prefix.rstrip("/"))
    with write_lock(repository):  # a reject takes the branch and writes its record under this lock: both or neither
        context.forget_ledger()
        runs = _runs(context)
    names = sorted(
        {r.removeprefix(layout.CANDIDATE_REFS) for r in refs if r.startswith(layout.CANDIDATE_REFS)}
        | {r.removeprefix(prefix) for r in refs if r.startswith(prefix)}
    )
    return [_sync_candidate(repository, remote, name, refs, push=push, runs=runs) for name in names]


def _runs(context: Context) -> _Runs:
    ended = [o for o in context.ledger.outcomes if not o.claims]
    return _Runs(
        rejected=frozenset(o.run for o in ended if o.outcome in _REJECTED),
        replaced=frozenset(o.run for o in ended if o.outcome is ProposalOutcome.SUPERSEDED),
        order={r.run: (r.at.isoformat(), r.run) for r in context.ledger.runs},
    )


def closed_there(context: Context, prefix: str, seen: dict[str, str]) -> list[SyncedRef]:
    """Takes a candidate away whose branch was there and is gone, merged or not, and that nothing changed here since."""
    repository = context.repository
    now = repository.refs(prefix.rstrip("/"))
    here = repository.refs(layout.CANDIDATE_REFS.rstrip("/"))
    found = []
    for tracking, tip in sorted(seen.items()):
        name = tracking.removeprefix(prefix)
        ref = layout.CANDIDATE_REFS + name
        if tracking not in now and here.get(ref) == tip:
            update_refs(repository, [RefUpdate(ref, tip, None)])
            reason = f"its branch is gone there; back with: git branch {layout.CANDIDATE_PREFIX}{name} {tip[:12]}"
            found.append(SyncedRef(branch=layout.CANDIDATE_PREFIX + name, state="closed there", reason=reason))
    return found


def _tip(repository: Repository, commit: str) -> _Tip:
    form = "%ae%x00%(trailers:key=Skillc-Run,valueonly,separator=%x2C)%x00%(trailers:key=Skillc-Change,valueonly)"
    author, run, change = repository.git.line("log", "-1", f"--format={form}", commit).split("\0")
    return _Tip(run.strip(), layout.IDENTITY_EMAIL not in author, change.strip() == ChangeKind.AMEND.value)


def _sync_candidate(
    repository: Repository, remote: str, name: str, refs: dict[str, str], *, push: bool, runs: _Runs
) -> SyncedRef:
    branch = layout.CANDIDATE_PREFIX + name
    ref = layout.LOCAL_REFS + branch
    local, theirs = refs.get(ref), refs.get(f"refs/remotes/{remote}/{branch}")
    if local == theirs:
        return SyncedRef(branch=branch, state="up to date")
    if local is None and theirs is not None and _tip(repository, theirs).run in runs.rejected:
        reason = f"it was rejected; take it away there with: git push {remote} --delete {branch}"
        return SyncedRef(branch=branch, state="kept here", reason=reason)
    if local is None:
        update_refs(repository, [RefUpdate(ref, None, theirs)])
        return SyncedRef(branch=branch, state="fetched")
    if theirs is not None and repository.is_ancestor(local, theirs):
        update_refs(repository, [RefUpdate(ref, local, theirs)])
        return SyncedRef(branch=branch, state="fetched", reason="people added commits there")
    if theirs is not None and not repository.is_ancestor(theirs, local):
        met = _of_two(repository, remote, branch, local, theirs, runs)
        if met is not None:
            return met
    if not push:
        return SyncedRef(branch=branch, state="kept here")
    lease = f"--force-with-lease={ref}:{theirs or ''}"
    answer = repository.git.ask("push", "--quiet", "--no-verify", lease, remote, f"{local}:{ref}")
    if answer.code != 0:
        return SyncedRef(
            branch=branch, state="diverged", reason="it moved on the remote meanwhile; run skillc sync again"
        )
    return SyncedRef(branch=branch, state="pushed")


def _of_two(repository: Repository, remote: str, branch: str, local: str, theirs: str, runs: _Runs) -> SyncedRef | None:
    """Takes theirs where ours gives way, or leaves both to a person; None where ours goes over theirs."""
    mine, other = _tip(repository, local), _tip(repository, theirs)
    are_open = runs.is_open(mine.run) and runs.is_open(other.run)
    gives_way = runs.gives_way(mine.run, other.run) is True
    if other.is_foreign:
        reason = f"people committed to it on {remote}; merge it there, or delete it"
        return SyncedRef(branch=branch, state="diverged", reason=reason)
    if (are_open and (mine.is_amended or other.is_amended)) or (gives_way and mine.is_foreign):
        reason = f"neither run replaced the other, and a person's work is in one: merge one, or delete it on {remote}"
        return SyncedRef(branch=branch, state="diverged", reason=reason)
    if not gives_way:
        return None
    update_refs(repository, [RefUpdate(layout.LOCAL_REFS + branch, local, theirs)])
    reason = f"run {other.run} there is newer; ours was {local[:12]}"
    return SyncedRef(branch=branch, state="fetched", reason=reason)
