"""Summaries of Traces: made once per Trace digest and engine, kept below .git, thrown away at will.

Paper: 5.1. Not here: writing one (engines), what it may say (core.trace.summary).
"""

import contextlib

from pydantic import ValidationError

from skillc.core.compile.select import Attempt
from skillc.core.record import canonical_json, sha256_hex
from skillc.core.trace.codec import Trace
from skillc.core.trace.summary import TraceSummary, checked_summary
from skillc.engines.table import OFFLINE, engine_named
from skillc.errors import RepoError
from skillc.lifecycle.context import Context
from skillc.repo import layout
from skillc.repo.files import read_small, write_whole

MAX_SUMMARY_BYTES = 1024 * 1024


class ShownTrace(Attempt):
    """A Trace with what is known about it today, as `skillc show TRACE` gives it."""

    summary: TraceSummary


def shown_trace(context: Context, attempt: Attempt) -> ShownTrace:
    """Returns a Trace with its summary."""
    return ShownTrace(**dict(attempt), summary=summary_of(context, attempt.trace))


def summary_of(context: Context, trace: Trace, *, engine: str = OFFLINE) -> TraceSummary:
    """Returns the summary of a Trace, from the cache or made now. Checked against the Trace each time."""
    role = engine_named(engine, context.policy.thresholds)
    name = sha256_hex(f"{trace.digest} {role.name} {role.version}".encode())
    path = context.repository.private / layout.SUMMARY_CACHE / f"{name}.json"
    try:
        kept = read_small(path, limit=MAX_SUMMARY_BYTES)
        summary = TraceSummary.model_validate_json(kept) if kept else None
    except (RepoError, ValidationError):
        summary = None
    if summary is None:
        summary = role.summarize(trace)
        with contextlib.suppress(RepoError):  # a cache that cannot be written costs time, not truth
            write_whole(path, canonical_json(summary) + b"\n")
    return checked_summary(trace, summary)
