"""Induction: everything that the claims of one contract are written from, computed once.

Not here: the claims (the modules named after the fields), their assembly (engines.offline.reflect).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from skillc.core.compile.evidence import Evidence
from skillc.core.policy import Thresholds
from skillc.core.trace.verification import BasisKind
from skillc.engines.offline.align import Column, align
from skillc.engines.offline.calls import Attempt, Call, CallKind, attempts_of
from skillc.engines.offline.checks import verification_command
from skillc.engines.offline.lines import names_in
from skillc.engines.offline.provenance import Placeholder, after_their_sources, placeholders_of
from skillc.engines.offline.reruns import Reruns, reruns_of
from skillc.engines.offline.routes import Routes, routes_of
from skillc.engines.offline.slots import Slots, slots_of
from skillc.engines.offline.symbols import AFTER, Alphabet, alphabet_of, check_name, variable_placeholder
from skillc.engines.offline.turns import turns_of

MAX_ROUNDS = 3  # looks that feed looks that feed a step


@dataclass(frozen=True)
class Induction:
    """The aligned evidence of one task family."""

    evidence: Evidence
    thresholds: Thresholds
    attempts: tuple[Attempt, ...]
    alphabet: Alphabet
    columns: tuple[Column, ...]
    placeholders: dict[str, Placeholder]

    @cached_property
    def successes(self) -> tuple[Attempt, ...]:
        return tuple(a for a in self.attempts if a.is_success)

    @cached_property
    def failures(self) -> tuple[Attempt, ...]:
        return tuple(a for a in self.attempts if not a.is_success)

    @cached_property
    def families(self) -> tuple[str, ...]:
        return tuple(sorted({a.family for a in self.successes}))

    @cached_property
    def slots(self) -> Slots:
        return slots_of(self.attempts)

    @cached_property
    def routes(self) -> Routes:
        return routes_of(t for a in self.successes for t in turns_of(a, self.alphabet, self.slots))

    @property
    def single(self) -> bool:
        return len(self.families) == 1

    @cached_property
    def is_coding(self) -> bool:
        """Says whether the family works on files: most attempts edit one or run a check."""
        working = {c.family for a in self.successes for c in a.calls if c.kind in (CallKind.EDIT, CallKind.CHECK)}
        return 2 * len(working) > len(self.families)

    @cached_property
    def change_columns(self) -> tuple[Column, ...]:
        return tuple(c for c in self.columns if c.is_changing)

    @cached_property
    def check_column(self) -> Column | None:
        """The check that ends the work: the one that verified it, else a mandatory one after the change."""
        found = [c for c in self.columns if c.kind is CallKind.CHECK and c.symbol.endswith(f" {AFTER}")]
        return min(found, key=lambda c: (not self._is_verifying(c), c.optional, -c.share, c.symbol), default=None)

    def _is_verifying(self, column: Column) -> bool:
        """Says whether a check is run with the very words of the verification."""
        commands = {verification_command(a.source) for a in self.successes} - {""}
        return any(c.command is not None and " ".join(c.command.words) in commands for c in column.calls)

    @cached_property
    def is_check_verified(self) -> bool:
        """Says whether most families were verified by running a check."""
        run = {
            a.family
            for a in self.successes
            if a.source.standing.basis is not None and a.source.standing.basis.kind is BasisKind.CHECK_RUN
        }
        return 2 * len(run) > len(self.families)

    @cached_property
    def reruns(self) -> tuple[tuple[Attempt, Reruns], ...]:
        """What every attempt, failed ones too, did between its runs of the same check or command."""
        return tuple((a, reruns_of(a)) for a in self.attempts)

    @cached_property
    def remedies(self) -> dict[str, set[str]]:
        """Symbol of a command that mended a run in a verified success -> names of the checks that it mended."""
        by_symptom: dict[tuple[str, str], list[set[str]]] = {}
        for attempt, reruns in self.reruns:
            for episode in reruns.episodes if attempt.is_success else ():
                if episode.call.kind is CallKind.CHECK and episode.mended is not None:
                    in_vain = self._commands(c for t in episode.in_vain for c in t.actions)
                    done = self._commands(episode.mended.actions) - in_vain
                    by_symptom.setdefault((check_name(episode.call), episode.symptom), []).append(done)
        found: dict[str, set[str]] = {}
        for (name, symptom), sets in by_symptom.items():
            common = set.intersection(*sets) if symptom not in self._restless else set()
            for symbol in common:
                found.setdefault(symbol, set()).add(name)
        return found

    @cached_property
    def _restless(self) -> set[str]:
        """Symptoms that came or went with nothing done: whatever was done about them says nothing."""
        found: set[str] = set()
        for attempt, reruns in self.reruns:
            if attempt.is_success:
                found.update(f.symptom for f in reruns.flips)
                found.update(e.symptom for e in reruns.episodes if e.is_flip)
        return found

    @cached_property
    def _in_vain(self) -> set[tuple[str, int]]:
        episodes = (e for a, reruns in self.reruns if a.is_success for e in reruns.episodes)
        tries = (t for e in episodes if e.symptom not in self._restless for t in e.in_vain)
        return {(c.trace_id, c.position) for t in tries for c in t.actions}

    def is_in_vain(self, column: Column) -> bool:
        """Says whether a command was only ever run against an error that it did not mend."""
        if column.kind is not CallKind.COMMAND or column.symbol in self.remedies:
            return False
        return all((c.trace_id, c.position) in self._in_vain for c in column.calls)

    def _commands(self, calls: Iterable[Call]) -> set[str]:
        commands = (c for c in calls if c.kind is CallKind.COMMAND and not c.failed)
        return {self.alphabet.symbol_of(c) or "" for c in commands}

    @cached_property
    def variable_names(self) -> dict[str, str]:
        """Placeholder of a variable's value -> the variable."""
        calls = (c for a in self.successes for c in a.calls)
        return {variable_placeholder(n): n for c in calls for n in names_in(c.settings)}

    def is_worth_telling(self, failed: Iterable[Call]) -> bool:
        """Says whether an error without a remedy is told: the procedure meets it, as often as the policy asks.

        An error of something that the procedure does not call helps nobody.
        """
        failed = tuple(failed)
        own = {c.symbol for c in self.columns} | {check_name(c.calls[0]) for c in self.columns if c.is_check}
        meets = any(self.alphabet.symbol_of(c) in own or check_name(c) in own for c in failed)
        return meets and len({c.family for c in failed}) >= self.thresholds.minimum_families

    @cached_property
    def is_working(self) -> bool:
        """Says whether the procedure changes, runs or checks something; else looking is all that it does."""
        return any(c.kind is not CallKind.LOOK for c in self.columns)

    @cached_property
    def calls_by_symbol(self) -> dict[str, tuple[Call, ...]]:
        """Symbol -> its calls in all attempts."""
        found: dict[str, list[Call]] = {}
        for attempt in self.attempts:
            for call in attempt.calls:
                found.setdefault(self.alphabet.symbol_of(call) or "", []).append(call)
        return {symbol: tuple(calls) for symbol, calls in found.items()}

    def last_change(self, attempt: Attempt) -> Call | None:
        return next((c for c in reversed(attempt.calls) if c.is_changing and not c.failed), None)


