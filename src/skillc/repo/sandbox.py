"""A temporary checkout of one commit, in which a registered and trusted check runs.

The checkout lies in the system's temporary folder; a later command removes what a killed one left. The command is
an argv that the person trusted, never a shell string.
Not here: which command, and what its result means (lifecycle.verify_run).
"""

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from skillc.errors import RepoError
from skillc.repo.git import Git, clean_environment
from skillc.repo.repository import Repository
from skillc.repo.temporary import temporary_folder

_TAIL_BYTES = 4096


@dataclass(frozen=True)
class RunResult:
    """How a command ended: its exit code, None after a time-out, and the end of its output."""

    code: int | None
    tail: str


@contextmanager
def temporary_checkout(repository: Repository, commit: str) -> Iterator[Path]:
    """Gives a folder that holds exactly one commit; it is gone afterwards.

    It is a repository of its own that borrows our objects and knows our tags: a check cannot move a ref of
    ours, and a killed command leaves nothing in our repository.
    """
    resolved = repository.resolve(commit)
    if resolved is None:
        raise RepoError(f"there is no commit {commit!r}", hint="fetch it: git fetch")
    with temporary_folder("check") as folder:
        tree = folder / "tree"
        repository.git.run("init", "--quiet", "--template=", f"--object-format={repository.object_format}", str(tree))
        borrow_objects(repository, tree / ".git")
        git = Git(tree, (("core.autocrlf", "false"), ("core.eol", "lf")))
        git.run("checkout", "--quiet", "--detach", resolved)
        yield tree


def borrow_objects(repository: Repository, git_dir: Path) -> None:
    """Lets another repository read our objects and know our tags."""
    (git_dir / "objects" / "info").mkdir(exist_ok=True)
    (git_dir / "objects" / "info" / "alternates").write_bytes(os.fsencode(repository.common_dir / "objects") + b"\n")
    tags = "".join(f"{commit} {ref}\n" for ref, commit in sorted(repository.refs("refs/tags").items()))
    (git_dir / "packed-refs").write_bytes(tags.encode("utf-8", "surrogateescape"))
    if repository.is_shallow:
        shutil.copyfile(repository.common_dir / "shallow", git_dir / "shallow")


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
