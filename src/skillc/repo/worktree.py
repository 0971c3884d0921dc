"""The checkouts of a branch: which there are, whether one is free for a change, and bringing it along.

git's own list of work trees is not believed. What a person has changed is never overwritten: a changed,
staged, untracked or ignored file stops the move before it begins, and stays when it appears later.
Not here: the order of a move and its journal (repo.checkout).
"""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from skillc.errors import RepoError
from skillc.repo.files import write_whole
from skillc.repo.git import Git, lock_in_the_way
from skillc.repo.objects import ObjectReader, open_reader
from skillc.repo.repository import OPERATION_MARKS, Repository

_FILE_MODES = ("100644", "100755")
_NOT_A_FILE = "not-a-file"


@dataclass(frozen=True)
class Checkout:
    """A work tree that has the branch checked out."""

    root: Path
    git: Git


def checkouts_of(repository: Repository, branch: str) -> list[Checkout]:
    """Returns every work tree that has the branch checked out.

    git's list is not believed: an entry counts when the folder itself belongs to this repository. In a
    submodule and with a separate git folder, git lists the git folder in place of the main work tree.
    """
    found = []
    for number, listed in enumerate(repository.worktrees()):
        if listed.branch != branch or listed.is_bare:
            continue
        places = [listed.root, *(_main_roots(repository) if number == 0 else [])]
        root = next((p for p in places if _belongs(repository, p)), None)
        if root is not None:
            found.append(Checkout(root, Git(root).without_local_filters()))
        elif number == 0:
            raise RepoError(
                f"{branch!r} is checked out in the main work tree, which cannot be found from here",
                hint="run the command in the main work tree",
            )
    return found


def work_trees(repository: Repository) -> list[Path]:
    """Returns the tops of all work trees of the repository, this one first; git's list is not believed."""
    here = os.path.realpath(repository.root)
    others = []
    for number, listed in enumerate(repository.worktrees()):
        places = [] if listed.is_bare else [listed.root, *(_main_roots(repository) if number == 0 else [])]
        others += [p for p in places if os.path.realpath(p) != here and _belongs(repository, p)][:1]
    return [repository.root, *others]


def _main_roots(repository: Repository) -> list[Path]:
    """Returns where the main work tree may be when git's list does not say so."""
    if repository.git_dir == repository.common_dir:
        return [repository.root]
    answer = repository.git.ask("config", "--null", "--file", str(repository.common_dir / "config"), "core.worktree")
    value = answer.stdout.decode("utf-8", "surrogateescape").rstrip("\0")
    return [Path(os.path.realpath(repository.common_dir / value))] if value else []


def _belongs(repository: Repository, root: Path) -> bool:
    """Says whether a folder is the top of a work tree of this repository."""
    if not (root / ".git").exists():
        return False
    answer = Git(root).ask("rev-parse", "--path-format=absolute", "--git-common-dir", "--show-toplevel")
    places = answer.stdout.decode("utf-8", "surrogateescape")
    return answer.code == 0 and places == f"{repository.common_dir}\n{os.path.realpath(root)}\n"


def require_free(checkout: Checkout, old: str | None, new: str) -> None:
    """Raises RepoError when a path that the move writes is changed, staged, untracked or ignored here."""
    _require_quiet(checkout)
    if old is None:
        raise RepoError("the checked-out branch has no commit yet", hint="commit something first")
    changes = _changes(checkout.git, old, new)
    staged = _staged(checkout.git, [c.path for c in changes])
    hashes = _hashes_in_work_tree(checkout, [c.path for c in changes])
    for change in changes:
        if change.new is not None and change.mode not in _FILE_MODES:
            raise RepoError(f"{change.path!r} is no plain file in {new[:12]}, so it is not written")
        entry = staged.get(change.path, _ABSENT)
        if entry.object_id not in (change.old, change.new):
            raise RepoError(
                f"{change.path!r} is staged with other content",
                hint="commit or unstage it and run the command again",
            )
        found = hashes[change.path]
        if found == change.new:  # somebody wrote there what the move would write: nothing can get lost
            continue
        if found != change.old and change.old is not None and not entry.is_skipped:
            raise RepoError(
                f"{change.path!r} has changes that are not committed",
                hint="commit or stash them and run the command again",
            )
        if found is not None and change.old is None:
            raise RepoError(
                f"a file that git does not track is in the way: {change.path!r}",
                hint="move it away and run the command again; it would be overwritten",
            )


def _require_quiet(checkout: Checkout) -> None:
    """Raises when another git is at work in this checkout, or a merge or the like is not finished."""
    names = ["index.lock", *OPERATION_MARKS]
    arguments = [part for name in names for part in ("--git-path", name)]
    out = checkout.git.run("rev-parse", "--path-format=absolute", *arguments).decode("utf-8", "surrogateescape")
    lock, *marks = out.split("\n")[: len(names)]
    if os.path.lexists(lock):
        raise lock_in_the_way(lock)
    for place, (name, word) in zip(marks, OPERATION_MARKS.items(), strict=True):
        if name != "BISECT_LOG" and os.path.lexists(place):
            raise RepoError(
                f"a {word} is under way in {str(checkout.root)!r}",
                hint="finish or abort it and run the command again",
            )


