"""Whole documents, and the records in a head that may end anywhere."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.errors import DataError
from skillc.importers import documents
from skillc.importers.base import ImportReport
from skillc.importers.documents import head_object, head_records, head_value, objects_of, read_document, read_records


def report() -> ImportReport:
    return ImportReport(path="f.json", kind="k")


@pytest.mark.parametrize("data", [b'[{"a":1}]', b'{"a":1}', b'{"a":1}\r\n', b'\xef\xbb\xbf{"a":1}\n\n'])
def test_lists_objects_and_lines_are_records(data: bytes):
    assert read_records(io.BytesIO(data), report()) == [{"a": 1}]


def test_a_cut_last_line_is_left_out_and_said():
    one = report()

    assert read_records(io.BytesIO(b'{"a":1}\n{"a":2}\n{"a":'), one) == [{"a": 1}, {"a": 2}]
    assert one.skipped == {"cut last line": 1}


def test_bad_lines_in_the_middle_are_told_together():
    with pytest.raises(DataError, match=r"f\.json:1: is not JSON\nf\.json:3: is not JSON"):
        read_records(io.BytesIO(b'{x\n{"a":1}\n{y\n{"a":1}\n'), report())


def test_a_number_alone_is_no_document():
    with pytest.raises(DataError, match="neither a list nor an object"):
        read_records(io.BytesIO(b"7"), report())


def test_a_file_above_the_limit_is_refused(monkeypatch):
    monkeypatch.setattr(documents, "MAX_FILE_BYTES", 5)
    with pytest.raises(DataError, match=r"f\.json:1: is larger than 5 bytes"):
        read_records(io.BytesIO(b'{"a": 1}'), report())
    with pytest.raises(DataError, match=r"g\.json:1: is larger than 5 bytes"):
        read_document(io.BytesIO(b'{"a": 1}'), "g.json")


def test_what_is_no_object_is_counted():
    one = report()

    assert objects_of([1, {"a": 1}, "x"], one) == [{"a": 1}]
    assert one.skipped == {"record that is no object": 2}


@pytest.mark.parametrize("value", [[{"a": 1, "text": "ä\n" * 40}], {"a": 1, "text": "x" * 60}])
def test_a_head_that_ends_anywhere_still_gives_its_first_keys(value):
    data = json.dumps(value).encode()

    for end in range(10, len(data) + 1):
        assert head_records(data[:end])[0]["a"] == 1


def test_a_head_of_lines_gives_the_objects_of_the_lines():
    assert head_records(b'{"a":1}\n\n7\n{"b":2}\n{"c":"cut') == [{"a": 1}, {"b": 2}, {"c": "cut"}]
    assert head_records(b'{"a":"\\ud83d", "b": "\x01\xff"}')[0]["a"] == "\ufffd"
    assert head_records(b"") == head_records(b"plain text") == []


@given(st.binary(max_size=60))
def test_no_head_is_an_error(data: bytes):
    head_records(data)
    head_records(b"[" + data)
    head_records(b'{"a":' + data)


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


@pytest.mark.parametrize("text", ['{"a": [1, {"b": "x', '{"a": 1, "b": "\\ud83d', '{"a": 1, "b": "\x00'])
def test_a_head_gives_what_it_holds(text: str):
    assert "a" in head_object(text.encode())


def test_a_head_that_is_no_object_is_empty():
    assert head_object(b"[1, 2") == {}
    assert head_value(b'[1, "cut') == [1, "cut"]
    assert head_value(b"text") is None


@given(st.binary(max_size=60), st.integers(0, 80))
def test_no_head_breaks_the_look_at_its_object(tail: bytes, size: int):
    head_object(tail)
    head_object((json.dumps({"a": "ü" * 20, "b": [{}]}).encode() + tail)[:size])
