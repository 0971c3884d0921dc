"""What a Skill names of the project: files, programs, tasks and flags, from its actions and the backticks of its texts.

A reader of text: nothing is run or looked up. A word with a placeholder, a variable or a wildcard names nothing, and
neither does what the procedure itself writes. Paper: 5.2. Not here: whether it is still there (lifecycle.stale).
"""

import posixpath
import re
from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from skillc.core.skill.claim import PLACEHOLDER, Claim, FailureClaim, StepClaim
from skillc.core.skill.contract import Contract, iter_claims
from skillc.core.skill.task_runners import PYTHON_PROJECT, RUNNERS, Interface, TaskRunner
from skillc.core.trace.operation import command_line, is_edit, is_shell
from skillc.core.trace.shell import ShellCommand, looks_like_path, parse_command_line
from skillc.core.words import names

_BACKTICKS = re.compile(r"`([^`\n]{1,400})`")
_OPEN = frozenset("<>$*?[]{}~\\'\"|&;!()")  # a word with one of these is more than a plain path
_LINE_NUMBER = re.compile(r":\d+(?::\d+)?$")
_TELLING = re.compile(r"[/. ]|^-")  # a bare word may be plain English
_FLAG = re.compile(r"^--?[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*$")
_PROGRAM = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$")
_MODULE = re.compile(r"^[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*$")
_PATH_ARGUMENTS = ("file_path", "path", "notebook_path", "absolute_path", "target_file")
_WHOLE_WRITES = names("write write_file create_file write_to_file")
# Their arguments are made or taken away by the procedure, or are revisions: they say nothing of what must be there.
_MAKERS = names("touch mkdir tee rm rmdir mv cp ln git gh glab curl wget docker kubectl echo printf")
_OUTPUT_FLAG = re.compile(r"^(?:-o|--out(?:put|file|-file|dir|-dir)?)$")


class NamedKind(StrEnum):
    """What a Skill names: something that is run, a file or folder, or an option of a script."""

    COMMAND = "command"
    PATH = "path"
    FLAG = "flag"


class Named(NamedTuple):
    """One thing that a claim names. `path` is the file to look into, from the top of the repository.

    `key` is the task, option or module that the file defines; empty where the path itself is meant.
    """

    field: str
    claim_id: str
    kind: NamedKind
    named: str
    path: str
    interface: Interface = Interface.FILE
    key: str = ""


class _Told(NamedTuple):
    """The same before it is known which claim says it; `kind` is None for what the procedure writes."""

    kind: NamedKind | None
    named: str
    path: str
    interface: Interface = Interface.FILE
    key: str = ""


def named_things(contract: Contract) -> tuple[Named, ...]:
    """Returns what the claims of a contract name, each once a claim, in the contract's order."""
    found: dict[Named, None] = {}
    written: set[str] = set()
    for field, claim in iter_claims(contract):
        for told in _told_by(claim):
            if told.kind is None:
                written.add(told.path)
            else:
                found[Named(field, claim.id, told.kind, *told[1:])] = None
    kept = [n for n in found if not (n.interface is Interface.FILE and _is_below(n.path, written))]
    return (*kept, *_repeated(contract, kept))


def _repeated(contract: Contract, known: list[Named]) -> tuple[Named, ...]:
    """Returns where a text repeats a name of another claim in plain words, as a description does."""
    telling = {n.named: n for n in reversed(known) if _TELLING.search(n.named)}
    said = {(n.field, n.claim_id, n.named) for n in known}
    return tuple(
        n._replace(field=field, claim_id=claim.id)
        for field, claim in iter_claims(contract)
        for named, n in telling.items()
        if (field, claim.id, named) not in said and _is_said(named, claim.text)
    )


def _is_said(named: str, text: str) -> bool:
    """Says whether a text has a name as a whole, not as a part of a longer path or word."""
    return named in text and re.search(rf"(?<![\w/.-]){re.escape(named)}(?![\w/-]|\.\w)", text) is not None


def _is_below(path: str, written: set[str]) -> bool:
    return any(path == w or path.startswith(w + "/") for w in written)


