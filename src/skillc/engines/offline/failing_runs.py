"""Failing runs: the known errors of checks and commands, what mends each, and what was tried in vain.

The remedy is what stood between the run that failed and the one that no longer did, in all families that met the
error: a command, a variable, another form of the run, or nothing at all. Paper: 5.2, 5.3.
Not here: finding the runs that belong together (engines.offline.reruns), errors of other tools
(engines.offline.failures).
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from skillc.core.skill.claim import FailureClaim
from skillc.core.trace.operation import weight_of
from skillc.engines.offline.calls import Call, CallKind
from skillc.engines.offline.cite import Shows, cite_parts
from skillc.engines.offline.commands import only_prepares, shown_command
from skillc.engines.offline.errors import elided, lines_of_hosts, says_something
from skillc.engines.offline.induction import Induction
from skillc.engines.offline.lines import names_in
from skillc.engines.offline.places import COMMON_FILES
from skillc.engines.offline.reruns import Episode, Try
from skillc.engines.offline.symbols import check_name, plain_path, variable_placeholder
from skillc.engines.offline.values import SharedWords
from skillc.engines.offline.wording import ELIDED, claim_id, code, joined, sentence, words_of

MAX_PARTS = 3
MAX_IN_VAIN = 2
_OWN_WORK = frozenset(("git add", "git commit", "git push", "git stash", "git checkout", "git restore", "git switch"))
# Their words name targets of the project; what is left out of a command of theirs is detail.
_TARGETED = frozenset(("npm", "yarn", "pnpm", "pip", "uv", "poetry", "apt-get", "bundle", "cargo", "go"))
_IS_NAME = re.compile(r"[A-Za-z0-9]+(?:[-_.][A-Za-z0-9]+)+")
# Flags that leave tests out, or show more: a run that passes with them has mended nothing.
_NARROWING = words_of(
    "-k -m -x -t -g -p -n -c -v -vv -s -q --lf --ff --last-failed --ignore --deselect --maxfail --grep --filter"
    " --only --bail --testNamePattern --testPathPattern --fail-fast --failfast --exitfirst --no-header --tb -run"
    " --run --reporter --verbose --silent --quiet --version --help --stacktrace --info --debug --trace --exclude"
    " --skip --lib --bin"
)
_LOCATION = re.compile(r"^\S+?[:(]\d+(?:[:,]\d+)?\)?:?\s+(?:(?:fatal )?error:\s*)?")  # of a compiler
_WHERE = re.compile(rf"^(?:{ELIDED}[:\s]*)*{ELIDED}:\s*(?:error:\s*)?(?=\w)")
_PLAIN_FLAG = re.compile(r"--?[A-Za-z][A-Za-z-]*")
_SET = "set "
_USE = "use "


@dataclass(frozen=True)
class _Case:
    """One episode. `parts` is what mended it: (key in words, call); empty when that was the task's own work.

    `is_clean`: nothing else was done in between. Otherwise the task's own work may have mended it.
    """

    episode: Episode
    is_success: bool
    parts: tuple[tuple[str, Call], ...]
    is_clean: bool = True

    @property
    def family(self) -> str:
        return self.episode.call.family

    @property
    def is_mended(self) -> bool:
        return self.is_success and self.episode.mended is not None


@dataclass(frozen=True)
class _Turn:
    """A run that failed and the same run that passed, with nothing done in between."""

    failed: Call
    passed: Call


@dataclass
class _Mode:
    """One symptom of one check or command over all attempts."""

    line: str
    cases: list[_Case] = field(default_factory=list)
    turns: list[_Turn] = field(default_factory=list)

    @property
    def calls(self) -> list[Call]:
        return [c.episode.call for c in self.cases] + [t.failed for t in self.turns]

    @property
    def families(self) -> set[str]:
        return {c.family for c in self.calls}

    @property
    def comes_and_goes(self) -> bool:
        """Says whether the symptom left with nothing done in as many families as something mended it in."""
        mended = {c.family for c in self.cases if c.parts and c.is_clean}
        turned = {t.failed.family for t in self.turns}
        return bool(turned) and 2 * len(turned) >= len(mended - turned)


class FailingRuns:
    """Reads the known errors of checks and commands out of an induction."""

    def __init__(self, induction: Induction, shared: SharedWords, known: set[str]) -> None:
        self._induction = induction
        self._shared = shared
        self._shown_before: dict[tuple[str, str, bool], str] = {}
        self._variables = {n for a in induction.attempts for c in a.calls for n in names_in(c.settings)}
        self._known = known | self._variables
        self._lowered = {word.lower() for word in self._known}
        self._hosts = lines_of_hosts(induction.attempts)
        words = (w.text for a in induction.attempts for c in a.calls if c.command for w in c.command.arguments)
        self._arguments = {w for w in words if _IS_NAME.fullmatch(w)} - self._known

    def claims(self) -> list[tuple[int, FailureClaim]]:
        """Returns each error with how many families met it; errors of the same runs with one remedy are one."""
        found: dict[tuple[str, ...], tuple[int, FailureClaim]] = {}
        for mode in self._modes():
            claim = self._claim(mode)
            if claim is not None:
                runs = sorted({f"{c.trace_id} {c.call_event}" for c in mode.calls})
                found[(claim.recovery or "", *runs)] = (len(mode.families), claim)  # the last line says most
        kept = []
        for key, item in found.items():
            others = (k for k in found if k != key and k[0] == key[0] and set(key[1:]) < set(k[1:]))
            if item[1].recovery is None or next(others, None) is None:
                kept.append(item)  # else the same runs say it in words that more of them share
        return kept

    def _modes(self) -> Iterable[_Mode]:
        families: dict[str, set[str]] = {}
        for attempt, reruns in self._induction.reruns:
            for symptom in [e.symptom for e in reruns.episodes] + [f.symptom for f in reruns.flips]:
                families.setdefault(symptom, set()).add(attempt.family)
        modes: dict[tuple[str, str], _Mode] = {}
        for attempt, reruns in self._induction.reruns:
            for episode in reruns.episodes:
                line = self._line(episode.symptom, len(families[episode.symptom]))
                if line and episode.symptom not in self._hosts:
                    mode = modes.setdefault((_name(episode.call), line), _Mode(line))
                    mode.cases.append(self._case(episode, attempt.is_success))
                    if attempt.is_success and episode.mended is not None and episode.is_flip:
                        mode.turns.append(_Turn(episode.call, episode.mended.run))
            for flip in reruns.flips:
                line = self._line(flip.symptom, len(families[flip.symptom]))
                if line and attempt.is_success:
                    mode = modes.setdefault((_name(flip.failed), line), _Mode(line))
                    mode.turns.append(_Turn(flip.failed, flip.passed))
        return modes.values()

    def _line(self, symptom: str, families: int) -> str:
        """Returns the line as it is quoted: whole when families share it, else without the values of its case."""
        if families >= 2:
            return symptom
        symptom = _LOCATION.sub("", symptom)
        short = elided(_without_arguments(symptom, self._arguments), self._shared, self._lowered, people=False)
        short = _WHERE.sub("", short)
        names = any(name in short for name in self._variables)
        return short if names or says_something(short) else ""

    def _case(self, episode: Episode, is_success: bool) -> _Case:
        step = episode.mended
        if not is_success:
            return _Case(episode, False, ())
        if step is None:
            is_missing = episode.call.kind is CallKind.CHECK and not episode.call.ran
            parts = self._replaced(episode) if is_missing else {}
            return _Case(episode, True, tuple(parts.items()))
        named = {call.position: self._done(call, episode.symptom) for call in step.actions if not call.failed}
        if episode.call.operation == "git commit":  # its hook may have changed files
            added = (c.position for c in step.actions if c.operation == "git add")
            named |= dict.fromkeys(added, f"run {code('git add')} for what it changed")
        others = [c for c in step.actions if named.get(c.position) == "" and not _is_aside(c)]
        parts = self._remedy(step, named, episode)
        return _Case(episode, True, tuple(parts.items()), is_clean=not others)

    def _remedy(self, step: Try, named: dict[int, str], episode: Episode) -> dict[str, Call]:
        """Returns what was done, in words; nothing when that is only more of the task's own work."""
        asked = [name for name in names_in(step.given) if name in episode.symptom]
        if asked:
            return {_SET + name: step.run for name in asked}
        in_vain = {self._done(c, episode.symptom) for t in episode.in_vain for c in t.actions}
        strong: dict[str, Call] = {}
        weak: dict[str, Call] = {}
        for call in step.actions:
            text = named.get(call.position, "")
            if text and text not in in_vain:
                light = call.command is not None and weight_of(call.command) < 2
                (weak if light else strong).setdefault(text, call)
        found = strong or weak
        if step.given:
            found = found | {_SET + name: step.run for name in names_in(step.given)}
        elif step.is_other_form and not found:
            found = {_USE + code(self._shown(step.run)): step.run}
        elif step.has_other_words and (step.run.kind is CallKind.COMMAND or not step.actions):
            if episode.call.operation == "git commit":
                return found  # how a commit is worded mends nothing
            return self._other_words(episode, step.run)
        return found if len(found) <= MAX_PARTS else {}

    def _other_words(self, episode: Episode, run: Call) -> dict[str, Call]:
        """A command that worked with another flag: that is the remedy, whatever else was done before."""
        had = episode.call.command.flags if episode.call.command is not None else ()
        flags = run.command.flags if run.command is not None else ()
        new = [f for f in flags if f not in had and _PLAIN_FLAG.fullmatch(f) and f not in _NARROWING]
        symbol = self._induction.alphabet.symbol_of(episode.call) or ""
        failing = [c for c in self._induction.calls_by_symbol[symbol] if c.failed]
        shown = shown_command(failing, self._induction.alphabet, bare=True)
        return {_USE + code(f"{shown} {' '.join(new)}"): run} if new and "<" not in shown else {}

    def _done(self, call: Call, symptom: str) -> str:
        place = self._induction.alphabet.place_of(call)
        if call.kind is CallKind.EDIT:
            return f"change {code(place)}" if place and not place.startswith("<") else ""
        if call.operation in _OWN_WORK:
            return ""
        shown = self._shown(call)
        if "<script>" in shown and call.command is not None and (call.command.script or "?") in symptom:
            return "run the script that the message names"
        if shown.endswith("<script>") and self._induction.single:
            return f"run {code(shown)}"  # the procedure names it so too
        return f"run {code(shown)}" if self._is_whole(call, shown) else ""

    def _replaced(self, episode: Episode) -> dict[str, Call]:
        """A check that did not even start, and another one that did: the other is the one to use."""
        later = (c for c in episode.attempt.calls if c.position > episode.call.position and c.kind is CallKind.CHECK)
        other = next((c for c in later if c.ran), None)
        if other is None or check_name(other) == check_name(episode.call):
            return {}
        return {_USE + code(self._shown(other)): other}

    def _shown(self, call: Call, *, bare: bool = False) -> str:
        """Returns the command as the procedure shows it, so that the reader meets the same words again."""
        symbol = self._induction.alphabet.symbol_of(call) or ""
        key = (symbol, call.operation or "", bare)
        if key not in self._shown_before:
            self._shown_before[key] = self._shown_anew(call, symbol, bare=bare)
        return self._shown_before[key]

    def _shown_anew(self, call: Call, symbol: str, *, bare: bool) -> str:
        alphabet = self._induction.alphabet
        for column in self._induction.columns:
            same_check = call.kind is CallKind.CHECK and column.kind is CallKind.CHECK
            if column.symbol == symbol or (same_check and check_name(column.calls[0]) == check_name(call)):
                return shown_command(column.calls, alphabet, bare=bare)
        calls = self._induction.calls_by_symbol.get(symbol, ())
        if alphabet.single or len({c.family for c in calls}) >= 2:
            return shown_command(calls or (call,), alphabet, bare=bare)
        return " ".join(filter(None, (call.operation, alphabet.script_of(call)))) or call.tool

    def _is_whole(self, call: Call, shown: str) -> bool:
        """Says whether a shown command still says what to run, although its values are left out."""
        if call.command is None or "<" in shown:
            return False
        left = [w.text for w in call.command.arguments if w.text not in shown]
        return not left or call.command.program in _TARGETED

    def _claim(self, mode: _Mode) -> FailureClaim | None:
        if not mode.calls:
            return None
        recovery, mended = self._recovery(mode)
        if recovery is None and not (_is_trouble(mode) and self._induction.is_worth_telling(mode.calls)):
            return None
        first = min(mode.calls, key=lambda c: (c.trace_id, c.position))
        shown = self._shown(first, bare=True)
        if (recovery or "").startswith(_USE):  # then the form is what fails
            shown = shown_command(mode.calls, self._induction.alphabet, bare=True)
        text = f"{code(shown)} fails with “{mode.line}”"
        vain = {} if mode.comes_and_goes else self._in_vain(mode, recovery or "")
        if vain:
            text += f"; {joined(list(vain), 'and')} {'does' if len(vain) == 1 else 'do'} not help"
        shows = [Shows("symptom", c.family, c.trace_id, c.events) for c in mode.calls]
        shows += [Shows(t, c.family, c.trace_id, c.events) for t, calls in vain.items() for c in calls]
        if mode.comes_and_goes:  # the run that failed and the one that passed, side by side
            shows = [
                Shows("turn", t.failed.family, t.failed.trace_id, (*t.failed.events, *t.passed.events))
                for t in mode.turns
            ]
        return FailureClaim(
            id=claim_id("failure_modes", f"{text} {recovery or ''}"),
            text=text,
            citations=cite_parts(shows),
            recovery=sentence(recovery) if recovery else None,
            recovery_citations=cite_parts(
                Shows(_shown_part(c, recovery or ""), c.family, c.trace_id, c.events) for c in mended
            ),
        )

    def _recovery(self, mode: _Mode) -> tuple[str | None, list[Call]]:
        """Returns the remedy in words and the calls behind it: what all families did, else what most did."""
        if mode.comes_and_goes:
            return "run it again before you change anything; it fails now and then", [t.passed for t in mode.turns]
        cases = [c for c in mode.cases if c.parts and c.is_clean]
        is_clean = bool(cases)
        cases = cases or [c for c in mode.cases if c.parts]
        if not is_clean and len({c.family for c in cases}) < 2:
            cases = [c for c in map(_named_alone, cases) if c.parts]  # else its own edits may have mended it
        if not cases:
            return None, []
        common = [key for key, _ in cases[0].parts if all(key in dict(c.parts) for c in cases)]
        if not common and not is_clean:
            return None, []  # what each did beside its own work is chance
        if not common:
            users: dict[tuple[str, ...], set[str]] = {}
            for case in cases:
                users.setdefault(tuple(k for k, _ in case.parts), set()).add(case.family)
            best = min(users, key=lambda keys: (-len(users[keys]), len(keys), keys))
            common, cases = list(best), [c for c in cases if tuple(k for k, _ in c.parts) == best]
        if is_clean:  # others did the same beside their own work
            cases += [c for c in mode.cases if c.parts and not c.is_clean and set(common) <= dict(c.parts).keys()]
        runs = [c.episode.mended.run for c in cases if c.episode.mended is not None]
        mended = [call for c in cases for key, call in c.parts if key in common]
        return self._sentence(common, runs or mended), runs + mended

    def _sentence(self, keys: list[str], runs: list[Call]) -> str:
        used = [k for k in keys if k.startswith(_USE)]
        if used:
            return f"{used[0]} instead"
        names = [k.removeprefix(_SET) for k in keys if k.startswith(_SET)]
        done = [k for k in keys if not k.startswith(_SET)]
        if names:
            shown = code(self._shown_with(names, runs))
            given = f"set {joined([code(n) for n in names])}: run {shown}"
            return ", then ".join([*done, given])
        return ", then ".join([*done, "run it again"])

    def _shown_with(self, names: list[str], runs: list[Call]) -> str:
        """Returns the command with the variables that mended it, even if the procedure does not show them."""
        shown = self._shown(runs[0])
        if not all(f"{n}=" in shown for n in names):
            shown = shown_command(runs, self._induction.alphabet)
        missing = [n for n in names if f"{n}=" not in shown]  # the shell had them from an earlier line
        values = self._induction.alphabet.variables
        return " ".join([*(f"{n}={values.get(n) or f'<{variable_placeholder(n)}>'}" for n in missing), shown])

    def _in_vain(self, mode: _Mode, recovery: str) -> dict[str, list[Call]]:
        """Returns what was tried against the symptom and left it there, or ended in a failed attempt."""
        helped = {key for c in mode.cases for key, _ in c.parts}
        tried: dict[str, list[Call]] = {}
        for case in mode.cases:
            steps = list(case.episode.in_vain)
            if not case.is_success and case.episode.mended is not None:
                steps.append(case.episode.mended)
            for step in steps:
                for call in step.actions:
                    text = self._tried(call)
                    if text and self._done(call, "") not in helped and text not in recovery:
                        tried.setdefault(text, []).append(call)
        ranked = sorted(tried, key=lambda t: (-len({c.family for c in tried[t]}), t))
        return {text: tried[text] for text in ranked[:MAX_IN_VAIN]}

    def _tried(self, call: Call) -> str:
        if call.kind is CallKind.COMMAND and call.operation not in _OWN_WORK:
            shown = self._shown(call)
            return code(shown) if self._is_whole(call, shown) else ""
        path = call.path or ""
        is_known = path in COMMON_FILES or (self._shared.families(path) >= 2 and not self._induction.single)
        if call.kind is not CallKind.EDIT or not is_known or path in self._induction.alphabet.edited_paths:
            return ""
        return f"{'creating' if call.creates else 'changing'} {code(path)}"


