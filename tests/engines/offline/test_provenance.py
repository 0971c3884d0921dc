"""Rules of where values come from."""

from skillc.core.policy import Thresholds
from skillc.core.skill.claim import InputSource
from skillc.engines.offline.induction import induce
from tests.makers import bash, call, fails, gives, make_evidence, make_source, user


def placeholder(name, *lists):
    sources = [make_source(*d, trace_id=f"t-0000000{n}") for n, d in enumerate(lists)]
    return induce(make_evidence(*sources), Thresholds()).placeholders[name]


def explained(name, *lists):
    return [(e.key.source, e.key.tool, e.key.path) for e in placeholder(name, *lists).explanations]


def stated(order):
    return [user(f"cancel order {order}"), call("cancel_order", {"order_id": order}), gives({})]


def test_value_that_the_user_stated_comes_from_the_user():
    assert explained("order_id", stated("ord-11"), stated("ord-22")) == [(InputSource.USER, "", "")]


def test_value_of_an_earlier_result_comes_from_its_field():
    def looked_up(user_id, order):
        return [
            user(f"I am {user_id}"), call("get_user", {"user_id": user_id}), gives({"orders": [order, "ord-00"]}),
            call("cancel_order", {"order_id": order}), gives({}),
        ]  # fmt: skip

    assert explained("order_id", looked_up("ann_1", "ord-11"), looked_up("bob_2", "ord-22")) == [
        (InputSource.STEP, "get_user", "orders[*]")
    ]


def test_second_source_is_named_when_it_covers_other_families():
    other = [
        user("I am bob_2"), call("get_user", {"user_id": "bob_2"}), gives({"orders": ["ord-22"]}),
        call("cancel_order", {"order_id": "ord-22"}), gives({}),
    ]  # fmt: skip

    found = explained("order_id", stated("ord-11"), stated("ord-33"), other)

    assert found == [(InputSource.USER, "", ""), (InputSource.STEP, "get_user", "orders[*]")]


def test_short_numbers_are_explained_by_a_field_of_the_same_name_only():
    def paid(order, amount):
        return [
            user(f"refund {order} {amount}"), call("get_order", {"order_id": order}), gives({"amount": amount, "n": amount}),
            call("refund_order", {"order_id": order, "amount": amount}), gives({}),
        ]  # fmt: skip

    assert explained("amount", paid("ord-11", 35), paid("ord-22", 80)) == [(InputSource.STEP, "get_order", "amount")]


def test_plain_word_of_another_record_explains_nothing():
    def moved(order, cabin):
        return [
            user(f"move {order} to {cabin}"), call("get_order", {"order_id": "ord-00"}), gives({"cabin": cabin}),
            call("get_order", {"order_id": order}), gives({"cabin": "first"}),
            call("update_order", {"order_id": order, "cabin": cabin}), gives({}),
        ]  # fmt: skip

    assert explained("cabin", moved("ord-11", "economy"), moved("ord-22", "business")) == [(InputSource.USER, "", "")]


def test_result_that_came_after_the_call_explains_nothing():
    def parallel(n):
        return [
            bash("pytest -q") | {"call_id": f"a{n}"},
            call("Read", {"file_path": f"tests/test_{n}_thing.py"}) | {"call_id": f"b{n}"},
            fails(f"tests/test_{n}_thing.py: 1 failed") | {"call_id": f"a{n}"},
            gives("x") | {"call_id": f"b{n}"},
        ]

    assert explained("test_file", parallel("one"), parallel("two")) == []


def test_file_named_by_a_failing_check_comes_from_it():
    def attempt(n):
        return [
            bash("pytest"),
            fails(f"FAILED tests/test_{n}.py - 1 failed"),
            call("Read", {"file_path": f"tests/test_{n}.py"}),
            gives("x"),
        ]

    assert explained("test_file", attempt("one"), attempt("two")) == [(InputSource.STEP, "check", "")]


def test_field_of_the_same_name_wins_when_it_stands_in_results_of_several_tools():
    def bought(n, finder):
        return [
            user("please"), call(finder, {"word": f"w{n}"}), gives({"sku": f"sku-{n}77"}),
            call("buy_item", {"sku": f"sku-{n}77"}), gives({}),
        ]  # fmt: skip

    found = explained("sku", bought(1, "find_by_name"), bought(2, "find_by_code"), bought(3, "find_by_color"))

    assert found == [(InputSource.STEP, "*", "sku")]


def booked(number, amount, balance):
    uid = f"user_{number}7"
    return [
        user(f"I am {uid}"), call("get_user", {"user_id": uid}), gives({"methods": [{"amount": 50}, {"amount": balance}]}),
        call("book", {"user_id": uid, "amount": amount}), gives({}),
    ]  # fmt: skip


def test_amount_that_equals_a_balance_now_and_then_comes_from_nowhere():
    assert explained("amount", booked(1, 1500, 1500), booked(2, 320, 320), booked(3, 1200, 99)) == []
    assert explained("amount", booked(1, 1500, 1500)) == []


def test_amount_that_equals_the_same_field_in_every_family_comes_from_it():
    same = [booked(n, 1000 + n, 1000 + n) for n in (1, 2, 3)]

    assert explained("amount", *same) == [(InputSource.STEP, "get_user", "methods[*].amount")]


def test_amount_of_the_record_itself_comes_from_it():
    def refunded(number, amount):
        order = f"ord-{number}1"
        return [
            user(order), call("get_order", {"order_id": order}), gives({"amount": amount}),
            call("refund", {"order_id": order, "amount": amount}), gives({}),
        ]  # fmt: skip

    found = explained("amount", refunded(1, 120), refunded(2, 77))
    assert found == [(InputSource.STEP, "get_order", "amount")]


def test_with_one_family_a_look_is_preferred_to_a_change_that_shows_the_same_value():
    def moved(number):
        order, item = f"ord-{number}1", f"item-{number}2"
        shown = gives({"items": [{"item_id": item}]})
        return [
            user(order), call("get_order", {"order_id": order}), shown,
            call("set_address", {"order_id": order, "city": "x"}), shown,
            call("set_item", {"order_id": order, "item_id": item}), gives({}),
        ]  # fmt: skip

    assert explained("item_id", moved(1)) == [(InputSource.STEP, "get_order", "items[*].item_id")]
