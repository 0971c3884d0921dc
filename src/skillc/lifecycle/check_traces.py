"""`check` of stored Traces: lines go only by a signed deletion, and what was deleted does not come back.

Where Traces have a branch of their own, its whole history is looked at; where they lie in the tree, what the revision
changes. Paper: 5.1, 5.6. Not here: what a deletion leaves (core.remove), the Skills (lifecycle.check).
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from pydantic import ValidationError

from skillc.core.audit import AUDIT_NAMESPACE
from skillc.core.policy import TracesLocation
from skillc.core.remove import TombstoneRecord, deleted_lines, deletion_problem
from skillc.core.trace.codec import parse_trace_tombstone, split_lines
from skillc.core.trace.records import Close
from skillc.lifecycle.check_problem import Problem, problem_of
from skillc.lifecycle.context import Context
from skillc.lifecycle.signers import is_registered
from skillc.repo import layout
from skillc.repo.objects import ObjectReader, list_tree, open_reader
from skillc.repo.trace_history import ChangedTrace, changed_traces

_BACK = "take the commit back with git revert; to delete content: skillc forget"


class _Place(NamedTuple):
    """Where the Traces are looked at, and what changed there."""

    tip: str
    shown: str
    changes: tuple[ChangedTrace, ...]


def signed_tombstones(context: Context) -> Iterator[TombstoneRecord]:
    """Yields the deletions that count: signed by a registered verifier's key, or a person's."""
    for trace_id, items in context.ledger.tombstones.items():
        for _, envelope in items:
            if not is_registered(context.policy, envelope.key):
                continue
            if not context.signatures.is_signed(envelope, namespace=AUDIT_NAMESPACE):
                continue
            try:
                record = TombstoneRecord.model_validate_json(envelope.payload)
            except ValidationError:
                continue
            if record.trace_id == trace_id and record.namespace == context.policy.namespace:
                yield record


def trace_problems(context: Context, commit: str, fork: str | None) -> Iterator[Problem]:
    """Yields what is wrong with stored Traces: changed, cut or removed ones, and content that came back."""
    place = _place(context, commit, fork)
    if place is None:
        return
    hashes = deleted_lines(signed_tombstones(context))
    if not place.changes and not hashes:
        return
    entries = {e.path: e.object_id for e in list_tree(context.repository, place.tip, layout.TRACES_DIR)}
    with open_reader(context.repository) as reader:
        told: set[str] = set()
        for change in place.changes:
            message = _change_problem(change, entries, reader)
            if message is not None and change.path not in told:
                told.add(change.path)
                yield problem_of("trace-changed", f"{place.shown}:{change.path}", None, message, _BACK)
        changed = {c.path for c in place.changes}
        for path, blob in entries.items():
            trace_id = layout.trace_id_of_path(path)
            if trace_id is None or path in told or not (path in changed or trace_id in hashes):
                continue
            found = _deletion(reader.read(blob) or b"", trace_id, hashes)
            if found is not None:
                yield problem_of("deleted-content", f"{place.shown}:{path}", None, found, _BACK)


def _place(context: Context, commit: str, fork: str | None) -> _Place | None:
    if context.policy.traces.location is TracesLocation.TREE:
        changes = changed_traces(context.repository, commit, since=fork) if fork and fork != commit else ()
        return _Place(commit, commit[:12], changes)
    tip = context.traces.tip
    return None if tip is None else _Place(tip, layout.TRACES_BRANCH, changed_traces(context.repository, tip))


def _change_problem(change: ChangedTrace, entries: Mapping[str, str], reader: ObjectReader) -> str | None:
    """Says what is wrong with a change; None for one that only put tombstones, or is undone at the tip."""
    if change.path not in entries:
        return f"was removed in {change.commit[:12]}; a Trace goes only by a signed deletion"
    if entries[change.path] == change.old or change.new is None:
        return None
    before, after = _digest(reader.read(change.old) or b""), _digest(reader.read(entries[change.path]) or b"")
    return None if before == after else f"was changed in {change.commit[:12]}; a closed Trace never changes"


def _digest(data: bytes) -> str | None:
    """Returns the digest that the file of a Trace, or what stays of it, says it has."""
    stone = parse_trace_tombstone(data)
    if stone is not None:
        return stone.digest
    lines = split_lines(data)
    try:
        return Close.model_validate_json(lines[-1]).digest if lines else None
    except ValidationError:
        return None


def _deletion(data: bytes, trace_id: str, hashes: Mapping[str, frozenset[str]]) -> str | None:
    stone = parse_trace_tombstone(data) is not None
    return deletion_problem(data, hashes.get(trace_id, frozenset()), stone=stone)
