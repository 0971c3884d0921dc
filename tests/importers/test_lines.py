"""Lines and JSON of foreign files."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import to_json

from skillc.importers import lines
from skillc.importers.lines import clean_text, head_objects, iter_lines, parse_json


def test_lines_are_split_by_lf_only_and_lose_their_bom():
    data = b"\xef\xbb\xbfa\x0cb\xc2\x85c\nd\r\ne"

    assert list(iter_lines(io.BytesIO(data))) == [b"a\x0cb\xc2\x85c\n", b"d\r\n", b"e"]


def test_an_endless_line_comes_as_an_empty_one(monkeypatch):
    monkeypatch.setattr(lines, "MAX_LINE_BYTES", 8)
    data = b"short\n" + b"x" * 30 + b"\nnext\n"

    assert list(iter_lines(io.BytesIO(data))) == [b"short\n", b"\n", b"next\n"]


@pytest.mark.parametrize(
    ("line", "value"),
    [
        (b'{"a": NaN, "b": [Infinity]}', {"a": None, "b": [None]}),
        (b'"lone \\ud83d"', "lone \ufffd"),
        (b'"pair \\ud83d\\ude00"', "pair \U0001f600"),
        (b'"raw \x01 control"', "raw \x01 control"),
        (b'"bad \xff"', "bad \ufffd"),
        (b"12345678901234567890123", 12345678901234567890123),
    ],
)
def test_what_real_files_hold_is_read(line: bytes, value):
    assert parse_json(line) == value


@pytest.mark.parametrize("line", [b"", b"{", b"nope", b"[" * 5000 + b"]" * 5000])
def test_what_is_no_json_is_a_value_error(line: bytes):
    with pytest.raises(ValueError):
        parse_json(line)


@given(st.binary(max_size=100))
def test_what_was_read_can_be_written(data: bytes):
    try:
        value = parse_json(data)
    except ValueError:
        return
    to_json(value)


@given(st.text(alphabet=st.characters(codec=None, exclude_categories=())))
def test_clean_text_is_utf8(text: str):
    clean_text(text).encode()


def test_only_whole_objects_of_a_head_are_seen():
    assert head_objects(b'{"a":1}\n[2]\n{"b":') == [{"a": 1}]


def test_a_key_is_the_text_of_a_string_or_a_number_and_of_nothing_else():
    assert [lines.key_text(v) for v in (7, "a", 1.5)] == ["7", "a", "1.5"]
    assert [lines.key_text(v) for v in (True, None, "", [], {})] == [None] * 5