def induce(evidence: Evidence, thresholds: Thresholds, attempts: tuple[Attempt, ...] | None = None) -> Induction | None:
    """Returns the aligned evidence, or None when no verified success can support a contract.

    `attempts` are those of the evidence, where a caller has read them already.
    """
    attempts = attempts_of(evidence.sources) if attempts is None else attempts
    if not any(a.is_success for a in attempts):
        return None
    alphabet = alphabet_of(attempts, thresholds)
    columns = align(attempts, alphabet, thresholds)
    if not columns:
        return None
    placeholders = placeholders_of(columns, attempts, alphabet)
    needed: frozenset[str] = frozenset()
    for _ in range(MAX_ROUNDS):
        missing = _missing_looks(columns, placeholders, attempts, alphabet)
        if not missing:
            break
        needed |= missing
        columns = align(attempts, alphabet, thresholds, needed=needed)
        placeholders = placeholders_of(columns, attempts, alphabet)
    return Induction(
        evidence=evidence,
        thresholds=thresholds,
        attempts=attempts,
        alphabet=alphabet,
        columns=after_their_sources(columns, placeholders),
        placeholders=placeholders,
    )


def _missing_looks(
    columns: Iterable[Column], placeholders: Mapping[str, Placeholder], attempts: Iterable[Attempt], alphabet: Alphabet
) -> frozenset[str]:
    """Returns the looks that give placeholders their values and that are no columns."""
    columns = tuple(columns)
    told = {e.key.tool for p in placeholders.values() for e in p.explanations} - {c.tool for c in columns}
    calls = (c for a in attempts if a.is_success for c in a.calls)
    looks = (c for c in calls if c.tool in told and c.kind is CallKind.RECORD and not c.is_changing and not c.failed)
    return frozenset(s for c in looks if (s := alphabet.symbol_of(c)) is not None)
