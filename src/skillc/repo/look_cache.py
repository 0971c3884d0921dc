"""What was found in a session file when it was last looked at, so that an unchanged file is not read again.

Known by path, size and time of change. Derived, may be thrown away: a cache that cannot be read is an empty one.
Not here: looking (lifecycle.host_state).
"""

import contextlib
import json
from pathlib import Path
from typing import Any

from skillc.errors import RepoError
from skillc.repo import layout
from skillc.repo.files import read_small, write_whole
from skillc.repo.repository import Repository

_MAX_BYTES = 16 * 1024 * 1024
_MAX_FILES = 20_000
Seen = tuple[str, ...]  # the ids of the Traces that a file gives


class LookCache:
    """The looks of one repository. `key` is what they depend on besides the file: with another, they are forgotten."""

    def __init__(self, repository: Repository, key: str) -> None:
        self._path = repository.private / layout.LOOK_CACHE
        self._is_dry = repository.is_dry
        self._key = key
        self._files: dict[str, Any] = {}
        self._is_changed = False
        try:
            value = json.loads(read_small(self._path, limit=_MAX_BYTES) or b"{}")
        except (RepoError, OSError, ValueError, RecursionError):
            value = {}
        if isinstance(value, dict) and value.get("key") == key and isinstance(value.get("files"), dict):
            self._files = value["files"]

    def get(self, path: str, size: int, changed_ns: int) -> Seen | None:
        """Returns what an unchanged file held, empty for no event; None when it was not looked at."""
        found = self._files.get(path)
        if not isinstance(found, list) or len(found) != 3 or found[:2] != [size, changed_ns]:
            return None
        seen = found[2]
        return tuple(seen) if isinstance(seen, list) and all(isinstance(item, str) for item in seen) else None

    def put(self, path: str, size: int, changed_ns: int, seen: Seen) -> None:
        """Remembers what a file held."""
        self._files[path] = [size, changed_ns, list(seen)]
        self._is_changed = True

    def save(self) -> None:
        """Writes the cache where something is new in it. One that cannot be written costs time, not truth."""
        if not self._is_changed or self._is_dry:
            return
        files = dict(list(self._files.items())[-_MAX_FILES:])
        data = json.dumps({"key": self._key, "files": files}).encode("utf-8", "surrogatepass")
        with contextlib.suppress(RepoError):
            write_whole(Path(self._path), data, mode=0o600)
