"""Two lines are opposites only when their words alone say so."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.core.compile.polarity import opposite_words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Always run the generator.", "Never run the generator."),
        ("Commit the lock file.", "Do not commit the lock file."),
        ("You must restart the service", "You must not restart the service"),
        ("Run `make gen` before `pytest`.", "Run `make gen` after `pytest`."),
        ("`make gen` before `pytest`", "`pytest` before `make gen`"),
        ("The flag is on for tests", "The flag is off for tests"),
    ],
)
def test_opposites_of_one_field(one: str, other: str):
    assert opposite_words("steps", one, "steps", other)
    assert opposite_words("steps", other, "steps", one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Run `make gen`.", "Run `make test`."),
        ("Run `make gen` before `pytest`.", "Run `make gen` before `pytest`."),
        ("Run `make gen` before `pytest`.", "Run `make docs` after `pytest`."),
        ("Call `a` with `<b>`.", "Call `a` with `<c>`."),
        ("Do", "Do not"),
        ("", "Never"),
    ],
)
def test_lines_that_only_differ_are_no_opposites(one: str, other: str):
    assert not opposite_words("steps", one, "steps", other)


def test_what_one_field_wants_and_another_forbids_is_the_opposite():
    fact = "`status` is `pending` in the result of `get_order`."
    assert opposite_words("use_when", fact, "do_not_use_when", fact)
    assert opposite_words("do_not_use_when", "Use when " + fact, "preconditions", fact)
    assert not opposite_words("use_when", fact, "preconditions", fact)
    assert not opposite_words("outputs", fact, "do_not_use_when", fact)


@given(st.sampled_from(["steps", "use_when", "do_not_use_when"]), st.text(max_size=40), st.text(max_size=40))
def test_it_is_symmetric_and_no_line_is_its_own_opposite(field: str, one: str, other: str):
    assert opposite_words(field, one, field, other) == opposite_words(field, other, field, one)
    assert not opposite_words(field, one, field, one)
