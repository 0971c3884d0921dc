"""Which files and lines of the work tree differ from a commit, and which files git tracks.

Not here: which commit that is (repo.repository), what is done with a line (lifecycle.scan.changes).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from skillc.repo.git import Git
from skillc.repo.repository import Repository

_HUNK = re.compile(rb"@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@")
_QUIET = ("--no-ext-diff", "--no-textconv", "--no-renames", "--no-color", "--submodule=short")


@dataclass(frozen=True)
class ChangedLines:
    """What differs: path -> the changed lines as [first, last], or None for a file that is new."""

    files: Mapping[str, tuple[tuple[int, int], ...] | None]

    def is_changed(self, path: str, first: int, last: int) -> bool:
        """Says whether any of these lines of a file is new or changed."""
        ranges = self.files.get(path, ())
        return ranges is None or any(start <= last and first <= end for start, end in ranges)


def tracked_files(repository: Repository) -> frozenset[str]:
    """Returns the paths that the staging area holds."""
    return frozenset(_names(repository.git.run("ls-files", "-z")))


def changed_lines(repository: Repository, commit: str) -> ChangedLines:
    """Returns what the work tree has that a commit has not; files that git ignores are left out."""
    git = repository.git.without_local_filters()
    files: dict[str, tuple[tuple[int, int], ...] | None] = {}
    changed = _names(git.run("diff", "--name-only", "-z", *_QUIET, "--diff-filter=AT", commit, "--"))
    others = _names(git.run("ls-files", "--others", "--exclude-standard", "-z"))
    files.update(dict.fromkeys((*changed, *others)))
    files.update(_modified(git, commit))
    return ChangedLines(files)


def _modified(git: Git, commit: str) -> Iterator[tuple[str, tuple[tuple[int, int], ...]]]:
    """Yields each modified file with its changed lines: names and patches come in the same order."""
    wanted = ("--diff-filter=M", commit, "--")
    names = _names(git.run("diff", "--name-only", "-z", *_QUIET, *wanted))
    sections: list[list[tuple[int, int]]] = []
    for line in git.run("diff", "--patch", "--unified=0", *_QUIET, *wanted).split(b"\n"):
        if line.startswith(b"diff --git "):
            sections.append([])
        elif sections and (hunk := _HUNK.match(line)):
            first, count = int(hunk[1]), int(hunk[2] or 1)
            if count:
                sections[-1].append((first, first + count - 1))
    for name, ranges in zip(names, sections, strict=True):
        yield name, tuple(ranges)


def _names(out: bytes) -> list[str]:
    return [name.decode("utf-8", "surrogateescape") for name in out.split(b"\0") if name]
