"""Moving a branch that somebody has checked out, without touching anything but the named paths.

The new commits are made off-ref. Then: every checkout of the branch is looked at first (a file in the way or a
changed file stops the move), the move is written to a journal, the ref moves, and in each checkout exactly the
changed paths are written and staged. A later command finishes a broken move. Differs from `read-tree -m -u`:
that one, killed half way, leaves files that it then refuses to overwrite; ADR 0006.
"""

import json
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from skillc.errors import RepoError
from skillc.repo import layout
from skillc.repo.commits import NewCommit, RefUpdate, update_refs, write_commits
from skillc.repo.files import read_small, write_whole
from skillc.repo.git import Git
from skillc.repo.lock import write_lock
from skillc.repo.repository import Base, Repository

_MAX_JOURNAL_BYTES = 1 << 20


@dataclass(frozen=True)
class Checkout:
    """A work tree that has the branch checked out."""

    root: Path
    git: Git


def advance_branch(repository: Repository, base: Base, commits: Sequence[NewCommit], *, label: str) -> str:
    """Adds commits to the base branch and brings its checkouts along; returns the new tip.

    Raises RepoError when a checkout has a file in the way, is in the middle of a merge, or the branch moved;
    nothing is changed then.
    """
    local = repository.refs(base.ref).get(base.ref)
    if base.commit is not None and local is not None and local != base.commit:
        raise RepoError(
            f"the local branch {base.branch!r} is behind its remote",
            hint=f"run: git pull on {base.branch!r} first",
        )
    written = write_commits(repository, commits, parent=base.commit, label=label)
    new = written.ids[-1]
    move_branch(repository, base, old=local, new=new, drop=[written.tmp_ref])
    return new


def move_branch(
    repository: Repository, base: Base, *, old: str | None, new: str, drop: Sequence[str] = ()
) -> None:
    """Moves the branch to a commit that already exists, checkouts included."""
    with write_lock(repository):
        checkouts = checkouts_of(repository, base.branch)
        for checkout in checkouts:
            _require_free(checkout, old, new)
        journal = repository.private / layout.JOURNAL_FILE
        record = {"ref": base.ref, "old": old, "new": new, "roots": [str(c.root) for c in checkouts]}
        write_whole(journal, json.dumps(record).encode())
        try:
            update_refs(repository, [RefUpdate(base.ref, old, new)], drop=drop)
        except RepoError:
            journal.unlink(missing_ok=True)
            raise
        for checkout in checkouts:
            _follow(checkout, old, new)
        journal.unlink(missing_ok=True)


def finish_broken_move(repository: Repository) -> str | None:
    """Finishes or forgets a move that a killed command left behind; says in one line what it did."""
    journal = repository.private / layout.JOURNAL_FILE
    if not journal.exists():
        return None
    with write_lock(repository):
        data = read_small(journal, limit=_MAX_JOURNAL_BYTES)
        if data is None:
            return None
        try:
            record = json.loads(data)
            ref, old, new, roots = record["ref"], record["old"], record["new"], list(record["roots"])
        except (ValueError, KeyError, TypeError):
            journal.unlink(missing_ok=True)
            return "forgot an unreadable journal of a move that never began"
        current = repository.refs(ref).get(ref)
        if current == new:
            for root in roots:
                checkout = Checkout(Path(root), Git(Path(root)).without_local_filters())
                if checkout.root.is_dir():
                    _follow(checkout, old, new)
        journal.unlink(missing_ok=True)
    if current == new:
        return f"finished an interrupted move of {ref} to {new[:12]}"
    return f"forgot a move of {ref} that never became visible"


def checkouts_of(repository: Repository, branch: str) -> list[Checkout]:
    """Returns every work tree that has the branch checked out."""
    out = repository.git.run("worktree", "list", "--porcelain", "-z")
    found = []
    for block in out.split(b"\0\0"):
        fields = dict(
            item.split(b" ", 1) if b" " in item else (item, b"") for item in block.split(b"\0") if item
        )
        if fields.get(b"branch", b"").decode() == layout.LOCAL_REFS + branch and b"bare" not in fields:
            root = Path(fields[b"worktree"].decode("utf-8", "surrogateescape"))
            if root.is_dir():
                found.append(Checkout(root, Git(root).without_local_filters()))
    return found


