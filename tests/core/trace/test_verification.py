"""What an outcome is worth: computed from the registry, never read from a record. Paper: 5.1."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.core.policy import KeyClass, Mapping, Person, Policy, Verifier, VerifierKind
from skillc.core.trace.records import Outcome
from skillc.core.trace.verification import (
    Assurance,
    Basis,
    BasisFact,
    BasisKind,
    CheckedVerification,
    Standing,
    Strength,
    Verification,
    same_key,
    weigh,
)
from tests.makers import START

KEY = "ssh-ed25519 AAAAkey alice"
DIGEST = "sha256:1"
CHECK = Basis(kind=BasisKind.CHECK_RUN, ref="0" * 40)
MAPPED = Basis(kind=BasisKind.MAPPING, ref="reward >= 1")
PERSON = Basis(kind=BasisKind.PERSON, ref="alice")


def policy(*verifiers: Verifier, people: tuple[Person, ...] = ()) -> Policy:
    return Policy(
        format="skillc.namespace/1", namespace="acme", security_domain="acme", verifiers=verifiers, people=people
    )


def tool(**changes: object) -> Verifier:
    return Verifier.model_validate({"id": "unit-tests", "kind": "tool", "key": KEY} | changes)


def signed(outcome: Outcome = Outcome.SUCCESS, *, key: str = KEY, record_id: str = "r1", **changes: object):
    fields = {
        "namespace": "acme", "trace_id": "t-00000001", "trace_digest": DIGEST, "outcome": outcome,
        "verifier_id": "unit-tests", "basis": CHECK, "at": START,
    } | changes  # fmt: skip
    return CheckedVerification(verification=Verification.model_validate(fields), key=key, record_id=record_id)


def standing(*records: CheckedVerification, registry: Policy | None = None, reported: Outcome = Outcome.UNKNOWN):
    return weigh(trace_digest=DIGEST, reported=reported, verifications=records, policy=registry or policy(tool()))


def test_a_registered_check_is_strong():
    found = standing(signed())
    assert (found.strength, found.assurance, found.outcome) == (Strength.TOOL, Assurance.LOCAL, Outcome.SUCCESS)
    assert found.is_verified_success
    assert found.verifier_id == "unit-tests"


def test_without_a_verification_the_agents_word_is_only_its_word():
    found = standing(reported=Outcome.SUCCESS)
    assert (found.strength, found.assurance) == (Strength.SELF, Assurance.NONE)
    assert not found.is_verified_success
    assert standing().strength is Strength.NONE


def test_the_effective_outcome_is_the_verifications_and_not_the_reported_one():
    found = standing(signed(Outcome.FAILURE), reported=Outcome.SUCCESS)
    assert found.outcome is Outcome.FAILURE
    assert found.is_verified_failure


@pytest.mark.parametrize(
    ("record", "why"),
    [
        (signed(namespace="other"), "is for another namespace"),
        (signed(trace_digest="sha256:2"), "other bytes of this Trace"),
        (signed(verifier_id="stranger"), "not a registered verifier"),
        (signed(key="ssh-ed25519 AAAAother"), "another key than the registered one"),
        (signed(Outcome.PARTIAL), "may not assert 'partial'"),
        (signed(basis=MAPPED), "the mapping of 'reward >= 1' is not registered"),
    ],
)
def test_a_record_that_does_not_fit_counts_for_nothing_and_says_why(record: CheckedVerification, why: str):
    found = standing(record, reported=Outcome.SUCCESS)
    assert found.strength is Strength.SELF
    assert why in found.reasons[0]


def test_a_verifier_without_a_registered_key_verifies_nothing():
    assert standing(signed(), registry=policy(tool(key=None))).strength is Strength.NONE
    assert standing(signed(key=""), registry=policy(tool(key=""))).strength is Strength.NONE


def test_strong_records_that_disagree_support_nothing():
    found = standing(signed(), signed(Outcome.FAILURE, record_id="r2"))
    assert found.conflicted
    assert not found.is_verified_success
    assert not found.is_verified_failure
    assert found.reasons == ("strong verifications disagree: failure, success",)


def test_a_weak_record_cannot_make_a_conflict():
    """Else anybody could silence a success by an unsigned contradiction."""
    found = standing(signed(), signed(Outcome.FAILURE, key="ssh-ed25519 AAAAother", record_id="r2"))
    assert found.is_verified_success


def test_the_record_with_the_highest_assurance_gives_the_standing():
    ci = Verifier(id="ci", kind=VerifierKind.EXTERNAL, key="k ci", key_class=KeyClass.ISOLATED)
    found = standing(signed(), signed(verifier_id="ci", key="k ci", record_id="r2"), registry=policy(tool(), ci))
    assert (found.verifier_id, found.strength, found.assurance) == ("ci", Strength.EXTERNAL, Assurance.ISOLATED)


@pytest.mark.parametrize(("kind", "key_class"), list(product(VerifierKind, KeyClass)))
def test_a_key_that_needs_nobody_asserts_tool_at_most_by_itself(kind: VerifierKind, key_class: KeyClass):
    """docs/THREATS.md: code that runs as you can use such a key."""
    registry = policy(tool(kind=kind, key_class=key_class))
    found = standing(signed(), registry=registry)
    if key_class is KeyClass.LOCAL and kind is VerifierKind.HUMAN:
        assert found.strength is Strength.NONE
    elif key_class is KeyClass.LOCAL:
        assert found.strength is Strength.TOOL
    else:
        assert found.strength.value == kind.value
        assert found.assurance.label == key_class.value


def test_a_mapping_takes_its_kind_from_the_registered_field():
    checker = Verifier(id="checker", kind=VerifierKind.EXTERNAL, key=KEY, mapping=Mapping(field="reward", success_at=1))
    found = standing(signed(verifier_id="checker", basis=MAPPED), registry=policy(checker))
    assert (found.strength, found.assurance) == (Strength.EXTERNAL, Assurance.LOCAL)
    other = MAPPED.model_copy(update={"ref": "judge_score"})
    assert standing(signed(verifier_id="checker", basis=other), registry=policy(checker)).strength is Strength.NONE


def test_a_verdict_counts_only_for_the_mapping_that_is_registered():
    """A verdict over a judge's score is worth nothing once the registry names the judge no longer, or asks for more."""
    judged = Mapping(field="reward", success_at=1, source_type="model")
    checker = Verifier(id="checker", kind=VerifierKind.EXTERNAL, key=KEY, mapping=judged)
    record = signed(verifier_id="checker", basis=MAPPED.model_copy(update={"ref": judged.ref}))

    assert standing(record, registry=policy(checker)).strength is Strength.EXTERNAL
    stricter = judged.model_copy(update={"success_at": 2})
    for other in (
        stricter,
        judged.model_copy(update={"source_type": None}),
        judged.model_copy(update={"source_type": "api"}),
    ):
        changed = checker.model_copy(update={"mapping": other})
        assert standing(record, registry=policy(changed)).strength is Strength.NONE


