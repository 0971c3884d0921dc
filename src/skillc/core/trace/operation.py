"""Operations: what a tool call does, named without its arguments' values.

`operation` is the part of a call that may decide a task family, so it carries no instance data: program and
subcommand of a shell call, nothing for other tools, whose name says it. Effects come from a table of known
tools and a list of verbs; they describe a call, they never permit one. Paper: 5.1, 5.2.
Not here: reading command lines (core.trace.shell), grouping Traces (core.trace.family).
"""

import re
import shlex
from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Any

from skillc.core.trace.records import Event, EventKind
from skillc.core.trace.shell import ShellCommand, simple_commands
from skillc.core.words import names


class Effect(StrEnum):
    """What a call does to the world, from harmless to final."""

    READ = "read"
    WRITE = "write"
    MESSAGE = "message"
    MONEY = "money"
    DELETE = "delete"


def _phrases(text: str) -> frozenset[str]:
    return frozenset(text.split(", "))


SHELL_TOOLS = names(
    "bash shell sh exec_command local_shell local_shell_call run_shell_command terminal run_command "
    "run_terminal_cmd execute_command execute_bash container.exec bash_command shell_command"
)
EDIT_TOOLS = names(
    "edit multiedit write notebookedit apply_patch edit_file write_file create_file replace "
    "str_replace_editor str_replace_based_edit_tool insert write_to_file replace_in_file update_file"
)
READ_TOOLS = names(
    "read grep glob ls read_file view open search_file_content list_directory list_dir "
    "read_many_files grep_search file_search codebase_search list_files search_files view_image "
    "find_file search_dir search_file webfetch websearch web_fetch "
    "google_web_search fetch notebookread lsp bashoutput goto scroll_up scroll_down"
)
# Calls about the agent's own work: they change nothing outside it.
OWN_TOOLS = names(
    "todowrite todoread update_plan think task agent skill exitplanmode enterplanmode toolsearch "
    "askuserquestion write_stdin killshell killbash save_memory calculate finish submit write_todos ask_user "
    "request_user_input spawn_agent send_input wait_agent resume_agent close_agent list_agents activate_skill "
    "exit_plan_mode enter_plan_mode taskoutput taskstop"
)

_READ_VERBS = names(
    "get find search list read fetch view show lookup look query check calculate compute think describe count"
    " validate verify inspect preview estimate compare summarize summarise analyze analyse"
    " resolve browse retrieve"
    " explain is has can who what where status ping diff kb grep glob ls cat head tail identify"
    " screenshot wait navigate log_verification"
)
_DELETE_VERBS = names(
    "delete remove drop purge destroy erase wipe cancel terminate revoke void archive close uninstall rm"
)
_MONEY_VERBS = names(
    "pay refund charge book purchase buy order checkout invoice payout withdraw deposit reimburse credit"
    " exchange return redeem sell bid donate"
)
_MESSAGE_VERBS = names("send email notify message reply comment sms call invite transfer escalate tweet")
_WRITE_VERBS = names(
    "update create modify add set edit write change insert upsert put patch save submit assign"
    " move rename copy"
    " enable disable activate deactivate apply approve reject grant lock unlock merge open"
    " post publish upload"
    " register schedule reschedule reset restore start stop restart run execute import install configure file"
    " give link unlink mark replace append register click type fill press"
)
_MONEY_NOUNS = names("payment refund invoice certificate voucher payout charge")

