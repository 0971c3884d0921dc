"""A version as it leaves its namespace: the same text, without Traces, citations or the names of people.

What it rested on stays behind; the origin says where that is. Paper: 5.6, Sharing.
Not here: who may publish, and where it arrives (lifecycle.publish).
"""

from typing import Any

from skillc.core.record import digest_of
from skillc.core.skill.claim import Claim, ClaimBasis, FailureClaim, StepClaim
from skillc.core.skill.contract import Contract, PublishedFrom, SkillOrigin, Support, contract_fields


def published_contract(contract: Contract, source: PublishedFrom, *, name: str) -> Contract:
    """Returns the contract that arrives under a name elsewhere; the run follows from where it comes from."""
    changes: dict[str, Any] = {}
    for field in contract_fields():
        value = getattr(contract, field)
        changes[field] = _published(value) if isinstance(value, Claim) else tuple(_published(c) for c in value)
    run = "r-" + digest_of(["publish", source.model_dump(mode="json"), contract.skill_id, name])[7:27]
    origin = SkillOrigin(skill_id=contract.skill_id, run=run, group="", published=source)
    support = Support(attempt_families=(), single_source=False)
    return contract.model_copy(update={**changes, "name": name, "origin": origin, "support": support})


def _published(claim: Claim) -> Claim:
    update: dict[str, Any] = {"basis": ClaimBasis.PUBLISHED, "citations": (), "person": None}
    if isinstance(claim, FailureClaim):
        update["recovery_citations"] = ()
    if isinstance(claim, StepClaim):
        update["frequency"] = None
    return claim.model_copy(update=update)
