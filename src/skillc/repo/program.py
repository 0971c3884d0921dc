"""Starting an outside program that a person asked for, with an argv and a clean environment."""

import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from skillc.errors import RepoError
from skillc.repo.git import clean_environment


@dataclass(frozen=True)
class ProgramResult:
    """How a program ended, and everything that it printed."""

    code: int
    text: str


def run_program(
    argv: Sequence[str], *, folder: Path, timeout_s: int = 120, environment: Mapping[str, str] | None = None
) -> ProgramResult:
    """Runs a program with no input and returns its output. Raises RepoError when it cannot start or hangs."""
    try:
        done = subprocess.run(
            list(argv),
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=clean_environment(environment),
            timeout=timeout_s,
            check=False,
        )
    except OSError as error:
        raise RepoError(f"cannot run {argv[0]!r}: {error.strerror}") from error
    except subprocess.TimeoutExpired as error:
        raise RepoError(f"{argv[0]!r} did not end within {timeout_s} s") from error
    return ProgramResult(done.returncode, done.stdout.decode("utf-8", "replace").strip())
