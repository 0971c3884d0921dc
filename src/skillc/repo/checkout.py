"""Moving a branch that somebody has checked out, without touching anything but the named paths.

The new commits are made off-ref. Then: every checkout of the branch is looked at first (a file in the way, a
changed file or a merge under way stops the move), the move is written to a journal, the ref moves, and in
each checkout exactly the changed paths are written and staged. A later command finishes a broken move.
Differs from `read-tree -m -u`: that one, killed half way, leaves files that it then refuses to overwrite;
ADR 0006. Not here: looking at one checkout and writing into it (repo.worktree).
"""

import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from skillc.errors import RepoError
from skillc.repo import layout
from skillc.repo.commits import NewCommit, RefUpdate, forget_refs, moved, update_refs, write_commits
from skillc.repo.files import read_small, write_whole
from skillc.repo.lock import write_lock
from skillc.repo.repository import Base, Repository
from skillc.repo.signing import signed
from skillc.repo.worktree import checkouts_of, follow, require_free

_MAX_JOURNAL_BYTES = 1 << 20
_OBJECT_ID = re.compile(r"[0-9a-f]{40,64}")


def advance_branch(
    repository: Repository, base: Base, commits: Sequence[NewCommit], *, label: str, also: Sequence[RefUpdate] = ()
) -> str:
    """Adds commits to the base branch and brings its checkouts along; returns the new tip. `also` moves with it.

    Raises RepoError when a checkout has a file in the way, is in the middle of a merge, or the branch moved;
    nothing is changed then.
    """
    local = tip_to_move(repository, base)
    written = signed(repository, write_commits(repository, commits, parent=base.commit, label=label))
    new = written.ids[-1]
    move_branch(repository, base, old=local, new=new, drop=[written.tmp_ref], also=also)
    return new


def tip_to_move(repository: Repository, base: Base) -> str | None:
    """Returns where the local base branch is, None where there is none. Raises RepoError when it is behind."""
    local = repository.refs(base.ref).get(base.ref)
    if base.commit is not None and local is not None and local != base.commit:
        if repository.base() != base:
            raise moved(base.ref)
        raise RepoError(
            f"the local branch {base.branch!r} is behind its remote",
            hint=f"run: git pull on {base.branch!r} first",
        )
    return local


def move_branch(
    repository: Repository,
    base: Base,
    *,
    old: str | None,
    new: str,
    drop: Sequence[str] = (),
    also: Sequence[RefUpdate] = (),
) -> None:
    """Moves the branch to a commit that already exists, checkouts included.

    Raises RepoError, and changes nothing, when a checkout is not free or the branch is not at `old`.
    """
    with write_lock(repository):
        _finish(repository)
        current = repository.refs(base.ref).get(base.ref)
        try:
            if current == new:  # another process made the very same commits
                forget_refs(repository, drop)
                return
            if current != old:
                raise moved(base.ref)
            checkouts = checkouts_of(repository, base.branch)
            for checkout in checkouts:
                require_free(checkout, old, new)
        except RepoError:
            forget_refs(repository, drop)
            raise
        journal = repository.private / layout.JOURNAL_FILE
        record = {"ref": base.ref, "old": old, "new": new, "roots": [str(c.root) for c in checkouts]}
        write_whole(journal, json.dumps(record).encode())
        try:
            update_refs(repository, [*also, RefUpdate(base.ref, old, new)], drop=drop)
        except RepoError:
            journal.unlink(missing_ok=True)
            raise
        if old is not None:
            follow(repository, checkouts, old, new)
        journal.unlink(missing_ok=True)


def finish_broken_move(repository: Repository) -> str | None:
    """Finishes or forgets a move that a killed command left behind; says in one line what it did."""
    if not os.path.lexists(repository.private / layout.JOURNAL_FILE):
        return None
    with write_lock(repository):
        return _finish(repository)


def _finish(repository: Repository) -> str | None:
    journal = repository.private / layout.JOURNAL_FILE
    if not os.path.lexists(journal):
        return None
    move = _read_journal(journal)
    if move is None:
        journal.unlink(missing_ok=True)
        return "forgot an unreadable journal of a move that never began"
    current = repository.refs(move.ref).get(move.ref)
    if current == move.new:
        # Only checkouts that had the branch then and have it now: a person may have switched since.
        branch = move.ref.removeprefix(layout.LOCAL_REFS)
        checkouts = [c for c in checkouts_of(repository, branch) if str(c.root) in move.roots]
        if move.old is not None:
            follow(repository, checkouts, move.old, move.new)
        said = f"finished an interrupted move of {move.ref} to {move.new[:12]}"
    elif current is not None and repository.is_ancestor(move.new, current):
        said = f"forgot an interrupted move of {move.ref}: the branch has moved on since"
    else:
        said = f"forgot a move of {move.ref} that never became visible"
    journal.unlink(missing_ok=True)
    return said


@dataclass(frozen=True)
class _Move:
    ref: str
    old: str | None
    new: str
    roots: frozenset[str]


def _read_journal(journal: Path) -> _Move | None:
    """Reads the journal as what it is, a file that somebody else may have put there."""
    try:
        record = json.loads(read_small(journal, limit=_MAX_JOURNAL_BYTES) or b"")
        ref, old, new, roots = record["ref"], record["old"], record["new"], record["roots"]
    except (RepoError, ValueError, KeyError, TypeError, RecursionError):
        return None
    ids = [i for i in (old, new) if i is not None or i is new]
    if not all(isinstance(i, str) and _OBJECT_ID.fullmatch(i) for i in ids):
        return None
    if not (isinstance(ref, str) and ref.startswith(layout.LOCAL_REFS) and isinstance(roots, list)):
        return None
    return _Move(ref, old, new, frozenset(r for r in roots if isinstance(r, str)))
