"""A session that a person forked: the host copies the records before the fork, so one attempt stands in two files.

The copies keep their ids and times. Of the sessions that begin with the same record one is the original: the one
that holds nothing of its own, else the one whose own records begin first. The others give only what is theirs.
Not here: rewinds inside one file (importers.claude_records).
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import BinaryIO, NamedTuple

from skillc.importers.base import Companion, ImportReport
from skillc.importers.claude_records import iter_records
from skillc.importers.claude_subagents import stem_of, subagent_of
from skillc.importers.companions import MAX_COMPANIONS

_HEAD_BYTES = 64 * 1024
_UUID = re.compile(rb'"uuid":"([0-9a-f-]{36})"')
_SESSION = re.compile(rb'"sessionId":"([^"\\]{1,64})"')


@dataclass(frozen=True)
class Fork:
    """The session that a session was forked from, the records that are copies of it, and the time of the last one."""

    session: str
    copied: frozenset[str]
    at: str


def fork_of(stream: BinaryIO, companions: Sequence[Companion], stem: str) -> Fork | None:
    """Returns what a session was forked from, None when it is an original. Leaves the stream at its start.

    Only the heads of the other sessions are read, until one begins with the same record. A file of the very same
    session, a backup of it, is no fork.
    """
    begin = _begin_of(stream)
    stream.seek(0)
    if begin is None:
        return None
    others_of = (c for c in companions if subagent_of(stem_of(c.name)) is None)
    same = [c for c in others_of if _is_copy(_begin_of_companion(c), begin)]
    if not same:
        return None
    mine = _times(stream)
    stream.seek(0)
    others = {}
    for companion in same:
        with companion.open() as other:
            others[stem_of(companion.name)] = _times(other)
    rank = _own_begin(mine, others.values()), stem
    copied: set[str] = set()
    origin = None
    for name in sorted(others):
        theirs = others[name]
        rest = [mine, *(times for other, times in others.items() if other != name)]
        their_rank = _own_begin(theirs, rest), name
        if their_rank < rank and (shared := mine.keys() & theirs.keys()):
            copied |= shared
            origin = min(origin or (their_rank, name), (their_rank, name))
    at = max((mine[uuid] for uuid in copied), default="")
    return Fork(origin[1], frozenset(copied), at) if origin else None


class _Begin(NamedTuple):
    """The id of a session's first record, and the session's own."""

    uuid: bytes
    session: bytes


def _begin_of(stream: BinaryIO) -> _Begin | None:
    head = stream.read(_HEAD_BYTES)
    first, session = _UUID.search(head), _SESSION.search(head)
    return _Begin(first[1], session[1]) if first and session else None


@lru_cache(maxsize=MAX_COMPANIONS)
def _begin_of_companion(companion: Companion) -> _Begin | None:
    """A session is the companion of all others in its folder: its head is read once, not once for each of them."""
    try:
        with companion.open() as other:
            return _begin_of(other)
    except OSError:
        return None


def _is_copy(other: _Begin | None, begin: _Begin) -> bool:
    return other is not None and other.uuid == begin.uuid and other.session != begin.session


def _times(stream: BinaryIO) -> dict[str, str]:
    """Returns uuid -> time of every record."""
    ignored = ImportReport(path="", kind="")
    return {r.uuid: str(r.timestamp or "") for r in iter_records(stream, ignored) if r.uuid is not None}


def _own_begin(times: dict[str, str], others: Iterable[dict[str, str]]) -> str:
    """Returns the time of the first record that no other session holds, an empty text when there is none."""
    foreign = {uuid for other in others for uuid in other}
    return min((time for uuid, time in times.items() if uuid not in foreign), default="")
