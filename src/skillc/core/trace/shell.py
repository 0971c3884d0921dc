"""Shell command lines: which programs a line runs, with which subcommand, flags, arguments and files.

Reads the text of a shell tool call. It is a reader, not a shell: linear in the text, bounded, and it never
raises; what it cannot read stays a plain word. Substitutions (`$(...)`, backticks) stay inside their word.
Paper: 5.1 (the operation of an event). Not here: which of the commands names the call (core.trace.operation).
"""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from skillc.core.trace.shell_words import Token, split_commands, tokens_of
from skillc.core.words import names

MAX_LINE_CHARS = 65536
MAX_COMMANDS = 200
MAX_KEPT_CHARS = 500

_SKIPPED_WORDS = names("if then else elif fi do done while until ! { } esac in time")
_CLAUSE_WORDS = frozenset(("for", "case", "select", "function"))
ASSIGNMENT = re.compile(r"^[A-Za-z_][A-Za-z0-9_]*\+?=")
_PROGRAM = re.compile(r"^[A-Za-z0-9_][A-Za-z0-9_.+-]{0,39}$")
_VERSIONED = re.compile(r"^(python|pip|ruby|perl|node)[0-9.]+$")
_FILE_NAME = re.compile(r"^[^\s<>|*?]*\.[A-Za-z][A-Za-z0-9]{0,7}$")

# Programs that only start another one: name -> flags that take a value, and positional words of their own.
_PREFIXES = {
    "sudo": (frozenset(("-u", "-g")), 0),
    "env": (frozenset(("-u", "-C")), 0),
    "time": (frozenset[str](), 0),
    "timeout": (frozenset(("-s", "-k", "--signal", "--kill-after")), 1),
    "nice": (frozenset(("-n",)), 0),
    "nohup": (frozenset[str](), 0),
    "command": (frozenset[str](), 0),
    "exec": (frozenset[str](), 0),
    "stdbuf": (frozenset[str](), 0),
    "xargs": (frozenset(("-n", "-I", "-P", "-L", "-d")), 0),
}
# Programs whose first word starts another one.
_RUNNERS = frozenset(
    (
        *(("uv", "run"), ("poetry", "run"), ("pipenv", "run"), ("rye", "run"), ("bundle", "exec")),
        *(("coverage", "run"), ("pdm", "run"), ("hatch", "run")),
    )
)
_RUNNER_VALUES = frozenset(("--with", "--python", "-p", "--extra", "--group", "--package", "--env-file", "--directory"))
# Scripts that are the command line of a framework: their first word is a subcommand.
_FRONT_SCRIPTS = frozenset(("manage.py", "artisan", "rails"))
# Programs whose subcommands are tasks that a project names.
_TASK_RUNNERS = names("npm yarn pnpm bun deno rake rails just mix make composer gradle gradlew nx turbo task invoke")
_TASK = re.compile(r"^[A-Za-z0-9_:][A-Za-z0-9_.:+-]{0,59}$")
# Programs whose first positional words are subcommands, and how many of them.
_SUBCOMMANDS = {
    **dict.fromkeys(
        names(
            "git docker kubectl helm terraform cargo go pip pip3 uv poetry pipenv brew apt apt-get"
            " systemctl conda"
            " make just tox nox rake mvn gradle gradlew dotnet mix bundle rails flask alembic deno bun"
            " npx bunx"
            " rustup nix gem composer podman skillc heroku vercel fly hg svn conan bazel nx turbo task invoke"
        ),
        1,
    ),
    **dict.fromkeys(("gh", "glab", "aws", "gcloud", "az", "npm", "yarn", "pnpm"), 2),
}
_ONE_WORD = frozenset((("npm", "test"), ("npm", "install"), ("npm", "ci"), ("npm", "i"), ("yarn", "add")))
_TWO_WORDS = frozenset((("docker", "compose"), ("git", "stash"), ("uv", "pip")))
_INTERPRETERS = names("python node ruby perl bash sh zsh deno php Rscript")
_CODE_FLAGS = {"python": "-c", "node": "-e", "ruby": "-e", "perl": "-e"} | dict.fromkeys(("bash", "sh", "zsh"), "-c")


class PathRole(StrEnum):
    """What a file is to a command: its program text, read, written, or not told."""

    SCRIPT = "script"
    INPUT = "input"
    OUTPUT = "output"
    OTHER = "other"


class Word(NamedTuple):
    """A positional argument; `role` is set when the word is a path."""

    text: str
    role: PathRole | None = None


class Redirection(NamedTuple):
    """`operator` is e.g. `>`, `2>` or `<<`; `target` is the file, or the end mark of a here document."""

    operator: str
    target: str


