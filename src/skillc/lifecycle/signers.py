"""Whose word a signature is: a registered approver's, with a key that needs the person, or a forge's by its CI.

One place for commits and for records, so that a merge, an approval and a decision are weighed alike. Paper: 5.1, 5.4.
Not here: checking a signature (repo.keys, repo.commit_signature), what the word is worth (lifecycle.landings,
lifecycle.admissions).
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pydantic import ValidationError

from skillc.core.policy import KeyClass, Person, Policy, VerifierKind
from skillc.core.trace.ssh_signature import read_signature
from skillc.core.trace.verification import APPROVAL_NAMESPACE, Assurance, Envelope, MergeRecord, same_key
from skillc.repo.commit_signature import holds_for, signature_of
from skillc.repo.keys import SignatureCache
from skillc.repo.objects import ObjectReader

if TYPE_CHECKING:  # a context reads its ledger by this module
    from skillc.lifecycle.context import Context

_CLASS_ASSURANCE = {KeyClass.ATTENDED: Assurance.ATTENDED, KeyClass.ISOLATED: Assurance.ISOLATED}
NOBODY = "no registered approver signed it"


def approvers(policy: Policy) -> tuple[Person, ...]:
    """Returns the people whose signature counts; none where nobody could give one."""
    return tuple(
        p for p in policy.people if "approver" in p.roles and p.key is not None and p.key_class is not KeyClass.LOCAL
    )


def registered_keys(policy: Policy) -> tuple[str, ...]:
    """Returns the keys that may sign the record of what was done: of verifiers, and of people where it needs them."""
    own = [v.key for v in policy.verifiers if v.key]
    return (*own, *(p.key for p in policy.people if p.key and p.key_class is not KeyClass.LOCAL))


def is_registered(policy: Policy, key: str) -> bool:
    """Says whether a key is one of them."""
    return any(same_key(known, key) for known in registered_keys(policy))


def approver_of(
    envelope: Envelope, *, namespace: str, people: Sequence[Person], signatures: SignatureCache
) -> Person | str:
    """Returns the approver that signed a record, or why it is nobody's word. The payload is not parsed here."""
    person = next((p for p in people if same_key(p.key, envelope.key)), None)
    if person is None:
        return NOBODY
    if not signatures.is_signed(envelope, namespace=namespace):
        return "its signature does not hold"
    facts = read_signature(envelope.signature) if envelope.key.startswith("sk-") else None
    if facts is not None and not facts.user_present:
        return f"the key of {person.id!r} was used without the person"
    return person


def who_signed(
    context: "Context", commits: Sequence[str], reader: ObjectReader | None = None
) -> tuple[str | None, Assurance, str]:
    """Returns the approver whose word the commits are, or the forge's word for them, or why they are nobody's."""
    reason = "no registered approver signed that"
    for commit in commits:
        signature = signature_of(context.repository, commit, reader)
        if signature is None:
            continue
        if signature.facts is None:
            reason = f"the signature of {commit[:12]} is not an SSH one, so it cannot be checked"
            continue
        for person in context.policy.people:
            if "approver" not in person.roles or person.key is None:
                continue
            if not holds_for(signature, person.key, context.signatures):
                continue
            unseen = signature.facts.is_hardware and not signature.facts.user_present
            if person.key_class is KeyClass.LOCAL or unseen:
                reason = f"the key of {person.id!r} was used without the person"
                continue
            return person.id, _CLASS_ASSURANCE[person.key_class], ""
    for commit in commits:
        found = forge_merge(context, commit)
        if found is not None:
            return found[0], found[1], ""
    return None, Assurance.NONE, reason


def forge_merge(context: "Context", commit: str) -> tuple[str, Assurance] | None:
    """Returns who merged a commit by the word of the forge, signed by a CI whose key no developer has."""
    policy = context.policy
    for _, envelope in context.ledger.approvals.get(commit, ()):
        if not context.signatures.is_signed(envelope, namespace=APPROVAL_NAMESPACE):
            continue
        try:
            record = MergeRecord.model_validate_json(envelope.payload)
        except ValidationError:
            continue
        verifier = policy.verifier(record.verifier_id)
        if verifier is None or verifier.kind is not VerifierKind.EXTERNAL or verifier.key_class is KeyClass.LOCAL:
            continue
        fits = record.commit == commit and record.namespace == policy.namespace
        if fits and same_key(verifier.key, envelope.key):
            return f"{record.merged_by} (by {verifier.id})", _CLASS_ASSURANCE[verifier.key_class]
    return None
