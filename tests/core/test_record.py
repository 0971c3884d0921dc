"""Records: frozen, closed, and the same bytes for the same value."""

import hashlib
import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from skillc.core.record import (
    Moment,
    Record,
    canonical_json,
    digest_of,
    first_problem,
    json_text,
    json_value,
    pretty_json,
    sha256_hex,
    strings_in,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abc", max_size=3), inner, max_size=4),
    max_leaves=12,
)


class Inner(Record):
    """A part."""

    text: str | None = None


class Sample(Record):
    """A record with everything that can go wrong."""

    name: str
    inner: Inner = Inner()
    items: tuple[Inner, ...] = ()
    at: Moment | None = None
    free: dict[str, object] = {}


def test_a_record_is_frozen_and_closed():
    sample = Sample(name="a")
    with pytest.raises(ValidationError):
        sample.name = "b"  # type: ignore[misc]
    with pytest.raises(ValidationError):
        Sample(name="a", extra=1)  # type: ignore[call-arg]


def test_canonical_bytes_are_sorted_compact_utf8_without_absent_fields():
    assert canonical_json(Sample(name="ü")) == '{"free":{},"inner":{},"items":[],"name":"ü"}'.encode()


def test_absent_is_left_out_in_fields_and_kept_in_free_data():
    """A null that an agent passed to a tool is data; a field that is not set is not there."""
    sample = Sample(name="a", items=(Inner(),), free={"x": None})
    assert canonical_json(sample) == b'{"free":{"x":null},"inner":{},"items":[{}],"name":"a"}'


def test_pretty_bytes_hold_the_same_and_end_with_a_newline():
    data = pretty_json(Sample(name="ü"))
    assert data.endswith(b"}\n")
    assert json.loads(data) == json.loads(canonical_json(Sample(name="ü")))


@given(JSON)
def test_the_same_value_gives_the_same_bytes_in_any_order_of_keys(value):
    def turned(item):
        if isinstance(item, dict):
            return {key: turned(item[key]) for key in reversed(list(item))}
        return [turned(part) for part in item] if isinstance(item, list) else item

    assert canonical_json(turned(value)) == canonical_json(value)
    assert json.loads(canonical_json(value)) == value
    assert json.loads(pretty_json(value)) == value


@given(JSON, JSON)
def test_a_digest_is_of_the_value(left, right):
    assert (digest_of(left) == digest_of(right)) == (canonical_json(left) == canonical_json(right))


def test_a_digest_names_its_method():
    expected = hashlib.sha256(b'{"a":1}').hexdigest()
    assert digest_of({"a": 1}) == f"sha256:{expected}"
    assert sha256_hex(b'{"a":1}') == expected


def test_a_time_without_a_zone_is_no_time():
    """Two records could not be put in order: one such record on the ledger would stop every command."""
    with pytest.raises(ValidationError):
        Sample(name="a", at=datetime(2026, 1, 1))
    assert Sample(name="a", at=datetime(2026, 1, 1, tzinfo=UTC)).at is not None


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ('{"name": 1}', "name: "),
        ('{"name": "a", "inner": {"text": 1}}', "inner.text: "),
        ('{"name": "a", "sk-secret": 1}', "a field that this skillc does not know: is not allowed"),
        ('{"name": "a", "inner": {"sk-secret": 1}}', "inner.a field that this skillc does not know"),
        ("{", "record: "),
        ("[]", "record: "),
    ],
)
def test_a_problem_names_the_field_and_shows_no_content(data: str, said: str):
    with pytest.raises(ValidationError) as caught:
        Sample.model_validate_json(data)
    problem = first_problem(caught.value)
    assert problem.startswith(said)
    assert "secret" not in problem


def test_strings_of_a_value_are_found_at_any_depth_without_its_keys():
    assert list(strings_in({"k": ["x", {"y": ("z", 1, None, True)}]})) == ["x", "z"]


def read_by(reader, text):
    """The value as it is spelled, since NaN equals nothing; or that the text is none."""
    try:
        return repr(reader(text))
    except ValueError:
        return "no JSON"


@pytest.mark.parametrize(
    "text",
    [
        '{"a":1e400}', '{"a":-1e400}', '{"a":NaN}', '{"a":-Infinity}', '{"a":-NaN}', '{"a":-0}', '{"a":-0.0}',
        '{"a":"\\ud800"}', '{"a":"\ud800"}', '{"a":"\\ud83d\\ude00"}', '{"a":1,"b":2,"a":3}', '{"a":01}', '{"a":1.}', "[1,]",
        '{"a":"\t"}', '{"a":"\x7f"}', "{} x", "[1]\u00a0", " [ ] \n", '{"a":0.1234567890123456789}', '{"a":5e-324}',
        '{"a":9007199254740993.0}', f'{{"a":{"9" * 4200}}}', f'{{"a":{"9" * 4400}}}', "[" * 300 + "]" * 300, "",
    ],
)  # fmt: skip
def test_value_of_a_text_is_what_the_standard_reader_gives(text):
    assert read_by(json_value, text) == read_by(json.loads, text)


@given(JSON)
def test_value_and_text_are_each_other_s_inverse(value):
    assert json_value(json_text(value)) == value
    assert json_text(value) == json.dumps(value, ensure_ascii=False)
