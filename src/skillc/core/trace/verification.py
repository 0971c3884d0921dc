"""What an outcome is worth: verification, strength, assurance and the effective outcome.

A verification is a signed statement about one Trace digest. Its strength is computed from the registry on
base, never read from the record; its assurance says who could have forged it. Paper: 5.1.
Not here: signing and checking signatures (repo.keys), looking a basis up again (lifecycle.basis_facts); both
arrive here as checked facts.
"""

from collections.abc import Iterable
from enum import IntEnum, StrEnum
from typing import Literal, NamedTuple

from skillc.core.policy import GIT_VERIFIER, KeyClass, Policy, VerifierKind, VerifyingParty
from skillc.core.record import Moment, Record
from skillc.core.trace.records import Outcome

VERIFICATION_FORMAT = "skillc.verification/1"
VERIFICATION_NAMESPACE = "skillc-verification"
APPROVAL_NAMESPACE = "skillc-approval"
DECISION_NAMESPACE = "skillc-decision"


class Strength(StrEnum):
    """The level of evidence for an outcome; tool, human and external are strong. Paper: Table 1."""

    NONE = "none"
    SELF = "self"
    TOOL = "tool"
    HUMAN = "human"
    EXTERNAL = "external"

    @property
    def is_strong(self) -> bool:
        return self in (Strength.TOOL, Strength.HUMAN, Strength.EXTERNAL)


class Assurance(IntEnum):
    """Who could have forged a verification, weakest first. Differs: not in the paper; ADR 0003."""

    NONE = 0
    LOCAL = 1
    ATTENDED = 2
    ISOLATED = 3

    @property
    def label(self) -> str:
        return self.name.lower()


class BasisKind(StrEnum):
    """What a verifier looked at."""

    CHECK_RUN = "check_run"
    MAPPING = "mapping"
    PERSON = "person"
    EVENTS = "events"
    GIT = "git"
    CI = "ci"


class Basis(Record):
    """What the verdict rests on; `detail` is one line in plain words.

    `ref` is a commit, the mapped field, the person, or for `events` the ids of the call and its result.
    """

    kind: BasisKind
    ref: str
    detail: str = ""


class Verification(Record):
    """The payload that a verifier signs."""

    format: Literal["skillc.verification/1"] = "skillc.verification/1"
    namespace: str
    trace_id: str
    trace_digest: str
    outcome: Outcome
    verifier_id: str
    basis: Basis
    at: Moment
    previous: tuple[str, ...] = ()


class MergeRecord(Record):
    """The payload by which a CI states what its forge says of a commit of base: merged by a person, through review.

    `merged_by` is the forge's name of the person. Signed in the namespace of approvals.
    """

    format: Literal["skillc.merge/1"] = "skillc.merge/1"
    namespace: str
    commit: str
    verifier_id: str
    merged_by: str
    pull_request: int | None = None
    at: Moment
    previous: tuple[str, ...] = ()


class Envelope(Record):
    """A signed record: the signature covers the bytes of `payload` as stored, checked before it is parsed."""

    payload: str
    signature: str
    key: str


class BasisFact(Record):
    """What a fresh look at a cited basis gave. Without `holds` the record that cites it counts for nothing.

    `strength` and `assurance` are what the basis itself is worth; a basis that holds may still be weak.
    """

    holds: bool
    strength: Strength = Strength.NONE
    assurance: Assurance = Assurance.NONE
    landed: bool = False
    reason: str = ""


class CheckedVerification(Record):
    """A verification whose signature was checked against `key`. `record_id` is its name on the ledger.

    `user_present` is what the signature of a hardware key says, None for any other key. `fact` is needed for a
    basis of `events` or `git`.
    """

    verification: Verification
    key: str
    record_id: str
    user_present: bool | None = None
    fact: BasisFact | None = None


class Standing(Record):
    """What the verifications of one Trace amount to today, under one policy."""

    strength: Strength = Strength.NONE
    assurance: Assurance = Assurance.NONE
    outcome: Outcome = Outcome.UNKNOWN
    conflicted: bool = False
    landed: bool = False  # contained in base, and no registered approver signed that: weak; ADR 0010
    verifier_id: str | None = None
    basis: Basis | None = None
    reasons: tuple[str, ...] = ()

    @property
    def is_verified_success(self) -> bool:
        """True for the only kind of Trace that may support a claim: strong, agreed, success."""
        return self.strength.is_strong and not self.conflicted and self.outcome is Outcome.SUCCESS

    def as_draft(self) -> "Standing":
        """Returns the standing under a policy that is not on base yet: nothing is more than local then."""
        return self.model_copy(update={"assurance": min(self.assurance, Assurance.LOCAL)})

    @property
    def is_verified_failure(self) -> bool:
        return self.strength.is_strong and not self.conflicted and self.outcome is Outcome.FAILURE


_KIND_STRENGTH = {
    VerifierKind.TOOL: Strength.TOOL,
    VerifierKind.HUMAN: Strength.HUMAN,
    VerifierKind.EXTERNAL: Strength.EXTERNAL,
}
_KEY_ASSURANCE = {
    KeyClass.LOCAL: Assurance.LOCAL,
    KeyClass.ATTENDED: Assurance.ATTENDED,
    KeyClass.ISOLATED: Assurance.ISOLATED,
}


