"""Steps: the columns of the alignment as ordered, plain instructions. Paper: 5.2.

Not here: which columns are steps (engines.offline.align).
"""

from collections import Counter
from typing import Any

from skillc.core.compile.narrow import placeholders_of
from skillc.core.skill.claim import PLACEHOLDER, Action, Frequency, StepClaim
from skillc.engines.offline.align import Column, families_with_several
from skillc.engines.offline.calls import Call, CallKind
from skillc.engines.offline.cite import Shows, cite, cite_calls, cite_parts
from skillc.engines.offline.commands import only_prepares, shown_command, shown_look
from skillc.engines.offline.induction import Induction
from skillc.engines.offline.places import path_argument
from skillc.engines.offline.source_words import is_list, source_words
from skillc.engines.offline.statements import asks_about_one, asks_for_schema, statement_in
from skillc.engines.offline.symbols import BEFORE, LOOK, PART, SEARCH, check_name
from skillc.engines.offline.values import placeholder_name, with_placeholders
from skillc.engines.offline.wording import claim_id, code, joined, sentence

MAX_LISTED = 8  # more placeholders are told in the groups in which the tool takes them
MAX_STEP_CHARS = 1600
EVERYTHING = "everything that the request is about"


def steps_of(induction: Induction) -> tuple[StepClaim, ...]:
    """Returns the steps in order; optional ones are marked, repeated ones say for what they are repeated."""
    found: list[StepClaim] = []
    for column in induction.columns:
        if not _is_telling(column, induction):
            continue
        action = _action(column, induction)
        repeat = _repeat(column, induction)
        text = sentence(_text(column, action, induction), MAX_STEP_CHARS)
        text = text.removesuffix(".") if repeat else text
        found.append(
            StepClaim(
                id=claim_id("steps", text),
                text=text,
                citations=_citations(column, induction),
                action=action,
                optional=column.optional,
                repeat=repeat,
                frequency=_frequency(column, induction),
            )
        )
    return tuple(found)


def _is_telling(column: Column, induction: Induction) -> bool:
    """Says whether a step tells something: beside real work, that one looks around or reads some file does not."""
    if induction.is_in_vain(column):
        return False
    if column.kind is CallKind.COMMAND and induction.is_working:
        shown = shown_command(column.calls, induction.alphabet)
        return not (only_prepares(column.calls[0]) and ("<" in shown or " " not in shown))
    if column.kind is not CallKind.LOOK or not induction.is_working:
        return True
    place = induction.alphabet.place_of(column.calls[0])
    if column.symbol == SEARCH or (place.startswith("<") and column.optional):
        return False
    return not any(c.symbol == f"edit {place}" for c in induction.columns) or not place.startswith("<")


def _frequency(column: Column, induction: Induction) -> Frequency | None:
    if not column.optional or len(column.families) >= len(induction.families):
        return None
    return Frequency(families=len(column.families), of=len(induction.families))


def placeholders_in(steps: tuple[StepClaim, ...]) -> set[str]:
    """Returns the names of the placeholders that the steps use."""
    return {name for step in steps for name in placeholders_of(step)}


def _text(column: Column, action: Action, induction: Induction) -> str:
    if column.kind is CallKind.RECORD:
        return _statement_text(column) or _record_text(column, action)
    if column.kind is CallKind.CHECK:
        return _check_text(column, induction)
    if column.kind is CallKind.COMMAND:
        command = shown_command(column.calls, induction.alphabet)
        if column.symbol == "run git commit":
            return f"Commit the change with {code(command)}"
        return f"Run {code(command)}{_before(column, induction)}"
    place = induction.alphabet.place_of(column.calls[0])
    if column.kind is CallKind.EDIT:
        made = sum(c.creates for c in column.calls) * 2 > len(column.calls)
        return f"{'Write' if made else 'Change'} {code(place) if place else 'the files that have to change'}"
    if column.symbol.startswith(f"{LOOK} "):
        return f"Look with {code(shown_look(column.calls))}"
    if column.symbol == SEARCH:
        programs = _search_names(column)
        return f"Look around in the project with {joined([code(p) for p in programs], 'or')} to find the place"
    return f"Read {code(place)}"


