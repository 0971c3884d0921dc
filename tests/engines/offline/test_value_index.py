"""Rules of the value index."""

from skillc.engines.offline.calls import attempts_of
from skillc.engines.offline.value_index import base_name, field_values
from tests.makers import call, fails, gives, make_source, user


def index_of(*drafts):
    attempt = attempts_of((make_source(*drafts),))[0]
    return attempt.index, attempt.calls


def test_places_of_a_value_are_those_before_the_call_latest_first():
    index, calls = index_of(
        user("hello"),
        call("find", {"name": "ann"}), gives({"id": "u-11", "tags": ["a", "b"]}),
        call("get", {"id": "u-11"}), gives({"owner": {"id": "u-11"}}),
        call("close", {"id": "u-11"}), gives({}),
    )  # fmt: skip

    found = [(p.call.tool, p.path, p.is_argument) for p in index.places("U-11", before=calls[2].seq)]

    assert found == [("get", "owner.id", False), ("get", "id", True), ("find", "id", False)]
    assert [p.path for p in index.places("u-11", before=calls[1].seq)] == ["id"]


def test_field_with_several_values_says_so():
    index, calls = index_of(
        call("list", {}), gives({"ids": ["u-11", "u-22"]}), call("get", {"id": "u-22"}), gives({}),
    )  # fmt: skip

    (place,) = index.places("u-22", before=calls[1].seq)

    assert place.several
    assert place.path == "ids[*]"


def test_failed_results_hold_no_values():
    index, calls = index_of(call("list", {}), fails('{"id": "u-11"}'), call("get", {"id": "u-11"}), gives({}))

    assert index.places("u-11", before=calls[1].seq) == []
    assert not index.has_field("list", "id", before=calls[1].seq)


def test_fields_are_known_once_a_result_showed_them():
    index, calls = index_of(call("list", {}), gives({"item_ids": ["u-11"]}), call("get", {"id": "u-11"}), gives({}))

    assert index.has_field("list", "item_ids[*]", before=calls[1].seq)
    assert index.has_name("item_id", before=calls[1].seq)
    assert not index.has_field("list", "item_ids[*]", before=calls[0].seq)


def test_names_meet_in_one_form():
    assert base_name("itemIds") == base_name("item_id") == "item_id"
    assert base_name("address") == "address"


def test_values_of_a_field_are_given_once_each_in_order():
    assert field_values({"a": [{"n": 2}, {"n": 1}, {"n": 2}]}, "a[*].n") == ["2", "1"]
