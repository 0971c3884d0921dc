"""Fields of a contract that are computed from its steps and never asked from a model: tools and effects.

A model that may name its own tools could leave one out, and one that may name its own effects could hide that money
moves. Both follow from the calls that the steps cite. Paper: 5.2.
Not here: the same fields of the offline engine, which knows more of the family (engines.offline.describe).
"""

import re

from skillc.core.compile.aliases import CitedEventId, citations_to
from skillc.core.compile.answer_claims import line_id
from skillc.core.compile.evidence import Evidence
from skillc.core.compile.grounding import worked_calls
from skillc.core.skill.claim import Claim, EffectClaim, StepClaim
from skillc.core.skill.contract import Contract
from skillc.core.trace.operation import Effect, effect_of, is_shell, operations_of

MAX_NAMES = 5
MAX_CITED = 8
MAX_CITED_PER_NAME = 2
_PAYMENT_ARGUMENT = re.compile(r"payment|amount|price|charge|refund", re.IGNORECASE)
_TEXTS = {
    Effect.READ: "Reads",
    Effect.WRITE: "Writes",
    Effect.MESSAGE: "Sends messages",
    Effect.MONEY: "Moves money",
    Effect.DELETE: "Deletes",
}


def tools_of_steps(steps: tuple[StepClaim, ...], evidence: Evidence) -> tuple[Claim, ...]:
    """Returns one claim for each tool that the steps' cited calls used."""
    calls: dict[str, list[CitedEventId]] = {}
    for step in steps:
        for citation, event in worked_calls(step.citations, evidence):
            if event.tool and (step.action is None or event.tool == step.action.tool):
                calls.setdefault(event.tool, []).append(CitedEventId(citation.trace_id, event.id))
    return tuple(
        Claim(id=line_id("tools", tool), text=_code(tool), citations=citations_to(found[:MAX_CITED]))
        for tool, found in sorted(calls.items())
    )


def effects_of_steps(steps: tuple[StepClaim, ...], evidence: Evidence) -> tuple[EffectClaim, ...]:
    """Returns the effects of the steps' cited calls, from harmless to final, each with the calls that show it."""
    calls: dict[Effect, dict[str, list[CitedEventId]]] = {}
    for step in steps:
        for citation, event in worked_calls(step.citations, evidence):
            tool = event.tool or ""
            pays = not is_shell(tool) and any(_PAYMENT_ARGUMENT.search(name) for name in event.arguments or {})
            for operation in operations_of(tool, event.arguments) or (None,):
                effect = effect_of(tool, operation)
                effect = Effect.MONEY if effect is Effect.WRITE and pays else effect
                by_name = calls.setdefault(effect, {})
                by_name.setdefault(operation or tool, []).append(CitedEventId(citation.trace_id, event.id))
    found = []
    for effect in Effect:
        if effect in calls:
            names = sorted(calls[effect])[:MAX_NAMES]
            text = f"{_TEXTS[effect]}: {', '.join(_code(name) for name in names)}"
            citations = citations_to(e for name in names for e in calls[effect][name][:MAX_CITED_PER_NAME])
            found.append(EffectClaim(id=line_id("effects", text), text=text, effect=effect, citations=citations))
    return tuple(found)


def computed_lines(contract: Contract, evidence: Evidence) -> frozenset[str]:
    """Returns the ids of the lines that trusted code computed from the steps: nobody needs to judge them."""
    made = (*tools_of_steps(contract.steps, evidence), *effects_of_steps(contract.steps, evidence))
    return frozenset(claim.id for claim in made if claim in (*contract.tools, *contract.effects))


def _code(name: str) -> str:
    return f"`{name.replace('`', '')}`"