def _statement_text(column: Column) -> str:
    statement = column.calls[0].operation
    if statement is None:
        return ""
    if asks_for_schema(statement):
        about = " on the tables in question" if asks_about_one(statement) else ""
        return f"Run {code(statement)} with {code(column.tool)}{about}"
    key, _ = statement_in(column.calls[0].arguments) or ("query", "")
    return f"Run the {code(statement)} with {code(column.tool)}, as {code(f'<{placeholder_name(key)}>')}"


def _record_text(column: Column, action: Action) -> str:
    names = _names_in(action.arguments)
    if not names:
        return f"Call {code(column.tool)}"
    if len(names) <= MAX_LISTED:
        return f"Call {code(column.tool)} with {joined([code(f'<{n}>') for n in names])}"
    text = f"Call {code(column.tool)} with {'; '.join(_argument_groups(action.arguments))}"
    return text if len(text) < MAX_STEP_CHARS else f"Call {code(column.tool)} with all of the inputs that it takes"


def _names_in(arguments: Any) -> list[str]:
    return list(dict.fromkeys(PLACEHOLDER.findall(repr(arguments))))


def _argument_groups(arguments: dict[str, Any]) -> list[str]:
    """Returns the plain arguments together, then each list or record with what belongs into it."""
    plain = {k: v for k, v in arguments.items() if not isinstance(v, (dict, list))}
    groups = [joined([code(f"<{n}>") for n in _names_in(plain)])] if plain else []
    for key, value in arguments.items():
        if key not in plain:
            each = " each" if isinstance(value, list) else ""
            groups.append(f"in {code(key)}{each} {joined([code(f'<{n}>') for n in _names_in(value)])}")
    return groups


def _check_text(column: Column, induction: Induction) -> str:
    command = code(shown_command(column.calls, induction.alphabet))
    if column.symbol.endswith(f" {BEFORE}"):
        failing = {c.family for c in column.calls if c.failed}
        if 2 * len(failing) > len(column.families):
            return f"Run {command} first and read what fails and where"
        return f"Run {command} first, to know the state before the change"
    if column.symbol.endswith(f" {PART}"):
        return f"Run the tests in question alone: {command}"
    name = column.symbol.split(" ")[1]
    again = any(
        c.failed and c.after_change and column.symbol == induction.alphabet.symbol_of(c)
        for a in induction.successes
        for c in a.calls
    )
    whole = f"Run all of {command}" if name and any(PART in s for s in _part_symbols(induction)) else f"Run {command}"
    return f"{whole} and mend what fails until it passes" if again else f"{whole} and see it pass"


def _before(column: Column, induction: Induction) -> str:
    check = _check_after(column, induction)
    if check is None:
        return ""
    return f" before {code(shown_command(check.calls, induction.alphabet, bare=True))}"


def _check_after(column: Column, induction: Induction) -> Column | None:
    """Returns the check that fails when this command was not run before it."""
    names = induction.remedies.get(column.symbol, set()) if column.kind is CallKind.COMMAND else set()
    later = induction.columns[induction.columns.index(column) + 1 :]
    return next((c for c in later if c.kind is CallKind.CHECK and check_name(c.calls[0]) in names), None)


def _part_symbols(induction: Induction) -> set[str]:
    symbols = {induction.alphabet.symbol_of(c) or "" for a in induction.attempts for c in a.calls}
    return {s for s in symbols if s.startswith("check ") and s.endswith(f" {PART}")}


def _search_names(column: Column) -> list[str]:
    counts: Counter[str] = Counter()
    for name, _ in {(_search_name(c), c.family) for c in column.calls}:
        counts[name] += 1
    ranked = sorted(counts, key=lambda n: (-counts[n], n))
    return [n for n in ranked if counts[n] >= 2 or len(column.families) < 2][:3] or ranked[:1]


