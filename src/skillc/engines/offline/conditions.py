"""Conditions: what must hold before a change, and what speaks against it.

A fact counts only if it varies somewhere, and if so many families would rarely share it by chance. Everything
else stays unsaid. Paper: 5.2, 5.3.
Not here: which way to go when several are usual (engines.offline.decisions), errors and what mended them
(engines.offline.failures).
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from skillc.core.skill.claim import Citation, Claim
from skillc.core.trace.operation import Effect
from skillc.engines.offline.align import Column
from skillc.engines.offline.calls import Attempt, Call, CallKind, Said
from skillc.engines.offline.chance import MIN_SIDE, is_no_chance
from skillc.engines.offline.cite import cite
from skillc.engines.offline.induction import Induction
from skillc.engines.offline.turns import agrees
from skillc.engines.offline.wording import claim_id, code, sentence, spoken

MAX_FACTS = 3
MAX_STATE_CHARS = 30
_STATE = re.compile(r"[a-z]+([_ ][a-z]+)*")


class Fact(NamedTuple):
    """`path` is `value` in the result of the reading tool, for the record that the call `change` acts on."""

    change: str
    tool: str
    path: str
    value: str


class Refusal(NamedTuple):
    """A field of a record that was read where verified attempts changed nothing."""

    tool: str
    path: str
    value: str


Shown = dict[str, tuple[str, tuple[str, ...]]]  # attempt family -> a Trace of it, and the events that show it


def preconditions_of(induction: Induction) -> tuple[Claim, ...]:
    """Returns what held before each changing call: the user's word, and facts of the record acted on."""
    claims: list[Claim] = []
    for column in _changes(induction):
        claims += _confirmation(column, induction)
        for fact, shown in _facts(column, induction):
            before = f"before {code(fact.change)} is called for the record"
            text = sentence(f"{code(fact.path)} is {code(fact.value)} in the result of {code(fact.tool)}, {before}")
            claims.append(_claim("preconditions", text, _cited(shown)))
    return tuple({c.text: c for c in claims}.values())


def told_facts(induction: Induction) -> list[Fact]:
    """Returns the facts that the preconditions tell."""
    return [fact for column in _changes(induction) for fact, _ in _facts(column, induction)]


def refusals_of(induction: Induction) -> tuple[Claim, ...]:
    """Returns when not to use the Skill: facts of the records read where verified attempts changed nothing."""
    claims = []
    for (tool, path, value), shown in _refusals(induction):
        text = sentence(f"{code(path)} is {code(value)} in the result of {code(tool)}; then nothing is changed")
        claims.append(_claim("do_not_use_when", text, _cited(shown)))
    return tuple(claims)


def told_refusals(induction: Induction) -> list[Refusal]:
    """Returns the facts that say when not to use the Skill."""
    return [refusal for refusal, _ in _refusals(induction)]


def _changes(induction: Induction) -> list[Column]:
    return [c for c in induction.change_columns if c.kind is CallKind.RECORD and not c.optional]


def _refusals(induction: Induction) -> list[tuple[Refusal, Shown]]:
    """Needs three families that acted and three that did not.

    A fact counts when nearly all of the latter show it and nearly none of the former does, on the record acted on.
    """
    if induction.is_coding:
        return []
    acted: dict[str, set[Refusal]] = {}
    refused: dict[str, dict[Refusal, tuple[str, tuple[str, ...]]]] = {}
    for attempt in induction.successes:
        change = first_change(attempt)
        reads = records_of(change, attempt) if change else [c for c in attempt.calls if isinstance(c.result, dict)]
        for read in reads:
            for path, value in facts_of(read):
                fact = Refusal(read.tool, path, value)
                if change is None:
                    refused.setdefault(attempt.family, {}).setdefault(fact, (attempt.trace_id, read.events))
                else:
                    acted.setdefault(attempt.family, set()).add(fact)
    if len(acted) < MIN_SIDE or len(refused) < MIN_SIDE:
        return []
    share = induction.thresholds.mandatory_share
    found = []
    for fact in sorted({f for facts in refused.values() for f in facts}):
        shown = {family: facts[fact] for family, facts in refused.items() if fact in facts}
        others = sum(fact in facts for facts in acted.values())
        if len(shown) >= max(MIN_SIDE, share * len(refused)) and others <= (1 - share) * len(acted):
            found.append((fact, shown))
    return found[:MAX_FACTS]


