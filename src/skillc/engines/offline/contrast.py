"""Contrast: what verified failures did, or left out, that verified successes of the family did not, or did.

Attempts are compared where they stand at the same point: at the first change. A difference counts only when chance
explains it in less than one case of twenty, and with three attempt families on each side. Paper: 5.2 (stop
conditions), 5.3 (contrast). Not here: errors inside an attempt (engines.offline.failures).
"""

from skillc.core.skill.claim import Claim, FailureClaim
from skillc.engines.offline.calls import Attempt, Call, CallKind
from skillc.engines.offline.chance import is_no_chance
from skillc.engines.offline.cite import Shows, cite, cite_parts
from skillc.engines.offline.conditions import Fact, first_change, records_of, told_facts
from skillc.engines.offline.induction import Induction
from skillc.engines.offline.wording import claim_id, code, sentence

MAX_STOPS = 4
Place = tuple[str, str, tuple[str, ...]]  # attempt family, Trace and events


def stop_conditions_of(induction: Induction) -> tuple[Claim, ...]:
    """Returns when to stop: a record that verified attempts left as it was, an action that only failures take."""
    claims = [c for fact in told_facts(induction) if (c := _other_state(fact, induction)) is not None]
    claims += _only_failures_do(induction)
    return tuple({c.text: c for c in claims}.values())[:MAX_STOPS]


def left_out_reads(induction: Induction) -> tuple[FailureClaim, ...]:
    """Returns what every success looked up before its first change, and failures did not."""
    claims = []
    successes, failures = _changing(induction.successes), _changing(induction.failures)
    for column in induction.columns:
        if column.kind is not CallKind.RECORD or column.is_changing or column.optional:
            continue
        did = {f for a, c in successes if _before(a, c, column.tool) for f in (a.family,)}
        missed = {a.family: (a, c) for a, c in failures if not _before(a, c, column.tool)}
        missing = {a.family for a, c in successes} - did
        if missing or not is_no_chance(len(missed), _families(failures), 0, len(did)):
            continue
        calls = [(a.family, a.trace_id, c.events) for a, c in missed.values()]
        text = f"Something was changed without {code(column.tool)} before it"
        recovery = sentence(f"call {code(column.tool)} before the first change")
        claims.append(
            FailureClaim(
                id=claim_id("failure_modes", f"{text} {recovery}"),
                text=text,
                citations=cite(calls),
                recovery=recovery,
                recovery_citations=cite((c.family, c.trace_id, c.events) for c in column.calls if not c.failed),
            )
        )
    return tuple(claims)


def _other_state(fact: Fact, induction: Induction) -> Claim | None:
    """A verified attempt met the record in another state than the change needs, and changed nothing."""
    refused: list[Place] = []
    for attempt in induction.successes:
        if first_change(attempt) is None:
            refused += _reads_otherwise(fact, attempt, attempt.calls)
    if not refused:
        return None
    acted: list[Place] = []
    failed: list[Place] = []
    for attempt in induction.attempts:
        change = next((c for c in attempt.calls if c.tool == fact.change), None)
        reads = records_of(change, attempt) if change is not None else []
        if attempt.is_success:
            acted += [(attempt.family, attempt.trace_id, c.events) for c in reads if c.tool == fact.tool]
        else:
            failed += _reads_otherwise(fact, attempt, reads)
    text = sentence(
        f"{code(fact.path)} in the result of {code(fact.tool)} is not {code(fact.value)}: then nothing is changed"
    )
    named = (("refused", refused), ("acted", acted), ("failed", failed))
    shown = [Shows(part, f, t, e) for part, places in named for f, t, e in places]
    return Claim(id=claim_id("stop_conditions", text), text=text, citations=cite_parts(shown))


def _reads_otherwise(fact: Fact, attempt: Attempt, calls: tuple[Call, ...] | list[Call]) -> list[Place]:
    return [
        (attempt.family, attempt.trace_id, call.events)
        for call in calls
        if call.tool == fact.tool and call.fields.get(fact.path, fact.value) != fact.value
    ]


def _only_failures_do(induction: Induction) -> list[Claim]:
    done: dict[str, dict[str, Place]] = {}
    for attempt in induction.failures:
        for call in attempt.calls:
            if call.kind is CallKind.RECORD and call.is_changing:
                done.setdefault(call.tool, {}).setdefault(
                    attempt.family, (attempt.family, attempt.trace_id, call.events)
                )
    usual = {c.tool for a in induction.successes for c in a.calls if c.kind is CallKind.RECORD}
    failing = len({a.family for a in induction.failures})
    ended = [Shows("success", a.family, a.trace_id, a.calls[-1].events) for a in induction.successes if a.calls]
    claims = []
    for tool in sorted(done.keys() - usual):
        if is_no_chance(len(done[tool]), failing, 0, len(induction.families)):
            text = sentence(f"The request would need {code(tool)}: no verified success of this kind calls it")
            shown = [Shows("failure", f, t, e) for f, t, e in done[tool].values()]
            claims.append(
                Claim(id=claim_id("stop_conditions", text), text=text, citations=cite_parts([*ended, *shown]))
            )
    return claims


def _changing(attempts: tuple[Attempt, ...]) -> list[tuple[Attempt, Call]]:
    return [(a, c) for a in attempts if (c := first_change(a)) is not None]


def _families(found: list[tuple[Attempt, Call]]) -> int:
    return len({a.family for a, _ in found})


def _before(attempt: Attempt, change: Call, tool: str) -> bool:
    return any(c.tool == tool and c.position < change.position for c in attempt.calls)
