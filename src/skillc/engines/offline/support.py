"""Support: whether the events that a claim cites show what it says, read as if a stranger had written it.

Looks at the cited events alone, never at the induction that wrote the claim. Quoted names, commands and lines
must occur there; a step's call must have worked; a value's source must precede its use. Paper: 5.3, Curator.
Not here: what follows from an unsupported claim (engines.offline.curate).
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from skillc.core.compile.evidence import Evidence, SourceRole
from skillc.core.record import json_text
from skillc.core.skill.claim import (
    PLACEHOLDER,
    Citation,
    Claim,
    EffectClaim,
    FailureClaim,
    InputClaim,
    InputSource,
    StepClaim,
)
from skillc.core.skill.contract import Contract, EvidenceRule, contract_fields
from skillc.core.trace.operation import (
    Effect,
    commands_of,
    effect_of,
    is_check,
    is_shell,
    operation_name,
    operations_of,
)
from skillc.core.trace.records import Event, EventKind
from skillc.engines.offline.stated import names_file, states
from skillc.engines.offline.values import leaves
from skillc.engines.offline.wording import ELIDED, content_words, plain_line, spoken, words_of

_CODE = re.compile(r"`([^`]+)`")
_QUOTE = re.compile(r"“([^”]+)”")
_OWN_WORDS = words_of(
    "use when request speaks run call commit change edit write read look around place work task"
    " source test file document configuration data script code tests files answered changing asked"
    " something anything done nothing question new start found needed speak"
)


@dataclass(frozen=True)
class Shown:
    """A cited event with the result of the call that it is, if the Trace has one."""

    trace_id: str
    event: Event
    failed: bool


def why_unsupported(field: str, claim: Claim, contract: Contract, evidence: Evidence) -> str:
    """Returns why the cited events do not show the claim; empty when they do."""
    citations = claim.citations
    reason = _why_not_citable(field, citations, evidence)
    if reason:
        return reason
    shown = list(_shown(citations, evidence))
    if isinstance(claim, StepClaim):
        return _step(claim, shown) or _grounded(claim.text, shown)
    if isinstance(claim, InputClaim):
        return _input(claim, contract, shown) or _grounded(claim.text, shown)
    if isinstance(claim, EffectClaim):
        return _effect(claim, shown) or _grounded(claim.text, shown)
    if isinstance(claim, FailureClaim):
        return _failure(claim, shown, evidence)
    if field in ("description", "use_when"):
        return _words(claim.text, shown, contract) or _grounded(claim.text, shown)
    if field in ("completion_criteria", "expected_observations") and not any(
        not s.failed and s.event.kind is EventKind.TOOL_RESULT for s in shown
    ):
        return "no cited result shows it without an error"
    return _grounded(claim.text, shown)


def _why_not_citable(field: str, citations: Iterable[Citation], evidence: Evidence) -> str:
    citations = tuple(citations)
    if not citations:
        return "it cites nothing"
    roles = set()
    for citation in citations:
        source = evidence.source(citation.trace_id)
        if source is None:
            return f"Trace {citation.trace_id!r} is no source of this run"
        roles.add(source.role)
        for event_id in citation.events:
            event = source.trace.event(event_id)
            if event is None or event.restricted is not None:
                return f"event {event_id!r} of Trace {citation.trace_id!r} cannot be read"
    rule = contract_fields()[field].rule
    if rule is EvidenceRule.SUCCESS and roles != {SourceRole.SUPPORT}:
        return "it rests on an attempt that is no verified success"
    if rule is EvidenceRule.CONTRAST and SourceRole.SUPPORT not in roles:
        return "it rests on failures alone"
    return ""


def _shown(citations: Iterable[Citation], evidence: Evidence) -> Iterator[Shown]:
    for citation in citations:
        source = evidence.source(citation.trace_id)
        if source is None:
            continue
        failed = source.failed_calls
        for event_id in citation.events:
            event = source.trace.event(event_id)
            if event is not None:
                yield Shown(citation.trace_id, event, event.call_id in failed)


def _step(claim: StepClaim, shown: list[Shown]) -> str:
    calls = [s for s in shown if s.event.kind is EventKind.TOOL_CALL]
    action = claim.action
    if action is not None:
        calls = [
            s
            for s in calls
            if s.event.tool == action.tool
            and (action.operation is None or action.operation in operations_of(action.tool, s.event.arguments))
        ]
    if not calls:
        return "no cited call is the step's action"
    if all(s.failed for s in calls):
        return "every cited call of the step's action ended in an error"
    return ""


def _input(claim: InputClaim, contract: Contract, shown: list[Shown]) -> str:
    used = json.dumps([s.action.arguments if s.action else {} for s in contract.steps]) + "".join(
        s.text for s in contract.steps
    )
    if f"<{claim.name}>" not in used:
        return "no step uses this placeholder"
    if claim.source in (InputSource.CHOSEN, InputSource.CONSTANT):
        return "" if any(s.event.kind is EventKind.TOOL_CALL for s in shown) else "no cited call uses it"
    wanted = EventKind.USER_MESSAGE if claim.source is InputSource.USER else EventKind.TOOL_RESULT
    for use in shown:
        if use.event.kind is not EventKind.TOOL_CALL:
            continue
        values = list(_argument_values(use.event))
        for origin in shown:
            earlier = origin.trace_id == use.trace_id and origin.event.seq < use.event.seq
            if earlier and origin.event.kind is wanted and any(_holds(origin.event, v) for v in values):
                return ""
    return "no cited value is used after the event that it is said to come from"


def _argument_values(event: Event) -> Iterator[str]:
    if is_shell(event.tool):
        for command in commands_of(event.tool or "", event.arguments):
            yield from (w.text for w in command.arguments)
        return
    for leaf in leaves(event.arguments or {}):
        if len(leaf.value) >= 3:
            yield leaf.value


def _holds(event: Event, value: str) -> bool:
    text = event.text or ""
    return states(text, value) or value.lower() in text.lower() or names_file(text, value.removeprefix("./"))


def _effect(claim: EffectClaim, shown: list[Shown]) -> str:
    for item in shown:
        if item.event.kind is not EventKind.TOOL_CALL or item.event.tool is None:
            continue
        names = operations_of(item.event.tool, item.event.arguments) or (None,)
        effects = {effect_of(item.event.tool, name) for name in names}
        if claim.effect in effects or (claim.effect is Effect.MONEY and Effect.WRITE in effects):
            return ""
    return "no cited call has this effect"


def _failure(claim: FailureClaim, shown: list[Shown], evidence: Evidence) -> str:
    recovering = list(_shown(claim.recovery_citations, evidence))
    # A symptom may be that something was left out; only the recovery can show its name.
    symptom = _grounded(claim.text, [*shown, *recovering])
    if symptom or claim.recovery is None:
        return symptom
    for citation in claim.recovery_citations:
        source = evidence.source(citation.trace_id)
        if source is None or source.role is not SourceRole.SUPPORT:
            return "the recovery rests on an attempt that is no verified success"
    worked = (s for s in recovering if s.event.kind is EventKind.TOOL_CALL)
    if not any(not s.failed or _is_check(s.event) for s in worked):
        return "no cited call of the recovery worked"
    return _grounded(claim.recovery, [*recovering, *shown])


def _is_check(event: Event) -> bool:
    """A check that reports failing tests has run; that may be all that a recovery is about."""
    return any(is_check(o) for o in operations_of(event.tool or "", event.arguments))


def _words(text: str, shown: list[Shown], contract: Contract) -> str:
    """Every word of a descriptor is the family's, a tool's, or said in a cited event."""
    known = set(_OWN_WORDS)
    known.update(spoken(contract.task_family).split(), content_words(spoken(contract.task_family)))
    for item in shown:
        known.update(content_words(item.event.text or ""))
        known.update(content_words((item.event.tool or "").replace("_", " ")))
        known.update(spoken(item.event.tool or "").split())
        known.update(content_words(json.dumps(item.event.arguments or {})))
    said = content_words(_CODE.sub(" ", PLACEHOLDER.sub(" ", text)).replace("_", " "))
    unknown = [w for w in said if w not in known and w.removesuffix("s") not in known and w + "s" not in known]
    return f"the cited events do not show the word {unknown[0]!r}" if unknown else ""


def _grounded(text: str, shown: list[Shown]) -> str:
    """Every name, command and line that the text quotes occurs in the cited events."""
    codes, quotes = _CODE.findall(_QUOTE.sub(" ", text)), _QUOTE.findall(text)
    if not codes and not quotes:
        return ""
    haystack = "\n".join(_texts(shown))
    lowered = haystack.lower()
    for match in codes:
        words = [w for w in PLACEHOLDER.sub(" ", match).split() if w]
        missing = [w for w in words if w.lower() not in lowered]
        if missing:
            return f"the cited events do not show `{missing[0]}`"
    if not quotes:
        return ""
    plain = plain_line(haystack, limit=len(haystack) + 1).lower()
    without_numbers = " ".join(re.sub(r"\d+(\.\d+)?", " ", plain).split())
    for match in quotes:
        for piece in match.split(ELIDED):
            piece = piece.strip(" ,:;()").lower()
            if piece and piece not in plain and piece not in without_numbers:
                return "the cited events do not show the quoted line"
    return ""


def _texts(shown: list[Shown]) -> Iterator[str]:
    for item in shown:
        event = item.event
        yield event.tool or ""
        yield event.text or ""
        if event.arguments:
            yield json_text(event.arguments)
        if is_shell(event.tool):
            for command in commands_of(event.tool or "", event.arguments):
                yield operation_name(command)
                yield " ".join(command.words)
