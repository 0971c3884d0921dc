"""Held out: what the engine induces without a group, asked about the attempts of that group.

Each group is left out once, with everything that shares an attempt family with it. What is asked is what a Skill
tells: the source of each argument, the next action, the facts before a change, the conditions of decisions, the
recovery from an error. Every case carries its baselines. Paper: 5.3, 6.
Not here: which group an attempt belongs to (core.compile.grouping), the figures (core.compare).
"""

import re
from collections.abc import Iterator, Mapping

from skillc.core.compare import Case
from skillc.core.compile.evidence import Evidence
from skillc.core.policy import Thresholds
from skillc.core.skill.claim import PLACEHOLDER, FailureClaim, InputSource
from skillc.engines.offline.baselines import (
    Ngram,
    Sequences,
    copied_value,
    in_last_result,
    latest_same_name,
)
from skillc.engines.offline.calls import Attempt, Call, CallKind, attempts_of
from skillc.engines.offline.conditions import facts_of, first_change, records_of, told_facts, told_refusals
from skillc.engines.offline.decisions import told_decisions
from skillc.engines.offline.errors import error_line
from skillc.engines.offline.failures import failures_of
from skillc.engines.offline.induction import Induction, induce
from skillc.engines.offline.provenance import (
    USER,
    OriginKey,
    Use,
    explanations_of,
    ranked_explanations,
    same_name,
    uses_of,
)
from skillc.engines.offline.slots import candidates_of, record_uses
from skillc.engines.offline.stated import names_file
from skillc.engines.offline.turns import turns_of
from skillc.engines.offline.wording import ELIDED, plain_line

MAX_FOLDS = 40
MEASURES = (
    "source_at_1",
    "source_at_2",
    "next_action",
    "exact_value",
    "precondition_precision",
    "condition_holds",
    "recovery_hit",
)
Cases = Iterator[tuple[str, Case]]
_CODE = re.compile(r"`([^`]+)`")
_QUOTE = re.compile(r"“([^”]+)”")


def held_out_cases(evidence: Evidence, groups: Mapping[str, str], thresholds: Thresholds) -> dict[str, list[Case]]:
    """Returns the cases of every measure, in the order of MEASURES; a measure may have none.

    `groups` gives the group of each Trace; sources without one are not read.
    """
    attempts = tuple(a for a in attempts_of(evidence.sources) if a.trace_id in groups)
    found: dict[str, list[Case]] = {name: [] for name in MEASURES}
    for fold in folds_of(groups):
        training = tuple(a for a in attempts if groups[a.trace_id] not in fold)
        ids = {a.trace_id for a in training}
        sources = tuple(s for s in evidence.sources if s.trace_id in ids)
        induction = induce(evidence.model_copy(update={"sources": sources}), thresholds, training)
        if induction is None:
            continue
        for name, case in _Fold(induction, groups).cases([a for a in attempts if groups[a.trace_id] in fold]):
            found[name].append(case)
    return found


def folds_of(groups: Mapping[str, str]) -> list[frozenset[str]]:
    """Returns the groups that are left out together: each alone, or at most 40 lots of them."""
    names = sorted(set(groups.values()))
    lots: dict[int, set[str]] = {}
    for number, name in enumerate(names):
        lots.setdefault(number % MAX_FOLDS, set()).add(name)
    return [frozenset(lot) for _, lot in sorted(lots.items())]


