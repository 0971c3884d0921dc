"""What git's own log of HEAD says was committed between two moments of a session.

The hook notes how long the log was when a session began and ended; the lines between tell a commit from a change of
branch, a pull of other people's work or a reset, which HEAD alone does not. Read as plain text, bounded.
Not here: which of these commits the session made itself (importers.git_shown).
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

MAX_BYTES = 1024 * 1024
_LINE = re.compile(rb"^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) [^\n]*?>? ?\d{1,20} [+-]\d{4}(?:\t([^\n]*))?$")
_MAKES = re.compile(
    rb"^(?:commit(?: \([a-z]+\))?|cherry-pick|revert|am): (.*)$|^(?:merge|pull)\b[^\n]*: Merge made by "
)
_REPLAYS = re.compile(rb"^(?:rebase|pull)\b[^\n]*\((?:pick|reword|edit|squash|fixup|continue)\): (.*)$")


class LogPlace(NamedTuple):
    """A log of HEAD: the git folder that all work trees share, and the name of a linked work tree."""

    common: Path
    worktree: str = ""

    @property
    def path(self) -> Path | None:
        """The log's file; None for a name that is none of git's."""
        if not self.worktree:
            return self.common / "logs" / "HEAD"
        if re.fullmatch(r"[A-Za-z0-9._-]{1,255}", self.worktree) is None or self.worktree in (".", ".."):
            return None
        return self.common / "worktrees" / self.worktree / "logs" / "HEAD"


def commits_made(place: LogPlace, start: int, end: int, head_start: str | None) -> tuple[str, ...] | None:
    """Returns the commits that were made between two lengths of a log, oldest first.

    None when the log does not tell: it is gone, was rewritten since, or does not go on from `head_start`. A commit
    that a rebase made again counts when the one that it was made from does.
    """
    lines = _lines_between(place, start, end)
    if lines is None:
        return None
    made: list[str] = []
    subjects: set[bytes] = set()
    before = head_start
    for old, new, message in lines:
        if before is not None and old.decode() != before and set(old) != set(b"0"):
            return None
        before = new.decode()
        match = _MAKES.match(message)
        replayed = None if match else _REPLAYS.match(message)
        if match:
            subjects.add(match[1] or b"")
            made.append(before)
        elif replayed and replayed[1] in subjects:
            made.append(before)
    return tuple(made)


def _lines_between(place: LogPlace, start: int, end: int) -> list[tuple[bytes, bytes, bytes]] | None:
    if place.path is None or not 0 <= start <= end or end - start > MAX_BYTES:
        return None
    try:
        handle = os.open(place.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(handle, "rb") as file:
            if os.fstat(file.fileno()).st_size < end:
                return None
            file.seek(max(0, start - 1))
            data = file.read(end - max(0, start - 1))
    except OSError:
        return None
    if start and not data.startswith(b"\n"):
        return None  # not where a line began: the log was written anew
    return list(_parsed(data[1:] if start else data))


def _parsed(data: bytes) -> Iterator[tuple[bytes, bytes, bytes]]:
    for line in data.split(b"\n"):
        match = _LINE.match(line)
        if match:
            yield match[1], match[2], match[3] or b""
