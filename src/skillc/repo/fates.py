"""What became of files: which are in a commit, which commit took one away, and the path that git says it moved to.

Only first parents count, as everywhere on base. Reads names and object ids; filters and text conversions of the
repository stay off. Not here: what a vanished file means (lifecycle.stale).
"""

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
    return objects_in(repository, {commit: paths})[commit]


def objects_in(repository: Repository, wanted: Mapping[str, Iterable[str]]) -> dict[str, dict[str, str]]:
    """Returns the same for many commits with their paths, by commit; one process answers all of it."""
    found: dict[str, dict[str, str]] = {commit: {} for commit in wanted}
    asked = [(c, p) for c, paths in wanted.items() for p in sorted(set(paths)) if p and p.isprintable()]
    for (commit, path), (object_id, kind) in zip(
        asked, _kinds_of(repository, [f"{c}:{p}" for c, p in asked]), strict=True
    ):
        if kind in ("blob", "tree"):
            found[commit][path] = object_id
    return found


def commits_in(repository: Repository, head: str, revisions: Iterable[str]) -> dict[str, str]:
    """Returns revision -> commit for those that are `head` or before it; two processes answer all of it."""
    asked = sorted({r for r in revisions if r and r.isprintable()})
    kinds = _kinds_of(repository, [f"{r}^{{commit}}" for r in asked])
    found = {r: object_id for r, (object_id, kind) in zip(asked, kinds, strict=True) if kind == "commit"}
    if not found:
        return {}
    names = "".join(f"{commit}\n" for commit in sorted({*found.values()})) + f"^{head}\n"
    elsewhere = set(repository.git.run("rev-list", "--stdin", stdin=names.encode()).decode().split())
    return {r: commit for r, commit in found.items() if commit not in elsewhere}


def _kinds_of(repository: Repository, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yields object id and kind of each name; the kind of what is not there is `missing`."""
    if not names:
        return
    asked = "".join(f"{name}\n" for name in names).encode("utf-8", "surrogateescape")
    out = repository.git.run("cat-file", "--batch-check=%(objectname) %(objecttype)", stdin=asked)
    for line in out.decode("utf-8", "surrogateescape").splitlines():
        object_id, _, kind = line.rpartition(" ")
        yield object_id, kind


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
