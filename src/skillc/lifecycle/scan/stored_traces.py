"""The stored Traces of a namespace as inputs of a scan: they lie on a branch, where no path leads.

Not here: what of a Trace is scanned (lifecycle.scan.texts), storing (repo.traces).
"""

from collections.abc import Iterator, Sequence

from skillc.core.scan.report import Unread
from skillc.errors import RepoError, UsageError
from skillc.lifecycle.context import Context
from skillc.lifecycle.scan.inputs import MAX_STDIN_BYTES, Input
from skillc.repo.objects import TooLargeError, open_reader
from skillc.repo.traces import StoredTrace

ALL = "all"


def stored_traces(context: Context | None, wanted: Sequence[str], unread: list[Unread]) -> Iterator[Input]:
    """Yields the bytes of stored Traces, named by id or the beginning of one; `all` is every Trace.

    Raises UsageError for an id that is not stored, RepoError outside a namespace.
    """
    if not wanted:
        return
    if context is None:
        raise RepoError("Traces are stored in a namespace, and here is none", hint="run: skillc init")
    stored = context.traces.stored()
    chosen = sorted(_chosen(stored, wanted), key=lambda trace: trace.path)
    with open_reader(context.repository) as reader:
        for trace in chosen:
            try:
                data = reader.read(trace.object_id, limit=MAX_STDIN_BYTES)
            except TooLargeError:
                data = None
            if data is None:
                unread.append(Unread(path=trace.path, reason=f"is missing, or larger than {MAX_STDIN_BYTES} bytes"))
            else:
                yield Input(trace.path, trace.path, data, None)


def _chosen(stored: dict[str, StoredTrace], wanted: Sequence[str]) -> set[StoredTrace]:
    found: set[StoredTrace] = set()
    for name in wanted:
        if name == ALL:
            return set(stored.values())
        matching = [trace for trace_id, trace in stored.items() if trace_id.startswith(name)]
        if len(matching) != 1:
            many = "no Trace" if not matching else f"{len(matching)} Traces"
            raise UsageError(f"{many} with an id like {name!r}", hint="run: skillc traces")
        found.add(matching[0])
    return found
