"""Rules of patches."""

from skillc.core.skill.claim import ClaimBasis
from skillc.core.skill.contract import Support
from skillc.engines.offline.patch import merged
from tests.makers import call, gives, make_citation, make_claim, make_contract, make_evidence, make_source

EVIDENCE = make_evidence(*(make_source(call("a"), gives({}), trace_id=f"t-0000000{n}") for n in (1, 2)))
TWO = Support(attempt_families=("t-00000001", "t-00000002"), single_source=False)


def claim(text, *traces, **changes):
    return make_claim(text, citations=tuple(make_citation(t, "e0") for t in traces or ("t-00000001",)), **changes)


def test_unchanged_contract_touches_no_field():
    contract = make_contract(outputs=(claim("x"),))

    assert merged(contract, contract, EVIDENCE)[1] == ()


def test_new_words_touch_their_field_only():
    before = make_contract(outputs=(claim("x"),), tools=(claim("`a`", id="tool"),))
    after = before.model_copy(update={"outputs": (claim("y", id="new"),)})

    assert merged(before, after, EVIDENCE)[1] == ("outputs",)


def test_unchanged_line_keeps_its_id_and_merges_its_citations():
    before = make_contract(outputs=(claim("x", "t-00000001", id="old"),))
    after = make_contract(outputs=(claim("x", "t-00000002", id="new"),), support=TWO)

    contract, fields = merged(before, after, EVIDENCE)

    assert fields == ("outputs",)
    assert contract.outputs[0].id == "old"
    assert [c.trace_id for c in contract.outputs[0].citations] == ["t-00000001", "t-00000002"]


def test_citation_order_alone_is_no_change():
    before = make_contract(outputs=(claim("x", "t-00000001", "t-00000002"),))
    after = make_contract(outputs=(claim("x", "t-00000002", "t-00000001"),))

    assert merged(before, after, EVIDENCE) == (before, ())


def test_persons_own_line_stays():
    own = claim("Ask first.", id="own", basis=ClaimBasis.PERSON)
    before = make_contract(outputs=(claim("x"), own))
    after = make_contract(outputs=(claim("y", id="new"),))

    contract, _ = merged(before, after, EVIDENCE)

    assert own in contract.outputs


def test_citation_of_a_trace_that_is_gone_goes_too():
    before = make_contract(outputs=(claim("x", "t-00000009"),))
    after = make_contract(outputs=(claim("x", "t-00000001"),))

    contract, fields = merged(before, after, EVIDENCE)

    assert fields == ("outputs",)
    assert [c.trace_id for c in contract.outputs[0].citations] == ["t-00000001"]
