"""What may tell a task family, and what cannot."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.core.trace.family_marks import marks_of, objective_words
from tests.makers import bash, call, fails, gives, make_trace


def traced(objective: str = "Cancel the flight", *, arguments: dict[str, Any] | None = None, text: str = "ok"):
    shell = {**bash("git push"), "arguments": arguments or {}}
    return make_trace(call("cancel_reservation", arguments), gives(text), shell, objective=objective)


_JSON = st.dictionaries(st.sampled_from(["command", "id", "x"]), st.text(max_size=30) | st.integers(), max_size=3)


@given(_JSON, st.text(max_size=60))
def test_arguments_and_results_cannot_change_the_answer(arguments: dict[str, Any], text: str):
    assert marks_of(traced(arguments=arguments, text=text)) == marks_of(traced())


@given(
    st.from_regex(r"[A-Z]{2,8}[0-9]{1,6}|[a-z]+_[a-z]+_[0-9]{4}|#W[0-9]{7}", fullmatch=True),
    st.from_regex(r"https://[a-z]{3,9}\.example/[a-z0-9]{0,9}|[a-z]{3,8}@[a-z]{3,8}\.org", fullmatch=True),
)
def test_identifiers_and_urls_cannot_change_the_answer(identifier: str, url: str):
    plain = marks_of(traced("Please cancel reservation for user via"))
    assert marks_of(traced(f"Please cancel reservation {identifier} for user {identifier} via {url}")) == plain


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Cancel my flights, please.", ["cancel", "flight"]),
        ("I am Mia Li. Cancelled flight from Boston", ["cancell", "flight"]),
        ('Rename "alpha beta" to `gamma`', ["rename"]),
        ("FIX THE TEST", []),
        ("", []),
    ],
)
def test_an_objective_gives_its_plain_words(text: str, words: list[str]):
    assert objective_words(text) == words


def test_a_change_that_failed_is_none_and_all_edits_are_one():
    trace = make_trace(call("cancel_order"), fails("no"), call("Edit"), call("write_file"))
    assert marks_of(trace).changes == {"edit"}


@given(st.text(max_size=300))
def test_any_text_gives_short_lower_case_words(text: str):
    for word in objective_words(text):
        assert word == word.lower()
        assert len(word) <= 50
        assert not any(c.isdigit() for c in word)
