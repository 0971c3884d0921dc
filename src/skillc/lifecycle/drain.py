"""The spool of the capture hook is drained: sessions that ended become Traces, with no command typed.

Any later command does it, quietly; `capture --drain` does it and says what waits. An entry goes only after its
Trace is stored, so a drain that is killed is done again, and storing twice changes nothing.
Not here: writing the spool (skillc.hook), reading it (repo.session_spool), importing (lifecycle.capture).
"""

import os
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from skillc.core.record import Record
from skillc.errors import DataError, RepoError
from skillc.importers.base import GitFacts
from skillc.lifecycle.capture import CaptureOptions, CaptureReport, capture
from skillc.lifecycle.context import Context
from skillc.lifecycle.transcripts import NO_TRANSCRIPT, find_transcripts
from skillc.repo import layout
from skillc.repo.files import write_whole
from skillc.repo.repository import Repository
from skillc.repo.session_spool import SpooledSession, drop, read_spool, unread_entries

KEPT_S = 30 * 24 * 3600
IDLE_S = 30 * 60  # a session whose host never said that it ended


class WaitingSession(Record):
    """A session that the hook told about and that was not taken, and why."""

    agent: str
    session: str
    reason: str


class DrainReport(Record):
    """The answer of `skillc capture --drain`."""

    format: Literal["skillc.drain/1"] = "skillc.drain/1"
    captured: CaptureReport | None = None
    waiting: tuple[WaitingSession, ...] = ()
    put_aside: int = 0  # entries that this drain found to be no event


def drain(context: Context, *, idle_s: float = IDLE_S) -> DrainReport:
    """Captures the sessions of the spool that have ended, or that were quiet for `idle_s` seconds.

    An entry whose transcript is not among this user's own files below its host's folder is told, and kept for
    `KEPT_S`: the folder may be named by a variable that only the host's shell has. So is a transcript, or an
    entry, that cannot be read.
    """
    ready: dict[str, SpooledSession] = {}
    waiting: list[WaitingSession] = []
    unread_before = len(unread_entries(context.repository))
    sessions = read_spool(context.repository)
    unread = _unread(context.repository)
    for session, path in zip(sessions, find_transcripts(sessions), strict=True):
        if path is None:
            waiting.append(_waiting(session, f"{NO_TRANSCRIPT}; the entry is kept"))
            _drop_old([session])
        elif session.has_ended or (session.turn_ended and _is_quiet(session, path, idle_s)):
            ready[str(path)] = session
        else:
            waiting.append(_waiting(session, "it still runs"))
    report = _captured(context, ready, waiting) if ready else None
    context.base = context.repository.base()  # Traces in the tree move it
    return DrainReport(captured=report, waiting=(*waiting, *unread), put_aside=max(0, len(unread) - unread_before))


def _unread(repository: Repository) -> list[WaitingSession]:
    """Tells the entries that were put aside, and removes those that nobody looked at for `KEPT_S`."""
    found = []
    for path in unread_entries(repository):
        try:
            is_old = time.time() - os.lstat(path).st_mtime > KEPT_S
            if is_old:
                path.unlink()
        except OSError:
            is_old = False
        if not is_old:
            reason = f"it is no event of the hook; the entry is kept in {path.parent}"
            found.append(WaitingSession(agent="unknown", session=path.name[:64], reason=reason))
    return found


def _captured(
    context: Context, ready: dict[str, SpooledSession], waiting: list[WaitingSession]
) -> CaptureReport | None:
    facts = {path: GitFacts(s.head_start, s.head_end, s.commits) for path, s in ready.items()}
    try:
        report = capture(context, list(ready), CaptureOptions(git_facts=facts, skips_empty=True))
    except DataError as error:  # the only one, and it cannot be read, now or later
        waiting += [_waiting(s, error.message) for s in ready.values()]
        _drop_old(ready.values())
        return None
    except RepoError as error:
        waiting += [_waiting(s, error.message) for s in ready.values()]
        return None
    failed = {f.path: f.message for f in report.failed}
    for path, session in ready.items():
        if path in failed:
            waiting.append(_waiting(session, failed[path]))
            _drop_old([session])
        else:
            drop(session.files)
    return report


def _drop_old(sessions: Iterable[SpooledSession]) -> None:
    """Removes entries that nothing came of for so long that the host has deleted their transcripts."""
    for session in sessions:
        if time.time() - session.at > KEPT_S:
            drop(session.files)


def _is_quiet(session: SpooledSession, path: Path, idle_s: float) -> bool:
    try:
        last = max(session.at, os.lstat(path).st_mtime)
    except OSError:
        return False
    return time.time() - last >= idle_s


def _waiting(session: SpooledSession, reason: str) -> WaitingSession:
    return WaitingSession(agent=session.agent, session=session.session_id[:64], reason=reason)


def drained_note(report: DrainReport) -> str | None:
    """Returns what to say of a drain that another command did by the way, None when nothing came of it."""
    new = report.captured.totals.new if report.captured else 0
    said = [f"captured {new} {'session' if new == 1 else 'sessions'} that ended: skillc traces"] if new else []
    if report.put_aside:
        what = "entry" if report.put_aside == 1 else "entries"
        said.append(f"put aside {report.put_aside} {what} of the hook that cannot be read: skillc capture --drain")
    return "\n".join(said) or None


def switch_hook(folder: Path, *, is_off: bool) -> None:
    """Turns capture by hook off or on for the repository around a folder, on this machine."""
    path = Repository.open(folder).private / layout.OFF_FILE
    if is_off:
        write_whole(path, b"skillc capture --on turns it on again\n")
    else:
        path.unlink(missing_ok=True)