class ShellCommand(NamedTuple):
    """One simple command. `words` are all its words after prefixes, `operation` its name without values.

    `assignments` stand before it (`NAME=value`, also behind `env`); `runner` are the words of a program that
    provides the tool, as `uv run` does: without them the command would be another one.
    """

    program: str
    subcommand: str | None
    redirections: tuple[Redirection, ...]
    words: tuple[str, ...]
    named: int  # how many of the words are program and subcommand
    assignments: tuple[str, ...] = ()
    runner: tuple[str, ...] = ()

    @property
    def flags(self) -> tuple[str, ...]:
        return tuple(w for w in self.words[self.named :] if w.startswith("-") and w != "-")

    @property
    def arguments(self) -> tuple[Word, ...]:
        return _arguments_of(self.program, self.subcommand, self.words[self.named :])

    @property
    def operation(self) -> str:
        return f"{self.program} {self.subcommand}" if self.subcommand else self.program

    @property
    def script(self) -> str | None:
        return next((w.text for w in self.arguments if w.role is PathRole.SCRIPT), None)

    @property
    def written_file(self) -> str | None:
        """The file that a redirection writes, if it is one that lasts."""
        for item in self.redirections:
            lasts = not item.target.startswith(("/dev/", "&"))
            if lasts and item.operator.lstrip("12&") in (">", ">>", ">|"):
                return item.target
        return None


class Pipeline(NamedTuple):
    """Commands joined by `|`. `connector` stands before the pipeline: empty, `&&`, `||`, `;` or `&`."""

    connector: str
    commands: tuple[ShellCommand, ...]


def parse_command_line(text: str) -> tuple[Pipeline, ...]:
    """Returns the pipelines of a command line in order; commands that only change the shell are kept.

    Text beyond 65,536 characters or 200 commands is not read. `bash -c '...'` is read as the inner line.
    """
    return _short_line(text) if len(text) <= MAX_KEPT_CHARS else _pipelines(text[:MAX_LINE_CHARS], depth=0)


@lru_cache(maxsize=4096)
def _short_line(text: str) -> tuple[Pipeline, ...]:
    """Reads a line that may be asked for again: by the importer, the checks and the engine."""
    return _pipelines(text, depth=0)


def simple_commands(text: str) -> tuple[ShellCommand, ...]:
    """Returns the first command of every pipeline, in order: the later ones only filter its output."""
    return tuple(p.commands[0] for p in parse_command_line(text))


def _pipelines(text: str, *, depth: int) -> tuple[Pipeline, ...]:
    found: list[Pipeline] = []
    commands: list[ShellCommand] = []
    connector, pending = "", ""
    count = 0
    for tokens, end in split_commands(tokens_of(text)):
        command = _command(tokens) if count < MAX_COMMANDS else None
        if command is not None:
            count += 1
            inner = _inner_line(command) if depth < 2 and not commands else None
            if inner is not None:
                nested = _pipelines(inner, depth=depth + 1)
                found.extend(_nested(p, connector, command) for p in nested[:MAX_COMMANDS])
            else:
                commands.append(command)
        if end not in ("|", "|&"):
            if commands:
                found.append(Pipeline(connector, tuple(commands)))
                commands = []
            pending = end if end in ("&&", "||", "&") else ";"
        else:
            pending = connector if commands else ""
        connector = pending if found or commands else ""
    return tuple(found[:MAX_COMMANDS])


def _nested(pipeline: Pipeline, connector: str, outer: ShellCommand) -> Pipeline:
    """Returns a pipeline of `bash -c '...'` as one of the outer line, with the assignments before `bash`."""
    commands = pipeline.commands
    if outer.assignments:
        commands = tuple(c._replace(assignments=outer.assignments + c.assignments) for c in commands)
    return Pipeline(connector or pipeline.connector, commands)


def _inner_line(command: ShellCommand) -> str | None:
    if command.program in ("bash", "sh", "zsh"):
        for index, word in enumerate(command.words[:-1]):
            if word in ("-c", "-lc", "-ic"):
                return command.words[index + 1]
    return None


def _command(tokens: list[Token]) -> ShellCommand | None:
    """Builds a simple command from its tokens, or None when they run nothing."""
    words: list[str] = []
    assignments: list[str] = []
    redirections: list[Redirection] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        index += 1
        if token.is_redirection:
            target = tokens[index].text if index < len(tokens) else ""
            redirections.append(Redirection(token.text, target))
            index += 1
        elif words:
            words.append(token.text)
        elif not token.is_quoted and token.text in _CLAUSE_WORDS:
            return None
        elif ASSIGNMENT.match(token.text):
            assignments.append(token.text)
        elif token.is_quoted or token.text not in _SKIPPED_WORDS:
            words.append(token.text)
    runner: list[str] = []
    words = _without_prefixes(words, assignments, runner)
    program = _program_of(words[0]) if words else None
    if program is None:
        return None
    subcommand, used = _subcommand(program, words)
    return ShellCommand(program, subcommand, tuple(redirections), tuple(words), used, tuple(assignments), tuple(runner))


