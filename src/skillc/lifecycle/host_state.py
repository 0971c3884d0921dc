"""What each host keeps of this project's sessions, and which of them are not captured yet.

A session is known by its id, which stands in the head of its file, and by the time of its last record, which
stands at the end. Only where both leave a doubt the file is read as capture would read it, within a budget, and
what came of it is remembered. Nothing is stored. Not here: taking sessions (lifecycle.capture).
"""

import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO, Literal

from skillc.core.record import Moment, Record, digest_of
from skillc.core.trace.codec import Trace, trace_id_of
from skillc.errors import RepoError, SkillcError, UsageError
from skillc.lifecycle.context import Context
from skillc.lifecycle.folder_sessions import HEAD_BYTES
from skillc.lifecycle.host_settings import HookPlace, hook_place, retention_days
from skillc.lifecycle.sources import HostSession, host_sessions
from skillc.repo.host_folders import HOSTS
from skillc.repo.look_cache import LookCache, Seen
from skillc.version import __version__

SOON_DAYS = 7
MAX_LISTED = 50
LOOK_BUDGET_BYTES = 8 * 1024 * 1024
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_UUID_AT_END = re.compile(r"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\Z", re.IGNORECASE)


class UncapturedSession(Record):
    """A session file that capture would take: never seen, or longer than what was taken of it."""

    path: str
    state: Literal["new", "went_on"]
    modified: Moment
    deleted_in_days: float | None = None


class LastCaptured(Record):
    """The newest session of a host among the Traces."""

    trace_id: str
    session: str
    at: Moment | None


class HostStatus(Record):
    """One host: its hook, its sessions of this project, and what becomes of them."""

    host: str
    hook: HookPlace
    sessions: int
    last_captured: LastCaptured | None
    new: int
    went_on: int
    uncaptured: tuple[UncapturedSession, ...]
    retention_days: float | None
    deleted_soon: int


@dataclass(frozen=True)
class Glance:
    """What head and end of a session file say without reading the rest."""

    session: str | None
    ended: datetime | None


@dataclass
class Captured:
    """The stored Traces, by id, and the end of each session by (kind, session)."""

    trace_ids: set[str] = field(default_factory=set)
    ends: dict[tuple[str, str], datetime] = field(default_factory=dict)


def host_states(context: Context, traces: Sequence[Trace]) -> tuple[HostStatus, ...]:
    """Returns the state of every host for this project. `traces` are all stored ones."""
    captured = _captured(traces)
    looker = _Looker(context, captured)
    by_host: dict[str, list[HostSession]] = {host: [] for host in HOSTS}
    for session in host_sessions(context.repository.root):
        by_host[session.host].append(session)
    states = tuple(_state(context, host, sessions, traces, looker) for host, sessions in by_host.items())
    looker.cache.save()
    return states


def _state(
    context: Context, host: str, sessions: list[HostSession], traces: Sequence[Trace], looker: "_Looker"
) -> HostStatus:
    root = context.repository.root
    days = retention_days(host, root)
    waiting = [
        UncapturedSession(
            path=session.path,
            state=state,
            modified=session.modified,
            deleted_in_days=None if days is None else _days_left(session.modified, days, context.now),
        )
        for session in sessions
        if (state := looker.state_of(session)) is not None
    ]
    soon = sum(1 for w in waiting if w.deleted_in_days is not None and w.deleted_in_days <= SOON_DAYS)
    return HostStatus(
        host=host,
        hook=hook_place(host, root),
        sessions=len(sessions),
        last_captured=_last(host, traces),
        new=sum(1 for w in waiting if w.state == "new"),
        went_on=sum(1 for w in waiting if w.state == "went_on"),
        uncaptured=tuple(waiting[:MAX_LISTED]),
        retention_days=days,
        deleted_soon=soon,
    )


def _days_left(modified: datetime, days: float, now: datetime) -> float:
    left = days - (now - modified).total_seconds() / 86400
    return round(max(0.0, left), 1)


def _last(host: str, traces: Sequence[Trace]) -> LastCaptured | None:
    own = [t for t in traces if t.header.source.kind == host]
    if not own:
        return None
    newest = max(own, key=lambda t: (_end_of(t) or datetime.min.replace(tzinfo=UTC), t.trace_id))
    return LastCaptured(trace_id=newest.trace_id, session=newest.header.source.ref, at=_end_of(newest))


def _end_of(trace: Trace) -> datetime | None:
    return trace.close.at or trace.header.started_at


def _captured(traces: Iterable[Trace]) -> Captured:
    """A continuation and a later task of a session have its id in their source, so they count for it."""
    found = Captured()
    for trace in traces:
        found.trace_ids.add(trace.trace_id)
        source, end = trace.header.source, _end_of(trace)
        key = (source.kind, source.ref.split("/", 1)[0])
        if end is not None and (key not in found.ends or end > found.ends[key]):
            found.ends[key] = end
    return found


