"""A shell line against a registered check: does it run exactly that, and is its exit status the check's own.

Strict on purpose: a line that is not understood whole is masked, never clean. Also says which lines only look.
Paper: 5.1 (tool verification); docs/THREATS.md, masked exit codes. Not here: which run of a Trace counts
(core.trace.check_events), words and operators (core.trace.shell_words).
"""

import re
from collections.abc import Sequence
from enum import StrEnum
from itertools import pairwise
from typing import NamedTuple

from skillc.core.trace.shell_words import Token, split_commands, tokens_of
from skillc.core.words import names

MAX_LINE_CHARS = 65536

_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)\+?=")
_EXPANDS = re.compile(r"[$`*?\[{~!]")
_SUBSTITUTES = re.compile(r"\$\(|`")
# How agents write a commit's message: text that no shell reads, before which nothing is quoted.
_QUIET_MESSAGE = re.compile(r"""\A([^'"`\\$#<]*)"\$\(cat <<-?'(\w+)'\n(?:[^\n]*\n)*?\2\n[ \t]*\)\"""")
_MOVES = re.compile(r"\b(?:cd|pushd|popd|chdir)\b")
_ROOTS = frozenset((".", "./"))
_SHELLS = frozenset(("bash", "sh", "zsh", "/bin/bash", "/bin/sh", "/usr/bin/bash", "/usr/bin/zsh"))
_COMMAND_FLAGS = frozenset(("-c", "-lc", "-ec", "-l -c"))
_ENDS_OF_LINE = frozenset(("", "\n", ";"))
# Variables that change how output looks, never what runs.
_HARMLESS = names(
    "PYTHONDONTWRITEBYTECODE PYTHONUNBUFFERED NO_COLOR FORCE_COLOR CLICOLOR TERM COLUMNS LINES CI TZ LANG LC_ALL"
)
# Redirections that leave the exit status and the output where they are.
_PLAIN_REDIRECTIONS = frozenset((("2>&", "1"), ("1>&", "2"), (">&", "2"), ("<", "/dev/null"), ("0<", "/dev/null")))
# Programs that start another one and hand its exit status on: name -> flags with a value, words of its own.
_PREFIXES = {
    "timeout": (frozenset(("-s", "-k", "--signal", "--kill-after")), 1),
    "time": (frozenset[str](), 0),
    "nice": (frozenset(("-n",)), 0),
    "nohup": (frozenset[str](), 0),
    "command": (frozenset[str](), 0),
    "stdbuf": (frozenset(("-i", "-o", "-e")), 0),
    "env": (frozenset[str](), 0),
}
_PREFIX_FLAGS = {
    "timeout": re.compile(r"-[vfsk]|--(foreground|preserve-status|verbose|signal|kill-after)(=.*)?"),
    "time": re.compile(r"-p"),
    "nice": re.compile(r"-n|-[0-9]+|--adjustment=-?[0-9]+"),
    "stdbuf": re.compile(r"-[ioe].*"),
}
# What can make a later `pytest` be something else: aliases, functions, traps, sourced files, the search path.
_STATE_WORDS = names("alias function trap enable hash shopt source . eval")
# Variables that are exported already and say what runs: a plain assignment changes them.
_SEARCHED = re.compile(r"(PATH|ENV|BASH_ENV|(?:PYTHON|PYTEST|LD_|DYLD_|NODE_)\w*)\+?=")
_EXPORTS = names("export declare typeset readonly")
_FOLDER_WORDS = names("cd pushd popd chdir")

_LOOKS = names(
    "cat head tail grep egrep fgrep rg ls tree wc diff cmp file stat du df pwd echo printf which type test [ true"
    " false whoami date sleep cd id uname hostname basename dirname realpath readlink md5sum sha1sum sha256sum cut"
    " tr nl tac rev seq od strings column jq find sed sort uniq git ps printenv :"
)
_GIT_LOOKS = names(
    "status log diff show add commit push fetch blame rev-parse ls-files ls-tree describe shortlog reflog cat-file"
    " grep tag branch remote rev-list merge-base version"
)
_WRITING_ARGUMENTS = {
    # Long options as the programs take them: by any beginning that says which.
    "find": re.compile(r"-(delete|exec|execdir|ok|okdir|fprint0?|fprintf|fls)"),
    "sort": re.compile(r"-[a-zA-Z]*o.*|--o.*|--co.*"),
    "tree": re.compile(r"-[a-zA-Z]*[oR].*|--output.*"),
    "file": re.compile(r"-[a-zA-Z]*C.*|--co.*"),
    "rg": re.compile(r"--pre(=.*|-glob.*)?|--hostname-bin.*"),
    "git": re.compile(r"-[oO].*|--(?:out|ext-|upl|rece|op).*|--exe?c?(?:=.*)?"),
}
_SED_PRINT = re.compile(r"[0-9,$]+p")


