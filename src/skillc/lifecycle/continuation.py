"""A session that went on after it was captured: what is new becomes a child Trace, and the closed one stays.

The events of a session come out the same on every import, so the stored Trace must be the beginning of the new
one, line by line. Anything else is no continuation. Paper: 5.1 (a Trace is immutable after its close).
Not here: reading sessions (importers), storing (lifecycle.capture).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from typing import IO

from skillc.core.trace.codec import (
    iter_event_lines,
    line_hash,
    parse_header,
    parse_trace_tombstone,
    salt_of,
    trace_id_of,
)
from skillc.core.trace.records import Environment, Event, EventKind, GitContext
from skillc.importers.base import ImportContext, ImportedTrace, ImportReport
from skillc.importers.writer import MAX_OBJECTIVE_CHARS, TraceWriter

SAME = "same"


@dataclass(frozen=True)
class Part:
    """One captured Trace of a session: how many events it has, and when the first one was."""

    trace_id: str
    events: int
    started_at: datetime | None


def part_at(namespace: str, kind: str, session: str, at: str, look: Callable[[str], Part | None]) -> str:
    """Returns the Trace of the part of a session that a moment belongs to: the last that began until then.

    Parts are the tasks of a session and their children, as far as `look` finds them; where it finds none, the id of
    the whole session. A part that is stored never changes, so neither does the answer for it.
    """
    whole = trace_id_of(namespace, kind, session)
    moment = datetime.fromisoformat(at)
    found: list[tuple[datetime, str]] = []
    for number in count(1):
        part = look(trace_id_of(namespace, kind, session, str(number)) if number > 1 else whole)
        if part is None:
            break
        while part is not None:
            if part.started_at is not None and part.started_at <= moment:
                found.append((part.started_at, part.trace_id))
            part = look(_child_id(namespace, kind, part.trace_id, part.events))
    return max(found, key=lambda item: item[0])[1] if found else whole


def _child_id(namespace: str, kind: str, parent: str, known: int) -> str:
    return trace_id_of(namespace, kind, parent, f"from e{known}")


def continued(
    imported: ImportedTrace, stored: bytes, context: ImportContext, report: ImportReport
) -> ImportedTrace | str | None:
    """Compares a session's Trace with the stored one of the same id.

    Returns SAME when it holds the same events, the child Trace with what came after when the stored one is its
    beginning, and None when the two differ. The body of `imported` is read and left at offset 0.
    """
    if not stored or parse_trace_tombstone(stored) is not None:
        return None
    lines = _event_lines(imported.body, imported.events)
    known = 0
    for line in iter_event_lines(stored):
        now = next(lines, None)
        if now is None or (now != line and line_hash(now) != line_hash(line)):
            imported.body.seek(0)
            return None
        known += 1
    first = parse_header(stored.split(b"\n", 1)[0], path=imported.header.trace_id)
    child = _child(imported, first.environment, known, lines, context, report) if known < imported.events else SAME
    imported.body.seek(0)
    return child


def kept_words(trace_id: str, stored: bytes) -> str:
    """Says why a session's Trace was not taken: the stored one is no beginning of it, or was deleted."""
    if parse_trace_tombstone(stored) is not None:
        return f"{trace_id} was deleted with skillc forget, and is not captured again"
    return (
        f"{trace_id} is stored with other bytes and was kept: the session was rewound, or another machine captured it"
    )


def _event_lines(body: IO[bytes], count: int) -> Iterator[bytes]:
    body.seek(0)
    body.readline()
    for _ in range(count):
        yield body.readline().rstrip(b"\n")


def _child(
    imported: ImportedTrace,
    before: Environment,
    known: int,
    lines: Iterator[bytes],
    context: ImportContext,
    report: ImportReport,
) -> ImportedTrace:
    parent = imported.header
    trace_id = _child_id(parent.namespace, parent.source.kind, parent.trace_id, known)
    writer = TraceWriter(context, report, session="", trace_id=trace_id)
    objective, started = "", None
    for line in lines:
        event = Event.model_validate_json(line)
        started = started or event.at
        if event.kind is EventKind.USER_MESSAGE and not objective and event.text:
            objective = " ".join(event.text.split())[:MAX_OBJECTIVE_CHARS]
        writer.add_event(event, is_decided=True)
    header = parent.model_copy(
        update={
            "trace_id": trace_id,
            "parent_trace_id": parent.trace_id,
            "objective": objective or parent.objective,
            "started_at": started or parent.started_at,
            "environment": parent.environment.model_copy(update={"git": _git_since(parent.environment, before)}),
            "salt": salt_of(context.secret, trace_id, "header"),
        }
    )
    close = imported.close.model_copy(update={"salt": salt_of(context.secret, trace_id, "close")})
    return writer.finish_records(header, close, verdict=imported.verdict)


def _git_since(now: Environment, before: Environment) -> GitContext | None:
    """Returns the git context of the continued part: what the closed Trace committed is its own."""
    git, old = now.git, before.git
    if git is None or old is None:
        return git
    own = tuple(c for c in git.commits if not any(c.startswith(b) or b.startswith(c) for b in old.commits))
    begin = old.head_end or old.head_start
    return GitContext(branch=git.branch, head_start=begin, head_end=own[-1] if own else begin, commits=own)