class _Looker:
    """Decides about session files, from the cheapest knowledge to the whole file."""

    def __init__(self, context: Context, captured: Captured) -> None:
        policy = context.policy
        self.context = context
        self.captured = captured
        self.budget = LOOK_BUDGET_BYTES
        key = [__version__, policy.namespace, list(policy.traces.exclude_paths), policy.traces.split.value]
        self.cache = LookCache(context.repository, digest_of(key))

    def state_of(self, session: HostSession) -> Literal["new", "went_on"] | None:
        """Returns what capture would find in the file; None when there is nothing to take."""
        try:
            info = os.lstat(session.path)
        except OSError:
            return None
        glance = glance_at(session)
        known = self._is_stored(session, glance.session)
        end = self.captured.ends.get((session.host, (glance.session or "")[:64]))
        if known and end is not None and glance.ended is not None and glance.ended <= end:
            return None
        seen = self.cache.get(session.path, info.st_size, info.st_mtime_ns)
        if seen is None and info.st_size <= self.budget:
            self.budget -= info.st_size
            seen = _looked(self.context, session)
            if seen is not None:
                self.cache.put(session.path, info.st_size, info.st_mtime_ns, seen)
        if seen is None:
            return "went_on" if known else "new"
        return self._state_of_seen(seen)

    def _is_stored(self, session: HostSession, name: str | None) -> bool:
        if name is None:
            return False
        return trace_id_of(self.context.policy.namespace, session.host, name) in self.captured.trace_ids

    def _state_of_seen(self, seen: Seen) -> Literal["new", "went_on"] | None:
        stored = [trace_id in self.captured.trace_ids for trace_id in seen]
        if all(stored):
            return None
        return "went_on" if any(stored) else "new"


def _looked(context: Context, session: HostSession) -> Seen | None:
    """Reads a whole file as capture does, and stores nothing: the Traces that it gives, none for no event.

    None when the file cannot be read now.
    """
    from skillc.lifecycle.capture import CaptureOptions, capture

    try:
        report = capture(context, [session.path], CaptureOptions(dry_run=True))
    except (UsageError, RepoError):
        return None
    except SkillcError:
        return ()  # capture says what is wrong with it, and takes nothing
    return tuple(trace.trace_id for source in report.sources for trace in source.traces)


def glance_at(session: HostSession) -> Glance:
    """Returns the session's id and its last time, by the first and the last 64 KiB of its file at most."""
    stem = Path(session.path).stem
    try:
        with Path(session.path).open("rb") as stream:
            if session.host == "claude-code":
                name = stem if _UUID.match(stem) else _claude_id(stream.read(HEAD_BYTES))
                return Glance(name, _last_time(stream, ("user", "assistant")))
            if session.host == "codex":
                return Glance(_codex_id(stem, stream.read(HEAD_BYTES)), _last_time(stream, ("response_item",)))
            return Glance(_gemini_id(stream.read(HEAD_BYTES)), _last_time(stream, ("user", "gemini")))
    except OSError:
        return Glance(None, None)


def _claude_id(head: bytes) -> str | None:
    return next(
        (name for r in _objects(head.split(b"\n")) if isinstance(name := r.get("sessionId"), str) and name), None
    )


def _codex_id(stem: str, head: bytes) -> str | None:
    for record in _objects(head.split(b"\n", 3)[:3]):
        for fields in (record.get("payload"), record):
            if isinstance(fields, dict) and isinstance(name := fields.get("id"), str) and name:
                return name
    found = _UUID_AT_END.search(stem)
    return found[1] if found else None


def _gemini_id(head: bytes) -> str | None:
    found = re.search(rb'"sessionId"\s*:\s*"([A-Za-z0-9_-]{1,64})"', head)
    return found[1].decode() if found else None


def _last_time(stream: BinaryIO, types: Sequence[str]) -> datetime | None:
    """Returns the time of the last record of these types, None when the end of the file does not tell."""
    size = os.fstat(stream.fileno()).st_size
    stream.seek(max(0, size - HEAD_BYTES))
    lines = stream.read(HEAD_BYTES).split(b"\n")
    for record in _objects(reversed(lines[1:] if size > HEAD_BYTES else lines)):
        if record.get("type") in types:
            return _moment(record.get("timestamp"))
    return None


def _objects(lines: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    """Yields the lines that are whole JSON objects."""
    for line in lines:
        try:
            value = json.loads(line) if line.startswith(b"{") else None
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            yield value


def _moment(value: object) -> datetime | None:
    """Returns a time with its zone, None for anything else."""
    try:
        found = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return found if found is not None and found.tzinfo is not None else None
