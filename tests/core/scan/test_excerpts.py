"""An excerpt shows the words around a finding and no part of anything private."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.core.scan.excerpts import EXCERPT_CHARS, excerpt_of
from tests.core.scan.test_detectors import SAMPLES

KEY = SAMPLES["npm_token"]


def test_the_words_around_are_shown_on_one_line():
    text = "first\nplease run the thing now\nlast"
    at = text.index("run")
    assert excerpt_of(text, at, at + 3, None) == "please run the thing now"
    assert excerpt_of(text, at, at + 3, "<cmd>") == "please <cmd> the thing now"


@pytest.mark.parametrize("distance", range(0, 60, 3))
def test_a_key_that_the_cut_goes_through_is_a_placeholder(distance: int):
    text = f"{KEY} {'x' * distance} HIT {'y' * distance} {KEY}"
    at = text.index("HIT")
    shown = excerpt_of(text, at, at + 3, None)
    assert not any(KEY[n : n + 8] in shown for n in range(4, len(KEY) - 8))
    assert "HIT" in shown


def test_a_key_over_several_lines_is_hidden_in_each_of_them():
    text = f"before\n{SAMPLES['private_key']}\nafter"
    line = text.split("\n")[2]
    at = text.index(line) + 10
    assert line[:8] not in excerpt_of(text, at, at + 5, None)
    assert line[-8:] not in excerpt_of(text, at, at + 5, None)


def test_control_characters_are_replaced():
    assert excerpt_of("a\x1b[31m b \u202e c", 7, 8, None) == "a\ufffd[31m b \ufffd c"


@given(st.text(max_size=300), st.data())
def test_any_place_of_any_text_gives_a_short_printable_line(text: str, data: st.DataObject):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    shown = excerpt_of(text, start, end, data.draw(st.sampled_from([None, "<x>"])))
    assert len(shown) <= EXCERPT_CHARS
    assert shown.isprintable()


def test_many_findings_of_one_text_read_it_once():
    text = f"{KEY} ignore this line\n" * 4000
    places = range(0, len(text), 20)

    start = time.process_time()
    for at in places:
        excerpt_of(text, at, at + 5, None)
    assert time.process_time() - start < 20


def test_the_same_value_run_into_another_word_is_masked_too():
    value = "AIza" + "Zx9Qw8Er7Ty6Ui5Op4As3Df2Gh1Jk0Lz9Xc"
    text = f"use {value} and x{value}y"

    assert value not in excerpt_of(text, 4, 4 + len(value), "<google_key>")