def test_a_persons_verdict_needs_the_role_and_a_key_that_needs_the_person():
    record = signed(verifier_id="alice", basis=PERSON)
    good = Person(id="alice", roles=("verifier",), key=KEY)
    assert standing(record, registry=policy(people=(good,))).strength is Strength.HUMAN
    for changes in ({"roles": ("approver",)}, {"key_class": KeyClass.LOCAL}, {"key": None}):
        weaker = good.model_copy(update=changes)
        assert not standing(record, registry=policy(people=(weaker,))).strength.is_strong


def test_a_person_cannot_pass_as_a_mapping():
    """A local key must not become human by citing a field."""
    alice = Person(id="alice", roles=("verifier",), key=KEY, key_class=KeyClass.LOCAL)
    record = signed(verifier_id="alice", basis=MAPPED)
    assert standing(record, registry=policy(people=(alice,))).strength is Strength.NONE


@given(
    st.permutations([signed(), signed(Outcome.FAILURE, record_id="r2"), signed(record_id="r3"), signed(namespace="x")])
)
def test_the_order_of_records_does_not_matter(records):
    assert standing(*records) == standing(*sorted(records, key=lambda r: r.record_id))


def test_only_three_strengths_are_strong_and_assurances_are_ordered():
    """Paper: Table 1; ADR 0003."""
    assert [s.value for s in Strength if s.is_strong] == ["tool", "human", "external"]
    assert sorted(Assurance) == [Assurance.NONE, Assurance.LOCAL, Assurance.ATTENDED, Assurance.ISOLATED]
    assert not Standing(strength=Strength.SELF, outcome=Outcome.SUCCESS).is_verified_success


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("ssh-ed25519 AAAA a", "ssh-ed25519 AAAA b", True), ("ssh-ed25519 AAAA", "ssh-ed25519 AAAA b", True),
        ("ssh-ed25519 AAAA", "ssh-ed25519 BBBB", False), ("ssh-rsa AAAA", "ssh-ed25519 AAAA", False),
        (None, None, False), ("", "", False), (None, "ssh-ed25519 AAAA", False), (" ", "  ", False),
        ("ssh-ed25519", "ssh-ed25519", False),
    ],
)  # fmt: skip
def test_keys_are_the_same_by_type_and_body(left: str | None, right: str | None, same: bool):
    assert same_key(left, right) is same


