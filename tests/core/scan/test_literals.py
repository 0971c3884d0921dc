"""What a pattern needs stands in every text that it matches."""

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skillc.core.scan import phrases, rules
from skillc.core.scan.literals import Literals, required, weight, words_of


@pytest.mark.parametrize(
    ("pattern", "sets"),
    [
        (r"\bsweep\b", [{"^sweep$"}]),
        (r"\bsweeps?\b", [{"^sweep"}]),
        (r"\b(?:add|append)\b", [{"^add$", "^append$"}]),
        (r"e-?mail", [{"mail"}]),
        (r"\bput[\s*_]{1,9}aside\b", [{"^put$"}, {"^aside$"}]),
        (r"(?:ab|\d)", []),
        (r"x*", []),
        (r"/dev/tcp/", [{"^dev$"}, {"^tcp$"}]),
    ],
)
def test_pieces_say_where_a_word_begins_and_ends(pattern: str, sets: list[set[str]]):
    assert [set(found) for found in required(pattern)] == sets


def test_a_broken_pattern_needs_nothing():
    assert required("(") == []


def test_a_text_holds_pieces_as_its_words_do():
    literals = Literals()
    (whole,), (prefix,), (inside,) = literals.needs([r"\bput\b", r"\bputt\w*", r"utte"])
    held = lambda text: {piece for word in words_of(text) for piece in literals.held_by(word)[0]}  # noqa: E731

    assert whole in held("Put it down")
    assert whole not in held("putting, output")
    assert prefix in held("putting")
    assert inside in held("buttery")


def test_a_longer_piece_is_surer():
    assert weight(["instruction"]) < weight(["the"]) < weight(["the", "all"])


@pytest.mark.parametrize("number", range(0, 500, 7))
def test_every_text_that_a_phrase_matches_holds_what_it_needs(number: int):
    """Texts made from the phrase itself, so that no phrase is passed over for a word that it does not need."""
    assert rules.RULES
    table = phrases._TABLE
    if number >= len(table.phrases):
        pytest.skip("there are fewer phrases")
    table.prepare()
    item = table.phrases[number]
    pattern = re.compile(item.source, re.IGNORECASE)

    @settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
    @given(st.from_regex(pattern, fullmatch=False))
    def check(text: str) -> None:
        if pattern.search(text) is None:
            return
        bits = 0
        for word in words_of(text):
            bits |= table.literals.held_by(word)[1]
        own = [table.literals.bits_of(pieces) for pieces in table.literals.needs([item.source])]
        assert all(bits & need for need in own)

    check()
