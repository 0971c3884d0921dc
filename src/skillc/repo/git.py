"""The only place that starts git. Every call is hardened, quiet and read as bytes.

A repository may be hostile: its configuration must not run anything, nor change what we read. Hooks, pagers,
fsmonitor, external diffs, replaced objects and fetching behind our back are off, GIT_* variables of a
surrounding hook are dropped, and paths are literal. Why a process and no library: ADR 0002.
"""

import os
import re
import subprocess
import time
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
    "core.commentChar=#",
    "color.ui=false",
    "log.showSignature=false",
    "log.showRoot=true",
    "log.follow=false",
    "log.decorate=false",
    "trailer.separators=:",
    "i18n.logOutputEncoding=UTF-8",
    "i18n.commitEncoding=UTF-8",
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
    {
        "GIT_SSH_COMMAND",
        "GIT_ASKPASS",
        "GIT_SSL_CAINFO",
        "GIT_CONFIG_GLOBAL",
        "GIT_CONFIG_NOSYSTEM",
        "GIT_TRACE",
    }
)
# What we read is what the object ids say: no replacements, no grafts, nothing fetched on the way.
_TRUE_OBJECTS = {"GIT_NO_REPLACE_OBJECTS": "1", "GIT_GRAFT_FILE": os.devnull, "GIT_NO_LAZY_FETCH": "1"}
_REMOTE_COMMANDS = frozenset({"fetch", "push", "ls-remote", "clone"})
# `ext::` runs a command by design, so it is never on this list. An older git fetches the missing objects of a
# partial clone in any command, by a program that the repository names; with no protocol allowed it cannot.
_PROTOCOLS = "file:git:http:https:ssh"
_NO_PROTOCOL = "none"
# Programs that a repository's own configuration may name, and what stands in their place: (key, its default).
_SIGNING_PROGRAMS = (
    ("gpg.program", "gpg"),
    ("gpg.openpgp.program", "gpg"),
    ("gpg.x509.program", "gpgsm"),
    ("gpg.ssh.program", "ssh-keygen"),
    ("gpg.ssh.defaultkeycommand", ""),
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
    """git in one folder. `config` holds settings that win over every file, as (key, value)."""

    folder: Path
    config: tuple[tuple[str, str], ...] = ()

    def argv(self, arguments: Iterable[str]) -> list[str]:
        """Returns the whole command line, hardening included."""
        options = [part for item in _HARDENING for part in ("-c", item)]
        return ["git", "--no-pager", "--literal-pathspecs", *options, *arguments]

    def environment(self, command: str, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        """Returns the environment of one git command; settings go here, because a key may hold a `=`."""
        protocols = _PROTOCOLS if command in _REMOTE_COMMANDS else _NO_PROTOCOL
        env = clean_environment({**_TRUE_OBJECTS, "GIT_ALLOW_PROTOCOL": protocols, **(extra or {})})
        env["GIT_CONFIG_COUNT"] = str(len(self.config))
        for number, (key, value) in enumerate(self.config):
            env[f"GIT_CONFIG_KEY_{number}"], env[f"GIT_CONFIG_VALUE_{number}"] = key, value
        return env

    def ask(self, *arguments: str, stdin: bytes | None = None, environment: Mapping[str, str] | None = None) -> Answer:
        """Runs git and returns what it said, whatever its exit code.

        Raises RepoError when git was killed: no answer is not the answer no.
        """
        try:
            done = subprocess.run(
                self.argv(arguments),
                cwd=self.folder,
                input=stdin if stdin is not None else b"",
                capture_output=True,
                env=self.environment(arguments[0], environment),
                check=False,
            )
        except OSError as error:
            raise self._not_started(error) from error
        answer = Answer(done.returncode, done.stdout, done.stderr.decode("utf-8", "replace"))
        if answer.code < 0:
            raise failure(arguments[0], answer)
        return answer

    def is_ignored(self, path: str) -> bool:
        """Says whether ignore rules cover a path, be it there or not. A name with a wildcard is none of ours."""
        argv = self.argv(("check-ignore", "--quiet", "--no-index", "--", path))
        argv.remove("--literal-pathspecs")  # which this one command refuses
        try:
            done = subprocess.run(
                argv, cwd=self.folder, capture_output=True, env=self.environment("check-ignore"), check=False
            )
        except OSError as error:
            raise self._not_started(error) from error
        return done.returncode == 0

    def run(self, *arguments: str, stdin: bytes | None = None, environment: Mapping[str, str] | None = None) -> bytes:
        """Runs git and returns its standard output. Raises RepoError with git's own words."""
        answer = self.ask(*arguments, stdin=stdin, environment=environment)
        if answer.code != 0:
            raise failure(arguments[0], answer)
        return answer.stdout

    def line(self, *arguments: str) -> str:
        """Runs git and returns its output as one stripped line."""
        return self.run(*arguments).decode("utf-8", "surrogateescape").strip()

    def start(self, *arguments: str, stdin: int | IO[bytes] | None = subprocess.PIPE) -> subprocess.Popen[bytes]:
        """Starts git with pipes, for the streaming commands."""
        try:
            return subprocess.Popen(
                self.argv(arguments),
                cwd=self.folder,
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=self.environment(arguments[0]),
            )
        except OSError as error:
            raise self._not_started(error) from error

    def _not_started(self, error: OSError) -> RepoError:
        if not self.folder.is_dir():
            return RepoError(f"the folder {str(self.folder)!r} does not exist")
        if isinstance(error, FileNotFoundError):
            return RepoError("git is not installed", hint="install git 2.38 or newer")
        return RepoError(f"git cannot start in {str(self.folder)!r}: {error.strerror}")

    def without_local_filters(self) -> "Git":
        """Returns the same git with the filters of the repository's own configuration switched off."""
        local, _ = self.settings(r"^filter\.")
        names = sorted({key.split(".", 1)[1].rsplit(".", 1)[0] for key in local if key.count(".") > 1})
        off = (("smudge", ""), ("clean", ""), ("process", ""), ("required", "false"))
        return Git(self.folder, (*self.config, *((f"filter.{n}.{k}", v) for n in names for k, v in off)))

    def with_users_programs(self) -> "Git":
        """Returns the same git, signing with programs of the user's own configuration only."""
        local, users = self.settings(r"^gpg\.")
        safe = [(key, users.get(key, default)) for key, default in _SIGNING_PROGRAMS if key in local]
        return Git(self.folder, (*self.config, *safe))

    def settings(self, pattern: str) -> tuple[dict[str, str], dict[str, str]]:
        """Returns what the repository sets, included files too, and what user and system set.

        The last value of each key counts. Our own hardening is not in it.
        """
        answer = self.ask("config", "--null", "--show-scope", "--get-regexp", pattern)
        fields = answer.stdout.decode("utf-8", "surrogateescape").split("\0")
        local: dict[str, str] = {}
        users: dict[str, str] = {}
        for scope, item in zip(fields[0:-1:2], fields[1::2], strict=True):
            key, _, value = item.partition("\n")
            if scope in ("local", "worktree"):
                local[key] = value
            elif scope in ("system", "global"):
                users[key] = value
        return local, users


_ADVICE = (
    (
        "from promisor remote",
        "this is a partial clone, and an object that is needed is not here",
        "work in a full clone: git clone without --filter",
    ),
    (
        "exists; cannot create",
        "a branch stands where skillc keeps its own",
        "rename it: git branch -m OLD NEW",
    ),
    (
        "dubious ownership",
        "the repository belongs to another user",
        "if you trust it: git config --global --add safe.directory <folder>",
    ),
    (
        "safe.bareRepository",
        "this is a bare repository or the inside of a git folder",
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
    (
        "Out of diskspace",
        "the disk is full",
        "free some space and run the command again; nothing is half done",
    ),
    (
        "Disk quota exceeded",
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
    lock = re.search(r"'([^'\n]*\.lock)': File exists", answer.stderr)
    if lock:
        return lock_in_the_way(lock.group(1))
    if answer.code < 0:
        return RepoError(
            f"git {command} was killed by signal {-answer.code}",
            hint="run the command again; nothing is half done",
        )
    lines = [line for line in answer.stderr.splitlines() if line.strip() and not line.startswith("hint:")]
    return RepoError(f"git {command} failed: {lines[0].strip() if lines else f'exit code {answer.code}'}")


def lock_in_the_way(path: str) -> RepoError:
    """Returns the RepoError for a lock that another git holds or left: where it is, and how old."""
    try:
        age = f", {int(time.time() - os.lstat(path).st_mtime)} s old"
    except OSError:
        age = ""
    return RepoError(
        f"a lock file is in the way: {path!r}{age}",
        hint="if no other git is running, delete that file and run the command again",
    )
