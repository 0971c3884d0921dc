"""Commands as a Skill shows them: what the families typed in common, without the words of one case.

Folder, variables, runner, program, flags and arguments stay when most families have them; a value that differs
becomes a placeholder. Paper: 5.3 (placeholders). Not here: which calls belong together (engines.offline.symbols).
"""

import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeVar

from skillc.core.trace.operation import weight_of
from skillc.core.trace.shell import looks_like_path
from skillc.engines.offline.calls import Call, CallKind
from skillc.engines.offline.lines import names_in, variables_of
from skillc.engines.offline.places import is_inside, role_of
from skillc.engines.offline.symbols import Alphabet, check_name, plain_path, selection_of, variable_placeholder, verb_of
from skillc.engines.offline.wording import words_of

MAX_SHOWN_WORDS = 16
_VALUED_FLAGS = words_of("-m -am -k -n -p -o -c -f -C -e -t -j -w -W -M -s -g -r -b -a --title --body --message")
_PLAIN_WORD = re.compile(r"[A-Za-z0-9_.,:/@%+=-]+")


Item = TypeVar("Item")


class _Piece(NamedTuple):
    """A flag with its value, or an argument. `text` is what is typed, quoted as a shell wants it."""

    text: str
    is_flag: bool
    has_value: bool = False


def shown_command(calls: Iterable[Call], alphabet: Alphabet, *, bare: bool = False) -> str:
    """Returns a command as the families typed it; `bare` leaves out the variables that it is given."""
    runs = [c for c in calls if c.command is not None]
    counts = Counter(c.operation or "" for c in runs)
    operation = min(counts, key=lambda o: (-counts[o], len(o), o))
    runs = [c for c in runs if c.operation == operation]
    worked = [c for c in runs if not c.failed]
    runs = worked if worked and runs[0].kind is CallKind.CHECK else runs
    if runs and check_name(runs[0]) in alphabet.loose:
        runs = [c for c in runs if not selection_of(c)] or runs
    usual = _Usual(runs)
    before, after = ([], []) if bare else _shown_settings(runs, usual, alphabet)
    runner = next((r for r in usual.of(lambda c: [c.command.runner] if c.command else []) if r), ())
    words = [*before, *runner, _as_typed(operation.removesuffix(" >"), runs)]
    script = alphabet.script_of(runs[0])
    if script:
        words.append(script)
    if runs[0].command is not None and runs[0].command.program in alphabet.verbs:
        words.append(verb_of(runs[0]) or "")
    words += [p.text for p in usual.of(lambda c: _pieces(c, alphabet))][:MAX_SHOWN_WORDS]
    if all(alphabet.is_partial(c) for c in runs):
        words.append("<failing_test>")
    elif runs[0].kind is CallKind.COMMAND and not script and all(c.path for c in runs):
        place = _path_placeholder(runs, alphabet)
        words += [place] if place not in {plain_path(p) for w in words for p in w.split()} else []
    lead = usual.of(lambda c: list(c.lead))
    return " && ".join([*lead, " ".join([*words, *after])])


def shown_look(calls: Iterable[Call]) -> str:
    """Returns how families look: the program, and what most of them pipe its output into."""
    runs = [c for c in calls if c.command is not None]
    usual = _Usual(runs).of(lambda c: c.filters)
    return " | ".join(dict.fromkeys([runs[0].operation or runs[0].tool, *usual]))


def only_prepares(call: Call) -> bool:
    """Says whether a command makes folders or removes things: without their names it tells nothing."""
    return call.command is not None and (weight_of(call.command) < 2 or call.command.program in ("rm", "rmdir"))


class _Usual:
    """Asks what most families have in at least half of their runs."""

    def __init__(self, runs: list[Call]) -> None:
        self._runs = runs
        self._families: dict[str, int] = {}
        for call in runs:
            self._families[call.family] = self._families.get(call.family, 0) + 1

    def of(self, items: Callable[[Call], Iterable[Item]]) -> list[Item]:
        """Returns the items that most families have, in the order in which they are first seen."""
        having: dict[Item, dict[str, int]] = {}
        for call in self._runs:
            for item in dict.fromkeys(items(call)):
                users = having.setdefault(item, {})
                users[call.family] = users.get(call.family, 0) + 1
        total = len(self._families)
        found = []
        for item, users in having.items():
            families = sum(2 * count >= self._families[family] for family, count in users.items())
            if families == total or 2 * families > total:
                found.append(item)
        return found


def _shown_settings(runs: list[Call], usual: _Usual, alphabet: Alphabet) -> tuple[list[str], list[str]]:
    """Returns the variables of the environment and those that the program takes as arguments, as typed."""
    before: list[str] = []
    after: list[str] = []
    own = {name for c in runs if c.command is not None for name in names_in(variables_of(c.command))}
    for name in usual.of(lambda c: names_in(c.settings)):
        value = alphabet.variables.get(name) or f"<{variable_placeholder(name)}>"
        (after if name in own else before).append(f"{name}={value}")
    return before, after


def _as_typed(operation: str, runs: list[Call]) -> str:
    """Returns the operation with its program as most runs wrote it: `python3`, `./gradlew`, `bin/rails`."""
    program, _, rest = operation.partition(" ")
    typed = Counter(c.command.words[0] for c in runs if c.command is not None and c.command.words)
    usual = min(typed, key=lambda word: (-typed[word], word), default=program)
    name = usual.rsplit("/", 1)[-1]
    if name not in (program, program + "3"):
        return operation
    usual = usual if "/" in usual and is_inside(plain_path(usual)) else name
    return f"{usual} {rest}" if rest else usual


def _pieces(call: Call, alphabet: Alphabet) -> Iterator[_Piece]:
    """Yields flags and arguments that may be shown. How a commit is worded is of one case.

    With one family only, whatever has a value stays out, and so does every argument.
    """
    command = call.command
    if command is None or call.operation == "git commit":
        return
    words = list(command.words[command.named :])
    variables = variables_of(command)
    script = command.script
    index = 0
    while index < len(words):
        word = words[index]
        following = words[index + 1] if index + 1 < len(words) else ""
        index += 1
        if word.startswith("-") and word != "-":
            if word in _VALUED_FLAGS and following and not following.startswith("-"):
                index += 1
                if not alphabet.single:
                    yield _Piece(f"{word} {shlex.quote(following)}", True, True)
            elif not (alphabet.single and "=" in word):
                yield _Piece(shlex.quote(word), True, "=" in word)
        elif (
            word in variables or word == script or alphabet.single or (index == 1 and command.program in alphabet.verbs)
        ):
            continue
        elif not looks_like_path(word) or is_inside(plain_path(word)):
            yield _Piece(word if _PLAIN_WORD.fullmatch(word) else shlex.quote(word), False)


def _path_placeholder(runs: list[Call], alphabet: Alphabet) -> str:
    users: dict[str, set[str]] = {}
    for call in runs:  # as typed: from the folder that the line goes to
        users.setdefault((call.path or "").removeprefix(f"{call.folder}/"), set()).add(call.family)
    families = {c.family for c in runs}
    shared = sorted(w for w, f in users.items() if len(f) >= 2 and len(f) == len(families) and is_inside(w))
    if shared and not alphabet.single:
        return shared[0]
    roles = Counter(role_of(c.path or "") for c in runs)
    return f"<{min(roles, key=lambda r: (-roles[r], r))}>"
