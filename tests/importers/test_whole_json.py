"""Whole documents, and heads that end anywhere."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.errors import DataError
from skillc.importers import whole_json
from skillc.importers.whole_json import head_object, head_value, read_document


def test_a_document_is_read_past_its_bom():
    assert read_document(io.BytesIO(b'\xef\xbb\xbf{"a":NaN,"b":"\\ud83d"}'), "x") == {"a": None, "b": "\ufffd"}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'{\n"a": 1,\n"b', r"x\.json:3: is not JSON, or its end is missing"),
        (b"[" * 100_000, r"x\.json:1: is nested too deeply"),
        (b"", r"x\.json:1: is not JSON"),
    ],
)
def test_a_document_that_is_none_is_one_error_with_its_line(data: bytes, message: str):
    with pytest.raises(DataError, match=message):
        read_document(io.BytesIO(data), "x.json")


def test_a_document_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(whole_json, "MAX_DOCUMENT_BYTES", 10)
    with pytest.raises(DataError, match="is larger than 10 bytes"):
        read_document(io.BytesIO(b'{"a": "bcdefgh"}'), "x.json")


@pytest.mark.parametrize("text", ['{"a": [1, {"b": "x', '{"a": 1, "b": "\\ud83d', '{"a": 1, "b": "\x00'])
def test_a_head_gives_what_it_holds(text: str):
    assert "a" in head_object(text.encode())


def test_a_head_that_is_no_object_is_empty():
    assert head_object(b"[1, 2") == {}
    assert head_value(b'[1, "cut') == [1, "cut"]
    assert head_value(b"text") is None


@given(st.binary(max_size=60), st.integers(0, 80))
def test_no_head_breaks_the_look_at_it(tail: bytes, size: int):
    head_object(tail)
    head_object((json.dumps({"a": "ü" * 20, "b": [{}]}).encode() + tail)[:size])
