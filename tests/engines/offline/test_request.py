"""Rules of the words of a request."""

from skillc.core.policy import Thresholds
from skillc.engines.offline.induction import induce
from skillc.engines.offline.request import request_words
from tests.makers import call, gives, make_evidence, make_source, user


def words(*requests, family="cancel-order"):
    sources = [
        make_source(user(text), call("cancel_order", {"order_id": f"ord-{n}"}), gives({}), trace_id=f"t-0000000{n}")
        for n, text in enumerate(requests)
    ]
    return request_words(induce(make_evidence(*sources, task_family=family), Thresholds()))


def test_words_of_the_family_count_in_any_form():
    assert words("I want my order cancelled", "cancel the orders please") == ["cancel", "order"]


def test_word_of_one_user_does_not_count():
    assert "lamp" not in words("cancel my lamp order", "cancel my order")


def test_other_words_need_three_families():
    assert "parcel" not in words("cancel my parcel", "cancel the parcel")
    assert "parcel" in words("cancel my parcel", "cancel the parcel", "cancel that parcel now")


def test_single_source_keeps_only_words_of_names():
    assert words("cancel my order of the blue lamp for Mia") == ["cancel", "order"]


def test_values_of_arguments_never_count():
    sources = [
        make_source(
            user("a window seat, urgent"), call("book", {"seat": "window"}), gives({}), trace_id=f"t-0000000{n}"
        )
        for n in (1, 2, 3)
    ]

    assert request_words(induce(make_evidence(*sources), Thresholds())) == ["urgent"]


def test_name_that_users_give_themselves_is_no_word_of_the_family():
    sources = [
        make_source(user("Hi, Maria here: the parcel came late"), call("refund", {"id": f"ord-{n}1"}), gives({}), trace_id=f"t-0000000{n}")
        for n in (1, 2, 3)
    ]  # fmt: skip

    found = request_words(induce(make_evidence(*sources), Thresholds()))

    assert "maria" not in found
    assert {"parcel", "late"} <= set(found)
