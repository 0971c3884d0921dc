"""Turning an addition into a patch of a current Skill, line by line: no twin is made, and no line gets lost.

A line with the same words keeps the current id and both citations; a new line whose id is taken gets one of its own.
Lines that the addition does not speak of stay. The steps are the addition's. Paper: 5.3, Curator.
Not here: which Skill is patched (core.compile.decision), which fields may change (core.compile.patching).
"""

from typing import Any

from skillc.core.compile.narrow import Line
from skillc.core.compile.proposal import claim_digest
from skillc.core.skill.claim import Citation, Claim, EffectClaim, InputClaim
from skillc.core.skill.contract import Contract, claims_of, contract_fields, event_order, iter_claims

MAX_TRACES = 6
MAX_EVENTS = 4


def turned(current: Contract, addition: Contract, weak: dict[Line, str]) -> tuple[Contract, dict[Line, str]]:
    """Returns the addition as the whole contract after a patch of `current`, and the weak lines under their ids."""
    moved: dict[Line, str] = {}
    fields: dict[str, Any] = {}
    taken = {c.id for _, c in iter_claims(current)}
    for field in contract_fields():
        before = claims_of(current, field)
        known = {claim_digest(field, c.text): c for c in before}
        lines: list[Claim] = []
        for claim in claims_of(addition, field):
            old = known.get(claim_digest(field, claim.text))
            key = field, claim.id
            if field == "description":
                claim = claim.model_copy(update={"id": before[0].id})
                if key in weak:
                    moved[field, claim.id] = weak[key]
                lines.append(claim)
                continue
            if old is not None and key not in weak:
                claim = joined(old, claim)
            elif claim.id in taken:
                claim = claim.model_copy(update={"id": f"{claim.id[:50]}-{claim_digest(field, claim.text)[7:15]}"})
            if key in weak:
                moved[field, claim.id] = weak[key]
            lines.append(claim)
        kept = {identity_of(field, c) for c in lines}
        if field not in ("steps", "description"):
            lines += [c for c in before if identity_of(field, c) not in kept]
        fields[field] = lines[0] if field == "description" else tuple(lines)
    origin = addition.origin.model_copy(update={"skill_id": current.skill_id})
    update = {**fields, "skill_id": current.skill_id, "name": current.name, "origin": origin}
    return addition.model_copy(update=update), moved


def identity_of(field: str, claim: Claim) -> str:
    """Returns what makes two lines one: the words; a placeholder and an effect are there once, whatever is said."""
    if isinstance(claim, InputClaim):
        return claim.name
    return claim.effect.value if isinstance(claim, EffectClaim) else claim_digest(field, claim.text)


def joined(old: Claim, new: Claim) -> Claim:
    """Returns the current line with the citations of both, within the limits."""
    events: dict[str, dict[str, None]] = {}
    for citation in (*old.citations, *new.citations):
        if citation.trace_id in events or len(events) < MAX_TRACES:
            kept = events.setdefault(citation.trace_id, {})
            for event in citation.events:
                if len(kept) < MAX_EVENTS:
                    kept.setdefault(event, None)
    citations = tuple(
        Citation(trace_id=t, events=tuple(sorted(ids, key=event_order))) for t, ids in sorted(events.items())
    )
    return old.model_copy(update={"citations": citations})
