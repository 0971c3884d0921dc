"""Rules of names: no line sends the reader to a tool or an input that the Skill does not have."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skillc.core.policy import Thresholds
from skillc.core.skill.claim import Claim, FailureClaim, InputClaim, InputSource
from skillc.engines.offline.calls import attempts_of
from skillc.engines.offline.induction import induce
from skillc.engines.offline.names import lines_that_name_too_much, listed_tools, record_tools
from skillc.engines.offline.reflect import naming_what_it_has, propose
from tests.golden_cases import golden_evidence
from tests.makers import call, gives, make_evidence, make_source, user

CASES = ("regenerate-client", "refund-order", "add-parcel-field", "add-route", "add-ledger-report")


def contract_of(evidence):
    (proposal,) = propose(evidence, run="r-1", thresholds=Thresholds())
    return proposal.contract


def lacking(contract, evidence):
    return lines_that_name_too_much(contract, record_tools(attempts_of(evidence.sources)))


def cancelled(number, find):
    """An order is cancelled for a user who is found in one of two ways."""
    uid, order = f"user_{number}7", f"ord-{number}11"
    return make_source(
        user(f"cancel my order, I am {number}@shop.org"),
        call(find, {"contact": f"{number}@shop.org"}), gives(uid),
        call("get_user", {"user_id": uid}), gives({"orders": [order, "ord-900"]}),
        call("cancel_order", {"order_id": order}), gives({"status": "cancelled"}),
        trace_id=f"t-0000000{number}",
    )  # fmt: skip


def test_tool_that_gives_a_step_its_value_is_an_optional_step_however_few_families_call_it():
    finds = ["find_by_mail", "find_by_mail", "find_by_phone"]
    evidence = make_evidence(*(cancelled(n, find) for n, find in enumerate(finds, 1)))

    contract = contract_of(evidence)

    (source,) = [i.text for i in contract.inputs if i.name == "user_id"]
    assert source == "The result of `find_by_mail`; otherwise the result of `find_by_phone`."
    (step,) = [s for s in contract.steps if s.action.tool == "find_by_phone"]
    assert (step.optional, step.frequency.families, step.frequency.of) == (True, 1, 3)
    assert {"find_by_mail", "find_by_phone"} <= listed_tools(contract)


@pytest.mark.parametrize("case", CASES)
def test_no_golden_contract_names_what_it_lacks_whatever_sources_are_left(case):
    evidence = golden_evidence(case)

    @settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.sets(st.sampled_from(range(len(evidence.sources))), min_size=1))
    def holds(kept):
        some = evidence.model_copy(update={"sources": tuple(evidence.sources[n] for n in sorted(kept))})
        for proposal in propose(some, run="r-1", thresholds=Thresholds()):
            if proposal.contract is not None:
                assert lacking(proposal.contract, some) == set()

    holds()


@pytest.mark.parametrize(
    ("field", "claim"),
    [
        ("preconditions", Claim(id="p", text="`status` is `open` in the result of `find_by_phone`.")),
        ("decisions", Claim(id="d", text="Start when the user gives `<phone_number>`.")),
        ("inputs", InputClaim(id="i", name="x", source=InputSource.CHOSEN, text="As `a` decides, see Decisions.")),
        ("failure_modes", FailureClaim(id="f", text="It fails", recovery="Call `find_by_phone`.")),
    ],
)
def test_line_that_names_a_foreign_tool_or_input_is_seen(field, claim):
    evidence = make_evidence(*(cancelled(n, "find_by_mail") for n in (1, 2)))
    contract = contract_of(evidence).model_copy(update={field: (claim,)})

    assert (field, claim.id) in lines_that_name_too_much(contract, frozenset(("find_by_phone", "get_user")))


def test_stop_condition_may_name_the_tool_that_the_procedure_never_calls():
    contract = contract_of(make_evidence(*(cancelled(n, "find_by_mail") for n in (1, 2))))
    stop = Claim(id="s", text="The request would need `merge_accounts`.")

    contract = contract.model_copy(update={"stop_conditions": (stop,)})

    assert lines_that_name_too_much(contract, frozenset(("merge_accounts",))) == set()


def test_line_that_names_too_much_goes_and_what_needs_it_stays_whole():
    """A loop over another tool's list becomes one over everything; an input is worked out; unused inputs go."""
    evidence = make_evidence(*(cancelled(n, "find_by_mail") for n in (1, 2)))
    induction = induce(evidence, Thresholds())
    contract = contract_of(evidence)
    find, look, cancel = contract.steps
    foreign = "one of the `orders` in the result of `find_by_mail`"
    order = next(i for i in contract.inputs if i.name == "order_id").model_copy(update={"text": foreign})
    changes = {
        "steps": (look.model_copy(update={"repeat": "each of the `users` in the result of `find_by_mail`"}), cancel),
        "tools": tuple(t for t in contract.tools if t.text != "`find_by_mail`"),
        "inputs": (*(i for i in contract.inputs if i.name != "order_id"), order),
        "preconditions": (Claim(id="p", text="`state` is `new` in the result of `find_by_mail`."),),
    }

    left = naming_what_it_has(contract.model_copy(update=changes), induction)

    assert find.action.tool == "find_by_mail"
    assert [s.repeat for s in left.steps] == ["everything that the request is about", cancel.repeat]
    assert {i.name: i.source for i in left.inputs} == {"user_id": InputSource.CHOSEN, "order_id": InputSource.CHOSEN}
    assert left.preconditions == ()
    assert lacking(left, evidence) == set()
