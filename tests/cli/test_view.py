"""Literal printing: whatever a Trace holds, the terminal gets only what can be seen."""

import re

from hypothesis import given
from hypothesis import strategies as st

from skillc.cli.view import has_colour, literal, printable, styled, table


@given(st.text())
def test_nothing_that_a_terminal_acts_on_gets_through(text: str):
    shown = printable(text)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200b-\u200f]", shown)
    shown.encode("utf-8")


@given(st.text(), st.integers(5, 40))
def test_a_literal_is_one_line_within_its_width(text: str, width: int):
    line = literal(text, width=width)
    assert "\n" not in line
    assert len(line) <= width


@given(st.text(st.characters(codec="ascii", categories=["L", "N", "P", "S", "Zs"])))
def test_plain_text_is_unchanged(text: str):
    assert printable(text) == text


def test_a_pipe_and_no_color_give_plain_text(monkeypatch):
    assert not has_colour()
    assert styled("x", "red") == "x"


def test_a_table_is_aligned_and_its_last_column_is_not_padded(capsys):
    table([("a", "bb", "c"), ("aaaa", "b", "cc")], header=("x", "y", "z"))
    assert capsys.readouterr().out == "x     y   z\na     bb  c\naaaa  b   cc\n"