class _Fold:
    """One induction, and the questions that it is asked."""

    def __init__(self, induction: Induction, groups: Mapping[str, str]) -> None:
        self._induction = induction
        self._groups = groups
        turns = [t for a in induction.successes for t in turns_of(a, induction.alphabet, induction.slots)]
        self._sequences = Sequences(turns)
        self._path_order = _path_order(induction)
        self._bigram, self._trigram = Ngram(turns, 1), Ngram(turns, 2)
        self._decisions = [d for d, _ in told_decisions(induction)]
        self._facts = told_facts(induction)
        self._refusals = told_refusals(induction)
        self._failures = failures_of(induction)

    def cases(self, attempts: list[Attempt]) -> Cases:
        for attempt in attempts:
            if attempt.is_success:
                yield from self._sources(attempt)
                yield from self._actions(attempt)
                yield from self._preconditions(attempt)
                yield from self._refused(attempt)
                yield from self._recoveries(attempt)

    def _case(self, attempt: Attempt, ours: float, **baselines: float) -> Case:
        return Case(self._groups[attempt.trace_id], attempt.family, float(ours), baselines)

    def _sources(self, attempt: Attempt) -> Cases:
        nearest = self._sequences.nearest(attempt)
        for use in record_uses(attempt):
            found = {one.key for one in explanations_of(use)}
            asked = self._induction.slots.sources(use)[:2]
            right = [_explains(key, found, use) for key in asked]
            if found or any(right):
                beside = {
                    "same_name": float(same_name(use.name) in found),
                    "last_result": float(in_last_result(use)),
                    "user_text": float(USER in found),
                }
                yield "source_at_1", self._case(attempt, right[0], **beside)
                yield "source_at_2", self._case(attempt, any(right), **beside)
                latest = latest_same_name(use)
                values = candidates_of(asked[0], use, self._induction.slots)
                yield (
                    "exact_value",
                    self._case(
                        attempt,
                        bool(values) and values[0].lower() == use.value.lower(),
                        same_name=float(latest is not None and latest.lower() == use.value.lower()),
                        nearest_trace=float((copied_value(use, nearest) or "").lower() == use.value.lower()),
                    ),
                )
        for call in attempt.calls:
            if call.kind is not CallKind.RECORD:
                yield from self._path_sources(call, attempt)

    def _path_sources(self, call: Call, attempt: Attempt) -> Cases:
        """Files, tests and scripts: the baselines are an earlier use, the last output, and the user's words."""
        for use in uses_of(call, attempt, self._induction.alphabet):
            found = [one.key for one in explanations_of(use)]
            placeholder = self._induction.placeholders.get(use.name)
            told = [e.key for e in placeholder.explanations] if placeholder is not None else []
            asked = [*told, *(k for k in self._path_order if k not in told)]
            if found:
                beside = {
                    "same_name": float(any(c.path == call.path for c in attempt.calls if c.position < call.position)),
                    "last_result": float(_last_output_names(use)),
                    "user_text": float(USER in found),
                }
                yield "source_at_1", self._case(attempt, any(k in found for k in asked[:1]), **beside)
                yield "source_at_2", self._case(attempt, any(k in found for k in asked[:2]), **beside)

    def _actions(self, attempt: Attempt) -> Cases:
        done: list[str] = []
        for place, turn in enumerate(turns_of(attempt, self._induction.alphabet, self._induction.slots)):
            usual = float(self._bigram(turn, place) == turn.action)
            yield (
                "next_action",
                self._case(
                    attempt,
                    self._induction.routes.next_action(turn) == turn.action,
                    bigram=usual,
                    trigram=float(self._trigram(turn, place) == turn.action),
                    whole_sequence=float(self._sequences.whole(turn, place) == turn.action),
                    nearest_request=float(self._sequences.by_request(turn, place) == turn.action),
                    nearest_prefix=float(self._sequences.by_prefix(turn, place, done) == turn.action),
                ),
            )
            for decision in self._decisions:
                if decision.last == turn.last:
                    said = decision.then if decision.fact in turn.facts else decision.otherwise
                    yield "condition_holds", self._case(attempt, said == turn.action, majority=usual)
            done.append(turn.action)

    def _preconditions(self, attempt: Attempt) -> Cases:
        for fact in self._facts:
            call = next((c for c in attempt.calls if c.tool == fact.change and not c.failed), None)
            for read in records_of(call, attempt) if call is not None else ():
                shown = dict(facts_of(read))
                if read.tool == fact.tool and fact.path in shown:
                    held = shown[fact.path] == fact.value
                    rate = self._base_rate(fact.tool, fact.path, fact.value)
                    yield "precondition_precision", self._case(attempt, held, base_rate=rate)

    def _base_rate(self, tool: str, path: str, value: str) -> float:
        """Returns how many of all records that were read show the value: what a blind guess gets right."""
        records = [
            c for a in self._induction.attempts for c in a.calls if c.tool == tool and isinstance(c.result, dict)
        ]
        shown = [dict(facts_of(c)).get(path) for c in records]
        known = [v for v in shown if v is not None]
        return sum(v == value for v in known) / max(1, len(known))

    def _refused(self, attempt: Attempt) -> Cases:
        acted = first_change(attempt) is not None
        usual = sum(first_change(a) is not None for a in self._induction.successes) * 2 > len(self._induction.successes)
        for refusal in self._refusals:
            reads = (c for c in attempt.calls if c.tool == refusal.tool and isinstance(c.result, dict))
            if any((refusal.path, refusal.value) in facts_of(c) for c in reads):
                yield "condition_holds", self._case(attempt, not acted, majority=float(usual == acted))

    def _recoveries(self, attempt: Attempt) -> Cases:
        """An error that the attempt got over: does a failure mode know it, and say what was done?"""
        for call in attempt.calls:
            if not call.failed or call.kind is CallKind.LOOK:
                continue
            after = [c for c in attempt.calls if c.position > call.position]
            worked = next((c for c in after if not c.failed and _is_same(c, call)), None)
            if worked is None:
                continue
            done = [c for c in after if c.position <= worked.position]
            known = [f for f in self._failures if f.recovery and _is_symptom(f, call)]
            yield (
                "recovery_hit",
                self._case(
                    attempt,
                    any(_was_done(f.recovery or "", done) for f in known),
                    retry=float(done[0] is worked),
                ),
            )


