"""Ledger records that are due once a ref has moved, also when the command is killed in between.

Several refs cannot move at one instant, so the visible ref is the truth: the records lie in a file beside the
repository before it moves, and this command or the next one appends them. A move that did not happen owes
nothing. Not here: what the records say (lifecycle), the ledger itself (repo.ledger).
"""

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from skillc.errors import RepoError
from skillc.repo import layout
from skillc.repo.commits import RefMovedError
from skillc.repo.files import read_small, write_whole
from skillc.repo.ledger import LedgerFile, append_to_ledger
from skillc.repo.lock import write_lock
from skillc.repo.repository import REMOTE, Repository

_MAX_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True)
class DueRecords:
    """Records that belong to the move of one ref to `new` (None: its deletion).

    `is_made`: the commit was made for this move, so that any branch that holds it proves the move, also one that
    was renamed or merged since. A commit that was there before is proved by `ref` alone.
    """

    ref: str
    new: str | None
    files: tuple[LedgerFile, ...]
    message: str
    at: datetime
    is_made: bool = True


def move_with_records(repository: Repository, due: DueRecords, move: Callable[[], None]) -> None:
    """Moves a ref by `move` and appends the records that belong to it; raises what `move` raises."""
    with write_lock(repository):
        _finish(repository)
        write_whole(_path(repository), _encoded(due))
        try:
            move()  # when it raises, the next command looks at the ref and decides
        except RefMovedError:  # this one is sure that nothing moved: the ref may come there later by another way
            _path(repository).unlink(missing_ok=True)
            raise
        _append(repository, due)
        _path(repository).unlink(missing_ok=True)


def finish_due_records(repository: Repository) -> str | None:
    """Appends or forgets the records of a killed command; says in one line what it did."""
    if not os.path.lexists(_path(repository)):
        return None
    with write_lock(repository):
        return _finish(repository)


def _finish(repository: Repository) -> str | None:
    path = _path(repository)
    if not os.path.lexists(path):
        return None
    due = _read(path)
    said = None
    if due is None:
        said = "forgot an unreadable note of due records"
    elif _has_moved(repository, due):
        _append(repository, due)
        said = f"finished an interrupted command: recorded {due.message.strip()}"
    path.unlink(missing_ok=True)
    return said


def _has_moved(repository: Repository, due: DueRecords) -> bool:
    if due.new is None:
        return due.ref not in repository.refs(due.ref)
    remote = f"refs/remotes/{REMOTE}"
    places = (layout.LOCAL_REFS.rstrip("/"), remote)
    if not due.is_made:
        places = (due.ref, f"{remote}/{due.ref.removeprefix(layout.LOCAL_REFS)}")
    answer = repository.git.ask("for-each-ref", "--count=1", "--format=x", f"--contains={due.new}", *places)
    return answer.code == 0 and bool(answer.stdout)


def _append(repository: Repository, due: DueRecords) -> None:
    append_to_ledger(repository, due.files, message=due.message, at=due.at)


def _path(repository: Repository) -> Path:
    return repository.private / layout.DUE_FILE


def _encoded(due: DueRecords) -> bytes:
    record = {
        "ref": due.ref,
        "new": due.new,
        "files": [[file.folder, file.data.decode("utf-8")] for file in due.files],
        "message": due.message,
        "at": due.at.isoformat(),
        "is_made": due.is_made,
    }
    return json.dumps(record, ensure_ascii=False).encode("utf-8")


def _read(path: Path) -> DueRecords | None:
    """Reads the note as what it is, a file that somebody else may have put there."""
    try:
        record = json.loads(read_small(path, limit=_MAX_BYTES) or b"")
        due = DueRecords(
            ref=record["ref"],
            new=record["new"],
            files=tuple(LedgerFile(folder, data.encode("utf-8")) for folder, data in record["files"]),
            message=record["message"],
            at=datetime.fromisoformat(record["at"]),
            is_made=record["is_made"] is not False,
        )
    except (RepoError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    is_sound = (
        isinstance(due.ref, str)
        and due.ref.startswith(layout.LOCAL_REFS)
        and (due.new is None or (isinstance(due.new, str) and due.new.isalnum()))
        and isinstance(due.message, str)
    )
    return due if is_sound else None