def _without_arguments(line: str, arguments: set[str]) -> str:
    """Leaves out names that a command was given: a branch or a record, even where it reads like a word."""
    return _IS_NAME.sub(lambda m: ELIDED if m[0] in arguments else m[0], line)


def _named_alone(case: _Case) -> _Case:
    """Returns a case with those of its remedies alone that the message asks for."""
    symptom = case.episode.symptom
    return replace(case, parts=tuple((key, call) for key, call in case.parts if _is_asked_for(call, symptom)))


def _is_asked_for(call: Call, symptom: str) -> bool:
    """Says whether a message names a command: its script, or the program with the word that says what to do."""
    script = plain_path(call.command.script or "") if call.command is not None else ""
    named = script or (call.operation or "")
    return call.kind is CallKind.COMMAND and ("/" in named or "." in named or " " in named) and named in symptom


def _is_aside(call: Call) -> bool:
    """Says whether a call that cannot be named surely mended nothing: git's bookkeeping, a file that was tried."""
    return call.operation in _OWN_WORK or (call.command is not None and only_prepares(call))


def _name(call: Call) -> str:
    return check_name(call) if call.kind is CallKind.CHECK else f"{call.operation}"


def _shown_part(call: Call, recovery: str) -> str:
    """Names the part of a recovery that a call shows: the run that worked, or one of the commands before it."""
    return "run" if call.kind is CallKind.CHECK else f"{call.operation} {call.path or ''}" if recovery else ""


def _is_trouble(mode: _Mode) -> bool:
    """Says whether an error without a remedy is more than the task's own work, which mended it."""
    own = any(c.is_mended and not c.parts for c in mode.cases)
    trouble = any(c.after_change or not c.ran or c.kind is not CallKind.CHECK for c in mode.calls)
    return trouble and not own
