"""What is too long loses its middle, and says so."""

from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import to_json

from skillc.importers.cutting import cut_arguments, cut_middle, mapped, strings_of


@given(st.text(max_size=400), st.integers(64, 300))
def test_a_cut_text_is_never_longer_than_its_limit(text: str, limit: int):
    data = text.encode()
    cut = cut_middle(data, limit)

    assert len(cut.encode()) <= max(limit, 100)
    if len(data) <= limit:
        assert cut == text


def test_a_cut_text_keeps_its_ends_and_tells_what_is_missing():
    cut = cut_middle(b"a" * 500 + b"z" * 500, 200)

    assert cut.startswith("aaa")
    assert cut.endswith("zzz")
    assert "864 bytes cut" in cut


def test_long_arguments_are_cut_string_by_string():
    arguments = {"path": "a.py", "edits": [{"new": "x" * 5000}, {"new": "y" * 5000}], "count": 3}
    cut, whole = cut_arguments(arguments, 2000)

    assert whole == to_json(arguments)
    assert cut["path"] == "a.py"
    assert cut["count"] == 3
    assert len(to_json(cut)) <= 4000


def test_arguments_of_many_short_strings_become_one_text():
    cut, _ = cut_arguments({str(i): "x" * 200 for i in range(100)}, 1000)

    assert set(cut) == {"_raw"}


def test_short_arguments_stay():
    arguments = {"a": 1}

    assert cut_arguments(arguments, 1000)[0] is arguments


def test_every_string_of_a_value_is_reached_and_keys_are_not():
    value = {"a": ["b", {"c": "d"}], "e": 1}

    assert list(strings_of(value)) == ["b", "d"]
    assert mapped(value, str.upper) == {"a": ["B", {"c": "D"}], "e": 1}