def _path_order(induction: Induction) -> list[OriginKey]:
    """Returns where files, tests and scripts are mostly named: the back-off for one that no step is about."""
    uses = (
        u
        for a in induction.successes
        for c in a.calls
        if c.kind is not CallKind.RECORD
        for u in uses_of(c, a, induction.alphabet)
    )
    found = [e.key for e in ranked_explanations(uses)]
    return found if USER in found else [*found, USER]


def _last_output_names(use: Use) -> bool:
    """Says whether the output right before a call names its file."""
    earlier = [c for c in use.attempt.calls if c.result_event is not None and c.result_seq < use.call.seq]
    return bool(earlier) and names_file(max(earlier, key=lambda c: c.result_seq).text, use.value)


def _explains(key: OriginKey, found: set[OriginKey], use: Use) -> bool:
    return key in found or (key.source is InputSource.CONSTANT and key.path.lower() == use.value.lower())


def _is_same(later: Call, failed: Call) -> bool:
    return later.kind is failed.kind and later.tool == failed.tool and later.operation == failed.operation


def _is_symptom(mode: FailureClaim, call: Call) -> bool:
    """Says whether a failure mode is about an error: it names the call, and its quoted line is in the result."""
    named = [w for span in _CODE.findall(mode.text) for w in span.split()]
    if not any(w in (call.tool, *(call.operation or "").split()) for w in named):
        return False
    shown = plain_line(f"{error_line(call)} {call.text}", limit=100_000).lower()
    pieces = [p.strip(" ,:;()").lower() for quote in _QUOTE.findall(mode.text) for p in quote.split(ELIDED)]
    return all(p in shown for p in pieces if p)


def _was_done(recovery: str, done: list[Call]) -> bool:
    """Says whether the calls after an error, the one that worked last, are what a recovery names.

    Each command and tool that it names is one of them, with all its words. A recovery that names none says to try
    again, and holds where nothing was changed before that.
    """
    named = [words for span in _CODE.findall(recovery) if (words := PLACEHOLDER.sub(" ", span).split())]
    if not named:
        return not any(c.is_changing for c in done[:-1])
    shown = [
        {c.tool, *(c.operation or "").split(), *(c.command.words if c.command else ()), c.path or ""} for c in done
    ]
    return all(any(set(words) <= known for known in shown) for words in named)


def _words_of(call: Call) -> set[str]:
    typed = call.command.words if call.command is not None else ()
    return {call.tool, call.path or "", *(call.operation or "").split(), *typed}
