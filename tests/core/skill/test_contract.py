"""The contract: one declaration per field, and one reading of the file."""

import json

import pytest
from hypothesis import HealthCheck, given, settings

from skillc.core.record import canonical_json, pretty_json
from skillc.core.skill.claim import Citation, Claim, FailureClaim
from skillc.core.skill.contract import (
    Contract,
    EvidenceRule,
    FieldGroup,
    all_citations,
    cited_events,
    claims_of,
    contract_fields,
    event_order,
    iter_claims,
    parse_contract,
    skill_id_of,
)
from skillc.errors import DataError
from tests.core.skill.contracts import contracts
from tests.makers import make_claim, make_contract


def cite(trace: str, *events: str) -> Citation:
    return Citation(trace_id=trace, events=events)


def test_every_field_of_claims_is_declared_once():
    """Else a field would be rendered nowhere or checked by nothing."""
    claims = {name for name, info in Contract.model_fields.items() if "Claim" in str(info.annotation)}
    assert claims == set(contract_fields())


def test_the_evidence_rules_are_those_of_the_design():
    """Paper: 5.3, Validation."""
    by_rule = {rule: [f for f, d in contract_fields().items() if d.rule is rule] for rule in EvidenceRule}
    assert by_rule[EvidenceRule.FAILURE] == ["failure_modes"]
    assert by_rule[EvidenceRule.CONTRAST] == ["do_not_use_when", "preconditions", "stop_conditions"]


def test_headings_are_different_and_only_steps_are_numbered():
    headings = [d.heading for d in contract_fields().values() if d.heading]
    assert len(headings) == len(set(headings))
    assert [f for f, d in contract_fields().items() if d.ordered] == ["steps"]
    assert [f for f, d in contract_fields().items() if d.group is FieldGroup.DESCRIPTOR] == ["description", "effects"]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(contracts())
def test_any_contract_is_read_back_as_it_was_written(contract: Contract):
    for write in (pretty_json, canonical_json):
        assert parse_contract(write(contract), path="c") == contract
    assert pretty_json(parse_contract(pretty_json(contract), path="c")) == pretty_json(contract)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(contracts())
def test_every_claim_and_every_citation_is_counted(contract: Contract):
    listed = list(iter_claims(contract))
    assert len(listed) == sum(len(claims_of(contract, field)) for field in contract_fields())
    assert [f for f, _ in listed] == sorted((f for f, _ in listed), key=list(contract_fields()).index)
    cited = cited_events(contract)
    for _, claim in listed:
        for citation in all_citations(claim):
            assert set(citation.events) <= set(cited[citation.trace_id])


def test_the_citations_of_a_recovery_count():
    claim = FailureClaim(
        id="f",
        text="x",
        citations=(cite("t-00000001", "e1"),),
        recovery="y",
        recovery_citations=(cite("t-00000002", "e2"),),
    )
    assert [c.trace_id for c in all_citations(claim)] == ["t-00000001", "t-00000002"]
    assert "t-00000002" in cited_events(make_contract(failure_modes=(claim,)))


def test_cited_events_are_in_the_order_of_the_trace():
    claim = make_claim(citations=(cite("t-00000001", "e10", "e9"), cite("t-00000001", "e1")))
    assert cited_events(make_contract(description=claim)) == {"t-00000001": ("e1", "e9", "e10")}
    assert sorted(["e10", "x", "e2", "e1"], key=event_order) == ["e1", "e2", "e10", "x"]


def test_the_description_is_one_claim_and_is_listed_as_one():
    contract = make_contract()
    assert claims_of(contract, "description") == (contract.description,)
    assert isinstance(contract.description, Claim)


def test_the_content_digest_is_the_same_before_and_after_the_group_is_named():
    contract = make_contract()
    named = contract.model_copy(update={"origin": contract.origin.model_copy(update={"group": "sha256:1"})})
    assert named.content_digest() == contract.content_digest()
    other = contract.model_copy(update={"name": "other"})
    assert other.content_digest() != contract.content_digest()


def test_a_skill_id_is_stable_and_its_own():
    ids = {skill_id_of(n, f, s) for n in ("a", "b") for f in ("c", "d") for s in ("e", "f")}
    assert len(ids) == 8
    assert skill_id_of("a", "c", "e") == skill_id_of("a", "c", "e")
    make_contract(skill_id=ids.pop())


@pytest.mark.parametrize(
    "change",
    [
        {"name": "Bad"}, {"name": "a--b"}, {"name": "../x"}, {"name": "x" * 65}, {"skill_id": "x"}, {"task_family": "A b"},
        {"steps": [{"id": "s"}]}, {"steps": "x"}, {"sk-secret": 1}, {"support": None},
        {"validity": {"valid_from": "2026-01-01T00:00:00"}}, {"effects": [{"id": "e", "text": "x", "effect": "rob"}]},
    ],
)  # fmt: skip
def test_a_file_of_another_shape_is_refused_by_field_and_without_its_text(change: dict[str, object]):
    value = json.loads(pretty_json(make_contract())) | change
    with pytest.raises(DataError, match=r"^skills/x/contract\.json:1: is no skillc\.contract/1 contract: ") as caught:
        parse_contract(json.dumps(value).encode(), path="skills/x/contract.json")
    assert "secret" not in caught.value.message
    assert "restore the file" in str(caught.value.hint)


def test_a_newer_format_is_refused_by_name():
    value = json.loads(pretty_json(make_contract())) | {"format": "skillc.contract/2"}
    with pytest.raises(DataError, match=r"skillc\.contract/2"):
        parse_contract(json.dumps(value).encode(), path="c")


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff", b"[" * 100_000, b'"x"'])
def test_a_file_that_is_no_json_object_is_refused(data: bytes):
    with pytest.raises(DataError):
        parse_contract(data, path="c")
