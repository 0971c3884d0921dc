"""Carrying a person's lines over into a new version: their text, their id and their place, whatever an engine wrote.

A line that a person wrote stands until a person takes it away; a cited line that it stands for does not come back
beside it. What its steps need to be understood comes along. Paper: 5.3, Reflector.
Not here: whether new evidence speaks against it (core.compile.contradictions), who wrote it (core.compile.amendment).
"""

import re
from collections.abc import Callable, Collection, Iterator
from typing import Any

from skillc.core.compile.amendment import identities_of, persons_digest
from skillc.core.compile.evidence import Evidence
from skillc.core.compile.narrow import placeholders_of
from skillc.core.compile.rejected import line_digest
from skillc.core.skill.claim import PLACEHOLDER, Claim, ClaimBasis, EffectClaim, InputClaim, StepClaim
from skillc.core.skill.contract import Contract, claims_of, contract_fields, iter_claims

_NAMES = re.compile(r"[\w.:/-]+")


def carried(before: Contract, made: Contract, evidence: Evidence) -> Contract:
    """Returns the new version with every line that people wrote in the one before it, and no double of one.

    Lines that a person decided against since then go. The evidence says which those are, and which cited lines a
    person's lines stand for.
    """
    fields: dict[str, Any] = {}
    before, made = _without_overruled(before, evidence), _without_overruled(made, evidence)
    own_ids = {c.id for _, c in iter_claims(before) if _is_own(c)}
    if not own_ids:
        return made
    for field in contract_fields():
        old, new = claims_of(before, field), claims_of(made, field)
        own = [c for c in old if _is_own(c)]
        if field == "description":
            fields[field] = own[0] if own else new[0]
            continue
        cited = [c for c in old if not _is_own(c)]  # beside the lines of people already: nobody stands for these
        there = {c.id for c in cited}
        aside = set(evidence.replaced) - {name for c in cited for name in identities_of(field, c)}
        kept = [c for c in new if c not in own and (c.id in there or not _stands_aside(field, c, own, own_ids, aside))]
        for index, claim in enumerate(old):
            if _is_own(claim):
                kept.insert(_place(field, old, index, kept), claim)
        fields[field] = tuple(kept)
    fields["inputs"] = (*fields["inputs"], *_needed(before, fields))
    own_steps = [s for s in before.steps if _is_own(s)]
    fields["effects"] = (*fields["effects"], *_effects_of(own_steps, before, fields["effects"]))
    fields["tools"] = (*fields["tools"], *_tools_of(own_steps, before, fields["tools"]))
    return made.model_copy(update=fields)


def _without_overruled(contract: Contract, evidence: Evidence) -> Contract:
    """Takes away a person's lines that lost a conflict; a description stays until another one is written."""
    if not evidence.overruled:
        return contract
    fields = {
        field: tuple(c for c in claims_of(contract, field) if not _is_overruled(field, c, evidence))
        for field in contract_fields()
        if field != "description"
    }
    return contract.model_copy(update=fields)


def _is_overruled(field: str, claim: Claim, evidence: Evidence) -> bool:
    return claim.is_persons and persons_digest(field, claim) in evidence.overruled


def _is_own(claim: Claim) -> bool:
    return claim.basis is not ClaimBasis.EVENTS


def _stands_aside(
    field: str, claim: Claim, own: list[Claim], own_ids: Collection[str], replaced: Collection[str]
) -> bool:
    """Says whether a cited line is one that a person's line stands for, or says the same as one."""
    if _is_own(claim):
        return False
    if claim.id in own_ids or not set(identities_of(field, claim)).isdisjoint(replaced):
        return True
    return any(_same_thing(field, claim, c) for c in own)


def _same_thing(field: str, one: Claim, two: Claim) -> bool:
    if isinstance(one, InputClaim) and isinstance(two, InputClaim):
        return one.name == two.name
    if isinstance(one, EffectClaim) and isinstance(two, EffectClaim):
        return one.effect == two.effect
    return line_digest(field, one) == line_digest(field, two)


def _place(field: str, old: tuple[Claim, ...], index: int, kept: list[Claim]) -> int:
    """Returns where a line goes: after the nearest line before it that is there, else before the nearest after it."""
    for earlier in reversed(old[:index]):
        if (found := _index_of(field, earlier, kept)) is not None:
            return found + 1
    for later in old[index + 1 :]:
        if (found := _index_of(field, later, kept)) is not None:
            return found
    return min(index, len(kept))


def _index_of(field: str, claim: Claim, kept: list[Claim]) -> int | None:
    """Returns where a line is: itself, else its id, its words, or what it does, in this order."""
    if claim in kept:
        return kept.index(claim)
    words, *deeds = identities_of(field, claim)
    tests: tuple[Callable[[Claim], bool], ...] = (
        lambda c: c.id == claim.id,
        lambda c: line_digest(field, c) == words,
        lambda c: bool(set(deeds) & set(identities_of(field, c)[1:])),
    )
    return next((i for test in tests for i, c in enumerate(kept) if test(c)), None)


def _needed(before: Contract, fields: dict[str, Any]) -> Iterator[InputClaim]:
    """Yields the inputs of the version before that a person's lines name and the new one does not declare."""
    declared = {claim.name for claim in fields["inputs"]}
    used: set[str] = set()
    for field in fields:
        for claim in (fields[field],) if isinstance(fields[field], Claim) else fields[field]:
            if _is_own(claim):
                used |= placeholders_of(claim) if isinstance(claim, StepClaim) else set(PLACEHOLDER.findall(claim.text))
    yield from (claim for claim in before.inputs if claim.name in used - declared)


def _effects_of(
    own_steps: list[StepClaim], before: Contract, effects: tuple[EffectClaim, ...]
) -> Iterator[EffectClaim]:
    """Yields the effects of the version before that an engine could not see: a person's step cites no call."""
    seen = {claim.effect for claim in effects}
    yield from (claim for claim in before.effects if own_steps and claim.effect not in seen)


def _tools_of(own_steps: list[StepClaim], before: Contract, tools: tuple[Claim, ...]) -> Iterator[Claim]:
    """Yields the lines of the tools that a person's steps use, as the version before had them."""
    used = {step.action.tool for step in own_steps if step.action is not None}
    seen = {line_digest("tools", claim) for claim in tools}
    for claim in before.tools:
        if line_digest("tools", claim) not in seen and used & set(_NAMES.findall(claim.text)):
            yield claim
