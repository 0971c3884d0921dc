"""What becomes of each proposal in a run: checked, scanned, judged, and recorded with its reasons.

Every answer of an engine is a claim. A proposal that fails ends here as a value; the others become changes.
Paper: 5.3, Validation, Scanners, Curator. Not here: the order of the stages (lifecycle.compile).
"""

from dataclasses import dataclass, field
from datetime import datetime

from skillc.core.compile.checks import check_proposal
from skillc.core.compile.evidence import Evidence
from skillc.core.compile.group import Change
from skillc.core.compile.history import RunProposal
from skillc.core.compile.proposal import (
    CuratorDecision,
    Proposal,
    ProposalOperation,
    ProposalOutcome,
    Verdict,
    claim_digest,
    content_key,
)
from skillc.core.compile.select import Attempt, Selection
from skillc.core.scan.finding import Finding, Severity
from skillc.core.skill.contract import ChangeKind, iter_claims
from skillc.lifecycle.context import Context


@dataclass
class Run:
    """One run over one family, as it goes on."""

    run: str
    evidence: Evidence
    selection: Selection
    at: datetime
    attempts: dict[str, Attempt]
    proposals: list[RunProposal] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)


def passes_checks(context: Context, run: Run, proposal: Proposal) -> bool:
    """Trusted checks, then the proposal scanner; a proposal that fails ends here with its reasons."""
    if proposal.operation is ProposalOperation.NONE or proposal.contract is None:
        run.proposals.append(
            proposal_record(proposal, ProposalOutcome.CURATOR_REJECTED, proposal.reasons or ("no change",))
        )
        return False
    failures = check_proposal(proposal, run.evidence)
    if failures:
        reasons = tuple(f"{f.code}: {f.message}" + (f" [{f.field}]" if f.field else "") for f in failures)
        run.proposals.append(proposal_record(proposal, ProposalOutcome.CHECK_REJECTED, reasons))
        return False
    from skillc.lifecycle.scanning import scan_proposal  # loads every scan rule, and most runs have nothing to scan

    findings = scan_proposal(context, proposal.contract, run.attempts)
    run.findings += findings
    if any(f.severity is Severity.BLOCK for f in findings):
        reasons = tuple(f"{f.rule}: {f.title} at {f.path}" for f in findings if f.severity is Severity.BLOCK)
        run.proposals.append(proposal_record(proposal, ProposalOutcome.SCANNER_REJECTED, reasons))
        return False
    return True


_CHANGE = {
    CuratorDecision.ADD: ChangeKind.ADD,
    CuratorDecision.PATCH: ChangeKind.PATCH,
    CuratorDecision.MERGE: ChangeKind.MERGE,
    CuratorDecision.REPLACE: ChangeKind.REPLACE,
}
_ALLOWED = {
    ProposalOperation.ADD: {
        CuratorDecision.ADD,
        CuratorDecision.PATCH,
        CuratorDecision.MERGE,
        CuratorDecision.REPLACE,
    },
    ProposalOperation.PATCH: {CuratorDecision.PATCH},
    ProposalOperation.MERGE: {CuratorDecision.MERGE, CuratorDecision.PATCH},
}


def decide(run: Run, proposal: Proposal, verdict: Verdict | None) -> None:
    """Takes the Curator's answer as a claim: a missing verdict is unsupported, a forbidden decision rejects."""
    assert proposal.contract is not None
    given = {(c.field, c.claim_id): c for c in verdict.claims} if verdict else {}
    unsupported = [
        f"unsupported: {field} {claim.id}"
        for field, claim in iter_claims(proposal.contract)
        if not ((found := given.get((field, claim.id))) and found.supported)
    ]
    reasons: tuple[str, ...] = tuple(unsupported)
    if verdict is None:
        reasons = ("the Curator gave no verdict",)
    elif verdict.decision not in _ALLOWED.get(proposal.operation, set()):
        reasons += verdict.reasons or (f"the Curator decided {verdict.decision.value}",)
    if reasons or verdict is None:
        run.proposals.append(proposal_record(proposal, ProposalOutcome.CURATOR_REJECTED, reasons, verdict))
        return
    run.proposals.append(proposal_record(proposal, ProposalOutcome.PENDING, verdict.reasons, verdict))
    run.changes.append(
        Change(
            kind=_CHANGE[verdict.decision],
            contract=proposal.contract,
            base_tree=proposal.base_tree,
            proposal_id=proposal.id,
            fields=proposal.fields,
        )
    )


def proposal_record(
    proposal: Proposal, outcome: ProposalOutcome, reasons: tuple[str, ...], verdict: Verdict | None = None
) -> RunProposal:
    """Returns the record of a proposal and how far it came."""
    contract = proposal.contract
    return RunProposal(
        id=proposal.id,
        operation=proposal.operation,
        skill=contract.name if contract else None,
        skill_id=contract.skill_id if contract else None,
        content=content_key(contract) if contract else None,
        claims=tuple(claim_digest(f, c.text) for f, c in iter_claims(contract)) if contract else (),
        fields=proposal.fields,
        verdicts=verdict.claims if verdict else (),
        outcome=outcome,
        reasons=reasons,
    )


def rejected(proposal: RunProposal, reasons: tuple[str, ...]) -> RunProposal:
    """Returns the record of a proposal that a gate stopped."""
    return proposal.model_copy(update={"outcome": ProposalOutcome.SCANNER_REJECTED, "reasons": reasons})
