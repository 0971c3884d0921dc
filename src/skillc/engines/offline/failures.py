"""Failure modes: errors that tools gave, and what verified successes did until the same call worked.

A symptom is the telling line of the error; its recovery is what stands between the error and the call that
worked. An error without a verified recovery is told when several families met it. Paper: 5.2, 5.3.
Not here: reading the error (engines.offline.errors), failing checks and commands (engines.offline.failing_runs).
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from skillc.core.skill.claim import FailureClaim, InputSource
from skillc.engines.offline.calls import Attempt, Call, CallKind
from skillc.engines.offline.cite import cite
from skillc.engines.offline.errors import elided, error_line, is_refusal, says_something
from skillc.engines.offline.failing_runs import FailingRuns
from skillc.engines.offline.induction import Induction
from skillc.engines.offline.left_out import left_out_of
from skillc.engines.offline.provenance import ANY_TOOL, ARGUMENT, Use, explanations_of
from skillc.engines.offline.statements import asks_for_schema
from skillc.engines.offline.values import SharedWords, placeholder_name
from skillc.engines.offline.wording import claim_id, code, joined, sentence

MAX_FAILURES = 8
MAX_DISTANCE = 40


@dataclass
class _Case:
    """One error in one attempt. `recovery` is empty when nothing in a verified success mended it."""

    call: Call
    line: str
    parts: tuple[tuple[str, Call], ...] = ()  # what was done in between, in words
    again: str = ""
    worked: Call | None = None

    @property
    def recovery(self) -> str:
        return _sentence_of([text for text, _ in self.parts], self.again)


@dataclass
class _Mode:
    subject: str
    line: str
    cases: list[_Case] = field(default_factory=list)

    @property
    def families(self) -> set[str]:
        return {c.call.family for c in self.cases}


def failures_of(induction: Induction) -> tuple[FailureClaim, ...]:
    """Returns at most eight failure modes, those with a verified recovery and in most families first."""
    shared = SharedWords((a.family, " ".join(c.text[:4000] for c in a.calls)) for a in induction.attempts)
    known = _known_words(induction)
    lowered = {word.lower() for word in known}
    asked = _asked_by_statement(induction)
    modes: dict[tuple[str, str], _Mode] = {}
    for attempt in induction.attempts:
        for call in attempt.calls:
            if not _is_trouble(call) or (call.tool in asked and call.operation is None):
                continue
            line = error_line(call)
            short = elided(line, shared, lowered)
            if not says_something(short):
                continue
            case = _Case(call, line)
            if attempt.is_success:
                _find_recovery(case, attempt)
            subject = _subject(call)
            modes.setdefault((subject, short), _Mode(subject, short)).cases.append(case)
    claims = [c for mode in modes.values() if (c := _claim(mode, induction)) is not None]
    claims += FailingRuns(induction, shared, known).claims()
    claims += left_out_of(induction)
    ranked = sorted(claims, key=lambda item: (item[1].recovery is None, -item[0], item[1].text))
    return tuple({claim.text: claim for _, claim in ranked}.values())[:MAX_FAILURES]


def _known_words(induction: Induction) -> set[str]:
    """Names that are no instance values: of tools and programs, of paths and scripts that families share."""
    words: set[str] = set()
    for attempt in induction.attempts:
        for call in attempt.calls:
            words.update({call.tool, *(call.operation or "").split()})
    paths = induction.alphabet.scripts | induction.alphabet.edited_paths | induction.alphabet.read_paths
    return words | paths | {p.rsplit("/", 1)[-1] for p in paths}


def _is_trouble(call: Call) -> bool:
    """Says whether a tool refused; the runs of checks and commands are read elsewhere."""
    return call.failed and call.kind in (CallKind.RECORD, CallKind.EDIT) and not is_refusal(call.text)


def _asked_by_statement(induction: Induction) -> set[str]:
    """Returns the tools that are given statements nearly always.

    A call of theirs without one asked nothing: what it was answered is about the form of the question.
    """
    given: dict[str, list[bool]] = {}
    for attempt in induction.attempts:
        for call in attempt.calls:
            if call.kind is CallKind.RECORD:
                given.setdefault(call.tool, []).append(call.operation is not None)
    return {tool for tool, found in given.items() if sum(found) >= induction.thresholds.mandatory_share * len(found)}


def _subject(call: Call) -> str:
    if call.kind is CallKind.RECORD:
        return f"{code(call.tool)} answers"
    return f"{code(call.operation or call.tool)} fails" if call.command is not None else f"{code(call.tool)} refuses"


def _claim(mode: _Mode, induction: Induction) -> tuple[int, FailureClaim] | None:
    lines = {c.line for c in mode.cases}
    shown = next(iter(lines)) if len(lines) == 1 and len(mode.families) >= 2 else mode.line
    text = f"{mode.subject} with “{shown}”"
    if mode.subject.endswith("answers"):
        text = text.replace(" with “", " “", 1)
    recovery, mended = _best_recovery(mode)
    if recovery is None and not induction.is_worth_telling(c.call for c in mode.cases):
        return None
    ordered = mended + [c for c in mode.cases if c not in mended]
    claim = FailureClaim(
        id=claim_id("failure_modes", f"{text} {recovery or ''}"),
        text=text,
        citations=cite((c.call.family, c.call.trace_id, c.call.events) for c in ordered),
        recovery=sentence(recovery) if recovery else None,
        recovery_citations=cite((m.family, m.trace_id, m.events) for c in mended for m in _mending(c, recovery or "")),
    )
    return len(mode.families), claim


def _mending(case: _Case, recovery: str) -> list[Call]:
    """Returns the calls of a case that the recovery names, the one that worked first."""
    done = [call for text, call in case.parts if text in recovery]
    return [case.worked, *done] if case.worked is not None else done


def _best_recovery(mode: _Mode) -> tuple[str | None, list[_Case]]:
    """Returns what all cases of the same ending did, else what most families did, and the cases behind it."""
    cases = [c for c in mode.cases if c.recovery]
    if not cases:
        return None, []
    users: dict[str, set[str]] = {}
    for case in cases:
        users.setdefault(case.again, set()).add(case.call.family)
    again = min(users, key=lambda a: (-len(users[a]), len(a), a))
    cases = [c for c in cases if c.again == again]
    common = [t for t, _ in cases[0].parts if all(t in dict(c.parts) for c in cases)]
    if common or any(not c.parts for c in cases):
        return _sentence_of(common, again), cases
    users = {}
    for case in cases:
        users.setdefault(case.recovery, set()).add(case.call.family)
    best = min(users, key=lambda r: (-len(users[r]), len(r), r))
    return best, [c for c in cases if c.recovery == best]


def _sentence_of(parts: list[str], again: str) -> str:
    if not parts or not again:
        return again
    return f"{joined(parts)}, then {again}"


def _find_recovery(case: _Case, attempt: Attempt) -> None:
    """Fills in what mended an error, in words, with the calls that did and the one that worked."""
    call = case.call
    after = [c for c in attempt.calls[call.position + 1 :] if c.position <= call.position + MAX_DISTANCE]
    worked = next((c for c in after if _mends(c, call)), None)
    if worked is None:
        return
    between = [c for c in after if c.position < worked.position and not c.failed]
    if call.kind is CallKind.RECORD:
        case.parts, case.again = _record_recovery(call, worked, between, attempt)
    else:
        read = next((c for c in between if c.kind is CallKind.LOOK and c.path == call.path), None)
        case.parts, case.again = ((("read the file first", read),), "try again") if read is not None else ((), "")
    case.worked = worked if case.again else None


def _mends(later: Call, failed: Call) -> bool:
    """Says whether a later call shows that an error is gone: the same works."""
    if later.failed or later.kind is not failed.kind:
        return False
    if failed.kind is CallKind.EDIT:
        return later.path == failed.path
    return later.tool == failed.tool and later.operation == failed.operation


def _record_recovery(
    call: Call, worked: Call, between: list[Call], attempt: Attempt
) -> tuple[tuple[tuple[str, Call], ...], str]:
    before = {(leaf.path, leaf.value) for leaf in call.argument_leaves}
    changed = [leaf for leaf in worked.argument_leaves if (leaf.path, leaf.value) not in before]
    names = list(dict.fromkeys(placeholder_name(leaf.name) for leaf in changed))[:3]
    asked = _told_by_user(changed_values={leaf.value for leaf in changed}, call=call, worked=worked, attempt=attempt)
    parts: dict[str, Call] = {}
    for item in between:
        if item.kind is CallKind.RECORD and not item.is_changing and len(parts) < 2:
            done = f"run {code(item.operation)}" if item.operation else f"call {code(item.tool)}"
            if not item.operation or asks_for_schema(item.operation):
                parts.setdefault(done, item)
    if asked:
        parts[f"ask the user for another {joined([code(f'<{n}>') for n in asked])}"] = worked
    again = f"call {code(call.tool)} again"
    if call.operation and not parts:
        return (), ""  # that another statement worked says nothing
    if names:
        another = joined([code(f"<{n}>") for n in names])
        again += f" with another {another}{_from(names[0], changed[0].value, worked, attempt)}"
    elif not parts:
        return (), ""
    return tuple(parts.items()), again


def _told_by_user(*, changed_values: set[str], call: Call, worked: Call, attempt: Attempt) -> list[str]:
    said = " ".join(s.text.lower() for s in attempt.said if call.seq < s.seq < worked.seq)
    names = [
        placeholder_name(leaf.name)
        for leaf in worked.argument_leaves
        if leaf.value in changed_values and len(leaf.value) >= 3 and leaf.value.lower() in said
    ]
    return list(dict.fromkeys(names))[:2]


def _from(name: str, value: str, worked: Call, attempt: Attempt) -> str:
    """Names the field that the new value came from, when a result before the retry holds it."""
    found = (e.key for e in explanations_of(Use(attempt, worked, name, value)) if not e.by_chance)
    steps = (k for k in found if k.source is InputSource.STEP and k.tool not in (ANY_TOOL, ARGUMENT))
    best: Iterable[str] = (f", taken from the result of {code(k.tool)}" for k in steps)
    return next(iter(best), "")