def weigh(
    *,
    trace_digest: str,
    reported: Outcome,
    verifications: Iterable[CheckedVerification],
    policy: Policy,
    unsound: Iterable[str] = (),
) -> Standing:
    """Returns the standing of a Trace: the strong records that the registry accepts, and whether they agree.

    `unsound` says of records that are no verification of anybody what is wrong with them; they count for nothing.
    The effective outcome is the strong verification's, never the reported one. Two strong records that
    disagree make the Trace conflicted; it then supports nothing automatically. Paper: 5.1.
    """
    accepted: list[_Weight] = []
    reasons: list[str] = list(unsound)
    landed = False
    for checked in verifications:
        weight = _weigh_one(checked, trace_digest, policy)
        landed = landed or weight.landed
        if weight.strength.is_strong:
            accepted.append(weight)
        elif weight.reason:
            reasons.append(weight.reason)
    if not accepted:
        self_reported = Strength.NONE if reported is Outcome.UNKNOWN else Strength.SELF
        return Standing(strength=self_reported, outcome=reported, landed=landed, reasons=tuple(sorted(set(reasons))))
    accepted.sort(key=lambda w: (-w.assurance, w.checked.verification.verifier_id, w.checked.record_id))
    first = accepted[0]
    best = first.checked.verification
    outcomes = {w.checked.verification.outcome for w in accepted}
    if len(outcomes) > 1:
        reasons.append("strong verifications disagree: " + ", ".join(sorted(outcomes)))
    return Standing(
        strength=first.strength,
        assurance=first.assurance,
        outcome=best.outcome,
        conflicted=len(outcomes) > 1,
        verifier_id=best.verifier_id,
        basis=best.basis,
        reasons=tuple(sorted(set(reasons))),
    )


class _Weight(NamedTuple):
    """What one record is worth; `reason` says why it is not strong."""

    checked: CheckedVerification
    strength: Strength = Strength.NONE
    assurance: Assurance = Assurance.NONE
    reason: str | None = None
    landed: bool = False


def _weigh_one(checked: CheckedVerification, trace_digest: str, policy: Policy) -> _Weight:
    """Returns strength and assurance of one record, or NONE and the reason why it does not count."""
    claim = checked.verification
    who = f"verification by {claim.verifier_id!r}"
    party = verifying_party(policy, claim.verifier_id, checked.key)
    wrong = None
    if claim.namespace != policy.namespace:
        wrong = "is for another namespace"
    elif claim.trace_digest != trace_digest:
        wrong = "is for other bytes of this Trace"
    elif party is None:
        wrong = "not a registered verifier" if claim.verifier_id != GIT_VERIFIER else "its key is not registered"
        return _Weight(checked, reason=f"{who}: {wrong}")
    elif not same_key(party.key, checked.key):
        wrong = "is signed by another key than the registered one"
    elif claim.outcome not in party.may_assert:
        wrong = f"may not assert {claim.outcome.value!r}"
    if wrong is not None:
        return _Weight(checked, reason=f"{who} {wrong}")
    assert party is not None
    assurance = _KEY_ASSURANCE[party.key_class]
    if checked.user_present is False:
        # Hardware signed without seeing anybody: such a key works unattended, whatever the registry says.
        assurance = min(assurance, Assurance.LOCAL)
    return _weigh_basis(checked, party, assurance, who)


def _weigh_basis(checked: CheckedVerification, party: VerifyingParty, assurance: Assurance, who: str) -> _Weight:
    """Weighs a record of a registered party by what it cites."""
    claim = checked.verification
    kind, fact = claim.basis.kind, checked.fact
    strength = _KIND_STRENGTH[party.kind]
    if kind in (BasisKind.GIT, BasisKind.EVENTS):
        if kind is BasisKind.GIT and party.id != GIT_VERIFIER:
            return _Weight(checked, reason=f"{who}: only {GIT_VERIFIER!r} speaks of merges and reverts")
        if fact is None or not fact.holds:
            return _Weight(checked, reason=f"{who}: {fact.reason if fact else 'its basis was not looked up'}")
        if kind is BasisKind.EVENTS and strength is not Strength.TOOL:
            return _Weight(checked, reason=f"{who}: only a registered check is seen in the events")
        weight = _Weight(checked, fact.strength, min(assurance, fact.assurance), None, fact.landed)
        return weight if fact.strength.is_strong else weight._replace(reason=f"{who}: {fact.reason}")
    if party.implicit:
        return _Weight(checked, reason=f"{who}: it speaks of merges and reverts only")
    if assurance is Assurance.LOCAL and kind is not BasisKind.MAPPING:
        if strength is Strength.HUMAN:
            return _Weight(checked, reason=f"{who}: a person's verdict needs a key that needs the person")
        # A key usable without a person asserts `tool` at most by itself (docs/THREATS.md).
        strength = Strength.TOOL
    if kind is BasisKind.MAPPING and claim.basis.ref != party.mapped_field:
        return _Weight(checked, reason=f"{who}: the mapping of {claim.basis.ref!r} is not registered")
    return _Weight(checked, strength, assurance)


def verifying_party(policy: Policy, party_id: str, key: str) -> VerifyingParty | None:
    """Returns the registered party with this id; for `git`, which needs no entry, the owner of a registered key.

    A key that several verifiers share is worth what the weakest of them is. ADR 0010.
    """
    party = policy.verifying_party(party_id)
    if party is not None or party_id != GIT_VERIFIER:
        return party
    owners = [v for v in policy.verifiers if same_key(v.key, key)]
    if not owners:
        return None
    return VerifyingParty(
        id=GIT_VERIFIER,
        kind=VerifierKind.TOOL,
        may_assert=(Outcome.SUCCESS, Outcome.PARTIAL, Outcome.FAILURE),
        key=key,
        key_class=min((v.key_class for v in owners), key=lambda c: _KEY_ASSURANCE[c]),
        implicit=True,
    )


def same_key(left: str | None, right: str | None) -> bool:
    """Compares two OpenSSH public keys by type and base64 body; the comment does not count."""
    one, two = (left or "").split()[:2], (right or "").split()[:2]
    return one == two and len(one) == 2
