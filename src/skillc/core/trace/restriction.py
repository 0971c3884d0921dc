"""Restricted events: which calls a policy wants stored as a reference without content. Paper: 5.3, Scanners.

A pattern names a tool, a path, a host or a label, as globs; all that it names must match. Paths and hosts are looked
for in every argument, in the words of a shell's command line after quotes and detours, and in the file names that a
diff or a search shows. In doubt a call matches: one too many costs evidence, one too few shows what nobody may read.
Not here: storing them (importers.writer).
"""

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any

from skillc.core.policy import RestrictedPattern
from skillc.core.trace.operation import command_line, is_shell
from skillc.core.trace.shell import parse_command_line
from skillc.core.words import names

NO_LABELS: frozenset[str] = frozenset()
_MAX_TEXT_CHARS = 65536
_MAX_DEPTH = 50
_WORD = re.compile(r"[^\s\"'`()<>|;&,={}\[\]]+")
_HOST = re.compile(r"[A-Za-z0-9_.-]+")
# File names that a patch, a diff, a search or `head` of several files puts before their content.
_SHOWN_FILE = re.compile(
    r"^(?:\*\*\* (?:Add|Update|Delete) File: *|(?:\+\+\+|---) (?:[abiw]/)?|diff --(?:git|cc) (?:[abiw]/)?|==> )"
    r"(?P<named>[^\n\t]+?)(?: <==)?[ \t]*$"
    r"|^(?P<searched>[^\s:][^:\n]{0,400}?)[:-]\d+[:-]|^(?P<plain>[^\s:/][^:\s]{0,200}/[^:\n]{1,200}):(?=\S)",
    re.MULTILINE,
)
_COLOUR = re.compile(r"\x1b\[[0-9;?]{0,20}[A-Za-z]")

# Programs and arguments that are given a folder by its bare name; elsewhere a word without a slash may mean anything.
_FOLDER_PROGRAMS = names("cd pushd ls ll find tree cp mv rsync scp tar zip cat less rm")
_FOLDER_KEYS = names("path paths dir directory folder cwd workdir file_path file root target_directory")
# Arguments that hold the text of a file or of a person: what they mention is not what the call touches.
_CONTENT_KEYS = names(
    "content new_string old_string text prompt description body message old_str new_str pattern query regex code"
)
_GLOB = frozenset("*?[")


class Restriction:
    """The patterns of one policy."""

    def __init__(self, patterns: Iterable[RestrictedPattern]) -> None:
        self._patterns = tuple(patterns)
        self._paths = tuple(p for p in self._patterns if p.path is not None and p.host is None)
        self.names_calls_only = all(p.path is None and p.host is None for p in self._patterns)

    def matches(
        self, tool: str | None, arguments: Mapping[str, Any] | None, labels: frozenset[str] = NO_LABELS
    ) -> bool:
        """Says whether a call may be stored as a reference only."""
        named = [p for p in self._patterns if _is_named(p, tool, labels)]
        if any(p.path is None and p.host is None for p in named):
            return True
        if not named or not arguments:
            return False
        words = frozenset(_words(tool, arguments))
        return any(
            (p.path is None or any(_is_path(word, p.path) for word in words))
            and (p.host is None or any(_has_host(word, p.host) for word in words))
            for p in named
        )

    def matches_text(self, tool: str | None, text: str, labels: frozenset[str] = NO_LABELS) -> bool:
        """Says whether a result shows the content of a restricted path: a diff, a patch, lines of a search."""
        patterns = [p.path for p in self._paths if p.path is not None and _is_named(p, tool, labels)]
        if not patterns:
            return False
        text = _COLOUR.sub("", text[: 16 * _MAX_TEXT_CHARS])
        shown = {match["named"] or match["searched"] or match["plain"] for match in _SHOWN_FILE.finditer(text)}
        return any(_is_path(name, pattern) for name in shown for pattern in patterns)

    def leads_into(self, tool: str | None, arguments: Mapping[str, Any] | None) -> bool | None:
        """Says whether a shell call leaves its session in a restricted folder; None when it changes no folder."""
        line = command_line(arguments) if is_shell(tool) else None
        found: bool | None = None
        for pipeline in parse_command_line(line[:_MAX_TEXT_CHARS]) if line is not None and "cd" in line else ():
            for command in pipeline.commands:
                if command.program in ("cd", "pushd") and len(command.words) > 1:
                    target = f"{command.words[1]}/"
                    found = any(p.path is not None and _is_path(target, p.path) for p in self._paths)
        return found


def _is_named(pattern: RestrictedPattern, tool: str | None, labels: frozenset[str]) -> bool:
    is_tool = pattern.tool is None or fnmatchcase((tool or "").casefold(), pattern.tool.casefold())
    return is_tool and (pattern.label is None or any(fnmatchcase(label, pattern.label) for label in labels))


def _words(tool: str | None, arguments: Mapping[str, Any]) -> Iterator[str]:
    """Yields what a call may touch: arguments, their words, and the words of a command line as a shell has them."""
    line = command_line(arguments) if is_shell(tool) else None
    if line is not None:
        for pipeline in parse_command_line(line[:_MAX_TEXT_CHARS]):
            for command in pipeline.commands:
                yield from command.words
                yield from (item.target for item in command.redirections)
                if command.program in _FOLDER_PROGRAMS:
                    yield from (f"{word}/" for word in command.words[1:] if "/" not in word)
    for key, text in _texts(arguments, "", 0):
        if key in _CONTENT_KEYS:
            continue
        if "\n" not in text:
            yield f"{text}/" if key in _FOLDER_KEYS and "/" not in text else text
        yield from (match["named"] for match in _SHOWN_FILE.finditer(text[:_MAX_TEXT_CHARS]) if match["named"])
        yield from _WORD.findall(text[:_MAX_TEXT_CHARS])


def _texts(value: Any, key: str, depth: int) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield key, value
    elif depth < _MAX_DEPTH and isinstance(value, Mapping):
        for name, item in value.items():
            yield "", name
            yield from _texts(item, name, depth + 1)
    elif depth < _MAX_DEPTH and isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item, key, depth + 1)


def _is_path(word: str, pattern: str) -> bool:
    """Says whether a word is the path, or lies in it, from any folder; a shell's glob that may mean it counts too."""
    wanted = pattern.casefold().strip("/").removeprefix("./").split("/")
    if "/" not in word and "\\" not in word and len(wanted) > 1:
        return False  # a bare word is no folder
    for part in {word, word.rpartition("=")[2], word.rpartition(":")[2]}:
        path = posixpath.normpath(part.replace("\\", "/").strip("\"'").casefold()).strip("/")
        if not path or path == ".":
            continue
        parts = path.split("/")
        if any(_fits(parts[start:], wanted) for start in range(len(parts))):
            return True
    return False


def _fits(parts: list[str], pattern: list[str]) -> bool:
    """Compares folder by folder; `**` is any number of folders, and a pattern's end covers what lies below it."""
    if not pattern:
        return True
    if pattern[0] == "**":
        return any(_fits(parts[skip:], pattern[1:]) for skip in range(len(parts) + 1))
    if not parts:
        return False
    is_glob = not _GLOB.isdisjoint(parts[0]) and parts[0] not in ("*", "**")
    if fnmatchcase(parts[0], pattern[0]) or (is_glob and fnmatchcase(pattern[0], parts[0])):
        return _fits(parts[1:], pattern[1:])
    return False


def _has_host(word: str, pattern: str) -> bool:
    return any(fnmatchcase(token.lower().strip("."), pattern.lower()) for token in _HOST.findall(word))
