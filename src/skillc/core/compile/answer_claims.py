"""From the items of a Reflector's answer to claims of a contract: citations by alias, repairs, grounding.

An item becomes a claim when every cite means an offered event, its text names nothing that those events do not
show, and its own text holds no alias. Otherwise it is left out with a reason in our words. Ids are ours: the same
line has the same id in every run. Paper: 5.3, Validation. Not here: proposals (core.compile.reflector_answer).
"""

from typing import Any

from skillc.core.compile.aliases import Aliases, CitationRepair, resolve_cites, without_aliases
from skillc.core.compile.answer_items import (
    AnswerClaim,
    AnswerDescription,
    AnswerFailure,
    AnswerPlaceholder,
    AnswerStep,
    PlaceholderSource,
)
from skillc.core.compile.answer_text import AnswerProblem, Dropped, item_of, parse_answer
from skillc.core.compile.evidence import Evidence
from skillc.core.compile.grounding import why_ungrounded, worked_calls
from skillc.core.record import Record, sha256_hex
from skillc.core.skill.claim import Action, Citation, Claim, FailureClaim, InputClaim, InputSource, StepClaim

_ITEMS: dict[str, type[Record]] = {
    "steps": AnswerStep,
    "failure_modes": AnswerFailure,
    "description": AnswerDescription,
}
_SOURCES = {
    PlaceholderSource.USER: InputSource.USER,
    PlaceholderSource.TOOL_RESULT: InputSource.STEP,
    PlaceholderSource.CONSTANT: InputSource.CONSTANT,
    PlaceholderSource.AGENT_CHOICE: InputSource.CHOSEN,
}


class ClaimReader:
    """Reads the claims of one answer and keeps what was left out and what was repaired."""

    def __init__(self, evidence: Evidence, aliases: Aliases) -> None:
        self.evidence = evidence
        self.aliases = aliases
        self.dropped: list[Dropped] = []
        self.repairs: list[CitationRepair] = []

    def claims(self, field: str, items: tuple[Any, ...], place: str) -> tuple[Claim, ...]:
        """Returns the claims of one edit, each text once; a bad item costs itself alone."""
        found: dict[str, Claim] = {}
        for number, value in enumerate(items):
            here = f"{place} {field}[{number}]"
            item = item_of(_ITEMS.get(field, AnswerClaim), value, here)
            claim = item if isinstance(item, Dropped) else self._claim(field, item, here)
            if isinstance(claim, Dropped):
                self.dropped.append(claim)
            elif claim.id in found:
                self.dropped.append(Dropped(place=here, reason="says the same as an earlier line"))
            else:
                found[claim.id] = claim
        return tuple(found.values())

    def inputs(self, items: tuple[Any, ...], place: str) -> tuple[InputClaim, ...]:
        """Returns the placeholders as inputs, each name once."""
        found: dict[str, InputClaim] = {}
        for number, value in enumerate(items):
            here = f"{place} placeholders[{number}]"
            item = item_of(AnswerPlaceholder, value, here)
            claim = item if isinstance(item, Dropped) else self._input(item, here)
            if isinstance(claim, Dropped):
                self.dropped.append(claim)
            elif claim.name in found:
                self.dropped.append(Dropped(place=here, reason="declares a placeholder twice"))
            else:
                found[claim.name] = claim
        return tuple(found.values())

    def citations(self, cites: tuple[str, ...]) -> tuple[Citation, ...]:
        """Returns the citations of cites that stand beside no claim; none when one of them means nothing."""
        return resolve_cites(cites, self.aliases).citations if cites else ()

    def _claim(self, field: str, item: Record, place: str) -> Claim | Dropped:
        assert isinstance(item, AnswerClaim | AnswerDescription)
        resolved = resolve_cites(item.cites, self.aliases, text=item.text)
        if resolved.reason:
            return Dropped(place=place, reason=resolved.reason)
        text = without_aliases(item.text)
        if not text:
            return Dropped(place=place, reason="has the alias of an event in its text")
        repairs = resolved.repairs
        base: dict[str, Any] = {"id": line_id(field, text), "text": text, "citations": resolved.citations}
        claim: Claim | Dropped
        if isinstance(item, AnswerStep):
            claim = self._step(item, base)
        elif isinstance(item, AnswerFailure):
            claim, more = self._failure(item, base, place)
            repairs += more
        else:
            claim = Claim(**base)
        if isinstance(claim, Dropped):
            return claim
        reason = why_ungrounded(claim, self.evidence)
        if reason:
            return Dropped(place=place, reason=reason)
        self.repairs += repairs
        return claim

    def _step(self, item: AnswerStep, base: dict[str, Any]) -> StepClaim:
        action = None
        if item.tool:
            arguments = {a.name: self._value(item, a.name, a.value) for a in item.arguments}
            action = Action(tool=item.tool, operation=item.operation or None, arguments=arguments)
        return StepClaim(**base, action=action, optional=item.optional, repeat=item.repeat or None)

    def _value(self, item: AnswerStep, name: str, value: str) -> Any:
        """Returns a constant as the cited call has it, so that a number stays one; lists and objects from JSON."""
        resolved = resolve_cites(item.cites, self.aliases, text=item.text)
        for _, event in worked_calls(resolved.citations, self.evidence):
            real = (event.arguments or {}).get(name)
            if event.tool == item.tool and isinstance(real, int | float | bool) and str(real).lower() == value.lower():
                return real
        if value[:1] in ("[", "{"):
            nested = parse_answer(f'{{"value": {value}}}')
            return value if isinstance(nested, AnswerProblem) else nested["value"]
        return value

    def _failure(
        self, item: AnswerFailure, base: dict[str, Any], place: str
    ) -> tuple[FailureClaim | Dropped, tuple[CitationRepair, ...]]:
        if not item.recovery:
            return FailureClaim(**base), ()
        resolved = resolve_cites(item.recovery_cites, self.aliases, text=item.recovery)
        recovery = without_aliases(item.recovery)
        if resolved.reason or not recovery:
            return Dropped(place=place, reason=f"has a recovery that {resolved.reason or 'names an alias'}"), ()
        claim = FailureClaim(**base, recovery=recovery, recovery_citations=resolved.citations)
        return claim, resolved.repairs

    def _input(self, item: AnswerPlaceholder, place: str) -> InputClaim | Dropped:
        resolved = resolve_cites(item.source_ref, self.aliases, text=item.meaning)
        text = without_aliases(item.meaning)
        if resolved.reason or not text:
            return Dropped(place=place, reason=resolved.reason or "has the alias of an event in its text")
        claim = InputClaim(
            id=line_id("inputs", f"{item.name}: {text}"),
            text=text,
            citations=resolved.citations,
            name=item.name,
            source=_SOURCES[item.source],
        )
        reason = why_ungrounded(claim, self.evidence)
        if reason:
            return Dropped(place=place, reason=reason)
        self.repairs += resolved.repairs
        return claim


def line_id(field: str, text: str) -> str:
    """Returns the id of a line from its field and words alone."""
    return f"{field.replace('_', '-')}-{sha256_hex(f'{field}:{text}'.encode())[:12]}"
