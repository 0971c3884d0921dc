"""The stored Traces: JSONL files on the orphan branch, or in the tree of base.

Reading takes a tip, never files of the work tree. A Trace that is stored is never rewritten. Paper: 5.1.
Not here: making Traces (importers), what they are worth (lifecycle.evidence).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import IO

from skillc.core.policy import TracesLocation
from skillc.core.trace.codec import Trace, parse_header, parse_trace, parse_trace_tombstone
from skillc.core.trace.records import TraceHeader
from skillc.errors import DataError, RepoError
from skillc.repo import layout
from skillc.repo.checkout import advance_branch
from skillc.repo.commits import NewCommit, Put, RefUpdate, update_refs, write_commits
from skillc.repo.objects import list_tree, open_reader
from skillc.repo.repository import REMOTE, Base, Repository


@dataclass(frozen=True)
class StoredTrace:
    """Where a Trace lies: its path on the tip, and the id of its blob."""

    trace_id: str
    path: str
    object_id: str


@dataclass(frozen=True)
class TraceStore:
    """The Traces of one repository. `tip` is the commit that is read, None while nothing is stored."""

    repository: Repository
    location: TracesLocation
    base: Base
    tip: str | None

    @staticmethod
    def open(repository: Repository, location: TracesLocation, base: Base) -> "TraceStore":
        """Opens the store at the newest known tip: the local branch, else origin's; base for `tree`."""
        if location is TracesLocation.TREE:
            return TraceStore(repository, location, base, base.commit)
        remote = f"refs/remotes/{REMOTE}/{layout.TRACES_BRANCH}"
        refs = repository.refs(layout.TRACES_REF, remote)
        return TraceStore(repository, location, base, refs.get(layout.TRACES_REF) or refs.get(remote))

    def stored(self) -> dict[str, StoredTrace]:
        """Returns every stored Trace by id, without reading one."""
        return {} if self.tip is None else dict(_stored_at(self.repository, self.tip))

    def read_all(self) -> Iterator[Trace]:
        """Yields every Trace, by id. Raises DataError with `path:line` for a file that is no sound Trace."""
        yield from self.read_some(sorted(self.stored().values(), key=lambda s: s.trace_id))

    def read_some(self, wanted: Sequence[StoredTrace]) -> Iterator[Trace]:
        """Yields the Traces of these entries, in order; deleted ones are left out."""
        with open_reader(self.repository) as reader:
            for stored, found in zip(wanted, reader.read_many([s.object_id for s in wanted]), strict=True):
                data = _content(stored, found)
                if parse_trace_tombstone(data) is not None:
                    continue
                trace = parse_trace(data, path=stored.path)
                if trace.trace_id != stored.trace_id:
                    raise DataError(
                        f"{stored.path}:1: holds the Trace {trace.trace_id!r}, and is named otherwise",
                        hint="a closed Trace never changes; restore the file from git",
                    )
                yield trace

    def headers(self) -> Iterator[TraceHeader]:
        """Yields the header of every Trace, by id, without reading its events."""
        with open_reader(self.repository) as reader:
            every = sorted(self.stored().values(), key=lambda s: s.trace_id)
            for stored, found in zip(every, reader.read_many([s.object_id for s in every]), strict=True):
                data = _content(stored, found)
                if parse_trace_tombstone(data) is None:
                    yield parse_header(data.split(b"\n", 1)[0], path=stored.path)

    def read(self, trace_id: str) -> Trace | None:
        """Returns one Trace, or None when it is not stored here, or was deleted."""
        stored = self.stored().get(trace_id)
        return next(iter(self.read_some([stored])), None) if stored else None

    def add(self, traces: Sequence["NewTrace"], *, pins: Sequence[RefUpdate] = ()) -> str | None:
        """Stores new Traces in one commit and returns it; None when there is nothing to store.

        `pins` become visible with the Traces, in the same move of refs.
        """
        if not traces:
            return None
        at = max((t.at for t in traces if t.at is not None), default=datetime(2026, 1, 1, tzinfo=UTC))
        count = len(traces)
        message = f"traces: {count} {'Trace' if count == 1 else 'Traces'}\n\n" + "".join(
            f"{t.trace_id}\n" for t in traces[:50]
        )
        changes = [Put(t.path, t.body, t.size_bytes) for t in traces]
        if self.location is TracesLocation.TREE:
            self._require_base_checked_out()
            return advance_branch(
                self.repository, self.base, [NewCommit(message, changes, at)], label="traces", also=pins
            )
        local = self.repository.refs(layout.TRACES_REF).get(layout.TRACES_REF)
        written = write_commits(
            self.repository, [NewCommit(message, changes, at)], parent=local or self.tip, label="traces"
        )
        update_refs(
            self.repository, [*pins, RefUpdate(layout.TRACES_REF, local, written.ids[-1])], drop=[written.tmp_ref]
        )
        return written.ids[-1]

    def _require_base_checked_out(self) -> None:
        if self.base.commit is None:
            raise RepoError(
                f"the branch {self.base.branch!r} has no commit yet, and Traces are stored in its tree",
                hint="run: git add skillc.yaml .gitattributes && git commit -m 'skillc: namespace'",
            )
        under_way = self.repository.operation_under_way()
        if under_way or self.repository.head_branch() != self.base.branch:
            why = f"a {under_way} is under way" if under_way else f"{self.base.branch!r} is not checked out here"
            raise RepoError(
                f"Traces are stored in the tree of {self.base.branch!r}, and {why}",
                hint=f"finish it or run: git switch {self.base.branch}, then run the command again",
            )


def _content(stored: StoredTrace, found: bytes | None) -> bytes:
    if found is None:
        raise RepoError(
            f"git does not have the content of {stored.path}", hint="run: git fsck; then fetch what is lost"
        )
    return found


@lru_cache(maxsize=2)  # a commit does not change, and a command asks several times
def _stored_at(repository: Repository, tip: str) -> dict[str, StoredTrace]:
    found: dict[str, StoredTrace] = {}
    for entry in list_tree(repository, tip, layout.TRACES_DIR):
        trace_id = layout.trace_id_of_path(entry.path)
        if trace_id is not None and entry.kind == "blob" and entry.mode != "120000":
            if trace_id in found:
                raise DataError(
                    f"{entry.path}:1: Trace {trace_id!r} is stored at {found[trace_id].path} too",
                    hint="a closed Trace never moves; take back the commit that added the second file",
                )
            found[trace_id] = StoredTrace(trace_id, entry.path, entry.object_id)
    return found


@dataclass(frozen=True)
class NewTrace:
    """A sealed Trace on its way in."""

    trace_id: str
    path: str
    body: IO[bytes]
    size_bytes: int
    at: datetime | None
