"""Checks: which commands of a project test its work, beyond the programs that everybody knows.

A script or task whose name says so is a check, and so is the command with which a verifier tested the attempt.
Not here: the known test runners and linters (core.trace.operation).
"""

import re

from skillc.core.compile.evidence import Source
from skillc.core.trace.operation import is_check
from skillc.core.trace.shell import ShellCommand
from skillc.engines.offline.wording import words_of

_NAMED = re.compile(r"(?:^|[_.-])(?:tests?|checks?|lint|verify|specs?|ci|validate)(?:$|[_.-])")
_RUNS_TASKS = words_of("make gmake just rake task invoke mix gradle gradlew npm yarn pnpm bun")
_INSTALLS = frozenset(("npm ci", "pnpm ci", "bun ci"))
_VERIFIED = re.compile(r"^`([^`]+)` exit -?\d+")


def is_check_command(command: ShellCommand, operation: str, verified: str = "") -> bool:
    """Says whether a command is a check: by what everybody knows, by its name, or because a verifier ran it."""
    if is_check(operation) or (verified and " ".join(command.words) == verified):
        return True
    if operation in _INSTALLS:
        return False
    if command.script is not None:
        return _is_named(command.script)
    if command.program in _RUNS_TASKS and command.subcommand is not None:
        return _is_named(command.subcommand.removeprefix("run ").partition(":")[0])
    return "/" in (command.words[0] if command.words else "") and _is_named(command.program)


def verification_command(source: Source) -> str:
    """Returns the command with which the attempt was verified, or nothing."""
    basis = source.standing.basis
    found = _VERIFIED.match(basis.detail) if basis is not None else None
    return found[1] if found is not None else ""


def _is_named(path: str) -> bool:
    name = path.rsplit("/", 1)[-1].lower()
    return _NAMED.search(name) is not None
