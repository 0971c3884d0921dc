"""What becomes of each proposal in a run: sifted, scanned, decided, and recorded with its reasons.

Every answer of an engine is a claim. Trusted code in core decides (core.compile.sifting, core.compile.decision);
here it is called in order and written down. Paper: 5.3, Validation, Scanners, Curator.
Not here: the order of the stages of a run (lifecycle.compile).
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from skillc.core.compile.calls import CallFailure, ModelCall
from skillc.core.compile.decision import Decision, decide_all
from skillc.core.compile.evidence import Evidence
from skillc.core.compile.group import Change
from skillc.core.compile.history import LineRecord, RepairRecord, RunProposal
from skillc.core.compile.narrow import DroppedLine
from skillc.core.compile.proposal import (
    Proposal,
    ProposalOperation,
    ProposalOutcome,
    SkillConflict,
    Verdict,
    claim_digest,
    content_key,
)
from skillc.core.compile.select import Attempt, Selection
from skillc.core.compile.sifting import Sifted, sift
from skillc.core.scan.finding import Finding, Severity
from skillc.core.skill.contract import iter_claims
from skillc.lifecycle.context import Context
from skillc.lifecycle.skills import StoredSkill
from skillc.lifecycle.upkeep import Upkeep


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
    conflicts: list[SkillConflict] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    sifted: dict[str, Sifted] = field(default_factory=dict)
    calls: tuple[ModelCall, ...] | None = None
    failure: CallFailure | None = None
    upkeep: Upkeep = field(default_factory=Upkeep)
    own: tuple[StoredSkill, ...] = ()


def passes_checks(context: Context | None, run: Run, proposal: Proposal) -> Proposal | None:
    """Returns what is left of a proposal after the trusted checks and the scanner; one that fails ends here."""
    if proposal.operation is ProposalOperation.NONE or (
        proposal.contract is None and proposal.operation is not ProposalOperation.CONFLICT
    ):
        reasons = proposal.reasons or ("no change",)
        run.proposals.append(proposal_record(proposal, ProposalOutcome.CURATOR_REJECTED, reasons))
        return None
    sifted = sift(proposal, run.evidence)
    left = sifted.proposal
    if left is None:
        reasons = tuple(f"{f.code}: {f.message}" + (f" [{f.field}]" if f.field else "") for f in sifted.failures)
        run.proposals.append(proposal_record(proposal, ProposalOutcome.CHECK_REJECTED, reasons, sifted=sifted))
        return None
    run.sifted[left.id] = sifted
    if left.contract is None:
        return left
    from skillc.lifecycle.scanning import scan_proposal  # loads every scan rule, and most runs have nothing to scan

    findings = scan_proposal(context, left.contract, run.attempts)
    run.findings += findings
    blocking = [f for f in findings if f.severity is Severity.BLOCK and not f.suppressed]
    if blocking:
        reasons = tuple(f"{f.rule}: {f.title} at {f.path}" for f in blocking)
        run.proposals.append(proposal_record(left, ProposalOutcome.SCANNER_REJECTED, reasons, sifted=sifted))
        return None
    return left


def judge(run: Run, proposals: Iterable[Proposal], verdicts: Iterable[Verdict]) -> None:
    """Decides the proposals that passed, by the Curator's verdicts, and records each."""
    given: dict[str, Verdict | None] = {}
    for answer in verdicts:
        given[answer.proposal_id] = None if answer.proposal_id in given else answer  # two answers are none
    passed = tuple(proposals)
    for proposal, decision in zip(passed, decide_all(run.evidence, passed, given), strict=True):
        accepted = decision.change is not None or decision.conflict is not None
        outcome = ProposalOutcome.PENDING if accepted else ProposalOutcome.CURATOR_REJECTED
        verdict = given.get(proposal.id)
        sifted = run.sifted.get(proposal.id)
        # What its reading left out, then what was decided; each reason once.
        reasons = tuple(dict.fromkeys((*proposal.reasons, *decision.reasons)))
        run.proposals.append(proposal_record(proposal, outcome, reasons, verdict, decision=decision, sifted=sifted))
        if decision.change is not None:
            run.changes.append(decision.change)
        if decision.conflict is not None:
            run.conflicts.append(decision.conflict)


def proposal_record(
    proposal: Proposal,
    outcome: ProposalOutcome,
    reasons: tuple[str, ...],
    verdict: Verdict | None = None,
    *,
    decision: Decision | None = None,
    sifted: Sifted | None = None,
) -> RunProposal:
    """Returns the record of a proposal and how far it came."""
    change = decision.change if decision else None
    contract = change.contract if change else proposal.contract
    fallen = (*(sifted.dropped if sifted else ()), *(decision.dropped if decision else ()))
    repairs = tuple(
        RepairRecord(field=r.field, claim_id=r.claim_id, trace_id=r.trace_id, event=r.event)
        for r in (sifted.repairs if sifted else ())
    )
    lost = tuple(
        LineRecord(field=line.field, claim_id=line.claim_id, reason=line.reason, skill=line.skill)
        for line in (change.lost if change else ())
    )
    return RunProposal(
        id=proposal.id,
        operation=proposal.operation,
        skill=contract.name if contract else None,
        skill_id=contract.skill_id if contract else None,
        content=content_key(contract) if contract else None,
        claims=tuple(claim_digest(f, c.text) for f, c in iter_claims(contract)) if contract else (),
        fields=change.fields if change else proposal.fields,
        verdicts=verdict.claims if verdict else (),
        outcome=outcome,
        reasons=reasons,
        dropped=_lines(fallen) or None,
        repairs=repairs or None,
        lost=lost or None,
    )


def _lines(dropped: Iterable[DroppedLine]) -> tuple[LineRecord, ...]:
    return tuple(LineRecord(field=d.field, claim_id=d.claim_id, reason=d.reason) for d in dict.fromkeys(dropped))


def rejected(proposal: RunProposal, reasons: tuple[str, ...]) -> RunProposal:
    """Returns the record of a proposal that a gate stopped."""
    return proposal.model_copy(update={"outcome": ProposalOutcome.SCANNER_REJECTED, "reasons": reasons})