@dataclass(frozen=True)
class _Change:
    path: str
    old: str | None
    new: str | None
    mode: str


@dataclass(frozen=True)
class _Entry:
    """One path of the staging area; `is_skipped` in a sparse checkout that leaves the file out."""

    object_id: str | None
    is_skipped: bool = False


_ABSENT = _Entry(None)


def _changes(git: Git, old: str, new: str) -> list[_Change]:
    fields = git.run("diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", old, new).split(b"\0")
    found = []
    for head, path in zip(fields[0:-1:2], fields[1::2], strict=True):
        old_mode, new_mode, old_id, new_id, _ = head.decode().lstrip(":").split()
        name = path.decode("utf-8", "surrogateescape")
        was, becomes = old_mode != "000000", new_mode != "000000"
        found.append(_Change(name, old_id if was else None, new_id if becomes else None, new_mode))
    return found


def _staged(git: Git, paths: list[str]) -> dict[str, _Entry]:
    found: dict[str, _Entry] = {}
    for start in range(0, len(paths), 500):
        out = git.run("ls-files", "-z", "-t", "--stage", "--", *paths[start : start + 500])
        for item in out.decode("utf-8", "surrogateescape").split("\0"):
            head, _, path = item.partition("\t")
            if path:
                tag, _, object_id, stage = head.split()
                is_clean = stage == "0" and path not in found  # else in conflict: an id that matches nothing
                found[path] = _Entry(object_id if is_clean else _NOT_A_FILE, tag == "S")
    return found


def _hashes_in_work_tree(checkout: Checkout, paths: Sequence[str]) -> dict[str, str | None]:
    """Returns path -> blob id of the file there after git's own filters, None when nothing is there.

    Anything else than a regular file is in the way, and gives an id that matches nothing.
    """
    found: dict[str, str | None] = {path: _place_of(checkout, path) for path in paths}
    files = [path for path, kind in found.items() if kind == ""]
    plain = [path for path in files if not path.startswith('"') and "\n" not in path]
    if plain:
        stdin = "".join(f"{path}\n" for path in plain).encode("utf-8", "surrogateescape")
        ids = checkout.git.run("hash-object", "--stdin-paths", stdin=stdin).decode().split()
        found.update(zip(plain, ids, strict=True))
    for path in sorted(set(files) - set(plain)):
        found[path] = checkout.git.line("hash-object", "--", path)
    return found


def _place_of(checkout: Checkout, path: str) -> str | None:
    """Returns "" for a regular file, None for nothing, and a word that is no id for anything else."""
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
    return _NOT_A_FILE if os.path.islink(whole) or not os.path.isfile(whole) else ""


def follow(repository: Repository, checkouts: Iterable[Checkout], old: str, new: str) -> None:
    """Writes and stages exactly the changed paths in each checkout; what a person changed meanwhile stays.

    Running it again does no harm: a path that is done already is not touched.
    """
    with open_reader(repository) as reader:
        for checkout in checkouts:
            _follow(checkout, old, new, reader)


def _follow(checkout: Checkout, old: str, new: str, reader: ObjectReader) -> None:
    changes = _changes(checkout.git, old, new)
    staged = _staged(checkout.git, [c.path for c in changes])
    hashes = _hashes_in_work_tree(checkout, [c.path for c in changes])
    lines, skipped = [], []
    for change in changes:
        entry = staged.get(change.path, _ABSENT)
        if entry.is_skipped and change.new:
            skipped.append(change.path)
        elif hashes[change.path] == change.old:
            _write_path(checkout, change, reader)
        if entry.object_id == change.old:
            zero = "0" * len(change.old or "")
            lines.append(f"{change.mode} {change.new}\t{change.path}" if change.new else f"0 {zero}\t{change.path}")
    checkout.git.run("update-index", "-z", "--index-info", stdin=_joined(lines))
    if skipped:
        checkout.git.run("update-index", "--skip-worktree", "-z", "--stdin", stdin=_joined(skipped))
    checkout.git.ask("update-index", "-q", "--refresh")


def _joined(items: Sequence[str]) -> bytes:
    return "".join(f"{item}\0" for item in items).encode("utf-8", "surrogateescape")


def _write_path(checkout: Checkout, change: _Change, reader: ObjectReader) -> None:
    path = checkout.root / change.path
    if change.new is not None:
        data = reader.read(change.new)
        assert data is not None, "the commit was just written"
        write_whole(path, data, mode=0o755 if change.mode == "100755" else 0o644)
        return
    path.unlink(missing_ok=True)
    for parent in path.parents:
        if parent == checkout.root or any(parent.iterdir()):
            break
        parent.rmdir()
