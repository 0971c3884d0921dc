"""Twins are found by what two Skills do."""

import pytest

from skillc.core.compile.twins import acts_of, changes_of, is_compatible, is_near_duplicate, similarity
from skillc.core.skill.contract import Contract
from tests.refunds import refund_contract, step


def made(*tools: str, family: str = "some-family") -> Contract:
    return refund_contract(task_family=family, steps=tuple(step(t, "e1", id=f"s-{n}") for n, t in enumerate(tools)))


def test_the_same_steps_are_the_same_and_no_steps_are_nothing():
    assert similarity(made("find_order", "refund_order"), made("find_order", "refund_order")) == 1.0
    assert similarity(made(), made()) == 0.0


def test_the_worked_number():
    one, two = made("get_user", "find_order", "refund_order"), made("get_user", "find_order", "send_mail")
    assert similarity(one, two) == pytest.approx((4 / 6 + 2 / 4) / 2)


def test_words_do_not_count():
    one = made("find_order", "refund_order")
    other = one.model_copy(update={"name": "x", "use_when": ()})
    assert similarity(one, other) == 1.0


def test_order_counts():
    assert similarity(made("find_order", "refund_order"), made("refund_order", "find_order")) < 1.0


def test_only_skills_of_one_family_are_compatible():
    assert is_compatible(made("find_order", "refund_order"), made("find_order", "refund_order"))
    assert not is_compatible(made("find_order", "refund_order"), made("find_order", "refund_order", family="other"))


def test_a_near_duplicate_changes_the_same_things():
    one = made("get_user", "find_order", "refund_order")
    assert is_near_duplicate(one, made("get_user", "find_order", "refund_order", family="other"))
    assert not is_near_duplicate(one, made("get_user", "find_order", "cancel_order", family="other"))
    assert not is_near_duplicate(made("find_order"), made("find_order", family="other"))  # nothing is changed


def test_acts_are_tools_with_operations():
    one = refund_contract(steps=(step("find_order", "e1"), step("refund", "e3")))
    assert acts_of(one) == (("find_order", ""), ("refund", ""))
    assert changes_of(one) == {("refund", "")}
