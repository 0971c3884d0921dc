"""A session that went on after it was captured: what is new becomes a child Trace, and the closed one stays.

The events of a session come out the same on every import, so the stored Trace must be the beginning of the new
one, line by line. Anything else is no continuation. Paper: 5.1 (a Trace is immutable after its close).
Not here: reading sessions (importers), storing (lifecycle.capture).
"""

from collections.abc import Iterator
from typing import IO

from skillc.core.trace.codec import iter_event_lines, parse_header, salt_of, trace_id_of
from skillc.core.trace.records import Environment, Event, EventKind, GitContext
from skillc.importers.base import ImportContext, ImportedTrace, ImportReport
from skillc.importers.writer import MAX_OBJECTIVE_CHARS, TraceWriter

SAME = "same"


def continued(
    imported: ImportedTrace, stored: bytes, context: ImportContext, report: ImportReport
) -> ImportedTrace | str | None:
    """Compares a session's Trace with the stored one of the same id.

    Returns SAME when it holds the same events, the child Trace with what came after when the stored one is its
    beginning, and None when the two differ. The body of `imported` is read and left at offset 0.
    """
    if not stored:
        return None
    lines = _event_lines(imported.body, imported.events)
    known = 0
    for line in iter_event_lines(stored):
        if next(lines, None) != line:
            imported.body.seek(0)
            return None
        known += 1
    first = parse_header(stored.split(b"\n", 1)[0], path=imported.header.trace_id)
    child = _child(imported, first.environment, known, lines, context, report) if known < imported.events else SAME
    imported.body.seek(0)
    return child


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
    trace_id = trace_id_of(parent.namespace, parent.source.kind, parent.trace_id, f"from e{known}")
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
