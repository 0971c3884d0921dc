"""The typed decoding of a transcript's lines gives what reading them as plain JSON gives."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Raw, to_builtins
from pydantic_core import from_json

from skillc.importers.claude_shapes import ClaudeRecord, read_record, record_of, text_of
from skillc.importers.lines import parse_json


def encoded(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def plain(record: ClaudeRecord | None) -> Any:
    """The record without its types; encoded parts by their value."""
    return to_builtins(record, enc_hook=_value)


def _value(part: Any) -> Any:
    return from_json(bytes(part)) if isinstance(part, Raw) and len(part) else None


def test_what_the_importer_needs_is_read_and_the_rest_is_skipped():
    block = {"type": "tool_use", "id": "c", "name": "Bash", "input": {"command": "ls"}, "signature": "x" * 99}
    record = read_record(
        encoded({"type": "assistant", "uuid": "u", "message": {"id": "m", "usage": {"a": 1}, "content": [block]}})
    )

    assert record.uuid == "u"
    assert record.message.content[0].name == "Bash"
    assert bytes(record.message.content[0].input) == b'{"command":"ls"}'


@pytest.mark.parametrize("value", [None, 1, 1.5, True, "x", [], {}, ["a", 1, None], [{"type": 3, "text": 4}]])
@pytest.mark.parametrize("place", ["type", "uuid", "timestamp", "isSidechain", "message", "content", "block"])
def test_an_odd_type_is_as_good_as_absent(place: str, value: Any):
    message: dict[str, Any] = {"id": "m", "content": [{"type": "text", "text": "t"}]}
    line = {"type": "user", "uuid": "u", "timestamp": "2026-01-05T09:00:00Z", "message": message}
    if place == "content":
        message["content"] = value
    elif place == "block":
        message["content"].append(value)
    else:
        line[place] = value

    assert plain(read_record(encoded(line))) == plain(record_of(line))


@pytest.mark.parametrize("line", [b"[1]", b'"x"', b"3", b"null"])
def test_json_that_is_no_object_is_no_record(line: bytes):
    assert read_record(line) is None


@pytest.mark.parametrize("line", [b"", b"{", b'{"a":}', b'{"type":"user"} x', b"{" * 5000])
def test_what_is_no_json_is_refused(line: bytes):
    with pytest.raises(ValueError):
        read_record(line)


def test_invalid_bytes_and_raw_control_characters_are_replaced_as_ever():
    line = b'{"type":"user","message":{"content":[{"type":"text","text":"a\xff\tb"}]}}'

    assert text_of(read_record(line).message.content[0].text) == "a\ufffd\tb"


def test_the_second_copy_of_a_result_is_cut_off_and_the_folder_after_it_kept():
    copy = {"file": "big", "cwd": "/wrong", "sessionId": "wrong"}
    line = {"message": {"content": "x"}, "uuid": "u", "toolUseResult": copy, "cwd": "/right", "sessionId": "s"}
    record = read_record(encoded(line))

    assert (record.cwd, record.session_id, record.message.content) == ("/right", "s", "x")


def test_damage_in_the_second_copy_does_not_matter():
    assert read_record(b'{"uuid":"u","message":{"content":"x"},"toolUseResult":{"cut').message.content == "x"


def test_a_nested_or_early_copy_is_no_cut():
    nested = {"message": {"id": "m", "toolUseResult": 2, "content": "x"}, "uuid": "u"}
    early = {"type": "user", "toolUseResult": "x", "message": {"content": "y"}, "uuid": "u"}
    for line in (nested, early):
        assert plain(read_record(encoded(line))) == plain(record_of(line))


_KEY = st.sampled_from(["type", "message", "uuid", "toolUseResult", "cwd", "content", "text", "is_error", "x"])
_VALUE = st.recursive(
    st.sampled_from(["user", ',"toolUseResult":', "}", "{", "\\", "\x1b/\u20ac", None, True]) | st.integers(),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(_KEY, inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=500, deadline=None)
@given(st.dictionaries(_KEY, _VALUE, max_size=5), st.booleans())
def test_typed_decoding_is_reading_plain_json(fields: dict[str, Any], ascii_only: bool):
    line = json.dumps(fields, ensure_ascii=ascii_only, separators=(",", ":")).encode()
    read, expected = plain(read_record(line)), plain(record_of(parse_json(line)))

    if "toolUseResult" in fields and read != expected:
        # Only what stands behind the copy may be missing.
        behind = list(fields)[list(fields).index("toolUseResult") :]
        assert all(read[name] is None for name in read if read[name] != expected[name] and name in behind)
        assert {name for name in read if read[name] != expected[name]} <= set(behind)
    else:
        assert read == expected
