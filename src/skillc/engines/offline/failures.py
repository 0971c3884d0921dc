"""Failure modes: errors that attempts met, and what verified successes did until the same call worked.

A symptom is the telling line of the error; its recovery is what stands between the error and the call that
worked. An error without a verified recovery is told when several families met it. Paper: 5.2, 5.3.
Not here: reading the error (engines.offline.errors).
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from skillc.core.skill.claim import FailureClaim, InputSource
from skillc.engines.offline.align import Column
from skillc.engines.offline.calls import Attempt, Call, CallKind
from skillc.engines.offline.cite import cite
from skillc.engines.offline.errors import elided, error_line, is_refusal, says_something
from skillc.engines.offline.induction import Induction
from skillc.engines.offline.places import ROLE_WORDS
from skillc.engines.offline.provenance import ANY_TOOL, ARGUMENT, Use, explanations_of
from skillc.engines.offline.symbols import AFTER, check_name, is_partial, plain_path, shown_command
from skillc.engines.offline.values import SharedWords, leaves, placeholder_name
from skillc.engines.offline.wording import claim_id, code, joined, sentence

MAX_FAILURES = 8
MAX_BETWEEN = 4
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
    def is_vague(self) -> bool:
        """Says whether the recovery names nothing but a change of some file."""
        return bool(self.parts) and all(text.startswith("change the ") for text, _ in self.parts)

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
    modes: dict[tuple[str, str], _Mode] = {}
    for attempt in induction.attempts:
        for call in attempt.calls:
            if not _is_trouble(call):
                continue
            line = error_line(call)
            short = elided(line, shared, known)
            if not says_something(short):
                short, line = "", ""
                if call.kind is not CallKind.CHECK:
                    continue
            subject = _subject(call, induction)
            case = _Case(call, line)
            if attempt.is_success:
                _find_recovery(case, attempt, induction)
            if call.kind is CallKind.CHECK and not induction.single and case.is_vague:
                # What one family's fix was about helps nobody; that it took two tries may.
                short = case.line = ""
            modes.setdefault((subject, short), _Mode(subject, short)).cases.append(case)
    claims = [c for mode in modes.values() if (c := _claim(mode)) is not None]
    claims += _left_out(induction)
    ranked = sorted(claims, key=lambda item: (item[1].recovery is None, -item[0], item[1].text))
    return tuple({claim.text: claim for _, claim in ranked}.values())[:MAX_FAILURES]


def _left_out(induction: Induction) -> list[tuple[int, FailureClaim]]:
    """What every success ran and a failed attempt left out: it looked finished and was not."""
    missing: dict[str, list[Attempt]] = {}
    columns = {
        c.symbol: c
        for c in induction.columns
        if len(c.families) == len(induction.families)
        and (c.kind is CallKind.COMMAND or (c.kind is CallKind.CHECK and c.symbol.endswith(f" {AFTER}")))
    }
    for attempt in induction.failures:
        done = {induction.alphabet.symbol_of(c) for c in attempt.calls}
        if any(c.is_changing for c in attempt.calls):
            for symbol in columns.keys() - done:
                missing.setdefault(symbol, []).append(attempt)
    return [
        (len({a.family for a in missing[symbol]}), _left_out_claim(columns[symbol], missing[symbol], induction))
        for symbol in sorted(missing)
    ]


def _left_out_claim(column: Column, attempts: list[Attempt], induction: Induction) -> FailureClaim:
    command = code(shown_command(column.calls, induction.alphabet))
    if column.kind is not CallKind.CHECK:
        text = f"The work looks finished although {command} was not run"
        recovery = sentence(f"run {command} before you call it done")
    else:
        part = any(is_partial(c) for a in attempts for c in a.calls)
        what = "after only a part of the tests was run" if part else f"although {command} was not run"
        text = f"The work looks finished {what}"
        recovery = sentence(f"run all of {command} after the last change, before you call it done")
    return FailureClaim(
        id=claim_id("failure_modes", f"{text} {recovery}"),
        text=text,
        citations=cite((a.family, a.trace_id, _ending(a)) for a in attempts),
        recovery=recovery,
        recovery_citations=cite((c.family, c.trace_id, c.events) for c in column.calls if not c.failed),
    )


def _ending(attempt: Attempt) -> tuple[str, ...]:
    """Returns the results of partial checks and the last call of an attempt that ended too early."""
    parts = [c.events[-1] for c in attempt.calls if is_partial(c)]
    return (*parts[-1:], *attempt.calls[-1].events)


def _known_words(induction: Induction) -> set[str]:
    """Names that are no instance values: of tools and programs, of paths and scripts that families share."""
    words: set[str] = set()
    for attempt in induction.attempts:
        for call in attempt.calls:
            words.update({call.tool, *(call.operation or "").split()})
    paths = induction.alphabet.scripts | induction.alphabet.edited_paths | induction.alphabet.read_paths
    return words | paths | {p.rsplit("/", 1)[-1] for p in paths}


def _is_trouble(call: Call) -> bool:
    """A check that fails before the change is the task itself, unless it did not even run."""
    if not call.failed or call.kind is CallKind.LOOK or is_refusal(call.text):
        return False
    return call.kind is not CallKind.CHECK or call.after_change or not call.ran


def _subject(call: Call, induction: Induction) -> str:
    if call.kind is CallKind.RECORD:
        return f"{code(call.tool)} answers"
    if call.kind is CallKind.EDIT and call.command is None:
        return f"{code(call.tool)} refuses"
    return f"{code(_shown(call, induction))} fails"


def _shown(call: Call, induction: Induction) -> str:
    """Returns the command as the procedure shows it, so that the reader meets the same words again."""
    symbol = induction.alphabet.symbol_of(call)
    for column in induction.columns:
        same_check = call.kind is CallKind.CHECK and column.kind is CallKind.CHECK
        if column.symbol == symbol or (same_check and check_name(column.calls[0]) == check_name(call)):
            return shown_command(column.calls, induction.alphabet)
    return call.operation or call.tool


def _claim(mode: _Mode) -> tuple[int, FailureClaim] | None:
    lines = {c.line for c in mode.cases}
    shown = next(iter(lines)) if len(lines) == 1 and len(mode.families) >= 2 else mode.line
    text = (
        f"{mode.subject} with “{shown}”"
        if shown
        else f"{mode.subject.removesuffix(' fails')} still fails after the change"
    )
    if mode.subject.endswith("answers"):
        text = text.replace(" with “", " “", 1)
    recovery, mended = _best_recovery(mode)
    if recovery is None and (len(mode.families) < 2 or not shown):
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


def _find_recovery(case: _Case, attempt: Attempt, induction: Induction) -> None:
    """Fills in what mended an error, in words, with the calls that did and the one that worked."""
    call = case.call
    after = [c for c in attempt.calls if call.position < c.position <= call.position + MAX_DISTANCE]
    if call.kind is CallKind.CHECK and not call.ran:
        other = next((c for c in after if c.kind is CallKind.CHECK and c.ran), None)
        if other is not None and check_name(other) != check_name(call):
            case.again, case.worked = f"use {code(_shown(other, induction))} instead", other
        return
    worked = next((c for c in after if _mends(c, call)), None)
    if worked is None:
        return
    between = [c for c in after if c.position < worked.position and not c.failed]
    if call.kind is CallKind.RECORD:
        case.parts, case.again = _record_recovery(call, worked, between, attempt)
    else:
        case.parts, case.again = _work_recovery(call, between, induction)
    case.worked = worked if case.again else None


def _mends(later: Call, failed: Call) -> bool:
    """Says whether a later call shows that an error is gone: the same works, or fails otherwise."""
    if later.kind is not failed.kind or later.tool != failed.tool:
        return later.kind is CallKind.EDIT and failed.kind is CallKind.EDIT and later.path == failed.path
    if failed.kind is CallKind.CHECK:
        return check_name(later) == check_name(failed) and (not later.failed or error_line(later) != error_line(failed))
    if later.failed:
        return False
    if failed.kind is CallKind.EDIT:
        return later.path == failed.path
    return later.operation == failed.operation and _script(later) == _script(failed)


def _script(call: Call) -> str | None:
    return plain_path(call.command.script) if call.command is not None and call.command.script else None


def _work_recovery(call: Call, between: list[Call], induction: Induction) -> tuple[tuple[tuple[str, Call], ...], str]:
    parts: dict[str, Call] = {}
    for item in between:
        text = _done(item, call, induction)
        if text:
            parts.setdefault(text, item)
    if not parts or len(parts) > MAX_BETWEEN:
        return (), ""
    again = "try again" if call.kind is CallKind.EDIT else f"run {code(_shown(call, induction))} again"
    return tuple(parts.items()), again


def _done(item: Call, failed: Call, induction: Induction) -> str:
    if failed.kind is CallKind.EDIT:
        return "read the file first" if item.kind is CallKind.LOOK and item.path == failed.path else ""
    place = induction.alphabet.place_of(item)
    if item.kind is CallKind.EDIT:
        if place and not place.startswith("<"):
            return f"change {code(place)}"
        return f"change {ROLE_WORDS.get(place.strip('<>'), 'the code')} once more"
    if item.kind is CallKind.COMMAND and not (item.operation or "").startswith("git "):
        shown = _shown(item, induction)
        return f"run {code(shown)}" if "<" not in shown else "run the script that the message names"
    return ""


def _record_recovery(
    call: Call, worked: Call, between: list[Call], attempt: Attempt
) -> tuple[tuple[tuple[str, Call], ...], str]:
    before = {(leaf.path, leaf.value) for leaf in leaves(call.arguments)}
    changed = [leaf for leaf in leaves(worked.arguments) if (leaf.path, leaf.value) not in before]
    names = list(dict.fromkeys(placeholder_name(leaf.name) for leaf in changed))[:3]
    asked = _told_by_user(changed_values={leaf.value for leaf in changed}, call=call, worked=worked, attempt=attempt)
    parts: dict[str, Call] = {}
    for item in between:
        if item.kind is CallKind.RECORD and not item.is_changing and len(parts) < 2:
            parts.setdefault(f"call {code(item.tool)}", item)
    if asked:
        parts[f"ask the user for another {joined([code(f'<{n}>') for n in asked])}"] = worked
    again = f"call {code(call.tool)} again"
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
        for leaf in leaves(worked.arguments)
        if leaf.value in changed_values and len(leaf.value) >= 3 and leaf.value.lower() in said
    ]
    return list(dict.fromkeys(names))[:2]


def _from(name: str, value: str, worked: Call, attempt: Attempt) -> str:
    """Names the field that the new value came from, when a result before the retry holds it."""
    found = (e.key for e in explanations_of(Use(attempt, worked, name, value)) if not e.by_chance)
    steps = (k for k in found if k.source is InputSource.STEP and k.tool not in (ANY_TOOL, ARGUMENT))
    best: Iterable[str] = (f", taken from the result of {code(k.tool)}" for k in steps)
    return next(iter(best), "")
