"""Task runners that agents call, as one table: which file defines the tasks, and which words of a command name them.

A word that an option, a variable or a placeholder makes unclear names nothing. Paper: 5.2.
Not here: what the text of such a file offers (core.skill.offers).
"""

import re
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import NamedTuple

from skillc.core.words import names

_TASK = re.compile(r"^[A-Za-z0-9_][A-Za-z0-9_.:-]{0,59}$")
_HARMLESS = re.compile(r"^-[BiknqsvS]$|^-j\d*$|^--(?:silent|quiet|always-make|keep-going|no-print-directory)$")
_FOLDER_OPTIONS = names("-C --prefix --cwd --dir -w --workspace --filter -F")
_EVERYWHERE = names("-ws --workspaces -r --recursive")


class Interface(StrEnum):
    """Which file answers whether a name is there: the file itself, or one that defines tasks, options or modules."""

    FILE = "file"
    OPTION = "option"
    MODULE = "module"
    NODE_SCRIPT = "node-script"
    MAKE_TARGET = "make-target"
    JUST_RECIPE = "just-recipe"
    TASKFILE_TASK = "taskfile-task"
    RAKE_TASK = "rake-task"
    TOX_ENVIRONMENT = "tox-environment"
    NOX_SESSION = "nox-session"
    INVOKE_TASK = "invoke-task"
    COMPOSER_SCRIPT = "composer-script"
    DENO_TASK = "deno-task"
    PYTHON_SCRIPT = "python-script"


class Tasks(NamedTuple):
    """What a command asks a runner for: tasks, each with the words that name it, in a folder below the current one."""

    tasks: tuple[tuple[str, str], ...] = ()
    folder: str = ""


class TaskRunner(NamedTuple):
    """One runner. Of `files`, the first that is there in the folder defines its tasks."""

    interface: Interface
    files: tuple[str, ...]
    read: Callable[[tuple[str, ...]], Tasks]


def files_of(interface: Interface) -> tuple[str, ...]:
    """Returns the names under which a definition file of this kind may lie, the usual one first."""
    return next((r.files for r in RUNNERS.values() if r.interface is interface), ())


def _named(words: tuple[str, ...], asked: str) -> tuple[tuple[str, str], ...]:
    return tuple((w, f"{asked} {w}") for w in words if _TASK.match(w))


def _each_word(words: tuple[str, ...]) -> Tasks:
    """`make a b`: every word is a task, unless an option says that another file defines them."""
    program, rest, folder = words[0], list(words[1:]), ""
    if len(rest) > 1 and rest[0] in ("-C", "--directory"):
        folder, rest = rest[1], rest[2:]
    rest = [w for w in rest if not _HARMLESS.match(w)]
    return Tasks() if any(w.startswith("-") for w in rest) else Tasks(_named(tuple(rest), program), folder)


def _first_word(words: tuple[str, ...]) -> Tasks:
    """`just a x`: the first word is the task, the others are its arguments."""
    return Tasks(_named(words[1:2], words[0]))


def _after(option: str) -> Callable[[tuple[str, ...]], Tasks]:
    def read(words: tuple[str, ...]) -> Tasks:
        place = words.index(option) if option in words else len(words)
        value = words[place + 1 : place + 2]
        found = value[0].split(",") if value else []
        return Tasks(_named(tuple(found), f"{words[0]} {option}"))

    return read


def _node(words: tuple[str, ...]) -> Tasks:
    """`npm run a`, `npm test`, `yarn a`, each in the one package that an option leads to.

    A package that is told by its name may lie anywhere; where a folder is called so, its file is asked.
    """
    program, folder, rest = words[0], "", []
    left = list(words[1 : words.index("--") if "--" in words else None])
    while left:
        option, _, value = left.pop(0).partition("=")
        if option in _EVERYWHERE or (option in _FOLDER_OPTIONS and folder):
            return Tasks()
        if option in _FOLDER_OPTIONS:
            folder = value or (left.pop(0) if left else "")
        elif not option.startswith("-"):
            rest.append(option)
        elif not rest:
            return Tasks()  # an option of the runner itself, which may take the next word
    if not rest:
        return Tasks()
    verb = rest[0]
    if verb in ("run", "run-script"):
        return Tasks(_named(tuple(rest[1:2]), f"{program} {verb}"), folder)
    is_script = verb in ("test", "start") or program in ("yarn", "pnpm")
    return Tasks(_named((verb,), program), folder) if is_script else Tasks()


def _verb(*verbs: str, is_needed: bool = True) -> Callable[[tuple[str, ...]], Tasks]:
    def read(words: tuple[str, ...]) -> Tasks:
        if words[1:2] and words[1] in verbs:
            return Tasks(_named(words[2:3], f"{words[0]} {words[1]}"))
        return Tasks() if is_needed else Tasks(_named(words[1:2], words[0]))

    return read


_PACKAGE = TaskRunner(Interface.NODE_SCRIPT, ("package.json",), _node)
_TASKFILES = ("Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "taskfile.yaml", "Taskfile.dist.yml")
_TASKFILE = TaskRunner(Interface.TASKFILE_TASK, _TASKFILES, _each_word)
_INVOKE = TaskRunner(Interface.INVOKE_TASK, ("tasks.py",), _first_word)
_RAKE = TaskRunner(Interface.RAKE_TASK, ("Rakefile", "rakefile", "Rakefile.rb", "rakefile.rb"), _each_word)

RUNNERS: Mapping[str, TaskRunner] = {
    "npm": _PACKAGE,
    "yarn": _PACKAGE,
    "pnpm": _PACKAGE,
    "bun": _PACKAGE,
    "make": TaskRunner(Interface.MAKE_TARGET, ("Makefile", "makefile", "GNUmakefile"), _each_word),
    "just": TaskRunner(Interface.JUST_RECIPE, ("justfile", "Justfile", ".justfile"), _first_word),
    "task": _TASKFILE,
    "go-task": _TASKFILE,
    "rake": _RAKE,
    "tox": TaskRunner(Interface.TOX_ENVIRONMENT, ("tox.ini",), _after("-e")),
    "nox": TaskRunner(Interface.NOX_SESSION, ("noxfile.py",), _after("-s")),
    "invoke": _INVOKE,
    "inv": _INVOKE,
    "composer": TaskRunner(Interface.COMPOSER_SCRIPT, ("composer.json",), _verb("run", "run-script", is_needed=False)),
    "deno": TaskRunner(Interface.DENO_TASK, ("deno.json", "deno.jsonc"), _verb("task")),
}
PYTHON_PROJECT = "pyproject.toml"
