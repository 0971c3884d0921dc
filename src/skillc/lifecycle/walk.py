"""The regular files below a folder, within limits and through no link.

Links are not followed, so that a hostile folder cannot make capture read elsewhere, and `.git` is left out.
Not here: which of the files are sessions (lifecycle.sources, lifecycle.project_sessions).
"""

import os
from collections.abc import Iterator
from pathlib import Path

from skillc.errors import UsageError

MAX_DEPTH = 12
MAX_FILES_SEEN = 200_000


def files_below(folder: Path, too_deep: list[Path] | None = None) -> Iterator[Path]:
    """Yields the regular files of a folder and its folders, by name.

    Folders deeper than `MAX_DEPTH` are left out, and put into `too_deep`. Raises UsageError when there are too many
    files.
    """
    seen = 0
    depth_of_top = len(folder.parts)
    for parent, folders, files in os.walk(folder, followlinks=False):
        here = Path(parent)
        folders[:] = sorted(name for name in folders if not (here / name).is_symlink() and name != ".git")
        if len(here.parts) - depth_of_top >= MAX_DEPTH:
            if too_deep is not None:
                too_deep += (here / name for name in folders)
            folders[:] = []
        for name in sorted(files):
            seen += 1
            if seen > MAX_FILES_SEEN:
                raise UsageError(
                    f"the folder {str(folder)!r} has more than {MAX_FILES_SEEN} files below it",
                    hint="name a folder in it, or the files",
                )
            if not (here / name).is_symlink() and (here / name).is_file():
                yield here / name
