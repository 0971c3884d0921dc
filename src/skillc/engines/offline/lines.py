"""Shell lines: each command of a line with what it stands in: folder, variables, the environment it needs.

`cd api && export MODE=ci && uv run pytest | tail` is one run of `pytest` in `api` with `MODE=ci`, by `uv run`.
Not here: words and operators (core.trace.shell), which call is a check (engines.offline.calls).
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from skillc.core.trace.operation import command_line, weight_of
from skillc.core.trace.shell import ASSIGNMENT, ShellCommand, parse_command_line

_EXPORTS = frozenset(("export", "declare", "typeset", "set", "setenv"))
_SOURCES = frozenset(("source", "."))
_FOLDER_KEYS = ("workdir", "cwd", "directory", "working_directory")
# Programs that take `NAME=value` as an argument of their own.
_TAKES_VARIABLES = frozenset(("make", "gmake", "just", "rake", "ant", "rails"))


class CommandInLine(NamedTuple):
    """A command that does something. `lead` are the `cd` and `source` before it, `settings` its variables.

    `exported` are the variables that the line leaves in the shell. `hides_status`: the exit status of the line
    is not the command's.
    """

    command: ShellCommand
    lead: tuple[str, ...]
    settings: tuple[str, ...]
    hides_status: bool
    filters: tuple[str, ...]  # the programs that its output is piped into


class ShellLine(NamedTuple):
    """The telling commands of a line and the variables that it exports."""

    commands: tuple[CommandInLine, ...]
    exported: tuple[str, ...]


def read_line(arguments: Mapping[str, Any] | None, root: str) -> ShellLine:
    """Returns the commands of a shell call in order, without those that only prepare the shell."""
    line = command_line(arguments) or ""
    lead = list(_folder_argument(arguments or {}, root))
    exported: list[str] = []
    found: list[CommandInLine] = []
    pipelines = parse_command_line(line) if line else ()
    for index, pipeline in enumerate(pipelines):
        command = pipeline.commands[0]
        if command.program == "cd":
            lead = [w for w in lead if not w.startswith("cd ")] + list(_moves(command, root))
        elif command.program in _SOURCES and len(command.words) == 2:
            lead.append(f"source {command.words[1]}")
        elif command.program in _EXPORTS:
            exported += [w for w in command.words[1:] if ASSIGNMENT.match(w)]
        elif weight_of(command) > 0:
            following = pipelines[index + 1].connector if index + 1 < len(pipelines) else "&&"
            hides = len(pipeline.commands) > 1 or following != "&&"
            settings = (*exported, *command.assignments, *variables_of(command))
            filters = tuple(c.program for c in pipeline.commands[1:])
            found.append(CommandInLine(command, tuple(lead), settings, hides, filters))
    return ShellLine(tuple(found), tuple(exported))


def variables_of(command: ShellCommand) -> tuple[str, ...]:
    """Returns the variables that a program takes as arguments, as `make test PROFILE=ci` does."""
    if command.program not in _TAKES_VARIABLES:
        return ()
    return tuple(w for w in command.words[command.named :] if ASSIGNMENT.match(w))


def names_in(settings: Iterable[str]) -> dict[str, str]:
    """Returns name -> value of assignments; the last one of a name counts."""
    return {name.removesuffix("+"): value for name, _, value in (s.partition("=") for s in settings)}


def _folder_argument(arguments: Mapping[str, Any], root: str) -> Iterable[str]:
    """Some hosts give the folder beside the command."""
    for key in _FOLDER_KEYS:
        value = arguments.get(key)
        if isinstance(value, str):
            return _move_to(value, root)
    return ()


def _moves(command: ShellCommand, root: str) -> Iterable[str]:
    return _move_to(command.words[1], root) if len(command.words) == 2 else ()


def _move_to(folder: str, root: str) -> Iterable[str]:
    """Returns the move into a folder of the project; one to its root, or out of it, needs no word."""
    folder = folder.rstrip("/") + "/"
    if root and folder.startswith(root):
        folder = folder[len(root) :]
    while folder.startswith("./"):
        folder = folder[2:]
    plain = folder.rstrip("/")
    outside = not plain or plain.startswith(("/", "~", "$", "<", "-", "..")) or " " in plain
    return () if outside else (f"cd {plain}",)
