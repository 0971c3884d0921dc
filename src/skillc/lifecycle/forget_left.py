"""What a deletion does not reach: history, remotes, other clones, hosts; and what it throws away at once.

Git keeps old content until history is rewritten, and no command here reaches what others fetched. This says what is
where, and throws away what is derived and could hold the text. Paper: 5.6, Deletion.
Not here: the deletion (lifecycle.forget), rewriting history (lifecycle.purge).
"""

import shutil
from collections.abc import Sequence
from contextlib import suppress

from skillc.core.record import Record
from skillc.lifecycle.context import Context
from skillc.repo import layout
from skillc.repo.repository import Repository

# Derived from Traces, and made again when they are needed.
_DERIVED = (layout.SUMMARY_CACHE, layout.LOOK_CACHE, layout.ANSWER_DIR)


class Left(Record):
    """Where deleted content still is. `branches` hold it in their history; `remotes` had it pushed."""

    branches: tuple[str, ...] = ()
    remotes: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    stashes: bool = False
    skill_versions: int = 0
    notes: tuple[str, ...] = ()


class PurgeReport(Record):
    """What a purge takes or took out of history. `left` are blobs that are here all the same, `signed` lost signatures.

    `backup` is the bundle with everything as it was, the forgotten content too.
    """

    refs: tuple[str, ...]
    blobs: tuple[str, ...]
    signed: int = 0
    backup: str | None = None
    left: tuple[str, ...] = ()
    next: tuple[str, ...] = ()


def drop_derived(repository: Repository) -> None:
    """Throws away caches that could hold text of Traces; each is made again when it is needed."""
    for name in _DERIVED:
        path = repository.private / name
        if path.is_symlink() or path.is_file():
            with suppress(OSError):
                path.unlink()
        else:
            shutil.rmtree(path, ignore_errors=True)


def what_is_left(context: Context, paths: Sequence[str], trees: Sequence[str]) -> Left:
    """Returns which refs still hold these files of Traces as they were, or versions of Skills that rested on them."""
    repository = context.repository
    holding: set[str] = set()
    for path in paths:
        holding |= _refs_with(repository, path)
    holding |= _refs_with_trees(repository, trees)
    remotes = tuple(sorted(r.removeprefix("refs/remotes/") for r in holding if r.startswith("refs/remotes/")))
    return Left(
        branches=tuple(sorted(r.removeprefix(layout.LOCAL_REFS) for r in holding if r.startswith(layout.LOCAL_REFS))),
        remotes=remotes,
        tags=tuple(sorted(r.removeprefix("refs/tags/") for r in holding if r.startswith("refs/tags/"))),
        stashes=bool(repository.refs("refs/stash")),
        skill_versions=len(trees),
        notes=_notes(remotes),
    )


def _notes(remotes: Sequence[str]) -> tuple[str, ...]:
    told = [
        "reflogs and unreachable objects of this clone keep it until git prunes them",
        "other clones, forks and backups keep what they fetched",
        "the host's own transcript of the session is not skillc's; delete it where the host keeps it",
    ]
    if remotes:
        told.insert(0, "a remote had it pushed: rewrite there too, and ask the forge to drop cached views")
    return tuple(told)


def _refs_with(repository: Repository, path: str) -> set[str]:
    """Returns the refs whose history touched a file, more than once or with content that is gone from their tip."""
    found = set()
    for ref in repository.refs("refs/heads", "refs/remotes", "refs/tags"):
        out = repository.git.run("log", "--format=%H", "--max-count=2", ref, "--", path)
        if len(out.split()) > 1:
            found.add(ref)
    return found


def _refs_with_trees(repository: Repository, trees: Sequence[str]) -> set[str]:
    """Returns the refs whose history holds one of these versions of Skills."""
    found: set[str] = set()
    wanted = [f"--find-object={tree}" for tree in trees]
    if not wanted:
        return found
    for ref in repository.refs("refs/heads", "refs/remotes", "refs/tags"):
        out = repository.git.run("log", "--format=%H", "--max-count=1", *wanted, "-t", ref)
        if out.strip():
            found.add(ref)
    return found