def _search_name(call: Call) -> str:
    if call.command is None:
        return call.tool
    return call.operation or call.tool if call.command.program == "git" else call.command.program


def _action(column: Column, induction: Induction) -> Action:
    calls = column.calls
    tools = Counter(c.tool for c in calls)
    tool = min(tools, key=lambda t: (-tools[t], t))
    own = [c for c in calls if c.tool == tool]
    if column.kind is CallKind.RECORD:
        found = statement_in(own[0].arguments)
        if found is not None and asks_for_schema(found[1]):
            return Action(tool=tool, arguments={found[0]: found[1]})
        return Action(tool=tool, arguments=_record_arguments(own, induction))
    operations = Counter(c.operation for c in own if c.operation)
    operation = min(operations, key=lambda o: (-operations[o], o)) if operations else None
    arguments: dict[str, Any] = {}
    if column.kind in (CallKind.CHECK, CallKind.COMMAND):
        arguments = {"command": shown_command(own, induction.alphabet)}
    elif column.symbol != SEARCH and own[0].command is None:
        named = path_argument(own[0].arguments)
        place = induction.alphabet.place_of(own[0])
        if named is not None and place and named[0] not in ("input", "patch"):
            arguments = {named[0]: place}
    return Action(tool=tool, operation=operation, arguments=arguments)


def _record_arguments(calls: list[Call], induction: Induction) -> dict[str, Any]:
    """Returns the arguments that most families give, each scalar as a placeholder."""
    families = {c.family for c in calls}
    users: dict[str, set[str]] = {}
    for call in calls:
        for key in call.arguments:
            users.setdefault(key, set()).add(call.family)
    kept = [k for k in users if 2 * len(users[k]) > len(families)]
    found = {}
    for key in kept:
        value = next((c.arguments[key] for c in calls if c.arguments.get(key) not in (None, "", [], {})), None)
        shown = with_placeholders(value, key)
        if shown is not None and set(PLACEHOLDER.findall(repr(shown))) <= set(induction.placeholders):
            found[key] = shown
    return found


def _repeat(column: Column, induction: Induction) -> str | None:
    if column.kind is not CallKind.RECORD or not column.is_repeated:
        return None
    if column.calls[0].operation is not None:
        return None  # how many statements it takes is the case's
    for name in list(dict.fromkeys(k for c in column.calls for k in c.arguments)):
        placeholder = induction.placeholders.get(placeholder_name(name))
        if placeholder is not None and 2 * len(families_with_several(column.calls, name)) > len(column.families):
            listed = next((e for e in placeholder.explanations if is_list(e)), None)
            if listed is not None:
                return f"each of {source_words(listed, plural=True)} that the request is about"
            return f"every {code(f'<{placeholder.name}>')} that the request is about"
    return EVERYTHING


def _citations(column: Column, induction: Induction) -> Any:
    """Cites calls of the column. A check that had to fail is cited beside a later run that passed."""
    if column.kind is not CallKind.CHECK or not column.symbol.endswith(f" {BEFORE}"):
        check = _check_after(column, induction)
        if check is None:
            return cite_calls(_last_or_first(column))
        own = [Shows("own", c.family, c.trace_id, c.events) for c in column.calls]
        return cite_parts([*own, *(Shows("check", c.family, c.trace_id, c.events) for c in _last_or_first(check))])
    found = []
    for call in column.calls:
        attempt = next(a for a in induction.successes if a.trace_id == call.trace_id)
        passed = [c for c in attempt.calls if c.kind is CallKind.CHECK and not c.failed and c.position > call.position]
        found.append((call.family, call.trace_id, call.events + tuple(c.call_event for c in passed[-1:])))
    return cite(found)


def _last_or_first(column: Column) -> list[Call]:
    """Returns the calls, those that say most first: of a check the last of each attempt, else in order."""
    if column.kind is not CallKind.CHECK:
        return list(column.calls)
    last: dict[str, Call] = {c.trace_id: c for c in sorted(column.calls, key=lambda c: c.position)}
    return list(last.values())
