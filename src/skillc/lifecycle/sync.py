"""Between clones: the ledger by union, candidates by lease, Traces only with recorded consent.

Fetches into remote-tracking refs, merges what only one side has, pushes. Nothing is forced over work that this
clone has not seen. Paper: 5.6; docs/THREATS.md, cross-boundary flow.
Not here: which of two candidates stays (lifecycle.sync_candidates).
"""

import time
from datetime import UTC, datetime
from typing import Literal

from skillc.core.policy import TracesLocation
from skillc.core.record import Record
from skillc.core.remove import joined
from skillc.errors import RepoError, UsageError
from skillc.lifecycle.context import Context
from skillc.lifecycle.overtaken import until_not_overtaken
from skillc.lifecycle.sync_candidates import SyncedRef, closed_there, sync_candidates
from skillc.repo import layout
from skillc.repo.commits import FileChange, NewCommit, Put, PutObject, RefUpdate, update_refs, write_commits
from skillc.repo.git import failure
from skillc.repo.home import read_state, write_state
from skillc.repo.lock import write_lock
from skillc.repo.objects import list_tree, open_reader
from skillc.repo.repository import Repository

_CONSENT = "trace-consent.json"
_ATTEMPTS = 6  # somebody else pushes, or a fetch of another command moves the same refs
_PAUSE_S = 0.2
_Joined = Literal["up to date", "fetched", "merged"]
_PUSHED_BY_ANOTHER = ("rejected", "fetch first", "cannot lock ref", "incorrect old value")
_FETCHED_BY_ANOTHER = ("cannot lock ref", ".lock': File exists", "couldn't update")


class SyncReport(Record):
    """The answer of `skillc sync`."""

    format: Literal["skillc.sync/1"] = "skillc.sync/1"
    remote: str
    refs: tuple[SyncedRef, ...]


def sync(context: Context, remote: str, *, consent: bool = False, push: bool = True) -> SyncReport:
    """Fetches, merges and pushes skillc's branches of one remote."""
    repository = context.repository
    url = repository.git.ask("remote", "get-url", "--push", "--", remote)
    if url.code != 0:
        raise UsageError(f"there is no remote {remote!r}", hint="git remote add origin URL, or name another remote")
    address = url.stdout.decode().strip()
    state = read_state(_CONSENT)
    if consent:
        state[address] = sorted({*state.get(address, []), context.policy.namespace})
        write_state(_CONSENT, state)
    may_share = context.policy.namespace in state.get(address, [])
    prefix = f"refs/remotes/{remote}/{layout.CANDIDATE_PREFIX}"
    seen = repository.refs(prefix.rstrip("/"))
    fetch_branches(repository, remote)
    done = [sync_union(repository, remote, layout.LEDGER_BRANCH, push=push, message="Merge ledgers\n")]
    if context.policy.traces.location is TracesLocation.BRANCH:
        done.append(_sync_traces(repository, remote, push=push, may_share=may_share))
    context.forget_ledger()
    done += closed_there(context, prefix, seen)
    done += until_not_overtaken(context, lambda: sync_candidates(context, remote, push=push))
    return SyncReport(remote=remote, refs=tuple(d for d in done if d is not None))


def fetch_branches(repository: Repository, remote: str) -> None:
    """Fetches skillc's branches of a remote into remote-tracking refs."""
    wanted = f"+refs/heads/skillc/*:refs/remotes/{remote}/skillc/*"
    for attempt in range(_ATTEMPTS):
        answer = repository.git.ask("fetch", "--quiet", "--no-tags", "--prune", remote, wanted)
        if answer.code == 0:
            return
        if attempt == _ATTEMPTS - 1 or not any(words in answer.stderr for words in _FETCHED_BY_ANOTHER):
            raise failure("fetch", answer)
        time.sleep(_PAUSE_S)


def _sync_traces(repository: Repository, remote: str, *, push: bool, may_share: bool) -> SyncedRef | None:
    done = sync_union(repository, remote, layout.TRACES_BRANCH, push=push and may_share, message="Merge Traces\n")
    if done is not None and push and not may_share and done.state != "up to date":
        return SyncedRef(
            branch=layout.TRACES_BRANCH,
            state="kept here",
            reason="no consent for this remote yet: skillc sync --share-traces, once, if it is private",
        )
    return done


def sync_union(repository: Repository, remote: str, branch: str, *, push: bool, message: str) -> SyncedRef | None:
    """Joins both sides of an append-only branch: every file is on both afterwards; what one deleted is gone."""
    ref, states = layout.LOCAL_REFS + branch, set[_Joined]()
    for attempt in range(_ATTEMPTS):
        with write_lock(repository):
            joined_at = _join(repository, remote, branch, message)
        if joined_at is None:
            return None
        local, theirs, state = joined_at
        states.add(state)
        if local == theirs or not push:
            break
        answer = repository.git.ask("push", "--quiet", "--no-verify", remote, f"{local}:{ref}")
        if answer.code == 0:
            return SyncedRef(branch=branch, state="merged and pushed" if "merged" in states else "pushed")
        if not any(words in answer.stderr for words in _PUSHED_BY_ANOTHER):
            raise failure("push", answer)
        if attempt == _ATTEMPTS - 1:
            raise RepoError(f"{branch} moved on {remote} meanwhile", hint="run: skillc sync again")
        time.sleep(_PAUSE_S)
        fetch_branches(repository, remote)
    told: _Joined = next((s for s in ("merged", "fetched") if s in states), "up to date")
    return SyncedRef(branch=branch, state="kept here" if local != theirs and told == "up to date" else told)


def _join(repository: Repository, remote: str, branch: str, message: str) -> tuple[str, str | None, _Joined] | None:
    """Brings in what the remote has; returns where the branch is now, here and there. None where it is nowhere."""
    ref, tracking = layout.LOCAL_REFS + branch, f"refs/remotes/{remote}/{branch}"
    refs = repository.refs(ref, tracking)
    local, theirs = refs.get(ref), refs.get(tracking)
    if theirs is None or local == theirs:
        return None if local is None else (local, theirs, "up to date")
    if local is None or repository.is_ancestor(local, theirs):
        update_refs(repository, [RefUpdate(ref, local, theirs)])
        return theirs, theirs, "fetched"
    if repository.is_ancestor(theirs, local):
        return local, theirs, "up to date"
    return _merge_union(repository, ref, local, theirs, message), theirs, "merged"


def _merge_union(repository: Repository, ref: str, local: str, theirs: str, message: str) -> str:
    ours = {e.path: e.object_id for e in list_tree(repository, local) if e.kind == "blob"}
    changes: list[FileChange] = []
    with open_reader(repository) as reader:
        for entry in list_tree(repository, theirs):
            if entry.kind != "blob" or ours.get(entry.path) == entry.object_id:
                continue
            if entry.path not in ours:
                changes.append(PutObject(entry.path, entry.object_id))
                continue
            mine, other = reader.read(ours[entry.path]) or b"", reader.read(entry.object_id) or b""
            if (data := joined(mine, other)) != mine:
                changes.append(Put(entry.path, data))
    stamps = repository.git.line("log", "--no-walk", "--format=%ct", local, theirs).split()
    at = datetime.fromtimestamp(max(int(s) for s in stamps), UTC)
    written = write_commits(repository, [NewCommit(message, changes, at, merged=theirs)], parent=local, label="merge")
    update_refs(repository, [RefUpdate(ref, local, written.ids[-1])], drop=[written.tmp_ref])
    return written.ids[-1]
