"""The files beside a source that may hold parts of the same attempt, found by the importer's own patterns.

Only regular files are taken, never symlinks, so that a hostile folder cannot make capture read elsewhere.
Not here: whether a companion belongs to the attempt (each importer decides by content).
"""

from collections.abc import Callable
from glob import escape
from pathlib import Path
from typing import BinaryIO

from skillc.importers.base import Companion, Importer

MAX_COMPANIONS = 5000


def find_companions(path: Path, importer: Importer) -> tuple[Companion, ...]:
    """Returns the companions of a source file in the order of their names, at most `MAX_COMPANIONS`."""
    found: dict[str, Companion] = {}
    for pattern in importer.companion_globs:
        for file in sorted(path.parent.glob(pattern.replace("{stem}", escape(path.stem)))):
            if file != path and file.is_file() and not _has_symlink(file, path.parent):
                name = file.relative_to(path.parent).as_posix()
                found.setdefault(name, Companion(name=name, open=_opener(file)))
    return tuple(found.values())[:MAX_COMPANIONS]


def _opener(file: Path) -> Callable[[], BinaryIO]:
    return lambda: file.open("rb")


def _has_symlink(file: Path, top: Path) -> bool:
    return file.is_symlink() or any(
        parent.is_symlink() for parent in file.parents if parent.is_relative_to(top) and parent != top
    )
