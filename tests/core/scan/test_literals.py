"""What a pattern needs stands in every text that it matches."""

import re

import pytest

from skillc.core.scan.literals import Literals, required, ways_of, weight, words_of


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
    patterns = (r"\bput\b", r"\bputt\w*", r"utte")
    whole, prefix, inside = ((literals.numbered(required(pattern)))[0][0] for pattern in patterns)
    held = lambda text: {piece for word in words_of(text) for piece in literals.held_by(word)}  # noqa: E731

    assert whole in held("Put it down")
    assert whole not in held("putting, output")
    assert prefix in held("putting")
    assert inside in held("buttery")


def test_a_longer_piece_is_surer_and_a_word_of_every_page_is_not():
    assert weight(["instruction"]) < weight(["the"]) < weight(["the", "all"])
    assert weight(["^curl$", "^wget$"]) < weight(["^with$"])


@pytest.mark.parametrize(
    "text", ["Put IT_down, 3 times!", "x", "", "a-b_c.d/e", "\u00c4rger \u00fcber_alles", "\x00\x7f", "\u0660\u0661 z"]
)
def test_the_words_of_a_text_are_its_runs_of_letters_and_digits(text: str):
    assert words_of(text) == set(re.findall(r"[^\W_]+", text.lower()))


def test_each_alternative_at_the_end_of_a_pattern_is_a_way_of_its_own():
    assert ways_of(r"\bfeed (?:cat fish|dog meat)") == [
        [frozenset({"^feed$"}), frozenset({"^cat$"}), frozenset({"^fish"})],
        [frozenset({"^feed$"}), frozenset({"^dog$"}), frozenset({"^meat"})],
    ]
    assert ways_of(r"sweep\s+up") == [required(r"sweep\s+up")]
