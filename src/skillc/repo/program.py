"""Starting an outside program that a person asked for, with an argv and a clean environment."""

import contextlib
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from skillc.errors import RepoError
from skillc.repo.git import clean_environment
from skillc.repo.temporary import temporary_folder


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


@dataclass(frozen=True)
class Spoken:
    """What a program that was given a text said; `code` is None after a time-out."""

    code: int | None
    output: str
    errors: str


def speak_to(
    argv: Sequence[str], *, text: str, environment: Mapping[str, str] | None = None, timeout_s: float
) -> Spoken:
    """Runs a program with a text on standard input, in an empty folder that is gone afterwards.

    The whole process group ends with the time limit. Raises OSError when the program cannot be started.
    """
    with temporary_folder("empty") as folder:
        process = subprocess.Popen(
            list(argv),
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=clean_environment(environment),
            start_new_session=True,
        )
        try:
            output, errors = process.communicate(text.encode("utf-8"), timeout=timeout_s)
            code: int | None = process.returncode
        except subprocess.TimeoutExpired:
            _end_group(process)
            output, errors = process.communicate()
            code = None
        except BaseException:
            _end_group(process)
            process.communicate()
            raise
    return Spoken(code, output.decode("utf-8", "replace"), errors.decode("utf-8", "replace"))


def page(argv: Sequence[str], text: str, *, environment: Mapping[str, str] | None = None) -> bool:
    """Gives a text to a program that owns the terminal until it ends; False when it cannot be started.

    A pager that the person leaves early reads no further, and that is no error. Ctrl-C is the pager's own.
    """
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        process = subprocess.Popen(list(argv), stdin=subprocess.PIPE, env=clean_environment(environment))
        with contextlib.suppress(BrokenPipeError):
            process.communicate(text.encode("utf-8", "replace"))
        process.wait()
    except OSError:
        return False
    finally:
        signal.signal(signal.SIGINT, before)
    return True


def _end_group(process: "subprocess.Popen[bytes]") -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
