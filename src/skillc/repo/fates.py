"""What became of files: which are in a commit, which commit took one away, and the path that git says it moved to.

Only first parents count, as everywhere on base. Reads names and object ids; filters and text conversions of the
repository stay off. Not here: what a vanished file means (lifecycle.stale).
"""

import posixpath
from collections.abc import Iterable
from dataclasses import dataclass

from skillc.repo.repository import Repository

_MAX_MOVES = 8
_MAX_RENAMES = "-l2000"
_FIRST_PARENTS = ("--first-parent", "--diff-merges=first-parent")
_PLAIN = ("--no-ext-diff", "--no-textconv")
_SILENT = ("--no-patch", "--max-count=1", "--format=%H")  # which commit, and never its differences


@dataclass(frozen=True)
class Fate:
    """The commit that took a path away, and the path that it has now; None where it is not known."""

    commit: str | None
    became: str | None = None


def objects_at(repository: Repository, commit: str, paths: Iterable[str]) -> dict[str, str]:
    """Returns path -> object id for those of the paths that are files, links or folders of a commit."""
    wanted = sorted(p for p in set(paths) if p and p.isprintable())
    names = "".join(f"{commit}:{path}\n" for path in wanted).encode("utf-8", "surrogateescape")
    out = repository.git.run("cat-file", "--batch-check=%(objectname) %(objecttype)", stdin=names)
    found = {}
    for path, line in zip(wanted, out.decode("utf-8", "surrogateescape").splitlines(), strict=True):
        object_id, _, kind = line.rpartition(" ")
        if kind in ("blob", "tree"):
            found[path] = object_id
    return found


def paths_named(repository: Repository, commit: str, name: str) -> list[str]:
    """Returns the files of a commit that have this name, whatever their folder."""
    out = repository.git.run("ls-tree", "-r", "-z", "--name-only", "--full-tree", commit)
    paths = out.decode("utf-8", "surrogateescape").split("\0")
    return [p for p in paths if posixpath.basename(p) == name]


def fate_of(repository: Repository, head: str, path: str) -> Fate:
    """Returns the newest commit in the history of `head` that took a file or folder away, and where git sees it now."""
    first: str | None = None
    for _ in range(_MAX_MOVES):
        commit = _taken_away(repository, head, path)
        first = first or commit
        moved = _moved_to(repository, commit, path) if commit is not None else None
        if moved is None:
            return Fate(first)
        if objects_at(repository, head, [moved]):
            return Fate(first, moved)
        path = moved
    return Fate(first)


def last_change_of(repository: Repository, head: str, path: str, pattern: str) -> str | None:
    """Returns the newest commit that changed a line of a file which matches an extended regular expression."""
    found = repository.git.line("log", *_FIRST_PARENTS, *_PLAIN, *_SILENT, f"-G{pattern}", head, "--", path)
    return found or None


def _taken_away(repository: Repository, head: str, path: str) -> str | None:
    options = (*_FIRST_PARENTS, *_PLAIN, *_SILENT, "--no-renames", "--diff-filter=D")
    return repository.git.line("log", *options, head, "--", path) or None


def _moved_to(repository: Repository, commit: str, path: str) -> str | None:
    """Returns the new path of a file, or the one folder to which everything of a folder moved."""
    out = repository.git.run(
        "diff-tree", "-r", "-M", _MAX_RENAMES, "-z", "--name-status", "--diff-filter=R", *_PLAIN, f"{commit}^1", commit
    )
    fields = out.decode("utf-8", "surrogateescape").split("\0")
    moves = dict(zip(fields[1::3], fields[2::3], strict=False))
    if path in moves:
        return moves[path]
    folders = set()
    for old, new in moves.items():
        if old.startswith(path + "/"):
            rest = old[len(path) :]
            folders.add(new[: -len(rest)] if new.endswith(rest) else "")
    only = folders.pop() if len(folders) == 1 else ""
    return only or None
