"""Task families of undeclared Traces: groups by what the Traces changed, proposed to a person.

Reads names of tools and operations only, never arguments, results or objectives, so instance data cannot
decide a group. A group is the exact set of changes: a Trace that cancels and books is in the group of both
together, and supports neither the group of cancelling nor that of booking. Paper: 5.1.
Not here: declared families (core.policy), which Traces support a claim (core.compile.select).
"""

import re
from collections.abc import Iterable, Mapping

from skillc.core.record import Record, sha256_hex
from skillc.core.trace.codec import Trace
from skillc.core.trace.operation import (
    commands_of,
    is_change,
    is_check,
    is_edit,
    is_edit_operation,
    is_failed,
    is_shell,
    operation_name,
)
from skillc.core.trace.records import EventKind

EDIT = "edit"
NO_CHANGE = "no-change"
MAX_SLUG_CHARS = 64

# Changes of a work tree's own life; they mark a family only when nothing else was changed.
_ACCOMPANYING = frozenset(("git commit", "git reset", "git tag", "rm", "rmdir", "git apply", "git revert"))


class TraceOperations(Record):
    """What a Trace changed, by names, and the attempt family that it belongs to."""

    trace_id: str
    attempt_family: str
    operations: tuple[str, ...]


class OperationGroup(Record):
    """Traces that changed the same things. `slug` is a possible task family, `operations` its mark."""

    slug: str
    operations: tuple[str, ...]
    trace_ids: tuple[str, ...]
    attempt_families: tuple[str, ...]


def changing_operations(trace: Trace) -> tuple[str, ...]:
    """Returns the sorted names of the changes that a Trace made; calls that only failed are left out.

    A tool is named by itself, a shell change by its operation. All edits of files are one `edit`; beside an
    edit the check that was run (`python -m pytest`) tells the kind of work, and commits and removals do not.
    """
    failed = {e.call_id for e in trace.events if e.kind is EventKind.TOOL_RESULT and e.call_id and is_failed(e)}
    changes: set[str] = set()
    checks: set[str] = set()
    for event in trace.events:
        if event.kind is not EventKind.TOOL_CALL or not event.tool:
            continue
        if is_shell(event.tool):
            names = [operation_name(c) for c in commands_of(event.tool, event.arguments)]
            names = names or ([event.operation] if event.operation else [])
            checks.update(name for name in names if is_check(name))
            if event.call_id not in failed:
                changes.update(_edit_or(name) for name in names if is_change(event.tool, name))
        elif event.call_id not in failed and is_change(event.tool, event.operation):
            changes.add(EDIT if is_edit(event.tool) else event.tool)
    if EDIT in changes:
        changes = (changes - _ACCOMPANYING) | {c.removeprefix("python -m ") for c in checks if _is_test(c)}
    return tuple(sorted(changes))


def group_by_operation(traces: Iterable[TraceOperations]) -> tuple[OperationGroup, ...]:
    """Returns the groups of Traces with the same set of changes, most attempt families first."""
    by_set: dict[tuple[str, ...], list[TraceOperations]] = {}
    for trace in traces:
        by_set.setdefault(tuple(sorted(set(trace.operations))), []).append(trace)
    slugs = _unique_slugs(sorted(by_set))
    groups = [
        OperationGroup(
            slug=slugs[operations],
            operations=operations,
            trace_ids=tuple(sorted(m.trace_id for m in members)),
            attempt_families=tuple(sorted({m.attempt_family for m in members})),
        )
        for operations, members in by_set.items()
    ]
    return tuple(sorted(groups, key=lambda g: (-len(g.attempt_families), g.slug)))


def operations_of_traces(traces: Iterable[Trace], families: Mapping[str, str]) -> tuple[TraceOperations, ...]:
    """Returns what each Trace changed, with its attempt family from `attempt_families`."""
    return tuple(
        TraceOperations(
            trace_id=t.trace_id,
            attempt_family=families.get(t.trace_id, t.trace_id),
            operations=changing_operations(t),
        )
        for t in traces
    )


def slug_of(operations: Iterable[str]) -> str:
    """Returns a family slug for a set of changes: `cancel-reservation`, `edit-and-pytest`, `no-change`."""
    parts = [_slug_part(name) for name in sorted(set(operations))]
    joined = "-and-".join(dict.fromkeys(part for part in parts if part))
    if not joined:
        return NO_CHANGE
    if len(joined) <= MAX_SLUG_CHARS:
        return joined
    return joined[: MAX_SLUG_CHARS - 9].rstrip("-") + "-" + sha256_hex(joined.encode())[:8]


def _slug_part(name: str) -> str:
    words = name.rsplit("__", 1)[-1].removeprefix("python -m ")
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", words)
    return re.sub(r"[^a-z0-9]+", "-", spaced.lower()).strip("-")


def _unique_slugs(sets: list[tuple[str, ...]]) -> dict[tuple[str, ...], str]:
    found: dict[tuple[str, ...], str] = {}
    for operations in sets:
        slug = slug_of(operations)
        if slug in found.values():
            tail = sha256_hex("\n".join(operations).encode())[:8]
            slug = slug[: MAX_SLUG_CHARS - 9].rstrip("-") + "-" + tail
        found[operations] = slug
    return found


def _edit_or(name: str) -> str:
    return EDIT if is_edit_operation(name) else name


def _is_test(name: str) -> bool:
    """Leaves linters and formatters out: they accompany every kind of work on code."""
    return any(word in name for word in ("test", "tox", "nox", "jest", "mocha", "rspec", "phpunit", "bats"))
