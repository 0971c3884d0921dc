"""What an outcome is worth: verification, strength, assurance and the effective outcome.

A verification is a signed statement about one Trace digest. Its strength is computed from the registry on
base, never read from the record; its assurance says who could have forged it. Paper: 5.1.
Not here: signing and checking signatures (repo.keys); a signature arrives here as an already checked fact.
"""

from collections.abc import Iterable
from enum import IntEnum, StrEnum
from typing import Literal

from skillc.core.policy import KeyClass, Policy, VerifierKind
from skillc.core.record import Moment, Record
from skillc.core.trace.records import Outcome

VERIFICATION_FORMAT = "skillc.verification/1"
VERIFICATION_NAMESPACE = "skillc-verification"


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


class Basis(Record):
    """What the verdict rests on: `ref` is a commit or the mapped field, `detail` one line in plain words."""

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


class Envelope(Record):
    """A signed record: the signature covers the bytes of `payload` as stored, checked before it is parsed."""

    payload: str
    signature: str
    key: str


class CheckedVerification(Record):
    """A verification whose signature was checked against `key`. `record_id` is its name on the ledger."""

    verification: Verification
    key: str
    record_id: str


class Standing(Record):
    """What the verifications of one Trace amount to today, under one policy."""

    strength: Strength = Strength.NONE
    assurance: Assurance = Assurance.NONE
    outcome: Outcome = Outcome.UNKNOWN
    conflicted: bool = False
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
    *, trace_digest: str, reported: Outcome, verifications: Iterable[CheckedVerification], policy: Policy
) -> Standing:
    """Returns the standing of a Trace: the strong records that the registry accepts, and whether they agree.

    The effective outcome is the strong verification's, never the reported one. Two strong records that
    disagree make the Trace conflicted; it then supports nothing automatically. Paper: 5.1.
    """
    accepted: list[tuple[Strength, Assurance, CheckedVerification]] = []
    reasons: list[str] = []
    for checked in verifications:
        strength, assurance, reason = _weigh_one(checked, trace_digest, policy)
        if strength.is_strong:
            accepted.append((strength, assurance, checked))
        elif reason:
            reasons.append(reason)
    if not accepted:
        self_reported = Strength.NONE if reported is Outcome.UNKNOWN else Strength.SELF
        return Standing(strength=self_reported, outcome=reported, reasons=tuple(sorted(set(reasons))))
    accepted.sort(key=lambda item: (-item[1], item[2].verification.verifier_id, item[2].record_id))
    strength, assurance, best = accepted[0]
    outcomes = {item[2].verification.outcome for item in accepted}
    if len(outcomes) > 1:
        reasons.append("strong verifications disagree: " + ", ".join(sorted(outcomes)))
    return Standing(
        strength=strength,
        assurance=assurance,
        outcome=best.verification.outcome,
        conflicted=len(outcomes) > 1,
        verifier_id=best.verification.verifier_id,
        basis=best.verification.basis,
        reasons=tuple(sorted(set(reasons))),
    )


def _weigh_one(
    checked: CheckedVerification, trace_digest: str, policy: Policy
) -> tuple[Strength, Assurance, str | None]:
    """Returns strength and assurance of one record, or NONE and the reason why it does not count."""
    claim = checked.verification
    who = f"verification by {claim.verifier_id!r}"
    if claim.namespace != policy.namespace:
        return Strength.NONE, Assurance.NONE, f"{who} is for another namespace"
    if claim.trace_digest != trace_digest:
        return Strength.NONE, Assurance.NONE, f"{who} is for other bytes of this Trace"
    party = policy.verifying_party(claim.verifier_id)
    if party is None:
        return Strength.NONE, Assurance.NONE, f"{who}: not a registered verifier"
    if not same_key(party.key, checked.key):
        return Strength.NONE, Assurance.NONE, f"{who} is signed by another key than the registered one"
    if claim.outcome not in party.may_assert:
        return Strength.NONE, Assurance.NONE, f"{who} may not assert {claim.outcome.value!r}"
    strength = _KIND_STRENGTH[party.kind]
    assurance = _KEY_ASSURANCE[party.key_class]
    if assurance is Assurance.LOCAL and claim.basis.kind is not BasisKind.MAPPING:
        if strength is Strength.HUMAN:
            return (
                Strength.NONE,
                Assurance.NONE,
                f"{who}: a person's verdict needs a key that needs the person",
            )
        # A key usable without a person asserts `tool` at most by itself (docs/THREATS.md).
        strength = Strength.TOOL
    if claim.basis.kind is BasisKind.MAPPING and claim.basis.ref != party.mapped_field:
        return Strength.NONE, Assurance.NONE, f"{who}: the mapping of {claim.basis.ref!r} is not registered"
    return strength, assurance, None


def same_key(left: str | None, right: str | None) -> bool:
    """Compares two OpenSSH public keys by type and base64 body; the comment does not count."""
    one, two = (left or "").split()[:2], (right or "").split()[:2]
    return one == two and len(one) == 2
