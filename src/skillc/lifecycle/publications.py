"""Who signed for a published version: a publication record on this ledger, by a person whom this namespace registers.

A contract says itself that it was published, and anybody can write that into a file; so the file is not what vouches
for it. Paper: 5.6, Sharing. ADR 0027. Not here: publishing (lifecycle.publish), the record (core.audit).
"""

from skillc.core.audit import AUDIT_NAMESPACE, PublicationRecord
from skillc.core.policy import Person
from skillc.core.skill.contract import Contract
from skillc.lifecycle.audit_records import stored_audit
from skillc.lifecycle.context import Context
from skillc.lifecycle.signers import approver_of, approvers


def published_by(context: Context, contract: Contract) -> Person | str:
    """Returns the approver of this namespace who signed for exactly this contract, or why nobody's word does."""
    people = approvers(context.policy)
    reason = "no publication record names exactly this contract"
    for stored in stored_audit(context):
        record, envelope = stored.record, stored.envelope
        if not isinstance(record, PublicationRecord) or not _is_about(record, context, contract) or envelope is None:
            continue
        signer = approver_of(envelope, namespace=AUDIT_NAMESPACE, people=people, signatures=context.signatures)
        if isinstance(signer, Person):
            return signer
        reason = signer
    return reason


def _is_about(record: PublicationRecord, context: Context, contract: Contract) -> bool:
    source = contract.origin.published
    return (
        source is not None
        and record.direction == "in"
        and record.namespace == context.policy.namespace
        and record.other == source.namespace
        and record.skill_id == contract.skill_id
        and record.contract == contract.content_digest()
    )
