"""A temporary checkout of one commit, in which a registered and trusted check runs.

The checkout is a detached worktree in the system's temporary folder; a later command removes what a killed
one left. The command is an argv that the person trusted, never a shell string.
Not here: which command, and what its result means (lifecycle.verify).
"""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from skillc.errors import RepoError
from skillc.repo.files import is_running
from skillc.repo.git import clean_environment
from skillc.repo.repository import Repository

_PREFIX = "skillc-check-"
_TAIL_BYTES = 4096


@dataclass(frozen=True)
class RunResult:
    """How a command ended: its exit code, None after a time-out, and the end of its output."""

    code: int | None
    tail: str


@contextmanager
def temporary_checkout(repository: Repository, commit: str) -> Iterator[Path]:
    """Gives a folder that holds exactly one commit; it is gone afterwards."""
    remove_left_checkouts(repository)
    folder = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-"))
    tree = folder / "tree"
    git = repository.git.without_local_filters()
    try:
        git.run("worktree", "add", "--quiet", "--detach", "--force", str(tree), commit)
        yield tree
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        git.ask("worktree", "prune")


def remove_left_checkouts(repository: Repository) -> None:
    """Removes temporary checkouts whose process is gone, and those that git does not list yet."""
    listed = [worktree.root.parent for worktree in repository.worktrees()]
    unlisted = [p for p in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*") if p not in listed]
    stale = [folder for folder in (*listed, *unlisted) if _is_left(folder)]
    for folder in stale:
        shutil.rmtree(folder, ignore_errors=True)
    if stale:
        repository.git.ask("worktree", "prune")


def _is_left(folder: Path) -> bool:
    found = re.fullmatch(rf"{_PREFIX}([0-9]+)-.*", folder.name)
    return found is not None and not is_running(int(found.group(1)))


def run_in(folder: Path, argv: Sequence[str], *, timeout_s: int) -> RunResult:
    """Runs one argv in a folder, with no input and a time limit over the whole process group."""
    with tempfile.TemporaryFile() as out:
        try:
            process = subprocess.Popen(
                list(argv),
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                env=clean_environment({"PYTHONDONTWRITEBYTECODE": "1"}),
                start_new_session=True,
            )
        except OSError as error:
            raise RepoError(
                f"cannot run {argv[0]!r}: {error.strerror}",
                hint="install it, or mend the check in skillc.yaml",
            ) from error
        code: int | None
        try:
            code = process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        size = out.seek(0, os.SEEK_END)
        out.seek(max(0, size - _TAIL_BYTES))
        return RunResult(code, out.read().decode("utf-8", "replace"))