class RunKind(StrEnum):
    """How a line stands to a check: runs exactly it, runs it in a way that hides how it ended, or not at all."""

    CLEAN = "clean"
    MASKED = "masked"
    OTHER = "other"


class RunReading(NamedTuple):
    """`reason` says what masks the run."""

    kind: RunKind
    reason: str = ""


def read_run(line: str, run: Sequence[str]) -> RunReading:
    """Says whether a shell line is a clean run of a check, a masked one, or something else."""
    if not run:
        return RunReading(RunKind.OTHER)
    masked = _mask_of(line, list(run), depth=0)
    if masked is None:
        return RunReading(RunKind.CLEAN)
    if not _mentions(line, run) or only_looks(line):
        return RunReading(RunKind.OTHER)
    return RunReading(RunKind.MASKED, masked)


def only_looks(line: str) -> bool:
    """Says whether a line is known to change no file of the work tree; a commit or push changes none."""
    if len(line) > MAX_LINE_CHARS:
        return False
    line = _QUIET_MESSAGE.sub(r"\1message", line)
    every = list(tokens_of(line))
    if any(token.is_open for token in every):
        return False
    if any(t.is_redirection and "<<" in t.text for t in every) and _SUBSTITUTES.search(line):
        return False  # a here document is read by the shell too
    if any(one.is_redirection and _SUBSTITUTES.search(target.text) for one, target in pairwise(every)):
        return False  # so is the name of a file to read from
    for tokens, end in split_commands(iter(every)):
        if end in ("(", ")", ";;"):
            return False
        if tokens and not _looks(tokens):
            return False
    return True


def shell_change(line: str) -> str | None:
    """Returns what a line leaves behind in the shell that can make a later command another one, or None."""
    for tokens, end in split_commands(tokens_of(line[:MAX_LINE_CHARS])):
        words = [t.text for t in tokens if not t.is_redirection]
        if words and end == "(":
            return "defines a function"
        first = words[0] if words else ""
        if first in _STATE_WORDS:
            return f"uses `{first}`"
        only_sets = all(map(_ASSIGNMENT.match, words))
        searched = next(filter(None, map(_SEARCHED.match, words)), None) if only_sets else None
        if searched is not None:
            return f"sets {searched[1]}"
        if first in _EXPORTS and any(_foreign_name(word) for word in words[1:]):
            return f"uses `{first}`"
    return None


def leaves_folder(line: str) -> bool | None:
    """Returns True when a line changes to another folder, False when back to the root, None when it does not move.

    Where a substitution ends is not read closely, so a line that holds one and names a move counts as moved.
    """
    moved: bool | None = None
    for tokens, _ in split_commands(tokens_of(line[:MAX_LINE_CHARS])):
        words = [t.text for t in tokens if not t.is_redirection]
        while words and _ASSIGNMENT.match(words[0]):
            words = words[1:]
        if words and words[0] in _FOLDER_WORDS:
            moved = not (words[0] == "cd" and len(words) == 2 and words[1] in _ROOTS)
    rest = _QUIET_MESSAGE.sub(r"\1message", line)
    return True if _SUBSTITUTES.search(rest) and _MOVES.search(rest) else moved


def _mask_of(line: str, run: list[str], *, depth: int) -> str | None:
    """Returns what keeps a line from being a clean run of the check, None for a clean one."""
    if len(line) > MAX_LINE_CHARS:
        return "the line is too long to be read"
    every = list(tokens_of(line))
    if any(token.is_open for token in every):
        return "a quote in the line has no end"
    commands = list(split_commands(iter(every)))
    if any(end in ("(", ")", ";;") for _, end in commands):
        return "it runs in a subshell, a function or a branch"
    while commands and not commands[0][0] and commands[0][1] == "\n":
        commands.pop(0)
    while len(commands) > 1 and not commands[-1][0] and commands[-2][1] in _ENDS_OF_LINE:
        commands.pop()
        commands[-1] = (commands[-1][0], "")
    while len(commands) > 1 and _goes_to_root(commands[0]):
        commands.pop(0)
    if len(commands) != 1 or not commands[0][0]:
        return "other commands stand in the same line"
    tokens, end = commands[0]
    if end not in _ENDS_OF_LINE:
        return "it runs in the background" if end == "&" else "its exit status is not the line's"
    return _mask_of_command(tokens, run, depth=depth)