def _require_free(checkout: Checkout, old: str | None, new: str) -> None:
    """Raises when a path that the move writes is changed, staged, untracked or ignored in this checkout."""
    lock = Path(checkout.git.line("rev-parse", "--path-format=absolute", "--git-path", "index.lock"))
    if lock.exists():
        age_s = int(time.time() - lock.stat().st_mtime)
        raise RepoError(
            f"a lock file is in the way: {str(lock)!r}, {age_s} s old",
            hint="if no other git is running, delete that file and run the command again",
        )
    if old is None:
        raise RepoError("the checked-out branch has no commit yet", hint="commit something first")
    changes = _changes(checkout.git, old, new)
    staged = _staged(checkout.git, [c.path for c in changes])
    for change in changes:
        if staged.get(change.path) != change.old:
            raise RepoError(
                f"{change.path!r} is staged with other content",
                hint="commit or unstage it and run the command again",
            )
        found = _hash_in_work_tree(checkout, change.path)
        if found is not None and found != change.old and change.old is not None:
            raise RepoError(
                f"{change.path!r} has changes that are not committed",
                hint="commit or stash them and run the command again",
            )
        if found is not None and change.old is None:
            raise RepoError(
                f"a file that git does not track is in the way: {change.path!r}",
                hint="move it away and run the command again; it would be overwritten",
            )


@dataclass(frozen=True)
class _Change:
    path: str
    old: str | None
    new: str | None


def _changes(git: Git, old: str | None, new: str) -> list[_Change]:
    tree = old or git.run("hash-object", "-t", "tree", "--stdin").decode().strip()
    fields = git.run("diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", tree, new).split(b"\0")
    found = []
    for head, path in zip(fields[0:-1:2], fields[1::2], strict=True):
        old_mode, new_mode, old_id, new_id, _ = head.decode().lstrip(":").split()
        name = path.decode("utf-8", "surrogateescape")
        found.append(
            _Change(name, old_id if old_mode != "000000" else None, new_id if new_mode != "000000" else None)
        )
    return found


def _staged(git: Git, paths: list[str]) -> dict[str, str]:
    found = {}
    for start in range(0, len(paths), 500):
        out = git.run("ls-files", "-z", "--stage", "--", *paths[start : start + 500])
        for item in out.split(b"\0"):
            if item:
                head, _, path = item.partition(b"\t")
                found[path.decode("utf-8", "surrogateescape")] = head.decode().split()[1]
    return found


def _hash_in_work_tree(checkout: Checkout, path: str) -> str | None:
    """Returns the blob id of a file in the work tree, None when nothing is there.

    Anything else than a regular file below real folders is in the way, and gives an id that matches nothing.
    """
    place = checkout.root
    for part in path.split("/")[:-1]:
        place = place / part
        if not os.path.lexists(place):
            return None
        if os.path.islink(place) or not os.path.isdir(place):
            raise RepoError(
                f"{str(place)!r} is no folder, and {path!r} belongs below it",
                hint="move it away and run the command again",
            )
    whole = checkout.root / path
    if not os.path.lexists(whole):
        return None
    if os.path.islink(whole) or not os.path.isfile(whole):
        return "not-a-file"
    return checkout.git.line("hash-object", "--", path)


def _follow(checkout: Checkout, old: str | None, new: str) -> None:
    """Writes and stages exactly the changed paths. Running it again does no harm."""
    changes = _changes(checkout.git, old, new)
    lines = []
    for change in changes:
        found = _hash_in_work_tree(checkout, change.path)
        if found in (None, change.old, change.new):
            _write_path(checkout, change)
        lines.append(
            f"100644 {change.new}\t{change.path}"
            if change.new
            else f"0 {'0' * len(change.old or '')}\t{change.path}"
        )
    stdin = "\0".join([*lines, ""]).encode("utf-8", "surrogateescape")
    checkout.git.run("update-index", "-z", "--index-info", stdin=stdin)
    checkout.git.ask("update-index", "-q", "--refresh")


def _write_path(checkout: Checkout, change: _Change) -> None:
    path = checkout.root / change.path
    if change.new is not None:
        write_whole(path, checkout.git.run("cat-file", "blob", change.new))
        return
    path.unlink(missing_ok=True)
    for parent in path.parents:
        if parent == checkout.root or any(parent.iterdir()):
            break
        parent.rmdir()