def _without_prefixes(words: list[str], assignments: list[str], runner: list[str]) -> list[str]:
    """Drops `sudo`, `timeout 60`, `uv run` and the like; keeps their assignments and the words of a runner."""
    for _ in range(8):
        name = _program_of(words[0]) if words else None
        if name in _PREFIXES and len(words) > 1:
            valued, positional = _PREFIXES[name]
            rest = words[1:]
            own: list[str] = []
            while rest and (rest[0].startswith("-") or ASSIGNMENT.match(rest[0])):
                own += rest[:1] if ASSIGNMENT.match(rest[0]) else []
                rest = rest[2:] if rest[0] in valued else rest[1:]
            rest = rest[positional:]
        elif name is not None and len(words) > 2 and (name, words[1]) in _RUNNERS:
            rest, own = words[2:], []
            while rest and rest[0].startswith("-"):
                rest = rest[2:] if rest[0] in _RUNNER_VALUES else rest[1:]
            if rest:
                runner += words[: len(words) - len(rest)]
        else:
            return words
        if not rest:
            return words
        assignments += own
        words = rest
    return words


def _program_of(word: str) -> str | None:
    """Returns the plain name of a program: no folder, no version number; None for what is no name."""
    name = word.rsplit("/", 1)[-1]
    match = _VERSIONED.match(name)
    if match:
        return match[1]
    return name if _PROGRAM.match(name) else None


def _subcommand(program: str, words: list[str]) -> tuple[str | None, int]:
    """Returns the subcommand and how many words belong to it and the program."""
    code_flag = _CODE_FLAGS.get(program)
    if program in _INTERPRETERS:
        if program == "python" and "-m" in words[1:6]:
            index = words.index("-m")
            if index + 1 < len(words) and _PROGRAM.match(words[index + 1]):
                return f"-m {words[index + 1]}", index + 2
        if code_flag in words[1:4]:
            return code_flag, len(words)
        script = words[1].rsplit("/", 1)[-1] if len(words) > 2 else ""
        if script in _FRONT_SCRIPTS and _PROGRAM.match(words[2]):
            return f"{script} {words[2]}", 3
        return None, 1
    if program == "sed" and any(w.startswith(("-i", "--in-place")) for w in words[1:]):
        return "-i", 1
    wanted = _SUBCOMMANDS.get(program, 0)
    names: list[str] = []
    index = 1
    while index < len(words) and len(names) < wanted:
        word = words[index]
        if word in ("-C", "-c", "--git-dir", "--namespace", "-n") and not names:
            index += 2
            continue
        if word.startswith("-"):
            if names:
                break
        elif _is_subcommand(program, word):
            names.append(word)
            if (program, names[0]) in _TWO_WORDS:
                wanted = 2
            elif (program, names[0]) in _ONE_WORD:
                wanted = 1
        else:
            break
        index += 1
    return (" ".join(names), index) if names else (None, 1)


def _is_subcommand(program: str, word: str) -> bool:
    """Says whether a word names what a program does. Tasks of a project may have `:` and `.` in their names."""
    if program in _TASK_RUNNERS:
        return _TASK.match(word) is not None
    return _PROGRAM.match(word) is not None and not _FILE_NAME.match(word)


@lru_cache(maxsize=8192)
def _arguments_of(program: str, subcommand: str | None, words: tuple[str, ...]) -> tuple[Word, ...]:
    return tuple(_arguments(program, subcommand, words))


def _arguments(program: str, subcommand: str | None, words: Sequence[str]) -> Iterator[Word]:
    first = True
    for word in words:
        if word.startswith("-") and word != "-":
            continue
        if program in _INTERPRETERS and subcommand is None and first and word != "-":
            yield Word(word, PathRole.SCRIPT)
        else:
            yield Word(word, _role_of(program, subcommand, word))
        first = False


def _role_of(program: str, subcommand: str | None, word: str) -> PathRole | None:
    if not looks_like_path(word):
        return None
    if program in ("cat", "head", "tail", "less", "grep", "rg", "wc", "diff", "ls", "find", "file", "stat"):
        return PathRole.INPUT
    if program in ("touch", "mkdir", "rm", "tee", "chmod") or subcommand == "-i":
        return PathRole.OUTPUT
    return PathRole.OTHER


def looks_like_path(word: str) -> bool:
    """Says whether a word reads like a path: a slash or a file's extension, and no URL or option."""
    if not word or len(word) > 400 or "://" in word or word.startswith("-"):
        return False
    plain = word.split("::", 1)[0]
    return ("/" in plain and " " not in plain) or bool(_FILE_NAME.match(plain))