def _goes_to_root(command: tuple[list[Token], str]) -> bool:
    tokens, end = command
    return len(tokens) == 2 and tokens[0].text == "cd" and tokens[1].text in _ROOTS and end in ("&&", ";", "\n")


def _mask_of_command(tokens: list[Token], run: list[str], *, depth: int) -> str | None:
    words: list[Token] = []
    index = 0
    while index < len(tokens):
        if tokens[index].is_redirection:
            target = tokens[index + 1].text if index + 1 < len(tokens) else ""
            if (tokens[index].text, target) not in _PLAIN_REDIRECTIONS:
                return "its output or input is redirected"
            index += 2
        else:
            words.append(tokens[index])
            index += 1
    if any("$" in word.text or "`" in word.text for word in words[: len(words) - len(run)]):
        return "the shell expands what stands before it"
    rest, masked = _without_prefixes(words)
    if masked is not None:
        return masked
    texts = [word.text for word in rest]
    if len(texts) == 3 and texts[0] in _SHELLS and texts[1] in _COMMAND_FLAGS and depth == 0 and texts != run:
        return _mask_of(texts[2], run, depth=1)
    if texts != run:
        return "it runs with other words than the registered ones"
    if any(_EXPANDS.search(word.text) and not word.is_quoted for word in rest):
        return "the shell expands its words"
    return None


def _without_prefixes(words: list[Token]) -> tuple[list[Token], str | None]:
    """Drops harmless assignments and programs that hand the exit status on; names an assignment that is not."""
    for _ in range(6):
        while words and (found := _ASSIGNMENT.match(words[0].text)):
            if found[1] not in _HARMLESS:
                return words, f"it sets {found[1]} for the check"
            words = words[1:]
        name = words[0].text if words else ""
        if name not in _PREFIXES or len(words) < 2:
            return words, None
        valued, own = _PREFIXES[name]
        words = words[1:]
        flags = _PREFIX_FLAGS.get(name)
        while words and words[0].text.startswith("-"):
            if flags is None or not flags.fullmatch(words[0].text):
                return words, f"`{name} {words[0].text}` stands before the check"
            words = words[2:] if words[0].text in valued else words[1:]
        words = words[own:]
    return words, "too many programs stand before the check"


def _mentions(line: str, run: Sequence[str]) -> bool:
    wanted = " ".join(run)
    flat = " ".join(token.text for token in tokens_of(line[:MAX_LINE_CHARS]))
    return wanted in " ".join(flat.split()) or wanted in " ".join(line[:MAX_LINE_CHARS].split())


def _foreign_name(word: str) -> bool:
    found = _ASSIGNMENT.match(word)
    return found is None or found[1] not in _HARMLESS


def _looks(tokens: list[Token]) -> bool:
    words: list[str] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        if token.is_redirection:
            target = tokens[index + 1].text if index + 1 < len(tokens) else ""
            if ">" in token.text and not (target == "/dev/null" or (token.text.endswith("&") and target.isdigit())):
                return False
            index += 2
            continue
        if "$(" in token.text or "`" in token.text:
            return False
        words.append(token.text)
        index += 1
    if not words:
        return True
    name, arguments = words[0], words[1:]
    if name not in _LOOKS:
        return False
    if name == "git":
        while arguments and arguments[0] in ("--no-pager", "-P"):
            arguments = arguments[1:]
        if not arguments or arguments[0] not in _GIT_LOOKS:
            return False
        arguments = arguments[1:] if arguments[0] in ("commit", "push", "add", "grep") else arguments
    if name == "sed":
        prints = len(arguments) >= 2 and arguments[0] == "-n" and bool(_SED_PRINT.fullmatch(arguments[1]))
        return prints and not any(argument.startswith("-") for argument in arguments[2:])
    if name == "uniq":
        return all(argument.startswith("-") for argument in arguments)
    writing = _WRITING_ARGUMENTS.get(name)
    return writing is None or not any(writing.fullmatch(argument) for argument in arguments)
