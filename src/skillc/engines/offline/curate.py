"""Curation: a verdict per claim from its cited events, then a decision per proposal. Paper: 5.3, Curator.

The lines are read as if a stranger had written them (engines.offline.support). An unsupported claim is named;
what becomes of its change is decided by trusted code. Not here: writing proposals (engines.offline.reflect).
"""

from skillc.core.compile.evidence import Evidence
from skillc.core.compile.proposal import (
    ClaimVerdict,
    CuratorDecision,
    Proposal,
    ProposalOperation,
    Verdict,
)
from skillc.core.skill.claim import Claim, InputClaim
from skillc.core.skill.contract import Contract, iter_claims
from skillc.engines.offline.support import why_unsupported

_DECISIONS = {
    ProposalOperation.ADD: CuratorDecision.ADD,
    ProposalOperation.PATCH: CuratorDecision.PATCH,
    ProposalOperation.MERGE: CuratorDecision.MERGE,
    ProposalOperation.CONFLICT: CuratorDecision.CONFLICT,
}


def curate(evidence: Evidence, proposals: tuple[Proposal, ...]) -> tuple[Verdict, ...]:
    """Returns one verdict per proposal, in their order."""
    return tuple(_verdict(evidence, proposal) for proposal in proposals)


def claim_verdicts(
    evidence: Evidence, contract: Contract, known: dict[tuple[str, str], tuple[Claim, ClaimVerdict]] | None = None
) -> tuple[ClaimVerdict, ...]:
    """Returns a verdict for every claim of a contract, in its order. What a person wrote rests on the person.

    `known` keeps the verdicts from one form of a contract to the next: a line that is still there is not read again.
    An input is, since its steps may have gone.
    """
    found = []
    for field, claim in iter_claims(contract):
        judged, verdict = (known or {}).get((field, claim.id), (None, None))
        if verdict is not None and judged is claim and not isinstance(claim, InputClaim):
            found.append(verdict)
            continue
        reason = "" if claim.is_persons else why_unsupported(field, claim, contract, evidence)
        found.append(ClaimVerdict(field=field, claim_id=claim.id, supported=not reason, reason=reason))
        if known is not None:
            known[field, claim.id] = claim, found[-1]
    return tuple(found)


def _verdict(evidence: Evidence, proposal: Proposal) -> Verdict:
    contract = proposal.contract
    if contract is None or proposal.operation is ProposalOperation.NONE:
        return Verdict(proposal_id=proposal.id, decision=CuratorDecision.NONE, reasons=proposal.reasons)
    claims = claim_verdicts(evidence, contract)
    reason = _why_rejected(evidence, proposal, contract, claims)
    if reason:
        return Verdict(proposal_id=proposal.id, decision=CuratorDecision.REJECT, claims=claims, reasons=(reason,))
    return Verdict(proposal_id=proposal.id, decision=_DECISIONS[proposal.operation], claims=claims)


def _why_rejected(evidence: Evidence, proposal: Proposal, contract: Contract, claims: tuple[ClaimVerdict, ...]) -> str:
    """Returns why nothing useful is left of a proposal, or why it would double or weaken a current Skill."""
    supported = {c.field for c in claims if c.supported}
    for field in ("description", "use_when", "steps"):
        if field not in supported:
            return f"no line of {field} is supported"
    same_family = [c for c in evidence.current if c.contract.task_family == contract.task_family]
    if proposal.operation is ProposalOperation.ADD and same_family:
        return "the family has a Skill already: a patch of it is preferred to a second one"
    for current in same_family:
        known = set(current.contract.support.attempt_families)
        if proposal.operation is ProposalOperation.PATCH and current.contract.skill_id == contract.skill_id:
            here = known & {s.attempt_family for s in evidence.supports}
            if len(contract.support.attempt_families) < len(here):
                return "the patch has less support than the current version"
    return ""
