"""Near-duplicates: Skills of two families that change the same things by nearly the same steps.

Gives the pairs, and the one contract that could take the place of both: every line of an admitted Skill with its
evidence, nothing new. It always waits for a person. Paper: 5.3, Curator (merge).
Not here: how alike two Skills are (core.compile.twins), what a merge loses (core.compile.losses).
"""

from collections.abc import Iterable
from typing import Any

from skillc.core.compile.evidence import CurrentSkill, Evidence
from skillc.core.compile.narrow import counted
from skillc.core.compile.proposal import Proposal, ProposalOperation, SkillRef, content_key
from skillc.core.compile.turning import identity_of, joined
from skillc.core.compile.twins import is_near_duplicate
from skillc.core.record import digest_of
from skillc.core.skill.claim import Claim
from skillc.core.skill.contract import Contract, claims_of, contract_fields, iter_claims


def near_duplicates(skills: Iterable[CurrentSkill]) -> tuple[tuple[CurrentSkill, CurrentSkill], ...]:
    """Returns the pairs of two families, each Skill in one pair at most; first the one with more support.

    Two that a person took apart after a merge stay apart until a new version of one of them is there.
    """
    ordered = sorted(skills, key=lambda s: (-len(s.contract.support.attempt_families), s.contract.skill_id))
    taken: set[str] = set()
    pairs = []
    for number, one in enumerate(ordered):
        for other in ordered[number + 1 :]:
            ids = {one.contract.skill_id, other.contract.skill_id}
            if not ids & taken and are_twins(one.contract, other.contract) and not _taken_apart(one, other):
                pairs.append((one, other))
                taken |= ids
    return tuple(pairs)


def are_twins(one: Contract, other: Contract) -> bool:
    """Says whether two Skills of different families are near-duplicates."""
    return one.task_family != other.task_family and is_near_duplicate(one, other)


def _taken_apart(one: CurrentSkill, other: CurrentSkill) -> bool:
    """Says whether one took the place of the very version of the other that is there again."""
    pairs = ((one, other), (other, one))
    return any(
        (r.skill_id, r.tree) == (gone.contract.skill_id, gone.tree)
        for by, gone in pairs
        for r in by.contract.origin.replaces or ()
    )


def merge_proposal(one: CurrentSkill, other: CurrentSkill, evidence: Evidence, *, run: str) -> Proposal:
    """Returns the proposal to let the first Skill take the place of both, with the evidence of both."""
    contract = counted(_union(one.contract, other.contract), evidence)
    key = digest_of([run, contract.task_family, ProposalOperation.MERGE, content_key(contract)])
    refs = tuple(SkillRef(skill_id=s.contract.skill_id, tree=s.tree) for s in (one, other))
    reason = f"{one.contract.name} and {other.contract.name} change the same things by nearly the same steps"
    return Proposal(
        id=f"p-{key[7:19]}", operation=ProposalOperation.MERGE, contract=contract, targets=refs, reasons=(reason,)
    )


def _union(one: Contract, other: Contract) -> Contract:
    """Every line of the first, then the lines that only the other has. The steps are the first's."""
    taken = {c.id for _, c in iter_claims(one)}
    fields: dict[str, Any] = {}
    for field in contract_fields():
        lines: dict[str, Claim] = {identity_of(field, c): c for c in claims_of(one, field)}
        for claim in claims_of(other, field):
            key = identity_of(field, claim)
            if key in lines:
                lines[key] = joined(lines[key], claim)
            elif field not in ("steps", "description"):
                if claim.id in taken:
                    claim = claim.model_copy(update={"id": f"{claim.id[:50]}-{digest_of(claim)[7:15]}"})
                lines[key] = claim
        kept = tuple(lines.values())
        fields[field] = kept[0] if field == "description" else kept
    return one.model_copy(update=fields)
