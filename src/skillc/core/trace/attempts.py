"""Attempt families: which Traces are attempts at the same task, so that they count once as support.

Joins retries by what their headers say: a declared parent, the same attempt key, the same session or commit, or
the same objective in the same project until that succeeded. Joining too much only lowers support; it never makes
a claim acceptable. Paper: 5.1. Not here: task families (core.trace.family).
"""

from collections.abc import Iterable
from datetime import UTC, datetime

from skillc.core.trace.records import TraceHeader

_NO_TIME = datetime.max.replace(tzinfo=UTC)
# Kinds whose `source.ref` is `<session>` or `<session>/<part of it>`.
_SESSION_KINDS = frozenset({"claude-code", "codex", "gemini"})
_SHORT_COMMIT = 7


def attempt_families(headers: Iterable[TraceHeader], successes: frozenset[str] = frozenset()) -> dict[str, str]:
    """Returns trace_id -> id of its attempt family, the trace_id of its earliest Trace.

    Two Traces of one namespace are attempts at the same task when one declares the other, or the same
    third Trace, as its parent; when they carry the same attempt key and source kind; when they are parts of one
    session or made the same commit; or, without a key, when their objectives have the same words in the same
    project and none of those before is a verified success (`successes`). Traces without a project never join by
    objective. The order of headers does not matter.
    """
    ordered = sorted(headers, key=_time_order)
    parents: dict[str, str] = {}
    done: dict[str, int] = {}
    for header in ordered:
        for key in _join_keys(header):
            _union(parents, "trace " + header.trace_id, key)
        objective = _objective_key(header)
        if objective is not None:
            _union(parents, "trace " + header.trace_id, f"{objective} {done.get(objective, 0)}")
            if header.trace_id in successes:
                done[objective] = done.get(objective, 0) + 1
    first: dict[str, str] = {}
    result = {}
    for header in ordered:
        root = _find(parents, "trace " + header.trace_id)
        result[header.trace_id] = first.setdefault(root, header.trace_id)
    return dict(sorted(result.items()))


def objective_rivals(headers: Iterable[TraceHeader], of: frozenset[str]) -> frozenset[str]:
    """Returns the Traces whose success decides which attempts at the objectives of these Traces belong together."""
    known = list(headers)
    wanted = {key for h in known if h.trace_id in of and (key := _objective_key(h)) is not None}
    return frozenset(h.trace_id for h in known if _objective_key(h) in wanted)


def _join_keys(header: TraceHeader) -> list[str]:
    keys = []
    if header.parent_trace_id is not None:
        keys.append("trace " + header.parent_trace_id)
    if header.attempt_key is not None:
        keys.append(f"key {header.namespace!r} {header.source.kind!r} {header.attempt_key!r}")
    if header.source.kind in _SESSION_KINDS and header.source.ref:
        session = header.source.ref.split("/", 1)[0]
        keys.append(f"session {header.namespace!r} {header.source.kind!r} {session!r}")
    git = header.environment.git
    commits = git.commits if git is not None else ()
    keys += [f"commit {header.namespace!r} {c[:_SHORT_COMMIT]!r}" for c in commits if len(c) >= _SHORT_COMMIT]
    return keys


def _objective_key(header: TraceHeader) -> str | None:
    project = header.environment.cwd_label
    words = " ".join(header.objective.casefold().split())
    if header.attempt_key is not None or project is None or not words:
        return None
    return f"objective {header.namespace!r} {project!r} {words!r}"


def _time_order(header: TraceHeader) -> tuple[datetime, str]:
    at = header.started_at
    if at is None:
        return _NO_TIME, header.trace_id
    return (at if at.tzinfo is not None else at.replace(tzinfo=UTC)), header.trace_id


def _union(parents: dict[str, str], left: str, right: str) -> None:
    parents[_find(parents, left)] = _find(parents, right)


def _find(parents: dict[str, str], item: str) -> str:
    while parents.get(item, item) != item:
        parents[item] = parents.get(parents[item], parents[item])
        item = parents[item]
    return item
