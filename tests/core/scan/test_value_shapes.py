"""Which words are shaped like a value of one attempt, and which are words like any other."""

import pytest

from skillc.core.scan.value_shapes import compact, is_telling_number, names_of_persons, strong_shapes, whole_shape


def shapes(text: str) -> list[tuple[str, str]]:
    return [(shape.value, shape.kind) for shape in strong_shapes(text)]


@pytest.mark.parametrize(
    ("text", "value", "kind"),
    [
        ("for 8JX2WO now", "8JX2WO", "id"),
        ("order #W2378156.", "#W2378156", "id"),
        ("user sofia_kim_7287", "sofia_kim_7287", "id"),
        ("row 55120917", "55120917", "number"),
        ("call 555-123-4567", "555-123-4567", "number"),
        ("on 2024-05-11 then", "2024-05-11", "date"),
        ("to mia.chen@shop.test", "mia.chen@shop.test", "e-mail"),
        ("at kiln-batch-07", "kiln-batch-07", "host"),
    ],
)
def test_a_value_is_known_wherever_it_stands(text: str, value: str, kind: str):
    assert (value, kind) in shapes(text)


@pytest.mark.parametrize("text", ["python3.11", "utf-8", "#ff8800", "10-20", "2048", "us-east-10", "v1_2_3", "step-04"])
def test_versions_colours_ranges_and_common_numbers_are_no_values(text: str):
    assert shapes(f"use {text} here") == []


@pytest.mark.parametrize(
    ("key", "text", "kind"),
    [
        ("file_path", "src/shop/cart.py", "path"),
        ("address", "281 Spruce Street", "address"),
        ("passenger", "Mia Li Chen", "name"),
        ("city", "Denver", "name"),
        ("coupon_code", "SAVE-X", "id"),
    ],
)
def test_the_whole_text_of_a_field_is_judged_with_its_name(key: str, text: str, kind: str):
    shape = whole_shape(text, key)
    assert shape is not None
    assert (shape.value, shape.kind) == (text, kind)


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("command", "src/shop/run.py"),
        ("file_path", "docs/README.md"),
        ("colour", "Denver"),
        ("city", "denver"),
        ("note_id", "two words"),
        ("path", "a/" * 80 + "b"),
    ],
)
def test_free_text_common_files_and_plain_words_are_no_values(key: str, text: str):
    assert whole_shape(text, key) is None


def test_a_person_has_two_capital_words_that_are_not_common_ones():
    assert [s.value for s in names_of_persons("Hello Mia Chen, Thank You Very Much")] == ["Mia Chen", "Very Much"]


def test_years_and_round_numbers_tell_nothing():
    assert [n for n in ("2024", "1500", "12000", "0.50", "12.5", "4321", "10.75", "1e+20") if is_telling_number(n)] == [
        "12.5",
        "4321",
        "10.75",
    ]


def test_spellings_of_one_value_are_the_same_when_compact():
    assert compact("Sofia_Kim-7287") == compact("sofia kim 7287") == "sofiakim7287"
