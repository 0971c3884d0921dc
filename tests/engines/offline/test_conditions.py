"""Rules of conditions: they must pay."""

from skillc.core.policy import Thresholds
from skillc.core.trace.records import Outcome
from skillc.engines.offline.conditions import preconditions_of, refusals_of
from skillc.engines.offline.induction import induce
from tests.makers import call, fails, gives, make_evidence, make_source, says, user


def order(number, status, *, answer="Yes, please", outcome=Outcome.SUCCESS):
    oid = f"ord-{number}"
    result = gives({}) if outcome is Outcome.SUCCESS else fails("Error: not allowed")
    return make_source(
        user(f"Cancel {oid}"), call("get_order", {"order_id": oid}), gives({"status": status, "country": "usa"}),
        says("Shall I?"), user(answer), call("cancel_order", {"order_id": oid}), result,
        trace_id=f"t-000000{number}", outcome=outcome,
    )  # fmt: skip


def texts(claims):
    return [c.text for c in claims]


def pre(*sources):
    return texts(preconditions_of(induce(make_evidence(*sources), Thresholds())))


AGREED = "The user has agreed to the change before `cancel_order` is called."
PENDING = "`status` is `pending` in the result of `get_order`, before `cancel_order` is called for the record."


def test_users_word_before_the_change_is_a_precondition():
    assert AGREED in pre(*(order(n, "pending") for n in (11, 12, 13)))


def test_users_word_that_only_some_gave_is_none():
    assert AGREED not in pre(order(11, "pending", answer="what about the other one"), order(12, "pending"))


def test_fact_that_varies_elsewhere_is_a_precondition():
    good = [order(n, "pending") for n in (11, 12, 13, 14)]
    others = [
        order(n, s, outcome=Outcome.FAILURE)
        for n, s in ((21, "shipped"), (22, "shipped"), (23, "done"), (24, "done"), (25, "lost"))
    ]

    assert PENDING in pre(*good, *others)


def test_fact_that_never_varies_is_none():
    """A country that is the same in the whole data base says nothing about the change."""
    good = [order(n, "pending") for n in (11, 12, 13, 14)]

    assert not any("`country`" in t or "`status`" in t for t in pre(*good))


def test_fact_that_agrees_by_chance_is_none():
    good = [order(n, "pending") for n in (11, 12, 13)]
    others = [
        order(n, s, outcome=Outcome.FAILURE) for n, s in ((21, "pending"), (22, "pending"), (23, "done"), (24, "lost"))
    ]

    assert PENDING not in pre(*good, *others)


def refused(number, status):
    oid = f"ord-{number}"
    return make_source(
        user(f"Cancel {oid}"), call("get_order", {"order_id": oid}), gives({"status": status, "country": "usa"}),
        says("That cannot be cancelled."), trace_id=f"t-000000{number}",
    )  # fmt: skip


def not_for(*sources):
    return texts(refusals_of(induce(make_evidence(*sources), Thresholds())))


def test_fact_of_verified_refusals_says_when_not_to_use_the_skill():
    acted = [order(n, "pending") for n in (11, 12, 13)]

    assert not_for(*acted, *(refused(n, "shipped") for n in (21, 22, 23))) == [
        "`status` is `shipped` in the result of `get_order`; then nothing is changed."
    ]


def test_two_refusals_or_a_shared_fact_say_nothing():
    acted = [order(n, "pending") for n in (11, 12, 13)]

    assert not_for(*acted, *(refused(n, "shipped") for n in (21, 22))) == []
    assert not_for(*acted, *(refused(n, "pending") for n in (21, 22, 23))) == []
