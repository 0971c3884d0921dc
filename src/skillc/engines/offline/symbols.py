"""Symbols: the letters in which attempts are aligned.

A symbol keeps what attempt families share: the tool, the operation, the role of a file, a path or script that
most families touched. Paper: 5.3. Not here: the alignment (engines.offline.align), how a
command is shown (engines.offline.commands).
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from skillc.core.policy import Thresholds
from skillc.core.trace.operation import Effect, effect_of, weight_of
from skillc.core.trace.shell import PathRole
from skillc.engines.offline.calls import Attempt, Call, CallKind
from skillc.engines.offline.checks import verification_command
from skillc.engines.offline.lines import from_root, names_in
from skillc.engines.offline.places import is_inside, role_of
from skillc.engines.offline.values import placeholder_name
from skillc.engines.offline.wording import words_of

BEFORE = "before"
AFTER = "after"
PART = "part"
SEARCH = "search"
LOOK = "look"

_READERS = frozenset(("read", "read_file", "view", "open", "cat", "head", "tail", "less", "sed", "notebookread"))
EVERYTHING = frozenset((".", "", "tests", "test", "src", "discover", "./...", "..."))
_TARGET_PROGRAMS = words_of("make gmake just rake ant gradle gradlew mvn tox nox")  # their words name what to do
_MODULE_TASK = re.compile(r"(?<= ):[\w:-]*:(?=\w)")  # `:core:test` is the test of a part of the project
_VERB = re.compile(r"[a-z]{2,16}(?:-[a-z]{2,16})?")
_PLAIN_VALUE = re.compile(r"(?!\d{5})[A-Za-z0-9_.,:/=+-]{1,40}")
_SECRET_NAME = re.compile(r"TOKEN|SECRET|KEY|PASS|PWD|CREDENTIAL|AUTH|COOKIE|DSN", re.IGNORECASE)


@dataclass(frozen=True)
class Alphabet:
    """What the supporting families share. `single` is True when there is only one of them."""

    edited_paths: frozenset[str]
    read_paths: frozenset[str]
    scripts: frozenset[str]
    single: bool
    wholes: frozenset[str] = frozenset()  # what checks of most families are restricted to
    loose: frozenset[str] = frozenset()  # checks that hardly a family runs as a whole
    variables: Mapping[str, str] = field(default_factory=dict)  # name -> value that families share
    verbs: frozenset[str] = frozenset()  # programs that nobody knows and whose first word says what they do
    only_looks: bool = False  # most families change, run and check nothing

    known: dict[Call, str | None] = field(default_factory=dict, compare=False, repr=False)  # symbols given so far

    def symbol_of(self, call: Call) -> str | None:
        """Returns the symbol of a call; None for a look after the first change, which only looks back."""
        if call not in self.known:
            self.known[call] = self._symbol_of(call)
        return self.known[call]

    def _symbol_of(self, call: Call) -> str | None:
        if call.kind is CallKind.RECORD:
            return f"tool {call.tool} {call.operation}" if call.operation else f"tool {call.tool}"
        if call.kind is CallKind.CHECK:
            if not call.after_change:
                return f"check {check_name(call)} {BEFORE}"
            return f"check {check_name(call)} {PART if self.is_partial(call) else AFTER}"
        if call.kind is CallKind.COMMAND:
            return f"run {self.name_of(call)}"
        if call.kind is CallKind.EDIT:
            return f"edit {self.place_of(call)}"
        if call.after_change:
            return None
        if self.only_looks and call.command is not None:
            return f"{LOOK} {call.operation}"
        if call.path is None or not _is_reader(call):
            return SEARCH
        return f"read {self.place_of(call)}"

    def name_of(self, call: Call) -> str:
        """Returns what a command is: its operation with the script or the verb that says what it does."""
        verb = verb_of(call) if call.command is not None and call.command.program in self.verbs else None
        return " ".join(filter(None, (call.operation, verb, self.script_of(call))))

    def is_partial(self, call: Call) -> bool:
        """Says whether a check ran on some tests only: it was given a file, a module or a name of its case."""
        if call.kind is not CallKind.CHECK:
            return False
        selection = selection_of(call)
        return bool(selection) and selection not in self.wholes and check_name(call) not in self.loose

    def place_of(self, call: Call) -> str:
        """Returns the path that families share, or the role of the file as a placeholder."""
        path = call.path or ""
        shared = self.edited_paths if call.kind is CallKind.EDIT else self.read_paths
        if path in shared:
            return path
        return f"<{role_of(path)}>" if path else ""

    def script_of(self, call: Call) -> str | None:
        """Returns the script that an interpreter ran, or `<script>` when families do not share it."""
        if call.command is None or call.command.script is None:
            return None
        path = plain_path(call.command.script)
        return path if path in self.scripts else "<script>"


def alphabet_of(attempts: Iterable[Attempt], thresholds: Thresholds) -> Alphabet:
    """Returns the alphabet of the successes: paths that most families touched, scripts that two ran."""
    successes = [a for a in attempts if a.is_success]
    families = {a.family for a in successes}
    edited: dict[str, set[str]] = {}
    read: dict[str, set[str]] = {}
    scripts: dict[str, set[str]] = {}
    checked: dict[str, set[str]] = {}
    for attempt in successes:
        for call in attempt.calls:
            if call.command is not None and call.command.script:
                scripts.setdefault(plain_path(call.command.script), set()).add(call.family)
            if call.kind is CallKind.CHECK and (selection := selection_of(call)):
                checked.setdefault(selection, set()).add(call.family)
            if call.path is None or not is_inside(call.path):
                continue
            if call.kind is CallKind.EDIT:
                edited.setdefault(call.path, set()).add(call.family)
            elif call.kind is CallKind.LOOK and _is_reader(call):
                read.setdefault(call.path, set()).add(call.family)
    verifying = {plain_path(w) for a in successes for w in verification_command(a.source).split()}
    enough = max(2.0, thresholds.mandatory_share * len(families))
    return Alphabet(
        edited_paths=frozenset(p for p, f in edited.items() if len(f) >= enough),
        read_paths=frozenset(p for p, f in read.items() if len(f) >= enough),
        scripts=frozenset(p for p, f in scripts.items() if (len(f) >= 2 or p in verifying) and is_inside(p)),
        single=len(families) < 2,
        loose=_loose_checks(successes),
        verbs=_verbs(successes),
        only_looks=_only_looks(successes),
        wholes=frozenset(s for s, f in checked.items() if len(f) >= enough),
        variables=_shared_values(successes) if len(families) > 1 else {},
    )


def _loose_checks(attempts: list[Attempt]) -> frozenset[str]:
    """Returns the checks that one family runs as a whole and another in part, and no two alike."""
    whole: dict[str, set[str]] = {}
    part: dict[str, set[str]] = {}
    for attempt in attempts:
        for call in attempt.calls:
            if call.kind is CallKind.CHECK and call.after_change:
                (part if selection_of(call) else whole).setdefault(check_name(call), set()).add(call.family)
    return frozenset(n for n, f in whole.items() if len(f) == 1 and part.get(n, set()) - f)


def _only_looks(attempts: list[Attempt]) -> bool:
    """Says whether most families change, run and check nothing: then how they look is what they do."""
    looking = {a.family for a in attempts if all(c.kind is CallKind.LOOK for c in a.calls)}
    return 2 * len(looking) > len({a.family for a in attempts})


def verb_of(call: Call) -> str | None:
    """Returns the first word of a command if it reads like a verb."""
    words = call.command.words[1:2] if call.command is not None else ()
    return words[0] if words and _VERB.fullmatch(words[0]) else None


def _verbs(attempts: Iterable[Attempt]) -> frozenset[str]:
    """Returns the programs without a known subcommand that are always given a verb, and not always another one."""
    seen: dict[str, list[str | None]] = {}
    for attempt in attempts:
        for call in attempt.calls:
            command = call.command
            if command is None or call.kind is not CallKind.COMMAND or command.subcommand or command.script:
                continue
            if weight_of(command) == 2 and effect_of("Bash", call.operation) is Effect.WRITE and len(command.words) > 1:
                seen.setdefault(command.program, []).append(verb_of(call))
    return frozenset(p for p, v in seen.items() if None not in v and len(set(v)) <= max(1, len(v) // 2))


def _shared_values(attempts: Iterable[Attempt]) -> dict[str, str]:
    """Returns the variables that all families give the same plain value, two of them at least."""
    users: dict[str, dict[str, set[str]]] = {}
    for attempt in attempts:
        for call in attempt.calls:
            for name, value in names_in((*call.exported, *call.settings)).items():
                users.setdefault(name, {}).setdefault(value, set()).add(call.family)
    found = {}
    for name, values in users.items():
        value, families = next(iter(values.items()))
        if len(values) == 1 and len(families) > 1 and _is_plain_value(name, value):
            found[name] = value
    return found


def _is_plain_value(name: str, value: str) -> bool:
    plain = _PLAIN_VALUE.fullmatch(value) and not value.startswith(("/", "~")) and "://" not in value
    return bool(plain) and not _SECRET_NAME.search(name)


def variable_placeholder(name: str) -> str:
    """Returns the placeholder of a variable's value: its name in lower case."""
    return placeholder_name(name)


def check_name(call: Call) -> str:
    """Returns the name under which runs of the same check meet: without `python -m`."""
    name = _MODULE_TASK.sub("", (call.operation or "").removeprefix("python -m "))
    script = call.command.script if call.command is not None else None
    return f"{name} {plain_path(script)}" if script else name


def plain_path(path: str) -> str:
    """Returns a path without leading `./`."""
    while path.startswith("./"):
        path = path[2:]
    return path


def selection_of(call: Call) -> str:
    """Returns what a check was restricted to: its positional words, without those that mean everything."""
    command = call.command
    if command is None or command.program in _TARGET_PROGRAMS:
        return ""
    words = [w for w in command.arguments if w.role is not PathRole.SCRIPT]
    words = [w for w in words if plain_path(w.text).rstrip("/") not in EVERYTHING]
    return " ".join(w.text if w.role is None else from_root(call.folder, w.text) for w in words)


def _is_reader(call: Call) -> bool:
    name = call.command.program if call.command is not None else call.tool.rsplit("__", 1)[-1].lower()
    return name in _READERS and "." in (call.path or "").rsplit("/", 1)[-1]
