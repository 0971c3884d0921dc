"""A row of the tables."""

import re

import pytest

from skillc.core.scan.detector import CREDENTIAL, EDGE, EDGE_DASH, GATE_EDGE, PERSONAL_DATA, PRIVATE_PLACE, Detector
from skillc.core.scan.detectors import gate


def test_a_row_is_a_credential_of_one_line_unless_it_says_otherwise():
    row = Detector("x", "x_", "x_[0-9]{4}")

    assert (row.category, row.is_multiline, row.accept) == (CREDENTIAL, False, None)
    assert len({CREDENTIAL, PERSONAL_DATA, PRIVATE_PLACE}) == 3


def test_an_edge_is_where_no_part_of_a_value_stands_before():
    assert re.search(EDGE + "ab", "_ab")
    assert not re.search(EDGE_DASH + "ab", "_ab")
    assert not re.search(EDGE + "ab", "xab")


@pytest.mark.parametrize("text", ["4111", " 4111", '"4111', "\\n4111", "\\u00004111"])
def test_the_edge_of_a_gate_may_be_an_escape(text: str):
    assert gate(GATE_EDGE + "4111")(text)
    assert not gate(GATE_EDGE + "4111")("x4111")
