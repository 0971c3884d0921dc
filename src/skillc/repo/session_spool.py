"""The spool of the capture hook: which sessions ended, where their transcripts lie, and what HEAD was then.

One file an event, written by skillc.hook. Everything in it is data that anybody with this account could have
written: a transcript is opened only when it is a regular file of this user below the host's own folder.
Not here: reading transcripts (importers), when a session is taken (lifecycle.drain).
"""

import contextlib
import json
import os
import stat
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from skillc import hook
from skillc.repo import layout
from skillc.repo.reflog import LogPlace, commits_made
from skillc.repo.repository import Repository

MAX_ENTRY_BYTES = 64 * 1024
MAX_ENTRIES = 5000
UNREAD_DIR = "unread"
_STALE_S = 3600


@dataclass(frozen=True)
class SpooledSession:
    """What the hook told about one session. `files` are its entries, dropped together.

    `transcript` is None where the host named no file, or an empty one.
    """

    agent: str
    session_id: str
    transcript: Path | None
    has_ended: bool
    turn_ended: bool
    at: float
    head_start: str | None
    head_end: str | None
    commits: tuple[str, ...] | None  # made while it ran, by git's log of HEAD; None when that does not tell
    files: tuple["SpoolFile", ...]


@dataclass(frozen=True)
class SpoolFile:
    """One entry as it was read; the hook may have written a newer one under the same name since."""

    path: Path
    inode: int


def spool_folders(repository: Repository) -> tuple[Path, ...]:
    """Returns where entries of this repository may lie: its own spool, then this account's."""
    return repository.private / layout.SPOOL_DIR, Path(hook.own_spool())


def hook_log() -> Path:
    """Returns where the hook writes what went wrong."""
    return Path(hook.own_spool()) / hook.LOG_FILE


