"""Folders in the system's temporary place, each named by the process that made it; a later one removes what is left.

Not here: what lies in them (repo.sandbox, repo.scratch, repo.elsewhere).
"""

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from skillc.repo.files import is_running

Purpose = Literal["check", "merge", "publish", "purge", "empty"]
_NAME = re.compile(r"skillc-(?:check|merge|publish|purge|empty)-([0-9]+)-.*")


@contextmanager
def temporary_folder(purpose: Purpose) -> Iterator[Path]:
    """Gives an empty folder that nobody else may enter; it is gone afterwards, as are those of killed processes."""
    _remove_left()
    folder = Path(tempfile.mkdtemp(prefix=f"skillc-{purpose}-{os.getpid()}-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _remove_left() -> None:
    for folder in Path(tempfile.gettempdir()).glob("skillc-*-*"):
        found = _NAME.fullmatch(folder.name)
        if found is not None and not is_running(int(found[1])):
            shutil.rmtree(folder, ignore_errors=True)  # another person's stays: it cannot be removed
