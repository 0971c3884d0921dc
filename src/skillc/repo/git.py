"""The only place that starts git. Every call is hardened, quiet and read as bytes.

A repository may be hostile: its configuration must not run anything. Local hooks, fsmonitor, pagers, external
diffs and local filters are switched off, GIT_* variables of a surrounding hook are dropped, and paths are
literal. Differs from GitPython: ADR 0002.
"""

import os
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from skillc.errors import RepoError

_HARDENING = (
    "safe.bareRepository=explicit",
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.quotePath=false",
    "core.pager=cat",
    "core.untrackedCache=false",
    "log.showSignature=false",
    "diff.external=",
    "submodule.recurse=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "advice.detachedHead=false",
    "commit.gpgSign=false",
    "tag.gpgSign=false",
)
# Variables that a user sets on purpose and that cannot redirect us to another repository.
_KEPT_VARIABLES = frozenset(
    {"GIT_SSH_COMMAND", "GIT_ASKPASS", "GIT_SSL_CAINFO", "GIT_CONFIG_GLOBAL", "GIT_TRACE"}
)


def clean_environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Returns the environment for a child process: no GIT_* of a surrounding hook, C locale, no prompts."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("GIT_") or k in _KEPT_VARIABLES}
    env.update(LC_ALL="C", LANGUAGE="", GIT_TERMINAL_PROMPT="0", GIT_PAGER="cat", GIT_OPTIONAL_LOCKS="0")
    env.update(extra or {})
    return env


@dataclass(frozen=True)
class Answer:
    """What git said. `stdout` is raw bytes; `stderr` is decoded for messages only."""

    code: int
    stdout: bytes
    stderr: str


@dataclass(frozen=True)
class Git:
    """git in one folder."""

    folder: Path
    config: tuple[str, ...] = ()

    def argv(self, arguments: Iterable[str]) -> list[str]:
        """Returns the whole command line, hardening included."""
        options = [part for item in (*_HARDENING, *self.config) for part in ("-c", item)]
        return ["git", "--no-pager", "--literal-pathspecs", *options, *arguments]

    def ask(
        self, *arguments: str, stdin: bytes | None = None, environment: Mapping[str, str] | None = None
    ) -> Answer:
        """Runs git and returns what it said, whatever its exit code."""
        try:
            done = subprocess.run(
                self.argv(arguments),
                cwd=self.folder,
                input=stdin if stdin is not None else b"",
                capture_output=True,
                env=clean_environment(environment),
                check=False,
            )
        except FileNotFoundError as error:
            if not self.folder.is_dir():
                raise RepoError(f"the folder {str(self.folder)!r} does not exist") from error
            raise RepoError("git is not installed", hint="install git 2.38 or newer") from error
        return Answer(done.returncode, done.stdout, done.stderr.decode("utf-8", "replace"))

    def run(
        self, *arguments: str, stdin: bytes | None = None, environment: Mapping[str, str] | None = None
    ) -> bytes:
        """Runs git and returns its standard output. Raises RepoError with git's own words."""
        answer = self.ask(*arguments, stdin=stdin, environment=environment)
        if answer.code != 0:
            raise failure(arguments[0], answer)
        return answer.stdout

    def line(self, *arguments: str) -> str:
        """Runs git and returns its output as one stripped line."""
        return self.run(*arguments).decode("utf-8", "replace").strip()

    def start(
        self, *arguments: str, stdin: int | IO[bytes] | None = subprocess.PIPE
    ) -> subprocess.Popen[bytes]:
        """Starts git with pipes, for the streaming commands."""
        return subprocess.Popen(
            self.argv(arguments),
            cwd=self.folder,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=clean_environment(),
        )

    def without_local_filters(self) -> "Git":
        """Returns the same git with the filters of the repository's own configuration switched off."""
        answer = self.ask("config", "--local", "--name-only", "--get-regexp", r"^filter\..*")
        names = {
            line.split(".", 1)[1].rsplit(".", 1)[0] for line in answer.stdout.decode().split() if "." in line
        }
        off = [
            f"filter.{n}.{key}"
            for n in sorted(names)
            for key in ("smudge=", "clean=", "process=", "required=false")
        ]
        return Git(self.folder, (*self.config, *off))


_ADVICE = (
    (
        "dubious ownership",
        "the repository belongs to another user",
        "if you trust it: git config --global --add safe.directory <folder>",
    ),
    (
        "safe.bareRepository",
        "this is a bare repository",
        "run skillc in a checkout, not in a bare repository",
    ),
    (
        "not a git repository",
        "this folder is not inside a git repository",
        "run: git init, or change the folder",
    ),
    (
        "must be run in a work tree",
        "this folder is the inside of a git repository, not a checkout",
        "change to the work tree",
    ),
    (
        "No space left on device",
        "the disk is full",
        "free some space and run the command again; nothing is half done",
    ),
    ("Permission denied", "git may not write here", "check the owner and mode of the repository folder"),
    (
        "Read-only file system",
        "the file system is read-only",
        "mount it writable, or work in a clone elsewhere",
    ),
    ("unable to access", "the remote cannot be reached", "check the network and the remote's address"),
)


def failure(command: str, answer: Answer) -> RepoError:
    """Returns the RepoError for a failed git call: our words for the known cases, git's first line else."""
    for needle, message, hint in _ADVICE:
        if needle in answer.stderr:
            return RepoError(message, hint=hint)
    if ".lock'" in answer.stderr and "File exists" in answer.stderr:
        return RepoError(
            f"git {command}: a lock file is in the way: {_quoted_path(answer.stderr)}",
            hint="if no other git is running, delete that file and run the command again",
        )
    lines = [line for line in answer.stderr.splitlines() if line.strip() and not line.startswith("hint:")]
    return RepoError(f"git {command} failed: {lines[0].strip() if lines else f'exit code {answer.code}'}")


def _quoted_path(text: str) -> str:
    parts = text.split("'")
    return parts[1] if len(parts) > 2 else "*.lock"
