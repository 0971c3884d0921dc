"""Rejection: a person's no, remembered so that the same proposal or line is not made again.

Rejecting a run takes its candidate away; rejecting one line leaves it for the next run, which is made without
the line. New evidence opens both again. A refused removal brings no Skill back into service: the withdrawal stays, and
only the folder is left. Paper: 5.3, Outcome history.
"""

from typing import Literal

from skillc.core.compile.history import OutcomeRecord, RunRecord
from skillc.core.compile.proposal import ProposalOutcome, content_key
from skillc.core.compile.rejected import line_digest
from skillc.core.record import Record
from skillc.core.skill.contract import Contract, iter_claims
from skillc.errors import UsageError
from skillc.lifecycle.candidates import Candidate, candidate_named, drop_candidate, pending_candidates
from skillc.lifecycle.context import Context
from skillc.lifecycle.skills import current_skills
from skillc.repo.due import DueRecords, move_with_records
from skillc.repo.layout import candidate_ref
from skillc.repo.ledger import append_to_ledger, ledger_file


class RejectReport(Record):
    """What was rejected. `branch` is the candidate branch that was deleted, with the commit to get it back."""

    format: Literal["skillc.reject/1"] = "skillc.reject/1"
    run: str
    skill: str | None
    claim: str | None
    branch: str | None
    commit: str | None


def reject(context: Context, name: str, claim_id: str | None, *, reason: str, by: str) -> RejectReport:
    """Rejects the candidate of a run, family or Skill, or one line of a Skill."""
    if not reason.strip():
        raise UsageError("say why: --reason TEXT", hint="the reason is kept and shown with later proposals")
    if claim_id is not None:
        return _reject_line(context, name, claim_id, reason=reason, by=by)
    candidate = candidate_named(context, name)
    run = _run_of(context, candidate)
    files = [
        ledger_file("outcomes", _outcome(context, candidate, run, version.contract, (), reason, by))
        for version in candidate.versions
        if version.contract is not None
    ]
    if not files:  # it only takes Skills out of service: the run is refused, and no words are
        files = [ledger_file("outcomes", _outcome(context, candidate, run, None, (), reason, by))]
    ref = candidate_ref(candidate.task_family)
    due = DueRecords(ref, None, tuple(files), f"rejected: run {candidate.run}\n", context.now)
    move_with_records(context.repository, due, lambda: drop_candidate(context, candidate))
    return RejectReport(run=candidate.run, skill=None, claim=None, branch=candidate.branch, commit=candidate.tip)


def _reject_line(context: Context, name: str, claim_id: str, *, reason: str, by: str) -> RejectReport:
    for candidate in pending_candidates(context).values():
        for version in candidate.versions:
            if version.contract is not None and name in (version.skill, version.skill_id, candidate.run):
                digests = _digests(version.contract, claim_id)
                if digests:
                    run = _run_of(context, candidate)
                    record = _outcome(context, candidate, run, version.contract, digests, reason, by)
                    return _append_line(context, record, version.skill, claim_id)
    for skill in current_skills(context).values():
        if skill.contract is not None and name in (skill.name, skill.contract.skill_id):
            digests = _digests(skill.contract, claim_id)
            made_by = next((r for r in context.ledger.runs if r.run == skill.contract.origin.run), None)
            if digests and made_by is not None:
                record = _outcome(context, None, made_by, skill.contract, digests, reason, by)
                return _append_line(context, record, skill.name, claim_id)
    raise UsageError(f"{name!r} has no line {claim_id!r}", hint=f"run: skillc why {name}")


def _append_line(context: Context, record: OutcomeRecord, skill: str, claim_id: str) -> RejectReport:
    message = f"rejected: one line of {skill}\n"
    append_to_ledger(context.repository, [ledger_file("outcomes", record)], message=message, at=context.now)
    return RejectReport(run=record.run, skill=skill, claim=claim_id, branch=None, commit=None)


def _digests(contract: Contract, claim_id: str) -> tuple[str, ...]:
    return tuple(line_digest(f, c) for f, c in iter_claims(contract) if c.id == claim_id)


def _run_of(context: Context, candidate: Candidate) -> RunRecord:
    run = next((r for r in context.ledger.runs if r.run == candidate.run), None)
    if run is None:
        raise UsageError(
            f"the ledger has no record of run {candidate.run!r}",
            hint="fetch the ledger: skillc sync, or compile again",
        )
    return run


def _outcome(
    context: Context,
    candidate: Candidate | None,
    run: RunRecord,
    contract: Contract | None,
    claims: tuple[str, ...],
    reason: str,
    by: str,
) -> OutcomeRecord:
    proposal = next((p for p in run.proposals if contract is not None and p.skill_id == contract.skill_id), None)
    return OutcomeRecord(
        namespace=context.policy.namespace,
        run=run.run,
        proposal=proposal.id if proposal else "",
        task_family=(candidate or contract or run).task_family,
        outcome=ProposalOutcome.HUMAN_REJECTED,
        reason=reason,
        content=None if claims or contract is None else content_key(contract),
        claims=claims,
        sources=tuple(sorted(s.key for s in run.read)),
        by=by,
        at=context.now,
        previous=context.ledger.heads("outcomes"),
    )
