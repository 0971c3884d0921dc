"""Answers of models, kept below .git/skillc by the digest of their request, for this account alone.

They hold text of Traces, so they are never committed, and nobody else on the machine reads them. Each begins with a
code made with this machine's capture secret: what somebody put into a repository is no answer. Thrown away at
will: a run asks again. Not here: what an answer is (engines.model), which are kept (engines.model.asking).
"""

import contextlib
import hashlib
import hmac
import os
import re
from pathlib import Path

from skillc.errors import RepoError
from skillc.repo import layout
from skillc.repo.files import read_small, write_whole
from skillc.repo.home import capture_secret
from skillc.repo.repository import Repository

MAX_RECORD_BYTES = 32 * 1024 * 1024
_DIGEST = re.compile(r"sha256:([0-9a-f]{64})")


class KeptAnswers:
    """One file a request. A record that was no good is set aside: a later run asks again, `recorded` replays it."""

    def __init__(self, repository: Repository, *, replays: bool = False) -> None:
        self._folder = repository.private / layout.ANSWER_DIR
        self._is_dry = repository.is_dry
        self._replays = replays
        try:
            self._secret = capture_secret(is_dry=self._is_dry)
        except RepoError:
            self._secret = b""

    def get(self, digest: str) -> bytes | None:
        """Returns the record of a request; where a run is replayed, also one that was set aside."""
        path = self._path(digest)
        found = self._read(path, digest)
        return self._read(_aside(path), digest) if found is None and self._replays else found

    def put(self, digest: str, data: bytes) -> None:
        """Keeps a record, whole and private; a folder that cannot be written costs money, not truth."""
        path = self._path(digest)
        if self._is_dry or self._replays or not self._secret or len(data) > MAX_RECORD_BYTES:
            return
        with contextlib.suppress(RepoError, OSError):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.chmod(self._folder, 0o700)
            write_whole(path, self._code(digest, data) + b"\n" + data, mode=0o600)

    def set_aside(self, digest: str) -> None:
        """Moves a record to its second name, where only a replay looks."""
        path = self._path(digest)
        if not (self._is_dry or self._replays):
            with contextlib.suppress(OSError):
                os.replace(path, _aside(path))

    def _path(self, digest: str) -> Path:
        found = _DIGEST.fullmatch(digest)
        assert found is not None, "a request is known by the digest of its bytes"
        return self._folder / f"{found.group(1)}.json"

    def _read(self, path: Path, digest: str) -> bytes | None:
        try:
            found = read_small(path, limit=MAX_RECORD_BYTES + 100)
        except RepoError:
            return None
        code, _, data = (found or b"").partition(b"\n")
        return data if self._secret and hmac.compare_digest(code, self._code(digest, data)) else None

    def _code(self, digest: str, data: bytes) -> bytes:
        return hmac.new(self._secret, digest.encode() + b" " + data, hashlib.sha256).hexdigest().encode()


def _aside(path: Path) -> Path:
    return path.with_suffix(".refused.json")
