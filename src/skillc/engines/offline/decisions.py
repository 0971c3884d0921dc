"""Decisions: where attempts part, and by what, in words. Paper: 5.2 (decisions).

Not here: which facts decide (engines.offline.routes). What decides nothing is told as an optional step.
"""

from collections.abc import Iterator

from skillc.core.skill.claim import Claim
from skillc.engines.offline.calls import Call, CallKind
from skillc.engines.offline.cite import Shows, cite_parts
from skillc.engines.offline.commands import shown_command
from skillc.engines.offline.induction import Induction
from skillc.engines.offline.provenance import Explained
from skillc.engines.offline.routes import Decision
from skillc.engines.offline.source_words import is_list, source_words
from skillc.engines.offline.symbols import SEARCH
from skillc.engines.offline.turns import AGREED, ANSWERED, FAILED, GIVEN, PENDING, START, Turn
from skillc.engines.offline.values import placeholder_name
from skillc.engines.offline.wording import claim_id, code, sentence


def decisions_of(induction: Induction) -> tuple[Claim, ...]:
    """Returns the decisions that predict families that were left out, in the order of their states."""
    claims = []
    for decision, text in told_decisions(induction):
        text = sentence(text)
        citations = cite_parts(_shows(decision, induction))
        claims.append(Claim(id=claim_id("decisions", text), text=text, citations=citations))
    return tuple({c.text: c for c in claims}.values())


def told_decisions(induction: Induction) -> list[tuple[Decision, str]]:
    """Returns the decisions that have plain words, with them."""
    found = ((d, _text(d, induction)) for d in induction.routes.decisions())
    return [(d, text) for d, text in found if text]


def _shows(decision: Decision, induction: Induction) -> Iterator[Shows]:
    listed = _list_of(decision, induction) if decision.fact == PENDING else None
    for turn in decision.turns:
        side = "then" if decision.fact in turn.facts else "otherwise"
        call = (turn.call.call_event,) if turn.call is not None else ()
        trace_id = turn.attempt.trace_id
        yield Shows(side, turn.attempt.family, trace_id, (*_telling(turn), *call))
        if listed is not None and trace_id in listed.events:
            yield Shows("list", turn.attempt.family, trace_id, listed.events[trace_id])


def _telling(turn: Turn) -> tuple[str, ...]:
    """Returns the events that stand before the action; the user's first message where nothing was done yet."""
    return turn.events or tuple(s.event for s in turn.attempt.said[:1])


def _text(decision: Decision, induction: Induction) -> str:
    then, otherwise = _action(decision.then, induction), _action(decision.otherwise, induction)
    if not then or not otherwise:
        return ""
    if decision.last == START:
        return _start_text(decision, induction) if decision.fact.startswith(GIVEN) else ""
    last = _action(decision.last, induction, done=True)
    if not last:
        return ""
    if decision.fact == PENDING and decision.then == decision.last:
        listed = _list_of(decision, induction)
        words = source_words(listed, plural=True) if listed is not None else "the entries of its list"
        return f"{then} again while some of {words} are left; then {otherwise}"
    if decision.fact == FAILED:
        call = _call_of(decision.last, induction)
        if call is not None and call.kind is not CallKind.RECORD:
            return ""  # what to do about a run that fails is told with its error
        return f"When {last} fails, {then}; otherwise {otherwise}"
    return f"After {last}: when {_condition(decision.fact)}, {then}; otherwise {otherwise}"


def _start_text(decision: Decision, induction: Induction) -> str:
    then = _action(decision.then, induction, done=True)
    otherwise = _action(decision.otherwise, induction, done=True)
    given = code(f"<{placeholder_name(decision.fact[len(GIVEN) :])}>")
    return f"Start with {then} when the user gives {given}, else with {otherwise}" if then and otherwise else ""


def _list_of(decision: Decision, induction: Induction) -> Explained | None:
    """Returns the list that a repeated call takes its argument from."""
    call = _call_of(decision.last, induction)
    for leaf in call.argument_leaves if call is not None else ():
        slot = induction.slots.by_path.get((call.tool if call is not None else "", leaf.path))
        for item in slot.ranked if slot is not None else ():
            if is_list(item):
                return item
    return None


def _condition(fact: str) -> str:
    if fact.startswith(GIVEN):
        return f"the user has given {code(f'<{placeholder_name(fact[len(GIVEN) :])}>')}"
    return {
        ANSWERED: "the user has answered since",
        AGREED: "the user has agreed",
        PENDING: "the list has entries left",
    }[fact]


def _action(symbol: str, induction: Induction, *, done: bool = False) -> str:
    """Returns an action in words, as an order or as what was done; nothing where it cannot be told plainly."""
    call = _call_of(symbol, induction)
    if call is None or symbol == SEARCH:
        return ""
    if call.kind is CallKind.RECORD:
        return code(call.tool) if done else f"call {code(call.tool)}"
    if call.kind in (CallKind.CHECK, CallKind.COMMAND):
        calls = next((c.calls for c in induction.columns if c.symbol == symbol), (call,))
        command = code(shown_command(calls, induction.alphabet))
        return command if done else f"run {command}"
    return ""


def _call_of(symbol: str, induction: Induction) -> Call | None:
    found = (c for a in induction.successes for c in a.calls if induction.alphabet.symbol_of(c) == symbol)
    return next(found, None)