def logged(path: Path) -> list[tuple[int, str]]:
    """Returns (seconds since 1970, words) of every line of the hook's log, empty when there is none."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(handle, "rb") as file:
            text = file.read(2 * hook.MAX_LOG_BYTES).decode("utf-8", "replace")
    except OSError:
        return []
    lines = [line.partition(" ") for line in text.splitlines()]
    return [(int(at), words) for at, _, words in lines if at.isascii() and at.isdigit() and len(at) < 16]


def repository_around(place: Path) -> Path | None:
    """Returns the work tree that a place lies in, told by files alone; None outside of every repository."""
    top, _, _ = hook.find_git(str(place))
    return Path(top) if top else None


def has_entries(repository: Repository) -> bool:
    """Says cheaply whether the repository's own spool, or this account's, holds anything."""
    for folder in spool_folders(repository):
        with contextlib.suppress(OSError):
            if any(name.endswith(".json") for name in os.listdir(folder)):
                return True
    return False


def read_spool(repository: Repository, *, drops_bad: bool = True) -> list[SpooledSession]:
    """Returns the sessions of this repository that the hook told about, oldest first.

    What is no event is put aside (`unread_entries`), or with `drops_bad` false left where it is.
    """
    events: dict[tuple[str, str], list[tuple[SpoolFile, dict[str, Any]]]] = {}
    for folder in spool_folders(repository):
        for path in _entries(folder):
            file, event = _read_entry(path)
            if event is None:
                if drops_bad:
                    _put_aside(file)
            elif os.path.realpath(event["common"]) == os.path.realpath(repository.common_dir):
                events.setdefault((event["agent"], event["session_id"]), []).append((file, event))
    sessions = [_session(agent, session, found) for (agent, session), found in events.items()]
    return sorted(sessions, key=lambda s: (s.at, s.session_id))


def drop(files: Iterable[SpoolFile]) -> None:
    """Removes entries, unless a newer one took their place. One that is gone already is no error."""
    for file in files:
        with contextlib.suppress(OSError):
            if os.lstat(file.path).st_ino == file.inode:
                file.path.unlink()


def unread_entries(repository: Repository) -> list[Path]:
    """Returns the entries that were no event and were put aside, by name."""
    found: list[Path] = []
    for folder in spool_folders(repository):
        with contextlib.suppress(OSError):
            found += (folder / UNREAD_DIR / name for name in sorted(os.listdir(folder / UNREAD_DIR))[:MAX_ENTRIES])
    return found


def off_switch(repository: Repository) -> Literal["repository", "shell"] | None:
    """Says whether capture by hook is off: here for everybody, or for the hosts that start from this shell."""
    if os.path.lexists(repository.private / layout.OFF_FILE):
        return "repository"
    return "shell" if os.environ.get("SKILLC_OFF", "") not in ("", "0") else None


def is_own_file(path: Path, roots: Iterable[Path]) -> bool:
    """Says whether a path is a regular file of this user below one of the folders, through no link."""
    try:
        info = os.lstat(path)
    except OSError:
        return False
    if not stat.S_ISREG(info.st_mode) or info.st_uid != os.geteuid():
        return False
    real = Path(os.path.realpath(path))
    return any(real.is_relative_to(os.path.realpath(root)) for root in roots)


def _put_aside(file: SpoolFile) -> None:
    """Moves an entry into the folder beside, unless a newer one took its place."""
    folder = file.path.parent / UNREAD_DIR
    with contextlib.suppress(OSError):
        folder.mkdir(mode=0o700, exist_ok=True)
        if os.lstat(file.path).st_ino == file.inode:
            os.replace(file.path, folder / file.path.name)


def _entries(folder: Path) -> list[Path]:
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return []
    for name in names:
        if name.startswith(".") and name.endswith(".tmp"):  # of a hook that the host killed
            with contextlib.suppress(OSError):
                if time.time() - os.lstat(folder / name).st_mtime > _STALE_S:
                    (folder / name).unlink()
    return [folder / name for name in names if name.endswith(".json") and not name.startswith(".")][:MAX_ENTRIES]


def _read_entry(path: Path) -> tuple[SpoolFile, dict[str, Any] | None]:
    """Returns the entry with what it says, None when it is no event."""
    inode = 0
    try:
        inode = os.lstat(path).st_ino
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(handle, "rb") as file:
            info = os.fstat(file.fileno())
            inode = info.st_ino
            is_own = stat.S_ISREG(info.st_mode) and info.st_uid == os.geteuid() and info.st_size <= MAX_ENTRY_BYTES
            value = json.loads(file.read(MAX_ENTRY_BYTES)) if is_own else None
    except (OSError, ValueError, RecursionError):
        value = None
    return SpoolFile(path, inode), value if _is_event(value) else None


def _is_event(value: Any) -> bool:
    wanted = ("agent", "session_id", "hook_event_name", "common")
    return (
        isinstance(value, dict)
        and all(isinstance(value.get(name), str) for name in wanted)
        and value["agent"] in hook.AGENTS
        and isinstance(value.get("at"), int | float)
    )


def _session(agent: str, session_id: str, found: list[tuple[SpoolFile, dict[str, Any]]]) -> SpooledSession:
    events = [event for _, event in sorted(found, key=lambda item: float(item[1]["at"]))]
    first, last = events[0], events[-1]
    ended = [e for e in events if e["hook_event_name"] == "SessionEnd"]
    paths = [path for e in events if isinstance(path := e.get("transcript_path"), str) and path]
    began = first if first["hook_event_name"] == "SessionStart" else {}
    left = last if last["hook_event_name"] != "SessionStart" else {}
    return SpooledSession(
        agent=agent,
        session_id=session_id,
        transcript=Path(paths[-1]) if paths else None,
        has_ended=bool(ended) and last is ended[-1],
        turn_ended=last["hook_event_name"] != "SessionStart",
        at=float(last["at"]),
        head_start=_commit(began.get("head")),
        head_end=_commit(left.get("head")),
        commits=_commits(began, left),
        files=tuple(file for file, _ in found),
    )


def _commits(began: dict[str, Any], left: dict[str, Any]) -> tuple[str, ...] | None:
    start, end = began.get("log_size"), left.get("log_size")
    worktree = began.get("worktree")
    if type(start) is not int or type(end) is not int or not isinstance(worktree, str):
        return None
    if worktree != left.get("worktree") or began["common"] != left["common"]:
        return None  # it moved to another work tree, whose log is another one
    place = LogPlace(Path(began["common"]), worktree)
    return commits_made(place, max(0, start), end, _commit(began.get("head")))


def _commit(value: Any) -> str | None:
    is_commit = isinstance(value, str) and len(value) in (40, 64) and not value.strip("0123456789abcdef")
    return value if is_commit else None
