"""`--changed`: only what the work tree has that the base branch has not.

Compared is with the commit at which this branch left base, as a pull request shows it.
Not here: reading the difference (repo.changed_lines), the scan (lifecycle.scan.by_hand).
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from skillc.core.scan.finding import Finding
from skillc.errors import UsageError
from skillc.repo.changed_lines import ChangedLines, changed_lines
from skillc.repo.repository import Repository


@dataclass(frozen=True)
class Changes:
    """The changed files and lines of a work tree, and a word on what they were compared with."""

    root: str
    lines: ChangedLines
    compared_with: str

    def keeps(self, real: Path) -> bool:
        """Says whether a file on disk differs at all."""
        return self._path(real) in self.lines.files

    def kept(self, findings: Iterable[Finding], real: Path | None) -> tuple[Finding, ...]:
        """Returns the findings that touch a changed line; of what is no file on disk, all."""
        if real is None:
            return tuple(findings)
        path = self._path(real)
        return tuple(f for f in findings if self.lines.is_changed(path, f.line, f.end_line or f.line))

    def _path(self, real: Path) -> str:
        return os.path.relpath(os.path.join(os.path.realpath(real.parent), real.name), self.root)


def changes_against(folder: Path, base: str) -> Changes:
    """Returns what differs from a base; an empty name is the base branch. Raises UsageError for no such commit."""
    repository = Repository.open(folder)
    commit, name = (repository.resolve(base), base) if base else _own_base(repository)
    if commit is None:
        raise UsageError(f"there is no commit {name!r} to compare with", hint="skillc scan --changed=BRANCH")
    head = repository.resolve("HEAD")
    fork = repository.merge_base(commit, head) if head else None
    lines = changed_lines(repository, fork or commit)
    return Changes(os.path.realpath(repository.root), lines, f"{name} ({(fork or commit)[:12]})")


def _own_base(repository: Repository) -> tuple[str | None, str]:
    base = repository.base()
    return base.commit, base.branch