_DELETE_COMMANDS = _phrases(
    "rm, rmdir, shred, git clean, kubectl delete, docker rm, docker rmi, terraform destroy, "
    "gh repo delete, gh release delete, docker volume, dropdb"
)
_MESSAGE_COMMANDS = _phrases(
    "gh pr comment, gh issue comment, gh pr create, gh issue create, gh pr review, mail, sendmail, "
    "gh issue close, gh pr close, glab mr create"
)
_EDIT_COMMANDS = frozenset(("sed -i", "patch", "git apply", "ed", "ex", "apply_patch", "truncate", "dd"))
_CHANGING_COMMANDS = _phrases(
    "git commit, git push, git merge, git rebase, git reset, git revert, git tag, git cherry-pick, "
    "gh pr merge, gh release create, npm publish, npm install, npm ci, yarn add, pip install, "
    "uv add, uv sync, poetry add, poetry install, cargo add, cargo publish, go get, make install, "
    "docker push, docker run, docker compose up, kubectl apply, helm install, helm upgrade, "
    "terraform apply, alembic upgrade, alembic revision, twine, uv publish, apt-get install, "
    "apt install, brew install, gem install, bundle install, systemctl restart, uv pip"
)
_LASTING = _CHANGING_COMMANDS | _DELETE_COMMANDS | _MESSAGE_COMMANDS
# Changes that only prepare or keep another one; alone they do not mark what a Trace was about.
_KEEPING_COMMANDS = _phrases(
    "git add, git stash, git stash pop, git checkout, git switch, git restore, git branch, git mv, "
    "mkdir, touch, chmod, cp, mv, ln, tee, git init, git config, git worktree, kill, pkill"
)
# Programs and subcommands that only look; every other program may write.
_READ_PROGRAMS = names(
    "cat head tail less more grep egrep rg ag find fd ls tree wc diff cmp comm file stat du df env printenv"
    " uname ps id jq yq awk sed sort uniq cut tr xxd od strings column basename dirname realpath readlink"
    " test ["
    " man history nl tac rev seq expr bc md5sum sha256sum curl wget lsof netstat dig ping top hexdump"
)
_READ_SUBCOMMANDS = names(
    "status log diff show blame grep ls-files ls-tree rev-parse rev-list describe shortlog reflog"
    " remote branch"
    " cat-file list view ls get logs images info version help outdated freeze tree env doctor inspect search"
    " --version --help top explain"
)
_CHECK_PROGRAMS = names(
    "pytest tox nox jest vitest mocha rspec phpunit ctest ruff mypy flake8 eslint tsc pre-commit "
    "pylint black prettier pyright bats shellcheck unittest"
)
_CHECK_SUBCOMMANDS = frozenset(
    ("test", "check", "lint", "vet", "clippy", "typecheck", "verify", "run test", "run lint")
)
_QUIET = names(
    "cd export set unset source . true false : echo printf pwd alias ulimit shopt trap wait sleep clear which"
    " type hash umask pushd popd eval exit return date whoami hostname"
)
_INTERPRETERS = names("python node ruby perl bash sh zsh deno php Rscript")
# A host may wrap a line in a shell of its own: ["bash", "-lc", line].
_SHELL_FLAGS = frozenset(("-c", "-lc", "-ic", "-lic", "-Command", "-command"))
_SHELL_PROGRAM = re.compile(r"(?:^|[/\\])(?:bash|sh|zsh|dash|powershell|pwsh)(?:\.exe)?$", re.IGNORECASE)
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def is_shell(tool: str | None) -> bool:
    """Says whether a tool takes a shell command line."""
    return tool is not None and _plain(tool) in SHELL_TOOLS


def is_edit(tool: str | None) -> bool:
    """Says whether a tool changes a file."""
    return tool is not None and _plain(tool) in EDIT_TOOLS


def is_read(tool: str | None) -> bool:
    """Says whether a tool only reads, lists or searches files."""
    return tool is not None and _plain(tool) in READ_TOOLS


def command_line(arguments: Mapping[str, Any] | None) -> str | None:
    """Returns the command line of a shell call: a text, or the words that a host passes as a list."""
    for key in ("command", "cmd", "script", "input", "code"):
        value = (arguments or {}).get(key)
        if isinstance(value, str):
            return value
        if isinstance(value, (list, tuple)) and value and all(isinstance(v, str) for v in value):
            if len(value) > 2 and value[1] in _SHELL_FLAGS and _SHELL_PROGRAM.search(value[0]):
                return str(value[2])
            return " ".join(shlex.quote(v) for v in value)
    return None


def operation_of(tool: str, arguments: Mapping[str, Any] | None) -> str | None:
    """Returns program and subcommand of the telling command of a shell call; None for other tools.

    The telling command is the weightiest of the line: a change before a check, a check before a look, a look
    before `cd` and the like; the first of equals. `cd app && python -m pytest -q` gives `python -m pytest`.
    """
    commands = commands_of(tool, arguments)
    if len(commands) < 2:
        return operation_name(commands[0]) if commands else None
    best = max(range(len(commands)), key=lambda i: (weight_of(commands[i]), -i))
    return operation_name(commands[best])


def operations_of(tool: str, arguments: Mapping[str, Any] | None) -> tuple[str, ...]:
    """Returns the operations of all commands of a shell call, in order; empty for other tools."""
    return tuple(operation_name(c) for c in commands_of(tool, arguments))


def commands_of(tool: str, arguments: Mapping[str, Any] | None) -> tuple[ShellCommand, ...]:
    """Returns the first command of each pipeline of a shell call; empty for other tools."""
    line = command_line(arguments) if is_shell(tool) else None
    return simple_commands(line) if line else ()


def operation_name(command: ShellCommand) -> str:
    """Returns the operation of one command; `cat >` for a program whose output a redirection keeps."""
    if command.written_file is not None and command.program in ("cat", "echo", "printf"):
        return f"{command.program} >"
    return command.operation