def _told_by(claim: Claim) -> Iterator[_Told]:
    if isinstance(claim, StepClaim) and claim.action is not None:
        action = claim.action
        if is_shell(action.tool):
            yield from _in_line(command_line(action.arguments) or "")
        else:
            values = (action.arguments.get(name) for name in _PATH_ARGUMENTS)
            writes = is_edit(action.tool) and action.tool.rsplit("__", 1)[-1].lower() in _WHOLE_WRITES
            for value in values:
                if isinstance(value, str) and (path := plain_path(value)) is not None:
                    yield _Told(None if writes else NamedKind.PATH, path, path)
    texts = [claim.text, (claim.recovery or "") if isinstance(claim, FailureClaim) else ""]
    for text in texts:
        for quoted in _BACKTICKS.findall(text):
            if " " in quoted.strip():
                yield from _in_line(quoted)
            elif looks_like_path(quoted) and (path := plain_path(quoted)) is not None:
                yield _Told(NamedKind.PATH, path, path)


def plain_path(word: str, folder: str = "") -> str | None:
    """Returns a path from the top of the repository; None for what is no plain path inside of it."""
    word = _LINE_NUMBER.sub("", word.split("::", 1)[0])
    if not word or _OPEN & set(word) or " " in word or word.startswith(("/", "-")) or "://" in word or "=" in word:
        return None
    path = posixpath.normpath(posixpath.join(folder, word))
    return None if path in (".", "..") or path.startswith(("../", "/", ".git/")) or not path.isprintable() else path


def _in_line(line: str) -> Iterator[_Told]:
    """Yields what a command line names; it follows `cd` to plain folders and stops at any other."""
    folder = ""
    for pipeline in parse_command_line(PLACEHOLDER.sub(r"${\1}", line)):  # a placeholder is no redirection
        for command in pipeline.commands:
            for operator, target in command.redirections:
                path = plain_path(target, folder)
                if path is not None and not operator.endswith("<<"):
                    yield _Told(NamedKind.PATH if operator.endswith("<") else None, path, path)
            if command.program in ("cd", "pushd", "popd"):
                moved = plain_path(command.words[1], folder) if len(command.words) > 1 else None
                if moved is None or command.program == "popd":
                    return
                folder = moved
            else:
                yield from _in_command(command, folder)


def _in_command(command: ShellCommand, folder: str) -> Iterator[_Told]:
    words = command.words
    rest, script = words[1:], None
    runner = RUNNERS.get(command.program)
    if runner is not None and (command.script is None or runner.read(words).tasks):
        yield from _tasks(runner, words, folder)
        return
    if "/" in words[0]:
        script = plain_path(words[0], folder)
    elif command.script is not None and command.script in words:
        script = plain_path(command.script, folder)
        rest = words[words.index(command.script) + 1 :]
    elif (command.subcommand or "").startswith("-m "):
        rest = words[command.named :]
        yield from _module((command.subcommand or "")[3:], command, folder)
    elif command.program in _MAKERS:
        yield from (_Told(None, p, p) for w in words[1:] if (p := plain_path(w, folder)) and looks_like_path(w))
        return
    elif command.runner and _PROGRAM.match(words[0]):
        told, path = " ".join((*command.runner[:2], words[0])), posixpath.join(folder, PYTHON_PROJECT)
        yield _Told(NamedKind.COMMAND, told, path, Interface.PYTHON_SCRIPT, words[0])
    if script is not None:
        yield _Told(NamedKind.COMMAND, script, script)
        yield from _flags(rest, script)
    yield from _path_arguments(rest, folder)


def _flags(words: tuple[str, ...], script: str) -> Iterator[_Told]:
    for word in words:
        if word == "--":
            return
        flag = word.split("=", 1)[0]
        if _FLAG.match(flag):
            yield _Told(NamedKind.FLAG, f"{script} {flag}", script, Interface.OPTION, flag)


def _path_arguments(words: tuple[str, ...], folder: str) -> Iterator[_Told]:
    before = ""
    for word in words:
        flag, _, value = word.partition("=") if word.startswith("-") else (before, "", word)
        path = plain_path(value, folder) if looks_like_path(value) else None
        if path is not None:
            yield _Told(None if _OUTPUT_FLAG.match(flag) else NamedKind.PATH, path, path)
        before = word


def _module(name: str, command: ShellCommand, folder: str) -> Iterator[_Told]:
    if _MODULE.match(name):
        path = posixpath.join(folder, name.replace(".", "/"))
        yield _Told(NamedKind.COMMAND, f"{command.program} -m {name}", path, Interface.MODULE, name)


def _tasks(runner: TaskRunner, words: tuple[str, ...], folder: str) -> Iterator[_Told]:
    """Yields the tasks that a runner is asked for, where the folder is known whose file defines them."""
    asked = runner.read(words)
    place = plain_path(asked.folder, folder) if asked.folder else folder
    if place is None:
        return
    for task, told in asked.tasks:
        yield _Told(NamedKind.COMMAND, told, posixpath.join(place, runner.files[0]), runner.interface, task)
