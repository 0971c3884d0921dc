"""Shapes are found in many pieces as in each alone, and lines with digits are all of them."""

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skillc.core.scan import case_ids, personal_numbers
from skillc.core.scan.blocks import OVERLAP_CHARS, PIECE_CHARS
from skillc.core.scan.detector import Shape
from skillc.core.scan.detectors import gate_for
from skillc.core.scan.rules import instance_id
from skillc.core.scan.shapes import TOGETHER_CHARS, numbered_lines, pieces_of_lines, standing_in

SHAPES = (
    Shape("pair", re.compile(r"\b(?P<value>\d+-\d+)\b")),
    Shape("word", re.compile(r"(?P<value>[a-z]+\d)")),
)


def found(pieces: list[tuple[int, str]]) -> list[tuple[str, tuple[int, int]]]:
    return [(standing.shape.name, standing.span) for standing in standing_in(pieces, SHAPES)]


def test_a_value_stands_where_its_piece_stands():
    assert found([(10, "see 12-34"), (50, "a1 or 5-6")]) == [("pair", (14, 19)), ("pair", (56, 59)), ("word", (50, 52))]


def test_accepting_is_left_to_the_caller_and_the_place_in_the_table_is_told():
    (standing,) = standing_in([(0, "x9")], SHAPES)

    assert (standing.rank, standing.match["value"]) == (1, "x9")


def test_pieces_beyond_what_is_asked_together_are_found_too():
    pieces = [(n * 1000, "no digits here " * 60 + (f"{n}-{n}" if n % 5 == 0 else "")) for n in range(30)]

    assert sum(len(text) for _, text in pieces) > 4 * TOGETHER_CHARS
    assert [name for name, _ in found(pieces)] == ["pair"] * 6


@given(st.lists(st.sampled_from(["a1", "7-8", "word", "", "0", "x-y z9"]), max_size=12))
def test_many_pieces_hold_what_each_of_them_holds_alone(texts: list[str]):
    pieces = [(n * 100, text) for n, text in enumerate(texts)]

    assert found(pieces) == [item for piece in pieces for item in found([piece])]


@given(st.text(alphabet="ab1\u0663\n \r", max_size=60))
def test_the_lines_with_a_digit_are_all_lines_with_a_digit(text: str):
    lines, at = [], 0
    for line in text.split("\n"):
        lines += [(at, line)] if re.search(r"\d", line) else []
        at += len(line) + 1

    assert list(numbered_lines(text)) == lines


def test_a_long_line_is_read_in_pieces_that_overlap():
    pieces = list(pieces_of_lines([(7, "x" * (PIECE_CHARS + 10)), (9000, "short")]))

    assert [offset for offset, _ in pieces] == [7, 7 + PIECE_CHARS, 9000]
    assert len(pieces[0][1]) == min(PIECE_CHARS + OVERLAP_CHARS, PIECE_CHARS + 10)


TABLE = (*personal_numbers.SHAPES, *instance_id._SHAPES, *case_ids.SHAPES)
PLAIN = st.characters(min_codepoint=32, max_codepoint=126)


@pytest.mark.parametrize("number", [n for n, shape in enumerate(TABLE) if r"\u3012" not in shape.pattern.pattern])
def test_whatever_a_shape_matches_passes_its_gate_and_a_number_has_a_digit(number: int):
    shape = TABLE[number]

    @settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
    @given(st.from_regex(shape.pattern, fullmatch=True, alphabet=PLAIN))
    def check(text: str) -> None:
        if match := shape.pattern.search(text):
            assert gate_for(shape.pattern)(text)
            assert shape not in personal_numbers._NUMBERED or re.search(r"\d", match.group())

    check()


WORDS = (
    "order 114-7731902-4486610",
    "5 web_search_20250910",
    "MMC20.Application id: 9f2c1ad4-4a9f-b237-1e6f8d2c3a4b",
    "sess_01JQ8ZV4N7K2M9T3X5R6",
    "ssh kilnprd-sql07,",
    "#AB12345\n",
    "PROJ-123 x",
    "acct_12345678/",
    "123456789012.",
    "call 0171 5550 123",
    "`a1`",
    "and so it goes on for a while",
    "x" * 300,
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=40), st.sampled_from([" ", "  ", "\n", ""]))
def test_a_long_piece_holds_what_every_pattern_alone_finds_in_it(words: list[str], between: str):
    text = between.join(words)
    plain = [
        (rank, match.span()) for rank, shape in enumerate(TABLE) for match in shape.pattern.finditer(text[:PIECE_CHARS])
    ]

    assert [(s.rank, s.match.span()) for s in standing_in([(0, text[:PIECE_CHARS])], TABLE)] == plain
