"""Symbols: the letters in which attempts are aligned, and how a command is shown without instance values.

A symbol keeps what attempt families share: the tool, the operation, the role of a file, a path or script that
most families touched. Paper: 5.3. Not here: the alignment (engines.offline.align).
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from skillc.core.policy import Thresholds
from skillc.engines.offline.calls import Attempt, Call, CallKind
from skillc.engines.offline.places import is_inside, role_of
from skillc.engines.offline.wording import words_of

BEFORE = "before"
AFTER = "after"
PART = "part"
SEARCH = "search"

_READERS = frozenset(("read", "read_file", "view", "open", "cat", "head", "tail", "less", "sed", "notebookread"))
_VALUED_FLAGS = words_of("-m -am -k -n -p -o -c -f -C -e -t -j -w -W -M -s -g -r -b -a --title --body --message")
_EVERYTHING = frozenset((".", "", "tests", "test", "src", "discover", "./..."))
MAX_SHOWN_WORDS = 12


@dataclass(frozen=True)
class Alphabet:
    """What the supporting families share. `single` is True when there is only one of them."""

    edited_paths: frozenset[str]
    read_paths: frozenset[str]
    scripts: frozenset[str]
    single: bool

    def symbol_of(self, call: Call) -> str | None:
        """Returns the symbol of a call; None for a look after the first change, which only looks back."""
        if call.kind is CallKind.RECORD:
            return f"tool {call.tool}"
        if call.kind is CallKind.CHECK:
            if not call.after_change:
                return f"check {check_name(call)} {BEFORE}"
            return f"check {check_name(call)} {PART if is_partial(call) else AFTER}"
        if call.kind is CallKind.COMMAND:
            script = self.script_of(call)
            return f"run {call.operation} {script}" if script else f"run {call.operation}"
        if call.kind is CallKind.EDIT:
            return f"edit {self.place_of(call)}"
        if call.after_change:
            return None
        if call.path is None or not _is_reader(call):
            return SEARCH
        return f"read {self.place_of(call)}"

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
    for attempt in successes:
        for call in attempt.calls:
            if call.command is not None and call.command.script:
                scripts.setdefault(plain_path(call.command.script), set()).add(call.family)
            if call.path is None or not is_inside(call.path):
                continue
            if call.kind is CallKind.EDIT:
                edited.setdefault(call.path, set()).add(call.family)
            elif call.kind is CallKind.LOOK and _is_reader(call):
                read.setdefault(call.path, set()).add(call.family)
    enough = max(2.0, thresholds.mandatory_share * len(families))
    return Alphabet(
        edited_paths=frozenset(p for p, f in edited.items() if len(f) >= enough),
        read_paths=frozenset(p for p, f in read.items() if len(f) >= enough),
        scripts=frozenset(p for p, f in scripts.items() if len(f) >= 2 and is_inside(p)),
        single=len(families) < 2,
    )


def check_name(call: Call) -> str:
    """Returns the name under which runs of the same check meet: without `python -m`."""
    return (call.operation or "").removeprefix("python -m ")


def plain_path(path: str) -> str:
    """Returns a path without leading `./`."""
    while path.startswith("./"):
        path = path[2:]
    return path


def shown_command(calls: Iterable[Call], alphabet: Alphabet) -> str:
    """Returns a command as the families typed it, without the words that only one family used.

    Flags stay when most runs have them; paths become placeholders when most runs have one.
    """
    runs = [c for c in calls if c.command is not None]
    counts = Counter(c.operation or "" for c in runs)
    operation = min(counts, key=lambda o: (-counts[o], o))
    runs = [c for c in runs if c.operation == operation]
    parts = [_as_typed(operation.removesuffix(" >"), runs)]
    script = alphabet.script_of(runs[0])
    if script:
        parts.append(script)
    families = {c.family for c in runs}
    need = 1 if len(families) < 2 else len(families) / 2
    for word in _flags_in_order(runs):
        users = {f for f in families if _is_usual(word, [c for c in runs if c.family == f], alphabet.single)}
        if len(users) > need or len(users) == len(families):
            parts.append(word)
    if all(is_partial(c) for c in runs):
        parts.append("<failing_test>")
    elif runs[0].kind is CallKind.COMMAND and not script and all(c.path for c in runs):
        parts.append(_path_placeholder(runs, alphabet))
    return " ".join(parts[:MAX_SHOWN_WORDS])


def _as_typed(operation: str, runs: list[Call]) -> str:
    """Returns the operation with its program as most runs wrote it: `python3` where nobody typed `python`."""
    program, _, rest = operation.partition(" ")
    typed = Counter(c.command.words[0].rsplit("/", 1)[-1] for c in runs if c.command is not None and c.command.words)
    usual = min(typed, key=lambda word: (-typed[word], word), default=program)
    if usual != program + "3":
        return operation
    return f"{usual} {rest}" if rest else usual


def _is_usual(flag: str, runs: list[Call], single: bool) -> bool:
    """Says whether at least half of a family's runs have a flag."""
    return 2 * sum(flag in _shown_flags(c, single) for c in runs) >= len(runs)


def _flags_in_order(runs: list[Call]) -> list[str]:
    seen: dict[str, None] = {}
    for call in runs:
        for flag in call.command.flags if call.command else ():
            seen.setdefault(flag, None)
    return list(seen)


def _shown_flags(call: Call, single: bool) -> tuple[str, ...]:
    """Leaves out flags that take a value, because the value is of one case; how a commit is worded is one too."""
    if call.command is None or call.operation == "git commit":
        return ()
    found = []
    words = call.command.words
    for index, word in enumerate(words):
        if not word.startswith("-") or word not in call.command.flags:
            continue
        following = words[index + 1] if index + 1 < len(words) else ""
        if word in _VALUED_FLAGS and following and not following.startswith("-"):
            continue
        if "=" in word and single:
            continue
        found.append(word)
    return tuple(found)


def is_partial(call: Call) -> bool:
    """Says whether a check ran on some tests only: it was given a file, a module or a name."""
    if call.kind is not CallKind.CHECK or call.command is None:
        return False
    return bool(selection_of(call))


def selection_of(call: Call) -> str:
    """Returns what a check was restricted to: its positional words, without those that mean everything."""
    words = [w.text for w in call.command.arguments] if call.command is not None else []
    return " ".join(w for w in words if plain_path(w).rstrip("/") not in _EVERYTHING)


def _path_placeholder(runs: list[Call], alphabet: Alphabet) -> str:
    users: dict[str, set[str]] = {}
    for call in runs:
        users.setdefault(call.path or "", set()).add(call.family)
    families = {c.family for c in runs}
    shared = sorted(w for w, f in users.items() if len(f) >= 2 and len(f) == len(families) and is_inside(w))
    if shared and not alphabet.single:
        return shared[0]
    roles = Counter(role_of(c.path or "") for c in runs)
    return f"<{min(roles, key=lambda r: (-roles[r], r))}>"


def _is_reader(call: Call) -> bool:
    name = call.command.program if call.command is not None else call.tool.rsplit("__", 1)[-1].lower()
    return name in _READERS and "." in (call.path or "").rsplit("/", 1)[-1]
