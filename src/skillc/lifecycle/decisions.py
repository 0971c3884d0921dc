"""Decisions of people that put something back, set something aside or say a line: signed where somebody can sign.

A resolution, the end of a withdrawal and an amendment count only with the signature of a registered approver whose key
needs the person; where no such approver is registered, a record counts as it stands. What does not count silences
nothing: the conflict stays open, the Skill out of service, the line nobody's. Paper: 5.4, 5.6. ADR 0021.
Not here: what they decide (lifecycle.resolve, lifecycle.restore, lifecycle.amend).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from skillc.core.compile.amendment import AmendmentRecord
from skillc.core.compile.conflict import ResolutionRecord
from skillc.core.compile.withdrawal import LiftRecord, WithdrawalReason
from skillc.core.policy import Person, Policy
from skillc.core.record import canonical_json
from skillc.core.trace.verification import DECISION_NAMESPACE, Envelope, same_key
from skillc.lifecycle.signers import NOBODY, approver_of, approvers
from skillc.repo.keys import SignatureCache, public_half, sign_many
from skillc.repo.ledger import Ledger, LedgerFile, ledger_file

if TYPE_CHECKING:  # a context reads its ledger by this module
    from skillc.lifecycle.context import Context

Decision = ResolutionRecord | LiftRecord | AmendmentRecord
_MODELS: Mapping[str, type[Decision]] = {
    "resolutions": ResolutionRecord,
    "lifts": LiftRecord,
    "amendments": AmendmentRecord,
}


def decision_files(
    context: "Context", make: Callable[[str], Sequence[tuple[str, Decision]]], *, by: str, key_path: Path | None
) -> list[LedgerFile]:
    """Returns the ledger files of a person's decision, signed together so that a passphrase is asked for once.

    Args:
        make: gives (folder, record) for the name of who decides: the approver's id where one signs.
    """
    people = approvers(context.policy)
    if not people:
        return [ledger_file(folder, record) for folder, record in make(by)]
    from skillc.lifecycle.verify_person import persons_key, require_persons_key

    with persons_key(context, None, key_path, role="approver") as path:
        own = public_half(path)
        person = next((p for p in people if same_key(p.key, own)), people[0])
        require_persons_key(person, path)
        made = make(person.id)
        payloads = [canonical_json(record) for _, record in made]
        envelopes = sign_many(payloads, namespace=DECISION_NAMESPACE, key_path=path)
    return [ledger_file(folder, envelope) for (folder, _), envelope in zip(made, envelopes, strict=True)]


def with_counting_decisions(ledger: Ledger, policy: Policy, signatures: Callable[[], SignatureCache]) -> Ledger:
    """Returns the ledger with the decisions that count, and in `uncounted` what the others lack."""
    if not (ledger.signed_decisions or ledger.resolutions or ledger.lifts or ledger.amendments):
        return ledger
    people = approvers(policy)
    resolutions, lifts, amendments = list(ledger.resolutions), list(ledger.lifts), list(ledger.amendments)
    uncounted: list[tuple[str, str]] = []
    if people:
        uncounted += [(f"resolutions of {r.conflict}", NOBODY) for r in resolutions]
        uncounted += [(f"lifts of {x.skill_id}", NOBODY) for x in lifts if not _is_derived(x)]
        uncounted += [(f"amendments of {a.skill_id}", NOBODY) for a in amendments]
        resolutions, lifts, amendments = [], [x for x in lifts if _is_derived(x)], []
    for path, envelope in ledger.signed_decisions:
        found = _checked(envelope, path.split("/")[0], policy, people, signatures())
        if isinstance(found, ResolutionRecord):
            resolutions.append(found)
        elif isinstance(found, LiftRecord):
            lifts.append(found)
        elif isinstance(found, AmendmentRecord):
            amendments.append(found)
        else:
            uncounted.append((path, found))
    return replace(
        ledger,
        resolutions=tuple(sorted(resolutions, key=lambda r: (r.at, r.conflict))),
        lifts=tuple(sorted(lifts, key=lambda x: (x.at, x.skill_id, x.reason, x.refs))),
        amendments=tuple(sorted(amendments, key=lambda a: (a.at, a.skill_id, a.run))),
        uncounted=tuple(uncounted),
    )


def _is_derived(lift: LiftRecord) -> bool:
    """A run ends a withdrawal for weak evidence by what verifications say; check and status look that up anew."""
    return lift.reason is WithdrawalReason.EVIDENCE_WEAKENED


def _checked(
    envelope: Envelope, folder: str, policy: Policy, people: Sequence[Person], signatures: SignatureCache
) -> Decision | str:
    """Returns a signed decision, or why it is nobody's; the payload is parsed only after its signature held."""
    signer = approver_of(envelope, namespace=DECISION_NAMESPACE, people=people, signatures=signatures)
    if people and isinstance(signer, str):
        return signer
    if not people and not signatures.is_signed(envelope, namespace=DECISION_NAMESPACE):
        return "its signature does not hold"
    try:
        record = _MODELS[folder].model_validate_json(envelope.payload)
    except ValidationError:
        return "what it signs is no such decision"
    if record.namespace != policy.namespace:
        return "it is for another namespace"
    if isinstance(signer, Person) and record.by != signer.id:
        return NOBODY
    return record
