"""Reruns: what was done between two runs of the same check or command, and what that did to its symptom.

A run that fails with a symptom opens an episode. Each later run of the same either still shows it (what was
done in between did not help) or no longer does (it did). The same run with another result and nothing in between
is a flip: the check fails now and then. One pass over the calls of a Trace. Paper: 5.3.
Not here: the words of a failure mode (engines.offline.failing_runs).
"""

import re
from dataclasses import dataclass, field

from skillc.engines.offline.calls import Attempt, Call, CallKind
from skillc.engines.offline.errors import is_refusal
from skillc.engines.offline.lines import names_in
from skillc.engines.offline.symbols import EVERYTHING, check_name, plain_path, selection_of
from skillc.engines.offline.symptoms import symptoms_of

_KEEPS_FILES = frozenset(("git commit", "git push", "git tag"))
MAX_ACTIONS = 12  # between two runs: more than that is other work

# Flags that change how much a run prints, or how soon it stops, and never its result.
_QUIETNESS = re.compile(
    r"-q+|-v+|-x|-s|-l|-r[A-Za-z]*|--(?:quiet|verbose|silent|no-header|color|colors|exitfirst|bail|fail-fast)"
    r"|--(?:tb|color|durations|maxfail|reporter|log-level)=\S+"
)


@dataclass(frozen=True)
class Try:
    """What was done before a run, as against the run before it. `given` are variables that are new or other."""

    actions: tuple[Call, ...]
    given: tuple[str, ...]
    is_other_form: bool  # another folder, runner or spelling of the same check
    has_other_words: bool  # other flags or arguments
    unseen: bool  # something else happened that may have changed the state
    run: Call

    @property
    def is_nothing(self) -> bool:
        return not (self.actions or self.given or self.is_other_form or self.has_other_words or self.unseen)


@dataclass
class Episode:
    """A symptom of a run, the tries that left it there, and the one after which it was gone."""

    attempt: Attempt
    call: Call
    symptom: str
    in_vain: list[Try] = field(default_factory=list)
    mended: Try | None = None

    @property
    def is_flip(self) -> bool:
        """Says whether the symptom went away with nothing done: it comes now and then."""
        return self.mended is not None and self.mended.is_nothing


@dataclass(frozen=True)
class Flip:
    """A run that passed and the same one that failed later, with nothing done in between."""

    attempt: Attempt
    passed: Call
    failed: Call
    symptom: str


@dataclass
class Reruns:
    """Everything that one attempt shows."""

    episodes: list[Episode] = field(default_factory=list)
    flips: list[Flip] = field(default_factory=list)


def reruns_of(attempt: Attempt) -> Reruns:
    """Returns the episodes and flips of an attempt, in order."""
    found = Reruns()
    lines: dict[str, _Line] = {}
    done = _Done()
    for call in attempt.calls:
        key = _identity(call)
        if key is not None and call.result_event is not None and not is_refusal(call.text):
            line = lines.setdefault(key, _Line(attempt, found))
            line.add(call, done)
        done.add(call)
    return found


def _identity(call: Call) -> str | None:
    """Returns what runs must share to be the same: the check, or the command with its script."""
    if call.kind is CallKind.CHECK:
        return f"check {check_name(call)}"
    if call.kind is CallKind.COMMAND:
        script = call.command.script if call.command is not None else None
        return f"run {call.operation} {plain_path(script) if script else ''}"
    return None


class _Done:
    """The actions of an attempt so far, and how many other things happened that nobody can see into."""

    def __init__(self) -> None:
        self.actions: list[Call] = []
        self.unseen = 0

    def add(self, call: Call) -> None:
        if call.operation in _KEEPS_FILES:
            return
        if call.kind is CallKind.COMMAND or (call.kind is CallKind.EDIT and not call.failed):
            self.actions.append(call)
        elif call.kind is CallKind.RECORD or (call.kind is CallKind.LOOK and _may_act(call)):
            self.unseen += 1


def _may_act(call: Call) -> bool:
    """A probe is code typed for one question, a request may be an order: they may change what a later run sees."""
    if call.command is None:
        return False
    asks = call.command.program in ("curl", "wget") and any(
        f.startswith(("-X", "-d", "--")) for f in call.command.flags
    )
    return asks or (call.operation or "").endswith((" -c", " -e"))


class _Line:
    """The runs of one check of one attempt, with the symptoms that are open."""

    def __init__(self, attempt: Attempt, found: Reruns) -> None:
        self._attempt = attempt
        self._found = found
        self._last: Call | None = None
        self._begin = 0  # of the actions since the last run
        self._unseen = 0
        self._open: dict[str, Episode] = {}
        self._first: dict[str, int] = {}  # symptom -> the run that showed it first

    def add(self, run: Call, done: _Done) -> None:
        symptoms = symptoms_of(run.text, self._attempt.root) if run.failed else ()
        if self._last is not None and self._is_narrower(run):
            return  # a run of some tests says nothing about the others
        step = self._step(run, done)
        if step is not None:
            self._settle(step, symptoms)
        for symptom in symptoms:
            self._first.setdefault(symptom, run.position)
            self._open.setdefault(symptom, Episode(self._attempt, run, symptom))
        self._found.episodes += [e for e in self._open.values() if e.call is run]
        self._last, self._begin, self._unseen = run, len(done.actions), done.unseen

    def _is_narrower(self, run: Call) -> bool:
        selection = selection_of(run) if run.kind is CallKind.CHECK else ""
        return bool(selection) and self._last is not None and selection != selection_of(self._last)

    def _step(self, run: Call, done: _Done) -> Try | None:
        last = self._last
        if last is None:
            return None
        actions = done.actions[self._begin :]
        if run.operation != "git commit":
            actions = [c for c in actions if c.operation != "git add"]  # it changes no file
        before = names_in((*last.exported, *last.settings))
        now = names_in((*run.exported, *run.settings))
        given = tuple(f"{n}={v}" for n, v in now.items() if before.get(n) != v)
        other = (last.lead, last.operation, _runner(last)) != (run.lead, run.operation, _runner(run))
        unseen = done.unseen != self._unseen or len(actions) > MAX_ACTIONS
        return Try(tuple(actions[-MAX_ACTIONS:]), given, other, _words(last) != _words(run), unseen, run)

    def _settle(self, step: Try, symptoms: tuple[str, ...]) -> None:
        last, run = self._last, step.run
        if last is not None and step.is_nothing and not last.failed and run.failed:
            self._found.flips += [Flip(self._attempt, last, run, s) for s in symptoms]
        if not run.ran:
            return
        earliest = min((self._first.get(s, run.position) for s in symptoms), default=run.position)
        for symptom, episode in list(self._open.items()):
            if symptom in symptoms:
                episode.in_vain.append(step)
            elif earliest >= self._first[symptom]:  # else the run did not come as far as the symptom
                episode.mended = step
                del self._open[symptom]


def _runner(call: Call) -> tuple[str, ...]:
    return call.command.runner if call.command is not None else ()


def _words(call: Call) -> tuple[str, ...]:
    """Returns the words of a run that can change its result: not how much it prints."""
    words = call.command.words if call.command is not None else ()
    return tuple(w for w in words if not _QUIETNESS.fullmatch(w) and plain_path(w).rstrip("/") not in EVERYTHING)
