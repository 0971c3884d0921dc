"""Edits of a contract's fields as a model's answer asks for them: typed operations on whole lines, never on text.

A line whose words are unchanged keeps its id and its evidence, a person's own lines stay, and placeholders and inputs
are held against each other. Paper: 5.3, Reflector.
Not here: reading the edits (core.compile.reflector_answer), what a patch may touch (core.compile.patching).
"""

from typing import Any

from skillc.core.compile.answer_items import EditAction
from skillc.core.compile.narrow import placeholders_of
from skillc.core.skill.claim import PLACEHOLDER, Claim, ClaimBasis, InputClaim, StepClaim
from skillc.core.skill.contract import Contract, claims_of, contract_fields, iter_claims


def merged_fields(contracts: list[Contract]) -> dict[str, tuple[Claim, ...]]:
    """Returns the lines of several contracts together, those of the first before the others, each text once."""
    found: dict[str, tuple[Claim, ...]] = {}
    for field in contract_fields():
        lines: dict[Any, Claim] = {}
        for contract in contracts:
            for claim in claims_of(contract, field):
                lines.setdefault(words_of(claim) if field != "description" else field, claim)
        found[field] = tuple(lines.values())
    return found


def edited(
    before: tuple[Claim, ...], action: EditAction, claims: tuple[Claim, ...], removed: frozenset[str]
) -> tuple[Claim, ...]:
    """Returns a field after an edit: unchanged words keep their line and its evidence, a person's lines stay."""
    known = {words_of(claim): claim for claim in before}
    new = tuple(_same_or_new(known.get(words_of(claim)), claim) for claim in claims)
    own = tuple(c for c in before if c.basis is not ClaimBasis.EVENTS)
    if action is EditAction.SET and new:
        return (*new, *(c for c in own if c not in new))
    kept = tuple(c for c in before if c.id not in removed or c in own)
    replaced = {c.id: c for c in new}
    kept = tuple(replaced.pop(c.id, c) for c in kept)
    return (*kept, *replaced.values())


def _same_or_new(old: Claim | None, new: Claim) -> Claim:
    """A line with unchanged words keeps its id; where it cites more, it cites both."""
    if old is None:
        return new
    known = {(c.trace_id, e) for c in old.citations for e in c.events}
    more = {(c.trace_id, e) for c in new.citations for e in c.events} - known
    return old if not more or old.basis is not ClaimBasis.EVENTS else new.model_copy(update={"id": old.id})


def words_of(claim: Claim) -> tuple[Any, ...]:
    """Returns what a reader of the Skill sees of a claim."""
    typed = ("action", "optional", "repeat", "recovery", "name", "source")
    return (claim.text, *(repr(getattr(claim, name, None)) for name in typed))


def unique(fields: dict[str, tuple[Claim, ...]]) -> dict[str, Any]:
    """Returns the fields with every claim id once, over all fields together."""
    seen: set[str] = set()
    found: dict[str, Any] = {}
    for field, claims in fields.items():
        kept = []
        for claim in claims:
            if claim.id not in seen:
                seen.add(claim.id)
                kept.append(claim)
        found[field] = tuple(kept)
    return found


def _placeholders(claim: Claim) -> set[str]:
    texts = [claim.text, getattr(claim, "recovery", None) or "", getattr(claim, "repeat", None) or ""]
    found = {name for text in texts for name in PLACEHOLDER.findall(text)}
    return found | (placeholders_of(claim) if isinstance(claim, StepClaim) else set())


def undeclared(contract: Contract) -> dict[tuple[str, str], str]:
    """Returns (field, claim id) -> code of the lines whose placeholders have no input."""
    declared = {claim.name for claim in contract.inputs}
    return {
        (field, claim.id): "undeclared-input"
        for field, claim in iter_claims(contract)
        if not isinstance(claim, InputClaim) and not _placeholders(claim) <= declared
    }


def unused_inputs(contract: Contract, base: Contract | None) -> set[str]:
    """Returns the ids of inputs that no line uses, those of the current version left out."""
    used = {n for _, c in iter_claims(contract) if not isinstance(c, InputClaim) for n in _placeholders(c)}
    old = {c.id for c in base.inputs} if base is not None else set()
    return {c.id for c in contract.inputs if c.name not in used and c.id not in old}
