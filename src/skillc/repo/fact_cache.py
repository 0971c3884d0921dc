"""Facts that cost time and can be found again, kept below .git/skillc: key and text, one a line.

Each line carries a code made with this machine's capture secret, so a cache that somebody put into a repository
says nothing. Derived, may be thrown away. Not here: which facts (lifecycle.landings).
"""

import hashlib
import hmac
import os

from skillc.errors import RepoError
from skillc.repo.files import read_small
from skillc.repo.home import capture_secret
from skillc.repo.repository import Repository

_MAX_BYTES = 16 * 1024 * 1024


class FactCache:
    """A small map from keys to one-line texts. A cache that is a link, a device or too large is not used."""

    def __init__(self, repository: Repository, name: str) -> None:
        self._path = repository.private / name
        self._is_dry = repository.is_dry
        self._facts: dict[str, str] = {}
        try:
            self._secret = capture_secret(is_dry=self._is_dry)
            data = read_small(self._path, limit=_MAX_BYTES) or b""
        except RepoError:
            self._secret, data = b"", b""
        for line in data.decode("utf-8", "replace").split("\n"):
            code, _, rest = line.partition(" ")
            key, _, text = rest.partition(" ")
            if self._secret and hmac.compare_digest(code.encode(), self._code(key, text).encode()):
                self._facts[key] = text

    def get(self, key: str) -> str | None:
        return self._facts.get(key)

    def put(self, key: str, text: str) -> None:
        """Remembers a fact; a cache that cannot be written costs time, not truth."""
        assert "\n" not in text + key
        assert " " not in key
        self._facts[key] = text
        if not self._secret or self._is_dry:
            return
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK
            with os.fdopen(os.open(self._path, flags, 0o600), "wb") as file:
                file.write(f"{self._code(key, text)} {key} {text}\n".encode())
        except OSError:
            return

    def _code(self, key: str, text: str) -> str:
        return hmac.new(self._secret, f"{self._path.name} {key} {text}".encode(), hashlib.sha256).hexdigest()
