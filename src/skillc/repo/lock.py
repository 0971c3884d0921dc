"""One writer at a time in one clone: an advisory lock that the kernel drops when its owner dies."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from skillc.errors import RepoError
from skillc.repo import layout
from skillc.repo.files import unwritable
from skillc.repo.repository import Repository

_WAIT_S = 60.0
_POLL_S = 0.05
_held: set[Path] = set()


@contextmanager
def write_lock(repository: Repository) -> Iterator[None]:
    """Holds the write lock of a repository; waits up to a minute for another skillc to finish.

    A stage that holds it may call another that takes it: within one process it is held once.
    """
    assert not repository.is_dry, "a dry run takes no write lock"
    path = repository.private / layout.LOCK_FILE
    if path in _held:
        yield
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise unwritable(path, error) from error
    try:
        _wait_for(handle)
        _held.add(path)
        yield
    finally:
        _held.discard(path)
        os.close(handle)


def _wait_for(handle: int) -> None:
    deadline = time.monotonic() + _WAIT_S
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise RepoError(
                    "another skillc is writing to this repository",
                    hint="wait for it to end and run the command again",
                ) from None
            time.sleep(_POLL_S)
