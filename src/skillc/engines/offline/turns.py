"""Turns: what stands before each action of an attempt, in a small structural vocabulary.

A turn is the moment before an action: the action before it, whether that failed, whether the user spoke or
agreed since, whether the list behind it has entries left, and which values the user has given. Words of the user
are never facts: single words fit every training set and hold nowhere else. Paper: 5.3.
Not here: which facts decide what comes next (engines.offline.routes).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from skillc.engines.offline.calls import Attempt, Call, CallKind, Said
from skillc.engines.offline.slots import Slots
from skillc.engines.offline.stated import shape_of, words_in
from skillc.engines.offline.symbols import Alphabet
from skillc.engines.offline.value_index import base_name, field_values

START = "<start>"
END = "<end>"
FAILED = "failed"
ANSWERED = "answered"
AGREED = "agreed"
PENDING = "pending"
HISTORY = 4  # actions that a turn remembers
GIVEN = "given "  # followed by the name of a placeholder

_YES = re.compile(
    r"\b(yes|yep|yeah|sure|confirm(ed)?|go ahead|proceed|please do|sounds good|that works|correct|agree"
    r"|let's do|do it|perfect|okay|ok)\b",
    re.IGNORECASE,
)
_NO = re.compile(r"^\s*(no|nope|don't|do not|wait|stop)\b", re.IGNORECASE)
_MAX_SAID_CHARS = 20_000


@dataclass(frozen=True)
class Turn:
    """The moment before one action. `action` is its symbol, or END; `events` show what stands before it."""

    attempt: Attempt
    before: tuple[str, ...]  # the last four symbols, the last one at the end
    facts: frozenset[str]
    action: str
    call: Call | None
    events: tuple[str, ...]

    @property
    def last(self) -> str:
        return self.before[-1]

    @cached_property
    def given_names(self) -> set[str]:
        """The names of the arguments that the action takes."""
        call = self.call
        if call is None or call.kind is not CallKind.RECORD:
            return set()
        return {base_name(leaf.name) for leaf in call.argument_leaves}


def turns_of(attempt: Attempt, alphabet: Alphabet, slots: Slots) -> list[Turn]:
    """Returns the turns of an attempt in order, the last one before its end."""
    shown = [(s, c) for c in attempt.calls if (s := alphabet.symbol_of(c)) is not None]
    given = _given(attempt, slots)
    lists = _Lists(attempt)
    before = (START,) * HISTORY
    last: Call | None = None
    found: list[Turn] = []
    for symbol, call in (*shown, (END, None)):
        until = call.seq if call is not None else 1 << 60
        since = last.seq if last is not None else -1
        said = [s for s in attempt.said if since < s.seq < until]
        facts = {GIVEN + name for name, seq in given.items() if seq < until}
        if last is not None:
            facts.update(_about(last, said))
            if lists.has_entries_left(last):
                facts.add(PENDING)
        events = (last.events if last is not None else ()) + tuple(s.event for s in said[-1:])
        found.append(Turn(attempt, before, frozenset(facts), symbol, call, events))
        before, last = (*before[1:], symbol), call if call is not None else last
    return found


def agrees(text: str) -> bool:
    """Says whether a message of the user agrees to what was proposed."""
    return _YES.search(text[:400]) is not None and _NO.match(text) is None


def _about(last: Call, said: list[Said]) -> Iterator[str]:
    if last.failed:
        yield FAILED
    if said:
        yield ANSWERED
        if agrees(said[-1].text):
            yield AGREED


class _Lists:
    """Which lists of an attempt still have entries; asked about its calls in their order."""

    def __init__(self, attempt: Attempt) -> None:
        self._index = attempt.index
        self._calls = iter(attempt.calls)
        self._used: dict[str, set[str]] = {}
        self._values: dict[tuple[Call, str], frozenset[str]] = {}

    def has_entries_left(self, call: Call) -> bool:
        """Says whether the list that a call took its argument from has entries that no call of its tool used yet."""
        if call.kind is not CallKind.RECORD:
            return False
        for earlier in self._calls:
            self._used.setdefault(earlier.tool, set()).update(x.value.lower() for x in earlier.argument_leaves)
            if earlier is call:
                break
        for leaf in call.argument_leaves:
            for place in self._index.places(leaf.value, before=call.seq):
                if not place.is_argument and place.several and place.call.result is not None:
                    return not self._entries(place.call, place.path) <= self._used[call.tool]
        return False

    def _entries(self, call: Call, path: str) -> frozenset[str]:
        if (call, path) not in self._values:
            self._values[call, path] = frozenset(v.lower() for v in field_values(call.result, path))
        return self._values[call, path]


def _given(attempt: Attempt, slots: Slots) -> dict[str, int]:
    """Returns which placeholders' values the user has given, by their shape, and in which event first."""
    first: dict[str, int] = {}
    for said in attempt.said:
        for word in words_in(said.text[:_MAX_SAID_CHARS]):
            shape = shape_of(word)
            if shape:
                first.setdefault(shape, said.seq)
    found: dict[str, int] = {}
    for name, slot in slots.by_name.items():
        seqs = [first[shape] for shape in slot.shapes if shape in first]
        if seqs:
            found[name] = min(seqs)
    return found
