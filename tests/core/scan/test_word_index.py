"""A pattern is called for wherever it matches, and for few texts beside."""

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skillc.core.scan import phrases, rules, word_index
from skillc.core.scan.literals import words_of
from skillc.core.scan.word_index import WordIndex


def index_of(*sources: str, beside: tuple[str, ...] = (), words: tuple[str, ...] = ()) -> WordIndex:
    index = WordIndex()
    for number, source in enumerate(sources):
        index.add(number, source, beside, words)
    return index


def called_for(index: WordIndex, *texts: str) -> list[list[int]]:
    """For each text the patterns that it calls for."""
    found = index.called_for([words_of(text) for text in texts])
    return [sorted(number for number, places in found.items() if place in places) for place in range(len(texts))]


def test_a_piece_calls_for_the_patterns_whose_words_it_holds_itself():
    index = index_of(r"\bsweep the floor\b", r"\bwash\w* the dishes\b")

    assert called_for(index, "sweep every floor of the house", "washing the dishes", "sweep", "floor") == [
        [0],
        [1],
        [],
        [],
    ]


def test_words_of_two_ways_are_no_way():
    index = index_of(r"\bfeed (?:cat fish|dog meat)")

    assert called_for(index, "feed the cat meat", "feed the dog meat") == [[], [0]]


def test_what_stands_beside_and_whole_words_are_needed_too():
    assert called_for(index_of("broom", beside=("cupboard",)), "a broom", "a broom, the cupboard") == [[], [0]]
    assert called_for(index_of(r"[a-z]\s+-x", words=("q", "qq")), "q -x", "z -x") == [[0], []]


def test_a_pattern_without_words_is_always_called_for():
    assert called_for(index_of(r"\d+", "broom"), "", "a broom") == [[0], [0, 1]]


def test_a_pattern_that_is_added_later_counts_for_words_that_are_known():
    index = index_of("broom")
    assert called_for(index, "a broom and a mop") == [[0]]
    index.add(1, "mop")

    assert called_for(index, "a broom and a mop") == [[0, 1]]


def test_words_are_forgotten_when_they_are_many(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(word_index, "MAX_KNOWN_CHARS", 100)
    index = index_of("broom")

    for number in range(50):
        assert called_for(index, f"broom {number} " + "x" * number, "nothing") == [[0], []]


@pytest.mark.parametrize("number", range(0, 500, 7))
def test_every_text_that_a_phrase_matches_calls_for_it(number: int):
    """Texts made from the phrase itself, so that no phrase is passed over for a word that it does not need."""
    assert rules.RULES
    table = phrases._TABLE
    if number >= len(table.phrases):
        pytest.skip("there are fewer phrases")
    item = table.phrases[number]
    index = index_of(item.source, words=item.words)
    pattern = re.compile(item.source, re.IGNORECASE)

    @settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
    @given(st.from_regex(pattern, fullmatch=False))
    def check(text: str) -> None:
        if pattern.search(text) is None:
            return
        assert called_for(index, text, "and the next piece") == [[0], called_for(index, "and the next piece")[0]]

    check()
