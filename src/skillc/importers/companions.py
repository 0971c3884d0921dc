"""The files beside a source that may hold parts of the same attempt, found by the importer's own patterns.

Only regular files are taken, never symlinks, so that a hostile folder cannot make capture read elsewhere.
Not here: whether a companion belongs to the attempt (each importer decides by content).
"""

from collections.abc import Callable
from glob import escape
from pathlib import Path
from typing import BinaryIO, Protocol, runtime_checkable

from skillc.importers.base import Companion, Importer

MAX_COMPANIONS = 5000
_HEAD_BYTES = 1024 * 1024


@runtime_checkable
class NamesCompanions(Protocol):
    """An importer whose files say in their head which other files belong to them."""

    def companion_globs_of(self, head: bytes) -> tuple[str, ...]:
        """Returns patterns like `companion_globs`; a leading `../` goes one folder up."""
        ...


@runtime_checkable
class ReadsBeside(Protocol):
    """An importer of which some companions look like a source and are none, such as scores."""

    def belongs_beside(self, head: bytes) -> bool:
        """Says whether the first bytes of a file show that it stands beside a source and is none itself."""
        ...


# The files of a folder and pattern, by path: one capture of many sessions in a folder looks there once.
Listings = dict[tuple[Path, str], dict[str, Companion]]


def find_companions(path: Path, importer: Importer, listings: Listings | None = None) -> tuple[Companion, ...]:
    """Returns the companions of a source file in the order of their names, at most `MAX_COMPANIONS`.

    A pattern that begins with `../` looks from the folder above, by name: a link in the way is not followed up.
    `listings` keeps what was found for the next sources of the same run; the same file is then the same Companion.
    """
    listings = {} if listings is None else listings
    found: dict[str, Companion] = {}
    path = path.absolute()
    for pattern in (*importer.companion_globs, *_named(path, importer)):
        place = path.parent, pattern.replace("{stem}", escape(path.stem))
        if place not in listings:
            listings[place] = _listed(*place)
        for file, companion in listings[place].items():
            found.setdefault(file, companion)
    found.pop(str(path), None)
    return tuple(found.values())[:MAX_COMPANIONS]


def _listed(top: Path, pattern: str) -> dict[str, Companion]:
    up = ""
    while pattern.startswith("../"):
        top, up, pattern = top.parent, up + "../", pattern.removeprefix("../")
    return {
        str(file): Companion(name=up + file.relative_to(top).as_posix(), open=_opener(file))
        for file in sorted(top.glob(pattern))
        if file.is_file() and not _has_symlink(file, top)
    }


def _named(path: Path, importer: Importer) -> tuple[str, ...]:
    if not isinstance(importer, NamesCompanions):
        return ()
    with path.open("rb") as stream:
        return importer.companion_globs_of(stream.read(_HEAD_BYTES))


def _opener(file: Path) -> Callable[[], BinaryIO]:
    return lambda: file.open("rb")


def _has_symlink(file: Path, top: Path) -> bool:
    return file.is_symlink() or any(
        parent.is_symlink() for parent in file.parents if parent.is_relative_to(top) and parent != top
    )
