"""A throw-away repository beside ours, for merges that only answer a question.

It borrows our objects and has no configuration, attributes, work tree files or hooks of anybody: `merge-tree`
can start no merge driver there, its result is the same on every machine, and what it writes is dropped with it.
Not here: what a merge means (repo.landings).
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from skillc.errors import RepoError
from skillc.repo.git import Git, failure
from skillc.repo.repository import Repository
from skillc.repo.sandbox import borrow_objects
from skillc.repo.temporary import temporary_folder

MINIMUM_GIT = (2, 38)
_STDIN_GIT = (2, 39)
_NOBODYS = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_ATTR_NOSYSTEM": "1"}
_SETTINGS = (
    ("merge.default", "text"),
    ("merge.conflictStyle", "merge"),
    ("merge.renames", "true"),
    ("merge.directoryRenames", "conflict"),
    ("merge.renormalize", "false"),
    ("diff.renames", "true"),
    ("diff.algorithm", "myers"),
    ("core.attributesFile", os.devnull),
)


@dataclass(frozen=True)
class MergeAnswer:
    """The tree of a merge, and the paths that conflict in it."""

    tree: str
    conflicts: tuple[str, ...]


@dataclass(frozen=True)
class Scratch:
    """git in the throw-away repository, with nobody's configuration."""

    git: Git
    version: tuple[int, int]

    def run(self, *arguments: str, stdin: bytes | None = None) -> bytes:
        """Runs git there and returns its output. Raises RepoError with git's own words."""
        return self.git.run(*arguments, stdin=stdin, environment=_NOBODYS)

    def merges(self, pairs: list[tuple[str, str]]) -> list[MergeAnswer]:
        """Merges each pair of commits in memory and returns the trees, in order."""
        if not pairs:
            return []
        options = ("--write-tree", "-z", "--name-only", "--no-messages", "--allow-unrelated-histories")
        if self.version >= _STDIN_GIT:
            stdin = "".join(f"{ours} {theirs}\n" for ours, theirs in pairs).encode()
            answers = list(_answers(self.run("merge-tree", *options, "--stdin", stdin=stdin)))
        else:
            answers = [self._merge(options, ours, theirs) for ours, theirs in pairs]
        if len(answers) != len(pairs):
            raise RepoError("git merge-tree answered fewer merges than it was asked for", hint="run: git fsck")
        return answers

    def _merge(self, options: tuple[str, ...], ours: str, theirs: str) -> MergeAnswer:
        answer = self.git.ask("merge-tree", *options, ours, theirs, environment=_NOBODYS)
        if answer.code not in (0, 1):
            raise failure("merge-tree", answer)
        tree, *conflicts = answer.stdout.decode("utf-8", "surrogateescape").split("\0")
        return MergeAnswer(tree, tuple(path for path in conflicts if path))

    def changed_paths(self, old: str, new: str) -> frozenset[str]:
        """Returns the paths that differ between two commits or trees."""
        out = self.run("diff-tree", "-r", "-z", "--name-only", "--no-renames", "--no-commit-id", old, new)
        return frozenset(path for path in out.decode("utf-8", "surrogateescape").split("\0") if path)

    def patch_id(self, old: str, new: str) -> str | None:
        """Returns the patch id of a change, None for an empty one. It does not know line numbers and blanks."""
        patch = self.run("diff-tree", "-p", "-r", "--full-index", "--no-renames", "--no-commit-id", old, new)
        if not patch:
            return None
        out = self.run("patch-id", "--stable", stdin=patch).split()
        return out[0].decode() if out else None


def _answers(out: bytes) -> Iterator[MergeAnswer]:
    fields = out.decode("utf-8", "surrogateescape").split("\0")
    at = 0
    while at + 2 < len(fields):
        tree = fields[at + 1]
        end = fields.index("", at + 2)
        yield MergeAnswer(tree, tuple(fields[at + 2 : end]))
        at = end + 1


@contextmanager
def open_scratch(repository: Repository) -> Iterator[Scratch]:
    """Gives a throw-away repository. Raises RepoError below git 2.38, which cannot merge in memory."""
    found = re.search(r"(\d+)\.(\d+)", repository.git.line("version"))
    version = (int(found[1]), int(found[2])) if found else (0, 0)
    if version < MINIMUM_GIT:
        raise RepoError(
            f"git {version[0]}.{version[1]} cannot merge in memory, so merges cannot be read as verdicts",
            hint="install git 2.38 or newer",
        )
    with temporary_folder("merge") as folder:
        tree = folder / "tree"
        repository.git.run(
            "init", "--quiet", "--template=", f"--object-format={repository.object_format}", str(tree),
            environment=_NOBODYS,
        )  # fmt: skip
        borrow_objects(repository, tree / ".git")
        yield Scratch(Git(tree, _SETTINGS), version)
