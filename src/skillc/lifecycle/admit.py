"""Admission of a candidate that waits: base moves to it, whole, with the record of who let it in.

For `approve` where policy admits automatically, and for a run that finds that nothing holds its candidate any more.
Paper: 5.4, Group admission. Not here: a new candidate (lifecycle.compile), what may be admitted (core.admit.gates).
"""

from skillc.core.admit.gates import GateVerdict, may_admit_at_once
from skillc.core.policy import ApprovalMode
from skillc.errors import PolicyError
from skillc.lifecycle.admission import candidate_gates
from skillc.lifecycle.approvals import versions_of
from skillc.lifecycle.audit_records import admission_file
from skillc.lifecycle.candidates import Candidate
from skillc.lifecycle.context import Context
from skillc.repo.checkout import move_branch
from skillc.repo.commits import RefUpdate
from skillc.repo.due import DueRecords, move_with_records
from skillc.repo.layout import candidate_ref


def admit_candidate(context: Context, candidate: Candidate, *, by: str, proof: str) -> None:
    """Moves base to the candidate. Raises PolicyError where base has moved on, RepoError where a checkout is busy."""
    base = context.base
    if base.commit != candidate.start:
        raise PolicyError(
            f"{base.branch} moved on since the candidate was made",
            hint=f"run: skillc compile --family {candidate.task_family}, or merge {candidate.branch}",
        )
    record = admission_file(
        context,
        run=candidate.run,
        group=candidate.group,
        versions=versions_of(candidate),
        by=by,
        proof=proof,
        at=context.now,
        commit=candidate.tip,
    )
    ref = candidate_ref(candidate.task_family)
    still = RefUpdate(ref, candidate.tip, candidate.tip)  # who rejected or replaced it meanwhile was faster
    due = DueRecords(base.ref, candidate.tip, (record,), f"admitted: run {candidate.run}\n", context.now)
    move_with_records(
        context.repository,
        due,
        lambda: move_branch(context.repository, base, old=base.commit, new=candidate.tip, also=[still]),
    )
    context.forget_ledger()


def admit_if_ready(context: Context, candidate: Candidate) -> tuple[GateVerdict, ...] | None:
    """Admits a waiting candidate where policy is auto and every gate passes today; returns the verdicts then.

    One that a person amended waits for a person.
    """
    is_ready = context.policy.approval.mode is ApprovalMode.AUTO
    is_ready = is_ready and not candidate.foreign and not candidate.is_amended
    if not is_ready or context.is_draft or context.base.commit != candidate.start:
        return None
    gates = candidate_gates(context, candidate)
    if not may_admit_at_once(gates):
        return None
    admit_candidate(context, candidate, by="policy", proof="policy")
    return gates
