"""Approvals of result groups: whose signature stands for exactly this content.

Paper: 5.4, Approval modes. Not here: making one (lifecycle.approve), whose word a signature is (lifecycle.signers).
"""

from collections.abc import Iterable

from pydantic import ValidationError

from skillc.core.admit.approval import ApprovalRecord
from skillc.core.compile.history import RunVersion
from skillc.core.policy import Person
from skillc.core.trace.verification import APPROVAL_NAMESPACE
from skillc.lifecycle.candidates import Candidate
from skillc.lifecycle.context import Context
from skillc.lifecycle.signers import approver_of, approvers


def approved_by(context: Context, group: str, versions: Iterable[RunVersion]) -> str | None:
    """Returns the registered approver whose signature stands for exactly this content, the first to sign."""
    people = approvers(context.policy)
    wanted = tuple(versions)
    found = []
    for _, envelope in context.ledger.approvals.get(group.removeprefix("sha256:"), ()):
        person = approver_of(envelope, namespace=APPROVAL_NAMESPACE, people=people, signatures=context.signatures)
        if not isinstance(person, Person):
            continue
        try:
            record = ApprovalRecord.model_validate_json(envelope.payload)
        except ValidationError:
            continue
        speaks = record.speaks_for(namespace=context.policy.namespace, group=group, versions=wanted)
        if speaks and record.by == person.id:
            found.append(record)
    return min(found, key=lambda r: (r.at, r.by)).by if found else None


def versions_of(candidate: Candidate) -> tuple[RunVersion, ...]:
    """Returns the versions of a candidate as records name them; what goes away has the tree that went."""
    return tuple(
        RunVersion(skill=v.skill, skill_id=v.skill_id, change=v.change, tree=v.tree) for v in candidate.versions
    )
