"""Shell lines: each command of a line with what it stands in: folder, variables, the environment it needs.

`cd api && export MODE=ci && uv run pytest | tail` is one run of `pytest` in `api` with `MODE=ci`, by `uv run`.
Not here: words and operators (core.trace.shell), which call is a check (engines.offline.calls).
"""

import posixpath
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
    folder: str = ""  # of the project, in which it runs; nothing for its root


class ShellLine(NamedTuple):
    """The telling commands of a line, the variables that it exports, and the folder in which it ends."""

    commands: tuple[CommandInLine, ...]
    exported: tuple[str, ...]
    folder: str = ""


def read_line(arguments: Mapping[str, Any] | None, root: str, folder: str = "") -> ShellLine:
    """Returns the commands of a shell call in order, without those that only prepare the shell.

    `folder` is where the shell stands in the project when the line begins.
    """
    line = command_line(arguments) or ""
    folder = _moved(folder, _folder_argument(arguments or {}), root)
    sourced: list[str] = []
    exported: list[str] = []
    found: list[CommandInLine] = []
    pipelines = parse_command_line(line) if line else ()
    for index, pipeline in enumerate(pipelines):
        command = pipeline.commands[0]
        if command.program == "cd":
            folder = _moved(folder, command.words[1] if len(command.words) == 2 else None, root)
        elif command.program in _SOURCES and len(command.words) == 2:
            sourced.append(f"source {command.words[1]}")
        elif command.program in _EXPORTS:
            exported += [w for w in command.words[1:] if ASSIGNMENT.match(w)]
        elif weight_of(command) > 0:
            following = pipelines[index + 1].connector if index + 1 < len(pipelines) else "&&"
            hides = len(pipeline.commands) > 1 or following != "&&"
            settings = (*exported, *command.assignments, *variables_of(command))
            filters = tuple(c.program for c in pipeline.commands[1:])
            lead = (*([f"cd {folder}"] if folder else ()), *sourced)
            found.append(CommandInLine(command, lead, settings, hides, filters, folder))
    return ShellLine(tuple(found), tuple(exported), folder)


def from_root(folder: str, path: str) -> str:
    """Returns a path that was typed in a folder of the project as the project's root sees it.

    What is no relative path, or leads out of the project, stays as it was typed.
    """
    if not folder or path.startswith(("/", "~", "$", "<", "-")) or path[1:3] == ":\\":
        return path
    found = posixpath.normpath(posixpath.join(folder, path))
    return path if found.startswith("..") else found


def variables_of(command: ShellCommand) -> tuple[str, ...]:
    """Returns the variables that a program takes as arguments, as `make test PROFILE=ci` does."""
    if command.program not in _TAKES_VARIABLES:
        return ()
    return tuple(w for w in command.words[command.named :] if ASSIGNMENT.match(w))


def names_in(settings: Iterable[str]) -> dict[str, str]:
    """Returns name -> value of assignments; the last one of a name counts."""
    return {name.removesuffix("+"): value for name, _, value in (s.partition("=") for s in settings)}


def _folder_argument(arguments: Mapping[str, Any]) -> str | None:
    """Some hosts give the folder beside the command."""
    return next((v for k in _FOLDER_KEYS if isinstance(v := arguments.get(k), str)), None)


def _moved(folder: str, target: str | None, root: str) -> str:
    """Returns the folder of the project after a move; nothing for its root, and for what lies outside it.

    A move into the folder where the shell stands already is none: then the shell did not keep its place.
    """
    if target is None:
        return folder
    target = target.rstrip("/") + "/"
    if root and target.startswith(root):
        folder, target = "", target[len(root) :]
    if target.startswith(("/", "~", "$", "<", "-")) or " " in target:
        return ""
    target = posixpath.normpath(target) if target else "."
    if folder == target or folder.endswith(f"/{target}"):
        return folder
    found = posixpath.normpath(posixpath.join(folder, target))
    return "" if found == "." or found.startswith("..") else found
