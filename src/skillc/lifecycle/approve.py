"""`approve`: a person signs for exactly one result group, with a key that needs the person.

The signature covers the group's manifest digest and every folder, so it speaks for no other content. Where policy
admits automatically, what only waited for a person is admitted with it; else the merge of the candidate is still to
come, and the record is its proof. Paper: 5.4, Approval modes. Not here: whose word a signature is (lifecycle.signers).
"""

from pathlib import Path
from typing import Literal

from skillc.core.admit.approval import ApprovalRecord, ledger_folder
from skillc.core.admit.gates import GateVerdict, check_gates, is_rejected, may_admit_approved
from skillc.core.policy import ApprovalMode, Person
from skillc.core.record import Record, canonical_json
from skillc.core.trace.verification import APPROVAL_NAMESPACE, Envelope
from skillc.errors import PolicyError
from skillc.lifecycle.admission import gate_input_of
from skillc.lifecycle.admit import admit_candidate
from skillc.lifecycle.approvals import versions_of
from skillc.lifecycle.candidates import Candidate, candidate_named
from skillc.lifecycle.context import Context
from skillc.lifecycle.run_signers import signed_run_by
from skillc.lifecycle.undo import ledger_undo
from skillc.repo.commit_signature import holds_for, signature_of
from skillc.repo.keys import public_half, sign
from skillc.repo.ledger import LedgerFile, append_to_ledger, ledger_file


class ApproveReport(Record):
    """What an approval did. `state`: `approved` waits for its merge, `admitted` is on base now.

    `undo` takes it back; `next` are the commands that come after it.
    """

    format: Literal["skillc.approve/1"] = "skillc.approve/1"
    run: str
    group: str
    task_family: str
    branch: str
    by: str
    state: Literal["approved", "admitted", "known"]
    gates: tuple[GateVerdict, ...]
    commit: str | None = None
    undo: str | None = None
    next: tuple[str, ...] = ()


def approve(
    context: Context, name: str, *, key_path: Path | None = None, reason: str = "", dry_run: bool = False
) -> ApproveReport:
    """Signs for the candidate of a run, family or Skill. The caller checked that a person is at the terminal.

    Raises PolicyError for a key that is no registered approver's, needs nobody, or made the candidate, and where a
    gate rejects the group.
    """
    candidate = candidate_named(context, name)
    if candidate.foreign:
        raise PolicyError(
            f"{candidate.branch} holds {len(candidate.foreign)} commits that no run and no amendment made",
            hint="look at them in git log; take an edit of SKILL.md in with: skillc amend",
        )
    given = gate_input_of(context, candidate)
    gates = check_gates(given)
    if is_rejected(gates):
        first = next(v for v in gates if v.result.value == "reject")
        raise PolicyError(f"the gate {first.gate!r} rejects it: {first.reason}", hint=first.next or "skillc review")
    known = given.approved_by
    if dry_run:
        return _report(context, candidate, known or "", "known" if known else "approved", gates, None)
    files: tuple[LedgerFile, ...] = ()
    if known is None:
        envelope, person = _signed(context, candidate, key_path, reason)
        files = (ledger_file(ledger_folder("approvals", candidate.group), envelope),)
        given = given.model_copy(update={"approved_by": person.id})
        gates = check_gates(given)
    by = given.approved_by or ""
    if context.policy.approval.mode is ApprovalMode.AUTO and may_admit_approved(given, gates):
        try:
            admit_candidate(context, candidate, by=by, proof="approval", with_files=files)
        except PolicyError:  # base moved on: what a person signed is kept; where git refused, old or new is left
            _append(context, candidate, files)
            raise
        return _report(context, candidate, by, "admitted", gates, candidate.tip)
    commit = _append(context, candidate, files)
    return _report(context, candidate, by, "known" if known else "approved", gates, commit)


def _append(context: Context, candidate: Candidate, files: tuple[LedgerFile, ...]) -> str | None:
    """Appends an approval by itself, where there is one."""
    message = f"approved: run {candidate.run}\n"
    commit = append_to_ledger(context.repository, files, message=message, at=context.now)
    context.forget_ledger()
    return commit


def _signed(context: Context, candidate: Candidate, key_path: Path | None, reason: str) -> tuple[Envelope, Person]:
    from skillc.lifecycle.verify_person import approvers_key

    hint = (
        "add one under `people:` in skillc.yaml with roles: [approver] and a key that needs the person, and merge it; "
        "or merge the candidate without it"
    )
    with approvers_key(context, key_path, hint=hint) as (path, person):
        _require_other_than_compiler(context, candidate, public_half(path))
        record = ApprovalRecord(
            namespace=context.policy.namespace,
            group=candidate.group,
            run=candidate.run,
            task_family=candidate.task_family,
            versions=versions_of(candidate),
            by=person.id,
            reason=reason,
            at=context.now,
            previous=context.ledger.heads(ledger_folder("approvals", candidate.group)),
        )
        return sign(canonical_json(record), namespace=APPROVAL_NAMESPACE, key_path=path), person


def _require_other_than_compiler(context: Context, candidate: Candidate, key: str) -> None:
    """Raises PolicyError where the key signed the candidate's commits or run: nobody approves what they compiled."""
    run = signed_run_by(context, {candidate.run, *candidate.amends}, key)
    if run is not None:
        raise PolicyError(
            f"this key signed the record of {run}: who compiled it does not approve it",
            hint="ask another registered approver",
        )
    for version in candidate.versions:
        signature = signature_of(context.repository, version.commit)
        if signature is not None and holds_for(signature, key, context.signatures):
            raise PolicyError(
                f"this key signed the candidate's commit {version.commit[:12]}: who compiled it does not approve it",
                hint="ask another registered approver",
            )


def _report(
    context: Context,
    candidate: Candidate,
    by: str,
    state: Literal["approved", "admitted", "known"],
    gates: tuple[GateVerdict, ...],
    commit: str | None,
) -> ApproveReport:
    merge = (f"git switch {context.base.branch}", f"git merge --no-ff {candidate.branch}")
    undo = f"git revert {commit[:12]}" if state == "admitted" and commit else ledger_undo(commit)
    return ApproveReport(
        run=candidate.run,
        group=candidate.group,
        task_family=candidate.task_family,
        branch=candidate.branch,
        by=by,
        state=state,
        gates=gates,
        commit=commit,
        undo=undo,
        next=() if state == "admitted" else merge,
    )
