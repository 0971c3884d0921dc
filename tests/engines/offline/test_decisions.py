"""Rules of decisions: a condition is told only when it pays."""

from skillc.core.policy import Thresholds
from skillc.engines.offline.curate import claim_verdicts
from skillc.engines.offline.decisions import decisions_of, told_decisions
from skillc.engines.offline.induction import induce
from skillc.engines.offline.reflect import propose
from tests.makers import call, gives, make_evidence, make_source, says, user

START_RULE = "Start with `cancel_order` when the user gives `<order_id>`, else with `get_user`."


def asked(number, stated):
    uid, oid = f"user-{number}", f"ord-{number}44"
    head = [user(f"I am {uid}, cancel {oid}" if stated else f"I am {uid}, cancel my order")]
    look = [] if stated else [call("get_user", {"user_id": uid}), gives({"orders": [oid, "ord-00"]})]
    return make_source(*head, *look, call("cancel_order", {"order_id": oid}), gives({}), trace_id=f"t-000000{number}")


def decided(*sources):
    return [c.text for c in decisions_of(induce(make_evidence(*sources), Thresholds()))]


def test_decision_needs_three_families_on_each_side():
    assert decided(*(asked(n, n > 13) for n in (11, 12, 13, 14, 15, 16))) == [START_RULE]
    assert decided(*(asked(n, n > 13) for n in (11, 12, 13, 14, 15))) == []


def test_decision_cites_both_sides_and_its_events_show_it():
    evidence = make_evidence(*(asked(n, n > 13) for n in (11, 12, 13, 14, 15, 16)))

    (proposal,) = propose(evidence, run="r-1", thresholds=Thresholds())

    (claim,) = proposal.contract.decisions
    assert claim.text == START_RULE
    assert {c.trace_id > "t-00000013" for c in claim.citations} == {True, False}
    assert all(v.supported for v in claim_verdicts(evidence, proposal.contract))


def listed(number, orders):
    looks = [d for o in orders for d in (call("get_order", {"order_id": o}), gives({"total": f"{number}99"}))]
    return make_source(
        user("please"), call("get_user", {"user_id": f"user-{number}"}), gives({"orders": [*orders, *orders[:1]]}),
        *looks, says("done"), trace_id=f"t-000000{number}",
    )  # fmt: skip


def closed(number, orders):
    source = listed(number, orders)
    return make_source(
        user("please"), call("get_user", {"user_id": f"user-{number}"}), gives({"orders": orders}),
        *(d for o in orders for d in (call("get_order", {"order_id": o}), gives({"total": f"{number}99"}))),
        call("send_report", {"user_id": f"user-{number}"}), gives({}), trace_id=source.trace_id,
    )  # fmt: skip


def test_loop_over_a_list_ends_when_the_list_is_through():
    sources = [closed(n, [f"ord-{n}{i}7" for i in range(2 + n % 3)]) for n in (11, 12, 13, 14, 15, 16, 17)]

    assert decided(*sources) == [
        "Call `get_order` again while some of the `orders` in the result of `get_user` are left;"
        " then call `send_report`."
    ]


def test_what_decides_nothing_stays_unsaid():
    sources = [closed(n, [f"ord-{n}07"]) for n in (11, 12, 13, 14, 15, 16)]

    assert told_decisions(induce(make_evidence(*sources), Thresholds())) == []
