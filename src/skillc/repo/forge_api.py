"""Questions to a forge's API over HTTPS: GET only, bounded in time and size, and the token goes to its own host alone.

No redirect is followed, for it could carry the token elsewhere. An answer is data. Not here: what the answers mean
(lifecycle.doctor.forge).
"""

import json
import os
import re
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from email.message import Message
from http.client import HTTPException
from typing import IO, Any
from urllib.parse import quote, urlsplit

from skillc.errors import RepoError, UsageError
from skillc.repo.program import run_program
from skillc.repo.repository import Repository

API_VARIABLE = "SKILLC_FORGE_API"
TIMEOUT_S = 10.0
MAX_BYTES = 4 << 20
_CHUNK = 1 << 16
_PUBLIC = "github.com"
_LOOPBACK = ("127.0.0.1", "::1", "localhost")
# A path in a remote's address: owner and repository, as a forge allows them.
_PLACE = re.compile(r"^(?P<owner>[A-Za-z0-9][A-Za-z0-9-]{0,99})/(?P<name>[A-Za-z0-9._-]{1,100}?)(?:\.git)?/?$")
_SSH = re.compile(r"^(?:[^@/]+@)?(?P<host>[A-Za-z0-9.-]+):(?!//)(?P<path>.+)$")


@dataclass(frozen=True)
class ForgePlace:
    """Where a repository lies on a forge: its API, its host, its owner and name."""

    api: str
    host: str
    repository: str


@dataclass(frozen=True)
class ForgeAnswer:
    """What the forge said. `status` is 0 when there was no answer, `problem` then says why; `value` is its JSON."""

    status: int
    value: Any = None
    problem: str = ""


def place_of(url: str, *, api: str | None = None) -> ForgePlace | None:
    """Reads the address of a remote; None when it is none of a forge. `api` stands for the host's own."""
    found = _SSH.match(url)
    if found is not None and "://" not in url:
        host, path = found["host"], found["path"].lstrip("/")
    else:
        parts = urlsplit(url)
        if parts.scheme not in ("https", "ssh", "http") or not parts.hostname:
            return None
        host, path = parts.hostname, parts.path.lstrip("/")
    place = _PLACE.match(path)
    if place is None:
        return None
    own = f"https://api.{_PUBLIC}" if host.lower() == _PUBLIC else f"https://{host}/api/v3"
    return ForgePlace(_checked(api) if api else own, host.lower(), f"{place['owner']}/{place['name']}")


def _checked(api: str) -> str:
    """Refuses an address over which a token would travel in the open."""
    parts = urlsplit(api)
    if parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOOPBACK):
        return api.rstrip("/")
    raise UsageError(f"{API_VARIABLE} is no https address", hint=f"{API_VARIABLE}=https://HOST/api/v3")


def token_for(place: ForgePlace, repository: Repository) -> str | None:
    """Returns the token of this host: from the environment, as gh reads it, else from gh itself."""
    names = ["GH_TOKEN", "GITHUB_TOKEN"]
    is_runners = urlsplit(os.environ.get("GITHUB_SERVER_URL", "")).hostname == place.host
    if place.host != _PUBLIC and not is_runners and not os.environ.get(API_VARIABLE):
        names = ["GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"]
    for name in names:
        if os.environ.get(name):
            return os.environ[name].strip()
    try:
        done = run_program(["gh", "auth", "token", "--hostname", place.host], folder=repository.common_dir)
    except RepoError:
        return None
    return done.text.strip() or None if done.code == 0 else None


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Message, newurl: str
    ) -> None:
        return None


@dataclass(frozen=True)
class ForgeApi:
    """The API of one forge for one repository."""

    place: ForgePlace
    token: str | None
    timeout_s: float = TIMEOUT_S

    def ask(self, *path: str) -> ForgeAnswer:
        """Asks about something below the repository; never raises for what the forge or the network does."""
        address = "/".join((f"{self.place.api}/repos/{self.place.repository}", *(quote(p, safe="") for p in path)))
        request = urllib.request.Request(address, method="GET", headers=self._headers())  # noqa: S310 - see _checked
        try:
            with urllib.request.build_opener(_NoRedirect).open(request, timeout=self.timeout_s) as answer:
                return ForgeAnswer(answer.status, json.loads(self._read(answer)))
        except urllib.error.HTTPError as error:
            with error:
                return ForgeAnswer(error.code, problem=f"HTTP {error.code}")
        except (TimeoutError, urllib.error.URLError, HTTPException, OSError) as error:
            reason = getattr(error, "reason", None) or error
            return ForgeAnswer(0, problem=f"no answer: {str(reason) or type(error).__name__}")
        except (ValueError, RecursionError):
            return ForgeAnswer(0, problem="the answer is no JSON")

    def _headers(self) -> dict[str, str]:
        headers = {
            "Accept": "application/vnd.github+json",
            "User-Agent": "skillc",
            "X-GitHub-Api-Version": "2022-11-28",
        }
        if self.token is not None and self.token.isascii() and self.token.isprintable():
            headers["Authorization"] = f"Bearer {self.token}"
        return headers

    def _read(self, answer: Any) -> bytes:
        """Reads an answer that comes in time and is not too large; a slow sender is no reason to wait for ever."""
        ends = time.monotonic() + self.timeout_s
        data = b""
        while part := answer.read1(_CHUNK):
            data += part
            if len(data) > MAX_BYTES:
                raise ValueError("too large")
            if time.monotonic() > ends:
                raise TimeoutError(f"not whole within {self.timeout_s:g} s")
        return data
