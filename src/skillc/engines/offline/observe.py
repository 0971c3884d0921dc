"""Observations: what one should see, what comes out, and when the work is done. Paper: 5.2.

A field of a result is expected when at least 90 % of the families show the same value of it.
Not here: what to do when something else is seen (engines.offline.failures).
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from skillc.core.skill.claim import Citation, Claim
from skillc.engines.offline.align import Column
from skillc.engines.offline.calls import Call, CallKind
from skillc.engines.offline.cite import Shows, cite_calls, cite_parts, cite_results
from skillc.engines.offline.commands import only_prepares, shown_command
from skillc.engines.offline.induction import Induction
from skillc.engines.offline.wording import ELIDED, claim_id, code, joined, plain_line, sentence

EXPECTED_SHARE = 0.9
MAX_FIELDS = 4
MAX_VALUE_CHARS = 40
MIN_LETTERS = 6  # of a line that tells something


def observations_of(induction: Induction) -> tuple[Claim, ...]:
    """Returns what each changing step and command of the procedure shows when it works."""
    claims: list[Claim] = []
    for column in induction.columns:
        if column.kind is CallKind.RECORD and column.is_changing:
            claims += _record_claims(column, induction)
        elif column.kind is CallKind.COMMAND:
            claims += _command_claims(column, induction)
    return _distinct(claims)


def completion_of(induction: Induction) -> tuple[Claim, ...]:
    """Returns when the work is done: the check of the work, or the last change and its result."""
    check = induction.check_column
    if check is not None and (induction.is_check_verified or induction.is_coding):
        command = code(shown_command(check.calls, induction.alphabet))
        last: dict[str, Call] = {c.trace_id: c for c in sorted(check.calls, key=lambda c: c.position)}
        ran = f"{command} passes after the last change"
        return (_claim("completion_criteria", ran, cite_results(last.values())),)
    return _last_change_claims(induction)


def outputs_of(induction: Induction) -> tuple[Claim, ...]:
    """Returns what the procedure leaves behind."""
    edited: dict[str, list[Call]] = {}
    for column in induction.columns:
        if column.kind is CallKind.EDIT and not column.optional:
            place = induction.alphabet.place_of(column.calls[0])
            if place and not place.startswith("<"):
                edited.setdefault(place, []).extend(column.calls)
    if not edited:
        return ()
    text = f"The changed {joined([code(p) for p in sorted(edited)])}"
    return (_claim("outputs", text, cite_calls(c for calls in edited.values() for c in calls)),)


def _work_claims(induction: Induction) -> tuple[Claim, ...]:
    """Work on files that no check ends: the commit, or the last command that ran after the change."""
    columns = [c for c in induction.columns if not c.optional]
    edited = [n for n, c in enumerate(columns) if c.kind is CallKind.EDIT]
    if not edited:
        return ()
    after = [c for c in columns[edited[-1] + 1 :] if c.kind is CallKind.COMMAND and not only_prepares(c.calls[0])]
    if not after:
        return ()
    last = after[-1]
    if last.symbol == "run git commit":
        text = "The change is committed"
    else:
        text = f"{code(shown_command(last.calls, induction.alphabet))} runs without an error after the last change"
    return (_claim("completion_criteria", text, cite_results(last.calls)),)


def _last_change_claims(induction: Induction) -> tuple[Claim, ...]:
    if induction.is_coding and (found := _work_claims(induction)):
        return found
    changes = [c for c in induction.change_columns if not c.optional]
    if not changes and induction.change_columns:
        return _any_change_claims(induction)
    if not changes:
        return _answer_claims(induction)
    lasting: dict[str, list[Call]] = {}
    for attempt in induction.successes:
        call = induction.last_change(attempt)
        if call is not None:
            lasting.setdefault(call.tool, []).append(call)
    column = changes[-1]
    calls = lasting.get(column.tool) or list(column.calls)
    fields = _stable_fields(calls, induction)
    shown = f" and its result shows {joined(fields)}" if fields else " without an error"
    every = " for everything that was asked" if column.is_repeated else ""
    text = f"{code(column.tool)} was called{every}{shown}"
    return (_claim("completion_criteria", text, cite_results(calls)),)


def _any_change_claims(induction: Induction) -> tuple[Claim, ...]:
    """No change is common to most families: any of the optional ones ends the work, as the case needs."""
    columns = induction.change_columns[:5]
    names = [code(c.tool if c.kind is CallKind.RECORD else c.calls[0].operation or c.tool) for c in columns]
    text = f"{joined(list(dict.fromkeys(names)), 'or')} was called without an error, as the request needs it"
    calls = [(c.symbol, call) for c in columns for call in c.calls]
    return (_claim("completion_criteria", text, cite_parts(_with_result(name, call) for name, call in calls)),)


def _with_result(name: str, call: Call) -> Shows:
    return Shows(name, call.family, call.trace_id, call.events)


def _answer_claims(induction: Induction) -> tuple[Claim, ...]:
    """A family that changes nothing is done when the question is answered from what was read."""
    calls = [c for column in induction.columns for c in column.calls if not c.failed]
    text = "The user has the answer and nothing was changed"
    return (_claim("completion_criteria", text, cite_results(calls)),)


def _record_claims(column: Column, induction: Induction) -> list[Claim]:
    fields = _stable_fields(column.calls, induction)
    if not fields:
        return []
    calls = [c for c in column.calls if c.result_event is not None]
    text = f"The result of {code(column.tool)} shows {joined(fields)}"
    return [_claim("expected_observations", text, cite_results(calls))]


def _stable_fields(calls: Iterable[Call], induction: Induction) -> list[str]:
    """Returns fields with the same value in at least 90 % of the families, and not so everywhere else.

    A value that the same field of another tool's result always has too (a country, a currency) says nothing.
    """
    calls = [c for c in calls if c.result is not None]
    families = {c.family for c in calls}
    if len(families) < 2:
        return []
    given = {leaf.value.lower() for c in calls for leaf in c.argument_leaves}
    values: dict[str, dict[str, set[str]]] = {}
    for call in calls:
        for path, shown in call.fields.items():
            values.setdefault(path, {}).setdefault(call.family, set()).add(shown)
    found = []
    for path in sorted(values):
        by_value: dict[str, int] = {}
        for every in values[path].values():
            if len(every) == 1:
                value = next(iter(every))
                by_value[value] = by_value.get(value, 0) + 1
        value, count = max(sorted(by_value.items()), key=lambda item: item[1], default=("", 0))
        if count < EXPECTED_SHARE * len(families) or not _is_word(value) or value.lower() in given:
            continue
        if _was_so_before(path, value, calls, induction):
            continue
        if _varies(path, value, calls, induction):
            found.append(f"{code(path.rsplit('.', 1)[-1])} = {code(plain_line(value))}")
    return found[:MAX_FIELDS]


def _was_so_before(path: str, value: str, calls: Iterable[Call], induction: Induction) -> bool:
    """Says whether an earlier result already shows the field like this: then it is no effect of the call."""
    name = path.rsplit(".", 1)[-1]
    by_trace = {c.trace_id: c for c in calls}
    for attempt in induction.successes:
        own = by_trace.get(attempt.trace_id)
        earlier = [c for c in attempt.calls if own is not None and c.position < own.position and c.tool != own.tool]
        for call in earlier:
            if any(v == value and p.rsplit(".", 1)[-1] == name for p, v in call.fields.items()):
                return True
    return False


def _is_word(value: str) -> bool:
    """A state reads like a word; numbers, dates and ids do not tell that something worked."""
    return len(value) <= MAX_VALUE_CHARS and re.fullmatch(r"[a-z]+([_ -][a-z]+)*", value) is not None


def _varies(path: str, value: str, calls: Iterable[Call], induction: Induction) -> bool:
    """Says whether other results show the field otherwise, or the same kind of record without it."""
    calls = tuple(calls)
    own = {(c.trace_id, c.position) for c in calls}
    known = {p for c in calls for p in c.fields}
    name = path.rsplit(".", 1)[-1]
    for attempt in induction.attempts:
        for call in attempt.calls:
            if (call.trace_id, call.position) in own:
                continue
            if any(v != value and p.rsplit(".", 1)[-1] == name for p, v in call.fields.items()):
                return True
            if path not in call.fields and len(known & call.fields.keys()) >= 3:
                return True  # the same kind of record without this field: the call set it
    return False


def _command_claims(column: Column, induction: Induction) -> list[Claim]:
    """The line that a command prints when it works, if the families share it."""
    if len(column.families) < 2 or column.symbol.startswith("run git"):
        return []
    lines: dict[str, set[str]] = {}
    for call in column.calls:
        for line in call.text.splitlines()[:40]:
            plain = _told(line)
            if plain:
                lines.setdefault(plain, set()).add(call.family)
    need = max(2.0, EXPECTED_SHARE * len(column.families))
    shared = [line for line, families in lines.items() if len(families) >= need]
    shared.sort(key=lambda line: (line.count(ELIDED), -sum(ch.isalpha() for ch in line), line))
    if not shared:
        return []
    command = code(shown_command(column.calls, induction.alphabet))
    return [_claim("expected_observations", f"{command} prints “{shared[0]}”", cite_results(column.calls))]


@lru_cache(maxsize=16384)
def _told(line: str) -> str:
    """Returns a line without what differs from run to run; nothing for the echo of a command and for signs alone."""
    if line.startswith(("> ", "$ ", "+ ")):
        return ""
    plain = plain_line(_without_numbers(line), 100)
    return plain if sum(ch.isalpha() for ch in plain) >= MIN_LETTERS else ""


def _without_numbers(line: str) -> str:
    return re.sub(r"(?<![\w.])\d+(\.\d+)*", ELIDED, line)


def _claim(field: str, text: str, citations: tuple[Citation, ...]) -> Claim:
    text = sentence(text)
    return Claim(id=claim_id(field, text), text=text, citations=citations)


def _distinct(claims: list[Claim]) -> tuple[Claim, ...]:
    return tuple({c.text: c for c in claims}.values())
