"""Phrases are found over line breaks and markup, once for all rules, in time that grows with the text."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.core.scan.blocks import OVERLAP_CHARS, PIECE_CHARS, BlockKind
from skillc.core.scan.phrases import Phrase, finder, phrase, together
from skillc.core.scan.views import View


def hits(item: Phrase, text: str, *, any_polarity: bool = False) -> list[str]:
    return [text[hit.start : hit.end] for hit in finder([item], any_polarity=any_polarity)(View("raw", text))]


def test_a_blank_is_any_blank_line_break_or_emphasis():
    item = phrase(r"\bsweep the floor\b")

    assert hits(item, "Please **sweep** the\nfloor.") == ["sweep** the\nfloor"]
    assert hits(item, "> sweep\n> the floor") == ["sweep\n> the floor"]
    assert hits(item, "sweepthe floor") == []


def test_a_blank_in_a_class_of_characters_stays_and_one_may_be_left_out():
    assert hits(phrase(r"--level[= ]high"), "--level=high --level high --level\thigh") == [
        "--level=high",
        "--level high",
    ]
    assert hits(phrase(r"\bback ?pack\b"), "backpack, back pack") == ["backpack", "back pack"]


def test_what_is_forbidden_counts_only_where_polarity_does_not_matter():
    item = phrase(r"\bsweep the floor\b")

    assert hits(item, "Never sweep the floor.") == []
    assert hits(item, "Never sweep the floor.", any_polarity=True) == ["sweep the floor"]


def test_ideas_together_stand_in_one_sentence_in_any_order():
    item = together(r"\bbroom\b", r"\bcupboard\b", r"\bmonday\b")

    assert hits(item, "On Monday the broom goes into the cupboard.") == ["broom"]
    assert hits(item, "The broom is new. On Monday open the cupboard.") == []


def test_a_phrase_can_be_held_to_kinds_of_blocks_and_to_a_test():
    item = phrase(
        r"\bbroom \w+\b", kinds=(BlockKind.CODE,), accept=lambda block, match: match.group().endswith("closet")
    )

    assert hits(item, "broom closet\n\n```\nbroom closet broom chest\n```\n") == ["broom closet"]


def test_whole_words_gate_what_has_no_telling_piece():
    assert hits(phrase(r"\bq{1,2}\s+-x", words="q qq"), "use q -x here") == ["q -x"]


@pytest.mark.parametrize("before", [0, PIECE_CHARS - 8, PIECE_CHARS + OVERLAP_CHARS - 3, 3 * PIECE_CHARS - 5])
def test_a_phrase_over_the_edge_of_a_piece_is_found(before: int):
    text = "x" * before + " sweep the floor " + "y" * 4000
    assert "sweep the floor" in hits(phrase(r"\bsweep the floor\b"), text)


@given(
    st.lists(st.sampled_from(["sweep", "the", "floor", "Never", ".", "\n", "- ", "`", '"']), max_size=40).map(" ".join)
)
def test_every_hit_is_a_match_of_its_phrase(text: str):
    for found in hits(phrase(r"\bsweep the floor\b"), text):
        assert found.split()[0] == "sweep"


def test_a_long_line_costs_about_as_much_as_its_length():
    item = phrase(r"\bsweep\b[^.\n]{0,80}?\bthe floor\b")
    text = "sweep and wash " * 4000
    find = finder([item])
    start = time.process_time()
    assert list(find(View("raw", text))) == []
    once = time.process_time() - start
    start = time.process_time()
    assert list(find(View("raw", text * 4))) == []
    assert time.process_time() - start < 12 * max(once, 0.02)
