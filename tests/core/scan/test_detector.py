"""A row of the tables."""

import re

import pytest

from skillc.core.scan.detector import EDGE, EDGE_DASH, GATE_EDGE, Detector, edge_after
from skillc.core.scan.detectors import gate


def test_a_row_is_of_one_line_unless_it_says_otherwise():
    row = Detector("x", "x_", "x_[0-9]{4}")

    assert (row.is_multiline, row.accept) == (False, None)


def test_the_letter_of_an_escape_is_no_part_of_a_value():
    assert re.search(edge_after("a-z") + "AKIA", r"line\nAKIA")
    assert not re.search(edge_after("a-z") + "AKIA", "lineAKIA")


def test_an_edge_is_where_no_part_of_a_value_stands_before():
    assert re.search(EDGE + "ab", "_ab")
    assert not re.search(EDGE_DASH + "ab", "_ab")
    assert not re.search(EDGE + "ab", "xab")


@pytest.mark.parametrize("text", ["4111", " 4111", '"4111', "\\n4111", "\\u00004111"])
def test_the_edge_of_a_gate_may_be_an_escape(text: str):
    assert gate(GATE_EDGE + "4111")(text)
    assert not gate(GATE_EDGE + "4111")("x4111")
