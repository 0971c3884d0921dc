"""Rules of what a text states, and of shapes of values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.engines.offline.stated import names_file, shape_of, states, values_of_shape


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        ("order ord-1, please", "ord-1", True),
        ("order ord-11", "ord-1", False),
        ("on May 20th", "2024-05-20", True),
        ("in basic economy", "basic_economy", True),
        ("on 2 May", "2024-05-20", False),
    ],
)
def test_text_states_a_value_as_a_whole(text, value, expected):
    assert states(text, value) is expected


def test_file_is_named_by_path_name_import_or_module():
    assert names_file("see src/app/pricing.py", "src/app/pricing.py")
    assert names_file("from app import pricing\n", "src/app/pricing.py")
    assert names_file("test_report fails", "tests.test_report")
    assert not names_file("the price is wrong", "src/app/pricing.py")


@pytest.mark.parametrize(
    ("value", "other"),
    [("W7387996", "W2417020"), ("#W7387996", "#W2417020"), ("mia_li_3668", "noah_brown_6181"), ("EHGLP3", "XEHM4B"),
     ("a.b@example.com", "mia.li@example.com"), ("2024-05-20", "2023-11-02"), ("19122", "94016")],
)  # fmt: skip
def test_values_of_one_kind_have_one_shape(value, other):
    assert shape_of(value) == shape_of(other) != ""


@pytest.mark.parametrize("value", ["economy", "true", "12", "basic economy", "", "x" * 65])
def test_words_and_short_numbers_have_no_telling_shape(value):
    assert shape_of(value) == ""


def test_text_is_searched_for_values_of_a_shape_before_they_are_known():
    shapes = {shape_of("EHGLP3")}

    assert list(values_of_shape("Please cancel XEHM4B and 8C8K4E, not order 12.", shapes)) == ["XEHM4B", "8C8K4E"]
    assert list(values_of_shape("Please cancel my booking.", shapes)) == []


@given(st.from_regex(r"[A-Za-z0-9#@._-]{1,20}", fullmatch=True))
def test_word_with_a_shape_is_found_by_it_in_any_text_around_it(word):
    shape = shape_of(word)
    if shape:
        assert word in values_of_shape(f"so ({word}) it is", {shape})