def first_change(attempt: Attempt) -> Call | None:
    """Returns the first call of an attempt that changes something; a message to somebody is no change."""
    return next((c for c in attempt.calls if c.is_changing and c.effect is not Effect.MESSAGE), None)


def _confirmation(column: Column, induction: Induction) -> list[Claim]:
    """The user's last message before the first call of this change agrees to it, in nearly all families."""
    held: dict[str, tuple[str, str, tuple[str, ...]]] = {}
    asked: set[str] = set()
    for attempt, call in _first_calls(column, induction):
        said = _last_said(attempt, call)
        if said is None or said is attempt.said[0]:
            continue
        asked.add(call.family)
        if agrees(said.text):
            held.setdefault(call.family, (call.family, call.trace_id, (said.event, call.call_event)))
    if not held or len(held) < induction.thresholds.mandatory_share * len(column.families):
        return []
    if spoken(column.tool).startswith("transfer"):
        return []  # handing over needs no consent; that users say yes before it is chance
    text = sentence(f"The user has agreed to the change before {code(column.tool)} is called")
    return [_claim("preconditions", text, cite(held.values()))]


def _first_calls(column: Column, induction: Induction) -> Iterator[tuple[Attempt, Call]]:
    for attempt in induction.successes:
        calls = [c for c in column.calls if c.trace_id == attempt.trace_id]
        if calls:
            yield attempt, min(calls, key=lambda c: c.position)


def _last_said(attempt: Attempt, call: Call) -> Said | None:
    return next((s for s in reversed(attempt.said) if s.seq < call.seq), None)


def _facts(column: Column, induction: Induction) -> list[tuple[Fact, Shown]]:
    """Facts of the record that the change acts on which hold in nearly all families, and not elsewhere."""
    if len(column.families) < MIN_SIDE:
        return []
    shown: dict[Fact, Shown] = {}
    acted_on: set[Call] = set()
    for attempt, call in _first_calls(column, induction):
        for read in records_of(call, attempt):
            acted_on.add(read)
            for path, value in facts_of(read):
                where = (call.trace_id, (read.result_event or "", call.call_event))
                shown.setdefault(Fact(column.tool, read.tool, path, value), {}).setdefault(call.family, where)
    need = max(MIN_SIDE, induction.thresholds.mandatory_share * len(column.families))
    usual = [(f, s) for f, s in sorted(shown.items()) if len(s) >= need]
    return [(f, s) for f, s in usual if _is_surprising(f, len(s), acted_on, induction)][:MAX_FACTS]


def records_of(call: Call, attempt: Attempt) -> list[Call]:
    """Returns the reads of the record that a call acts on: they share one of its arguments."""
    given = {leaf.value for leaf in call.argument_leaves if len(leaf.value) >= 4}
    return [
        c
        for c in attempt.calls
        if c.position < call.position
        and not c.failed
        and c.kind is CallKind.RECORD
        and isinstance(c.result, dict)
        and any(leaf.value in given for leaf in c.argument_leaves)
    ]


def facts_of(read: Call) -> set[tuple[str, str]]:
    """Returns the states that the record of a read shows: (path, value)."""
    # A state reads like lower-case words; names, numbers and dates belong to one case.
    return {(p, v) for p, v in read.fields.items() if len(v) <= MAX_STATE_CHARS and _STATE.fullmatch(v)}


def _is_surprising(fact: Fact, families: int, acted_on: set[Call], induction: Induction) -> bool:
    """Says whether a fact holds more often for the records acted on than for the others that were read.

    A fact that is the same in all records (a country) says nothing.
    """
    others: dict[str, str] = {}
    for attempt in induction.attempts:
        for call in attempt.calls:
            if call.tool == fact.tool and not call.failed and fact.path in call.fields and call not in acted_on:
                others[f"{call.family} {sorted(call.arguments.items())!r}"] = call.fields[fact.path]
    same = sum(value == fact.value for value in others.values())
    return is_no_chance(families, families, same, len(others))


def _cited(shown: Shown) -> tuple[Citation, ...]:
    return cite((family, trace, events) for family, (trace, events) in shown.items())


def _claim(field: str, text: str, citations: Iterable[Citation]) -> Claim:
    return Claim(id=claim_id(field, text), text=text, citations=tuple(citations))
