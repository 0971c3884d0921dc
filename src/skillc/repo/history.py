"""The history of all Skill folders in one pass over the first-parent history of base.

The identity of a version is its folder's tree id, so it survives squash and rebase merges, and a revert shows
as the return of an earlier tree. Not here: what a version is worth (core).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import IO

from skillc.repo.git import Answer, failure
from skillc.repo.objects import list_tree
from skillc.repo.repository import Repository


@dataclass(frozen=True)
class FolderChange:
    """One commit that changed one Skill folder. `tree` is None where the folder was removed."""

    skill: str
    commit: str
    at: datetime
    tree: str | None


def folder_changes(repository: Repository, revision: str, skills_dir: str) -> dict[str, list[FolderChange]]:
    """Returns skill name -> its changes, oldest first, from one `git log` over a revision or range.

    Only first parents count: a merge is one change, so a merged candidate is one step on base.
    """
    found: dict[str, list[FolderChange]] = {}
    for change in _stream(repository, revision, skills_dir):
        found.setdefault(change.skill, []).append(change)
    for changes in found.values():
        changes.reverse()
    return found


def _stream(repository: Repository, revision: str, skills_dir: str) -> Iterator[FolderChange]:
    process = repository.git.start(
        "log",
        "--first-parent",
        "--diff-merges=first-parent",
        "--raw",
        "-t",
        "-z",
        "--no-renames",
        "--no-abbrev",
        "--format=%x01%H %ct",
        revision,
        "--",
        skills_dir,
        stdin=None,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    depth = skills_dir.count("/") + 1
    prefix = skills_dir.encode() + b"/"
    commit_id, at = "", datetime.fromtimestamp(0, UTC)
    meta = b""
    with process.stdout, process.stderr:
        for field in _fields(process.stdout):
            if field.startswith(b"\x01"):
                name, stamp = field[1:].split(b" ")
                commit_id, at = name.decode(), datetime.fromtimestamp(int(stamp.strip()), UTC)
            elif field.lstrip(b"\n").startswith(b":"):
                meta = field.lstrip(b"\n")
            elif meta and field.startswith(prefix) and field.count(b"/") == depth:
                old_mode, new_mode, _, new_id, _ = meta.split(b" ")
                if old_mode == b":040000" or new_mode == b"040000":
                    tree = new_id.decode() if new_mode == b"040000" else None
                    yield FolderChange(field[len(prefix) :].decode("utf-8", "replace"), commit_id, at, tree)
        errors = process.stderr.read().decode("utf-8", "replace")
    if process.wait() != 0:
        raise failure("log", Answer(process.returncode, b"", errors))


def _fields(pipe: IO[bytes]) -> Iterator[bytes]:
    rest = b""
    while chunk := pipe.read(1 << 18):
        parts = (rest + chunk).split(b"\0")
        rest = parts.pop()
        yield from parts
    if rest:
        yield rest


def current_trees(repository: Repository, commit: str | None, skills_dir: str) -> dict[str, str]:
    """Returns skill name -> tree id of its folder at a commit; links and files are no Skills."""
    if commit is None:
        return {}
    entries = list_tree(repository, commit, skills_dir, recursive=False)
    return {e.path.rsplit("/", 1)[1]: e.object_id for e in entries if e.kind == "tree"}
