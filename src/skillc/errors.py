"""Stops: the five kinds of exception that end a command, each with its exit code.

A failed check is not here: it is a value that the command returns (see core). A message names the thing and
the hint names the next command. No secret and no Trace text ever goes into a message.
"""

EXIT_DONE = 0
EXIT_NO = 1
EXIT_BUG = 70
EXIT_INTERRUPTED = 130

MAX_REPORTED_LINES = 20


class SkillcError(Exception):
    """A command cannot go on. `code` is the exit code, `name` the machine-readable kind."""

    code = EXIT_BUG
    name = "error"

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(SkillcError):
    """Wrong arguments, or a request that does not make sense here."""

    code = 2
    name = "usage"


class PolicyError(SkillcError):
    """The policy file cannot be read, or forbids what was asked."""

    code = 2
    name = "policy"


class DataError(SkillcError):
    """A record cannot be read; the message carries `path:line`."""

    code = 3
    name = "data"


class NoEventsError(DataError):
    """A session that was opened and left: its file is sound and holds nothing to store."""


class RepoError(SkillcError):
    """git refused, or a ref moved under us."""

    code = 4
    name = "git"


class EngineError(SkillcError):
    """An engine did not answer or broke its schema."""

    code = 5
    name = "engine"


class CallFailedError(EngineError):
    """A model call failed: nothing is admitted and every source is kept. `stops_run` when asking on is useless."""

    def __init__(self, message: str, *, role: str, kind: str, stops_run: bool = False, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.role = role
        self.kind = kind
        self.stops_run = stops_run


def lines_error(path: str, problems: list[tuple[int, str]]) -> DataError:
    """Returns one DataError that reports up to 20 bad lines of a file as `path:line: what`."""
    shown = [f"{path}:{line}: {what}" for line, what in problems[:MAX_REPORTED_LINES]]
    if len(problems) > MAX_REPORTED_LINES:
        shown.append(f"... and {len(problems) - MAX_REPORTED_LINES} more bad lines")
    return DataError("\n".join(shown), hint="nothing of this file was imported; mend the lines and run it again")
