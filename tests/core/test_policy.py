"""The policy file: strict, with a name for every mistake, and defaults that only hold back."""

from contextlib import suppress

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from skillc.core.policy import (
    ApprovalMode,
    KeyClass,
    Policy,
    Thresholds,
    TracesLocation,
    VerifierKind,
    parse_policy,
)
from skillc.core.trace.records import Outcome
from skillc.errors import PolicyError

MINIMAL = {"format": "skillc.namespace/1", "namespace": "acme-support", "security_domain": "acme"}


def parse(**settings: object) -> Policy:
    return parse_policy(yaml.safe_dump(MINIMAL | settings).encode())


def refused(**settings: object) -> str:
    with pytest.raises(PolicyError) as caught:
        parse(**settings)
    assert caught.value.hint
    return caught.value.message


def test_the_defaults_hold_back():
    """ADR 0004: a merge is the approval; an automatic one wants a key that needs a person."""
    policy = parse()
    assert policy.approval.mode is ApprovalMode.PR
    assert policy.approval.protected_base is False
    assert policy.approval.auto.minimum_assurance is KeyClass.ATTENDED
    assert policy.approval.person_for.effects == ("money", "delete")
    assert policy.traces.location is TracesLocation.BRANCH
    assert policy.people == policy.verifiers == ()


def test_the_numbers_are_those_of_adr_0005():
    assert Thresholds().model_dump() == {
        "prior_strength": 4.0, "established_trust": 0.5, "family_score": 0.95, "retain_runs": 3,
        "mandatory_share": 0.8, "optional_share": 0.15, "minimum_families": 3,
    }  # fmt: skip


def test_an_unknown_setting_is_named():
    assert "skillc.yaml: surprise:" in refused(surprise=1)
    assert "traces.locaton" in refused(traces={"locaton": "tree"})


@pytest.mark.parametrize("found", ["skillc.namespace/2", None, 1, "other"])
def test_another_format_is_refused_by_name(found: object):
    with pytest.raises(PolicyError, match=r"skillc\.namespace/1"):
        parse_policy(yaml.safe_dump(MINIMAL | {"format": found}).encode())


@pytest.mark.parametrize("text", [b"", b"[]", b"text", b"1", b"null"])
def test_a_file_that_is_no_mapping_is_refused(text: bytes):
    with pytest.raises(PolicyError, match="is no mapping"):
        parse_policy(text)


def test_all_mistakes_are_reported_at_once():
    message = refused(namespace="Not Good", thresholds={"retain_runs": 0}, traces={"max_result_bytes": 1})
    assert len(message.splitlines()) == 3


@pytest.mark.parametrize(
    "bad",
    [
        {"prior_strength": 0}, {"prior_strength": -1}, {"established_trust": 1.1}, {"established_trust": -0.1},
        {"family_score": 2}, {"retain_runs": 0}, {"mandatory_share": 0}, {"optional_share": 1.5},
        {"minimum_families": 0}, {"prior_strength": float("nan")}, {"established_trust": float("nan")},
        {"prior_strength": float("inf")},
    ],
)  # fmt: skip
def test_a_number_outside_its_range_is_refused(bad: dict[str, float]):
    refused(thresholds=bad)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_a_mapping_needs_a_real_number(value: float):
    refused(verifiers=[{"id": "x", "kind": "external", "mapping": {"field": "reward", "success_at": value}}])


@pytest.mark.parametrize("source_type", ["", "a b", "-a", "a\n", "a" * 41, 7])
def test_a_source_type_is_one_plain_word(source_type: object):
    mapping = {"field": "reward", "success_at": 1, "source_type": source_type}
    refused(verifiers=[{"id": "x", "kind": "external", "mapping": mapping}])


@pytest.mark.parametrize("name", ["", "A", "a b", "-a", "a/b", "a\n", "ü", "a" * 65, "..", ".a", 7, None, True])
def test_an_identifier_is_a_plain_lower_case_word(name: object):
    refused(namespace=name)


@pytest.mark.parametrize(
    "folder",
    ["", "/etc", "../x", "a/../b", ".", "./a", "a//b", "a/", ".git", ".git/skills", "a/.git", ".GIT/x", "a/.Git/b",
     "a b", "a\n", "~/x", "traces", "traces/skills", ".skillc", "C:\\x", "a\\b", "$HOME"],
)  # fmt: skip
def test_the_skills_folder_stays_inside_and_out_of_the_way(folder: str):
    refused(skills_dir=folder)


@pytest.mark.parametrize("folder", [".claude/skills", ".agents/skills", "skills", "a/b/c", "my.skills_2"])
def test_any_plain_folder_can_hold_skills(folder: str):
    assert parse(skills_dir=folder).skills_dir == folder


def test_an_id_is_used_once_over_people_and_verifiers():
    person, verifier = {"id": "alice"}, {"id": "alice", "kind": "tool"}
    assert "share the id 'alice'" in refused(people=[person], verifiers=[verifier])
    assert "share the id" in refused(people=[person, dict(person)])
    assert "share the id" in refused(verifiers=[verifier, dict(verifier)])


def test_a_family_is_declared_once():
    assert "same slug" in refused(families=[{"slug": "a"}, {"slug": "a"}])


@pytest.mark.parametrize("slug", ["A", "a--b", "-a", "a-", "a_b", "", "a" * 65])
def test_a_slug_is_kebab_case(slug: str):
    refused(families=[{"slug": slug}])


def test_a_person_verifies_only_with_that_role():
    policy = parse(people=[{"id": "alice", "roles": ["approver"]}, {"id": "bob", "roles": ["verifier"], "key": "k"}])
    assert policy.verifying_party("alice") is None
    assert policy.verifying_party("gone") is None
    party = policy.verifying_party("bob")
    assert party is not None
    assert (party.kind, party.key, party.key_class) == (VerifierKind.HUMAN, "k", KeyClass.ATTENDED)
    assert party.may_assert == tuple(Outcome)


def test_a_verifier_asserts_only_what_it_is_registered_for():
    policy = parse(verifiers=[{"id": "ci", "kind": "external", "may_assert": ["success"], "key_class": "isolated"}])
    party = policy.verifying_party("ci")
    assert party is not None
    assert (party.may_assert, party.key_class) == ((Outcome.SUCCESS,), KeyClass.ISOLATED)
    assert policy.verifier("ci") is not None
    assert policy.person("ci") is None


def test_a_key_class_that_is_not_stated_is_the_weakest():
    policy = parse(verifiers=[{"id": "t", "kind": "tool"}])
    party = policy.verifying_party("t")
    assert party is not None
    assert party.key_class is KeyClass.LOCAL


@given(
    st.dictionaries(
        st.sampled_from(list(Policy.model_fields)),
        st.none() | st.integers() | st.text() | st.lists(st.integers()),
        max_size=4,
    )
)
def test_any_value_of_any_setting_is_a_policy_or_one_error(settings: dict[str, object]):
    with suppress(PolicyError):
        parse(**settings)


def test_the_same_text_is_the_same_policy():
    assert parse(people=[{"id": "a"}]) == parse(people=[{"id": "a"}])
