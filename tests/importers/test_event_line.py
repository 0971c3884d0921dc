"""A line is what its record encodes to."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw
from pydantic_core import from_json, to_json

from skillc.core.trace.codec import encode_record, salt_of
from skillc.core.trace.records import Event
from skillc.importers.event_line import EventLine, Salter, encode_lines, in_one_form


def test_a_line_has_the_fields_of_the_record_in_their_order():
    names = [name for name in Event.model_fields if name != "record"]

    assert list(EventLine.__struct_fields__) == names


def test_a_line_reads_as_its_event():
    line = EventLine("e0", 0, "note", "user", text=Raw(b'"x"'), salt="0" * 32)
    encoded = encode_lines([line]).rstrip(b"\n")

    assert encode_record(Event.model_validate_json(encoded)) == encoded


@given(st.text(max_size=30))
def test_a_line_in_one_form_means_the_same(text: str):
    for escaped in (to_json(text), f'"\\u0041\\/{to_json(text).decode()[1:]}'.encode()):
        one = in_one_form(escaped)
        assert from_json(one) == from_json(escaped)
        assert in_one_form(one) == one


@given(st.binary(min_size=1, max_size=100), st.integers(0, 9999))
def test_a_salt_is_that_of_the_codec(secret: bytes, seq: int):
    assert Salter(secret, "t-1").salt(seq) == salt_of(secret, "t-1", seq)
