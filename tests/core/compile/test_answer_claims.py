"""Items become claims with ids of ours, real constants and their citations, or are left out with a reason."""

from skillc.core.compile.aliases import Aliases, shown_events
from skillc.core.compile.answer_claims import ClaimReader, line_id
from skillc.core.skill.claim import InputSource, StepClaim
from tests.makers import call, gives, make_evidence, make_source, user
from tests.model_case import refunds


def reader_of(evidence=None):
    evidence = evidence or refunds()
    return ClaimReader(evidence, Aliases(shown_events(evidence)))


def test_the_same_line_has_the_same_id_whatever_the_model_calls_it():
    rows = [{"claim_id": key, "text": "It is refunded.", "cites": ["t1.e5"]} for key in ("k1", "zz")]
    reader = reader_of()
    (claim,) = reader.claims("outputs", tuple(rows), "p1")
    assert claim.id == line_id("outputs", "It is refunded.")
    assert reader.dropped[0].reason == "says the same as an earlier line"


def test_a_constant_is_taken_from_the_call_with_its_type():
    source = make_source(user("list"), call("list_orders", {"limit": 20, "open": True}), gives({"orders": []}))
    step = {
        "claim_id": "k1", "text": "Call `list_orders`.", "cites": ["t1.e1"], "tool": "list_orders", "operation": "",
        "arguments": [{"name": "limit", "value": "20"}, {"name": "open", "value": "true"}],
        "optional": False, "repeat": "",
    }  # fmt: skip
    (claim,) = reader_of(make_evidence(source)).claims("steps", (step,), "p1")
    assert isinstance(claim, StepClaim)
    assert claim.action is not None
    assert claim.action.arguments == {"limit": 20, "open": True}


def test_a_recovery_that_cites_nothing_costs_its_line():
    row = {"claim_id": "k", "text": "Not delivered.", "cites": ["t5.e2"], "recovery": "Wait.", "recovery_cites": []}
    reader = reader_of()
    assert reader.claims("failure_modes", (row,), "p1") == ()
    assert "recovery" in reader.dropped[0].reason


def test_placeholders_become_inputs_once_each():
    row = {"name": "order_id", "meaning": "Stated by the user.", "source": "user", "source_ref": ["t1.e0", "t1.e1"]}
    reader = reader_of()
    (claim,) = reader.inputs((row, row, row | {"name": "Bad Name"}), "p1")
    assert claim.source is InputSource.USER
    assert [d.reason.split(":")[0] for d in reader.dropped] == ["declares a placeholder twice", "name"]


def test_cites_beside_no_claim_give_all_or_nothing():
    assert reader_of().citations(("t1.e0", "t1.e99")) == ()
    assert reader_of().citations(("t1.e0",))[0].events == ("e0",)


def test_a_list_or_an_object_is_given_as_json_and_its_names_are_those_of_the_call():
    source = make_source(user("book"), call("book", {"flights": [{"number": "HAT001"}]}), gives({"status": "booked"}))
    step = {
        "claim_id": "k1", "text": "Call `book`.", "cites": ["t1.e1"], "tool": "book", "operation": "",
        "arguments": [{"name": "flights", "value": '[{"number": "<flight_number>"}]'}], "optional": False, "repeat": "",
    }  # fmt: skip
    reader = reader_of(make_evidence(source))
    (claim,) = reader.claims("steps", (step,), "p1")
    assert isinstance(claim, StepClaim)
    assert claim.action is not None
    assert claim.action.arguments == {"flights": [{"number": "<flight_number>"}]}
    wrong = step | {"arguments": [{"name": "flights", "value": '[{"force": "<flight_number>"}]'}]}
    assert reader.claims("steps", (wrong,), "p1") == ()


def test_a_step_may_be_repeated_for_what_an_earlier_call_of_its_traces_gave():
    step = {
        "claim_id": "k1", "text": "Call `refund_order`.", "cites": ["t1.e4"], "tool": "refund_order", "operation": "",
        "arguments": [], "optional": False, "repeat": "each order in the result of `get_order`",
    }  # fmt: skip
    assert len(reader_of().claims("steps", (step,), "p1")) == 1
    assert reader_of().claims("steps", (step | {"repeat": "each result of `curl`"},), "p1") == ()