GIT = Basis(kind=BasisKind.GIT, ref="1" * 40)
EVENTS = Basis(kind=BasisKind.EVENTS, ref="e1 e2")
MERGED = BasisFact(holds=True, strength=Strength.HUMAN, assurance=Assurance.ATTENDED)


def of_git(fact: BasisFact | None, **changes: object) -> CheckedVerification:
    return signed(**({"verifier_id": "git", "basis": GIT} | changes)).model_copy(update={"fact": fact})


@pytest.mark.parametrize(
    ("key_class", "basis", "expected"),
    [
        (KeyClass.LOCAL, Assurance.ISOLATED, Assurance.LOCAL), (KeyClass.ISOLATED, Assurance.ATTENDED, Assurance.ATTENDED),
        (KeyClass.ATTENDED, Assurance.ISOLATED, Assurance.ATTENDED),
    ],
)  # fmt: skip
def test_a_merge_is_a_persons_word_and_as_good_as_the_weaker_of_key_and_basis(
    key_class: KeyClass, basis: Assurance, expected: Assurance
):
    """ADR 0010."""
    fact = MERGED.model_copy(update={"assurance": basis})
    found = standing(of_git(fact), registry=policy(tool(key_class=key_class)))
    assert (found.strength, found.assurance, found.verifier_id) == (Strength.HUMAN, expected, "git")


def test_a_key_that_two_verifiers_share_is_worth_the_weaker():
    registry = policy(tool(key_class=KeyClass.ISOLATED), tool(id="other", key_class=KeyClass.LOCAL))
    fact = MERGED.model_copy(update={"assurance": Assurance.ISOLATED})
    assert standing(of_git(fact), registry=registry).assurance is Assurance.LOCAL


def test_a_merge_that_nobody_signed_has_landed_and_is_weak():
    fact = BasisFact(holds=True, landed=True, reason="landed: x")
    found = standing(of_git(fact), reported=Outcome.SUCCESS)
    assert (found.strength, found.landed, found.is_verified_success) == (Strength.SELF, True, False)
    assert found.reasons == ("verification by 'git': landed: x",)
    assert not standing(signed(), of_git(fact)).landed  # a strong record says more


@pytest.mark.parametrize(
    ("record", "why"),
    [
        (of_git(None), "its basis was not looked up"), (of_git(BasisFact(holds=False, reason="gone")), "gone"),
        (of_git(MERGED, key="ssh-ed25519 AAAAother"), "its key is not registered"),
        (of_git(MERGED, basis=CHECK), "speaks of merges and reverts only"),
        (of_git(MERGED, basis=PERSON), "speaks of merges and reverts only"),
        (of_git(MERGED, outcome=Outcome.ABANDONED), "may not assert"),
        (signed(basis=GIT).model_copy(update={"fact": MERGED}), "only 'git' speaks of merges"),
        (signed(basis=EVENTS), "its basis was not looked up"),
    ],
)  # fmt: skip
def test_a_basis_that_does_not_hold_counts_for_nothing_and_says_why(record: CheckedVerification, why: str):
    found = standing(record)
    assert found.strength is Strength.NONE
    assert why in found.reasons[0]


def test_events_are_a_tools_word_and_local_whoever_signs_them():
    fact = BasisFact(holds=True, strength=Strength.TOOL, assurance=Assurance.LOCAL)
    record = signed(basis=EVENTS).model_copy(update={"fact": fact})
    found = standing(record, registry=policy(tool(key_class=KeyClass.ISOLATED)))
    assert (found.strength, found.assurance) == (Strength.TOOL, Assurance.LOCAL)
    external = policy(tool(kind=VerifierKind.EXTERNAL))
    assert "only a registered check" in standing(record, registry=external).reasons[0]


@pytest.mark.parametrize(
    ("present", "assurance"), [(True, Assurance.ISOLATED), (None, Assurance.ISOLATED), (False, Assurance.LOCAL)]
)
def test_hardware_that_saw_nobody_makes_a_verifier_local(present: bool | None, assurance: Assurance):
    record = signed().model_copy(update={"user_present": present})
    assert standing(record, registry=policy(tool(key_class=KeyClass.ISOLATED))).assurance is assurance
