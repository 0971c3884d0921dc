"""What a model adds to a run: its scan of the proposals, its calls for the record, and the end of a failed call.

A failed call admits nothing, keeps every source and says why in the run record. Paper: 5.3, Outcome history.
Not here: the order of the stages (lifecycle.compile), the calls themselves (engines.model).
"""

from collections.abc import Iterable, Sequence

from skillc.core.compile.calls import ANSWERED, CallFailure
from skillc.core.compile.history import RunProposal, RunRecord
from skillc.core.compile.proposal import Proposal, ProposalOperation, ProposalOutcome
from skillc.core.compile.roles import Engine
from skillc.core.record import digest_of
from skillc.core.scan.finding import Severity
from skillc.errors import CallFailedError
from skillc.lifecycle.compile_report import FamilyReport
from skillc.lifecycle.judging import Run, proposal_record


def passes_model_scan(run: Run, engine: Engine, proposals: Sequence[Proposal]) -> list[Proposal]:
    """Returns the proposals in which the engine's own scanner sees nothing that blocks; its findings are kept.

    A finding that names no place may be about any of them, so it stops them all.
    """
    contracts = tuple(p.contract for p in proposals if p.contract is not None)
    findings = engine.scan(contracts)
    run.findings += findings
    blocking = [f for f in findings if f.severity is Severity.BLOCK]
    placed = tuple(f"{contract.name}/" for contract in contracts)
    passed = []
    for proposal in proposals:
        name = f"{proposal.contract.name}/" if proposal.contract is not None else ""
        own = [f for f in blocking if f.path.startswith(name) or not f.path.startswith(placed)]
        if own:
            reasons = tuple(f"{f.rule}: {f.title} at {f.path}" for f in own)
            run.proposals.append(proposal_record(proposal, ProposalOutcome.SCANNER_REJECTED, reasons))
        else:
            passed.append(proposal)
    return passed


def end_by_failure(run: Run, error: CallFailedError, pending: Sequence[Proposal]) -> None:
    """Records the failed call: on every proposal that was still under way, else on one that stands for the run."""
    run.failure = CallFailure(
        role=error.role, kind=error.kind, reason=error.message, stops_run=error.stops_run, hint=error.hint
    )
    reasons = (f"{error.kind}: {error.message}",)
    ended = {p.id for p in run.proposals}
    run.proposals = [
        p.model_copy(update={"outcome": ProposalOutcome.CALL_FAILED, "reasons": reasons})
        if p.outcome is ProposalOutcome.PENDING
        else p
        for p in run.proposals
    ]
    run.proposals += [proposal_record(p, ProposalOutcome.CALL_FAILED, reasons) for p in pending if p.id not in ended]
    if not run.proposals:
        key = digest_of([run.run, error.role, error.kind])
        run.proposals.append(
            RunProposal(
                id=f"p-{key[7:19]}",
                operation=ProposalOperation.NONE,
                outcome=ProposalOutcome.CALL_FAILED,
                reasons=reasons,
            )
        )
    run.changes.clear()


def is_recorded_failure(runs: Iterable[RunRecord], run: Run) -> bool:
    """Says whether the same run failed in the same way before, and nothing was paid for trying again.

    A failure is recorded once; what was paid is always recorded.
    """
    if run.failure is None or any(c.cost_usd or c.outcome == ANSWERED for c in run.calls or () if not c.is_recorded):
        return False
    now = run.failure.role, run.failure.kind
    return any(r.run == run.run and r.failure is not None and (r.failure.role, r.failure.kind) == now for r in runs)


def with_estimate(report: FamilyReport, run: Run, engine: Engine) -> FamilyReport:
    """Returns the report of a dry run: what a run would ask and cost at most, and no call was made."""
    from skillc.engines.model.engine import ModelEngine
    from skillc.engines.model.estimate import estimate_run

    assert isinstance(engine, ModelEngine)
    estimate = estimate_run(engine, run.evidence, run=run.run)
    return report.model_copy(update={"read": tuple(s.trace_id for s in run.evidence.sources), "estimate": estimate})