@lru_cache(maxsize=4096)
def effect_of(tool: str, operation: str | None) -> Effect:
    """Returns the strongest effect that the names of tool and operation promise; an unknown tool writes."""
    if is_shell(tool):
        return Effect.READ if operation is None else _shell_effect(operation)
    plain = _plain(tool)
    if plain in EDIT_TOOLS:
        return Effect.WRITE
    if plain in READ_TOOLS or plain in OWN_TOOLS:
        return Effect.READ
    verb, others = _verb_of(tool)
    if verb in _READ_VERBS:
        return Effect.READ
    if verb in _DELETE_VERBS:
        return Effect.DELETE
    if verb in _MONEY_VERBS or (verb in _MESSAGE_VERBS | _WRITE_VERBS and others & _MONEY_NOUNS):
        return Effect.MONEY
    return Effect.MESSAGE if verb in _MESSAGE_VERBS else Effect.WRITE


@lru_cache(maxsize=4096)
def is_change(tool: str, operation: str | None) -> bool:
    """Says whether a call changes something that can mark a task: stricter than an effect above `read`.

    Programs that may do anything (`python script.py`), preparations (`mkdir`, `git add`) and tools without a
    known verb do not count.
    """
    if is_shell(tool):
        return operation is not None and (operation in _LASTING or is_edit_operation(operation))
    if is_edit(tool):
        return True
    verb, _ = _verb_of(tool)
    known = verb in _DELETE_VERBS | _MONEY_VERBS | _MESSAGE_VERBS | _WRITE_VERBS
    return known and effect_of(tool, operation) is not Effect.READ


def is_edit_operation(operation: str) -> bool:
    """Says whether a shell operation changes the content of a file, as an editing tool does."""
    return operation in _EDIT_COMMANDS or operation.endswith(" >")


@lru_cache(maxsize=4096)
def is_check(operation: str | None) -> bool:
    """Says whether a shell operation is a test run, a linter or another check of the work."""
    if operation is None:
        return False
    program, _, rest = operation.partition(" ")
    # `npm run test:unit` is a test too, and so is the task `:core:test`
    rest = rest.partition(":")[0] or rest.rpartition(":")[2]
    names = {program, rest, rest.removeprefix("-m ")}
    subcommand = rest.split(" ", 1)[-1] if program in _INTERPRETERS and " " in rest else rest
    is_named = subcommand in _CHECK_SUBCOMMANDS and (program not in _INTERPRETERS or " " in rest)
    return bool(names & _CHECK_PROGRAMS) or (is_named and not rest.startswith("-m "))


def weight_of(command: ShellCommand) -> int:
    """Returns how much a command tells about its line: 0 for `cd` and the like, 5 for a change that lasts."""
    return _weight(command.program, operation_name(command))


@lru_cache(maxsize=4096)
def _weight(program: str, operation: str) -> int:
    if operation in _QUIET or program == "cd":
        return 0
    if operation in _LASTING or is_edit_operation(operation):
        return 5
    if is_check(operation):
        return 4
    if program in _INTERPRETERS:
        return 3
    return 1 if operation in _KEEPING_COMMANDS or _shell_effect(operation) is Effect.READ else 2


def is_failed(event: Event) -> bool:
    """Says whether a tool result reports an error: by its flag, else by a text that starts with `Error`."""
    if event.kind is EventKind.ERROR:
        return True
    if event.is_error is not None:
        return event.is_error
    return (event.text or "").lstrip()[:6].lower().startswith("error")


def name_words(name: str) -> tuple[str, ...]:
    """Returns the lower-case words of a tool's name: `mcp__shop__cancelOrder` gives `cancel`, `order`."""
    return tuple(w.lower() for w in _WORDS.findall(name.rsplit("__", 1)[-1].rsplit(".", 1)[-1]))


def _shell_effect(operation: str) -> Effect:
    program = operation.partition(" ")[0]
    if operation in _DELETE_COMMANDS or program in _DELETE_COMMANDS:
        return Effect.DELETE
    if operation in _MESSAGE_COMMANDS:
        return Effect.MESSAGE
    if is_check(operation):
        return Effect.READ
    if operation in _LASTING or is_edit_operation(operation):
        return Effect.WRITE
    rest = operation.split(" ")[1:]
    looks = program in _READ_PROGRAMS or operation in _QUIET or (bool(rest) and rest[-1] in _READ_SUBCOMMANDS)
    return Effect.READ if looks else Effect.WRITE


@lru_cache(maxsize=4096)
def _verb_of(tool: str) -> tuple[str, frozenset[str]]:
    """Returns the verb of a tool's name, and its other words. A verb may stand last: `KB_search`."""
    words = name_words(tool)
    verbs = _READ_VERBS | _DELETE_VERBS | _MONEY_VERBS | _MESSAGE_VERBS | _WRITE_VERBS
    for word in words:
        if word in verbs:
            return word, frozenset(words) - {word}
    return "", frozenset(words)


def _plain(tool: str) -> str:
    return tool.rsplit("__", 1)[-1].lower()
