"""Rules of input claims."""

from skillc.core.policy import Thresholds
from skillc.core.skill.claim import InputSource
from skillc.engines.offline.induction import induce
from skillc.engines.offline.inputs import inputs_of, worked_out
from tests.makers import bash, call, fails, gives, make_evidence, make_source, user


def induction(*lists):
    sources = [make_source(*d, trace_id=f"t-0000000{n}") for n, d in enumerate(lists)]
    return induce(make_evidence(*sources), Thresholds())


def texts(found):
    return {c.name: c.text for c in inputs_of(found, set(found.placeholders))}


def test_input_says_where_the_value_comes_from():
    def booked(order, card):
        return [
            user(f"refund {order}"), call("get_order", {"order_id": order}), gives({"payments": [{"payment_id": card}]}),
            call("refund", {"order_id": order, "payment_id": card, "reason": f"because {order}"}), gives({}),
        ]  # fmt: skip

    found = texts(induction(booked("ord-11", "card-71"), booked("ord-22", "card-72")))

    assert found["order_id"] == "Stated by the user."
    assert found["payment_id"] == "`payment_id` of the `payments` in the result of `get_order`."
    assert found["reason"] == "Write it for the case at hand."


def test_choice_among_several_is_said():
    def booked(user_id, order):
        return [
            user(f"I am {user_id}"), call("get_user", {"user_id": user_id}), gives({"orders": ["ord-00", order]}),
            call("cancel", {"order_id": order}), gives({}),
        ]  # fmt: skip

    found = texts(induction(booked("ann_1", "ord-11"), booked("bob_2", "ord-22")))

    assert found["order_id"] == (
        "One of the `orders` in the result of `get_user`; one of several, the user says which."
    )


def test_file_of_a_failing_test_says_so():
    def attempt(name):
        return [
            bash("pytest"), fails(f"FAILED tests/test_{name}.py\n1 failed"), call("Read", {"file_path": f"tests/test_{name}.py"}), gives("x"),
            call("Edit", {"file_path": f"src/{name}.py"}), gives("updated"), bash("pytest"), gives("1 passed"),
        ]  # fmt: skip

    found = texts(induction(attempt("pricing"), attempt("reports")))

    assert found["test_file"] == "The test file: named in the output of the failing check."
    assert found["source_file"] == "The source file to change: the code that the failing test is about."


def test_value_without_a_shown_source_is_worked_out():
    found = induction([call("pay", {"amount": 3}), gives({})])

    claim = worked_out(found.placeholders["amount"])

    assert claim.source is InputSource.CHOSEN
    assert claim.citations
