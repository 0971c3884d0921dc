"""Admission of a candidate that waits: base moves to it, whole, with the record of who let it in.

For `approve` where policy admits automatically, and for a run that finds that nothing holds its candidate any more.
Paper: 5.4, Group admission. Not here: a new candidate (lifecycle.compile), what may be admitted (core.admit.gates).
"""

from skillc.core.admit.gates import GateVerdict, check_gates, may_admit_approved, may_admit_at_once
from skillc.core.policy import ApprovalMode
from skillc.errors import PolicyError
from skillc.lifecycle.admission import gate_input_of
from skillc.lifecycle.approvals import versions_of
from skillc.lifecycle.audit_records import admission_file
from skillc.lifecycle.candidates import Candidate
from skillc.lifecycle.context import Context
from skillc.repo.checkout import move_branch
from skillc.repo.commits import RefUpdate
from skillc.repo.due import DueRecords, move_with_records
from skillc.repo.layout import candidate_ref
from skillc.repo.ledger import LedgerFile


def admit_candidate(
    context: Context, candidate: Candidate, *, by: str, proof: str, with_files: tuple[LedgerFile, ...] = ()
) -> None:
    """Moves base to the candidate, and appends the record of it together with other records that let it in.

    Raises PolicyError where base has moved on, RepoError where a checkout is busy.
    """
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
    told = f"admitted: run {candidate.run}\n"
    due = DueRecords(base.ref, candidate.tip, (*with_files, record), told, context.now, is_made=False)
    move_with_records(
        context.repository,
        due,
        lambda: move_branch(context.repository, base, old=base.commit, new=candidate.tip, also=[still]),
    )
    context.forget_ledger()


def admit_if_ready(context: Context, candidate: Candidate) -> tuple[GateVerdict, ...] | None:
    """Admits a waiting candidate where policy is auto and nothing holds it today; returns the verdicts then.

    Nothing does when every gate passes, or when a person signed for it and what holds was theirs to decide. One that a
    person amended waits for a person.
    """
    is_auto = context.policy.approval.mode is ApprovalMode.AUTO and not candidate.foreign
    if not is_auto or context.is_draft or context.base.commit != candidate.start:
        return None
    given = gate_input_of(context, candidate)
    gates = check_gates(given)
    if given.approved_by is not None and may_admit_approved(given, gates):
        admit_candidate(context, candidate, by=given.approved_by, proof="approval")
    elif may_admit_at_once(gates) and not candidate.is_amended:
        admit_candidate(context, candidate, by="policy", proof="policy")
    else:
        return None
    return gates
