"""Rules of flat views of JSON values."""

from hypothesis import given
from hypothesis import strategies as st

from skillc.engines.offline.values import (
    MAX_LEAVES,
    SharedWords,
    leaves,
    number_paths,
    placeholder_name,
    with_placeholders,
)

JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=20)),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=8), inner, max_size=4)),
)


def paths(value) -> list[tuple[str, str]]:
    return [(leaf.path, leaf.value) for leaf in leaves(value)]


def test_indexes_and_identifier_keys_are_generalised():
    assert paths({"items": [{"sku": "A1"}, {"sku": "B2"}]}) == [("items[*].sku", "A1"), ("items[*].sku", "B2")]
    assert paths({"methods": {"card_123": {"last": "77"}}}) == [
        ("methods{key}", "card_123"),
        ("methods{*}.last", "77"),
    ]


def test_long_texts_are_no_values_unless_cut():
    assert leaves({"note": "x" * 500}) == []
    assert len(leaves({"note": "x" * 500}, cut=True)[0].value) == 200


def test_arguments_keep_their_structure_and_lose_their_values():
    assert with_placeholders({"flights": [{"number": "HAT1", "date": "2024-01-02"}], "note": ""}) == {
        "flights": [{"number": "<number>", "date": "<date>"}]
    }


def test_placeholder_names_are_lower_case_words():
    assert placeholder_name("orderId") == "order_id"
    assert placeholder_name("9") == "value_9"
    assert placeholder_name("") == "value"


def test_word_of_one_family_is_not_shared():
    words = SharedWords([("f1", "ord-1 is late"), ("f2", "late again")])

    assert words.is_shared("late")
    assert not words.is_shared("ord-1")


@given(JSON)
def test_any_value_is_flattened_within_bounds(value):
    assert len(leaves(value)) <= MAX_LEAVES
    with_placeholders(value, "x")


@given(st.text(max_size=200))
def test_placeholder_name_is_always_a_name(name):
    import re

    assert re.fullmatch(r"[a-z][a-z0-9_]{0,63}", placeholder_name(name))


def test_number_paths_are_those_of_json_numbers_alone():
    value = {"amount": 3, "zip": "98187", "is_new": True, "legs": [{"price": 2.5, "no": "7"}], "by": {"id_1": 4}}

    assert number_paths(value) == {"amount", "legs[*].price", "by{*}"}


@given(JSON)
def test_number_paths_are_paths_of_leaves(value):
    assert number_paths(value) <= {leaf.path for leaf in leaves(value)}
