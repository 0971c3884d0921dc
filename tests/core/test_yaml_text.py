"""Small YAML from a stranger: plain values or one clear error, never a crash, never code."""

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from skillc.core.yaml_text import MAX_POLICY_BYTES, MAX_POLICY_DEPTH, load_yaml
from skillc.errors import PolicyError

PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**9), 10**9)
    | st.text(st.characters(exclude_characters="\x85\u2028\u2029", exclude_categories=("Cs",)), max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abcxyz", min_size=1), inner, max_size=3),
    max_leaves=10,
)


def load(text: str) -> object:
    return load_yaml(text.encode("utf-8"), path="f.yaml")


def refused(text: str | bytes) -> str:
    with pytest.raises(PolicyError) as caught:
        load_yaml(text if isinstance(text, bytes) else text.encode("utf-8"), path="f.yaml")
    assert caught.value.message.startswith("f.yaml:")
    return caught.value.message


@given(PLAIN)
def test_plain_values_come_through(value):
    assert load(yaml.safe_dump(value, allow_unicode=True)) == value


def test_a_byte_order_mark_is_no_part_of_the_first_key():
    assert load_yaml(b"\xef\xbb\xbfa: 1\n", path="f") == {"a": 1}


def test_an_empty_file_is_nothing():
    assert load("") is None
    assert load("# only a comment\n") is None


@pytest.mark.parametrize(
    "text",
    [
        "a: !!python/object/apply:os.system [true]", "a: !!python/name:os.system", "a: !custom x", "a: !!str 1",
        "a: !!binary aGk=", "a: !!set {x}", "!!map {a: 1}", "a: !!int '1'", "%TAG ! tag:x,2000:\n---\na: !y 1",
    ],
)  # fmt: skip
def test_tags_are_refused(text: str):
    assert "tags are not allowed" in refused(text)


@pytest.mark.parametrize("text", ["a: &x 1\nb: *x", "a: &x 1", "<<: &x {a: 1}", "a: [*x]"])
def test_anchors_and_aliases_are_refused(text: str):
    assert "anchors and aliases" in refused(text)


def test_a_bomb_of_aliases_is_refused_at_once():
    lines = ["a0: &a0 [x, x]"] + [f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 40)]
    assert "anchors" in refused("\n".join(lines))


@pytest.mark.parametrize("text", ["a: 1\na: 2", "x: {b: 1, b: 2}", "1: a\n'1': b", "a: 1\n'a': 2"])
def test_a_key_that_is_given_twice_is_refused(text: str):
    assert "is given twice" in refused(text)


@pytest.mark.parametrize("text", ["? [a]\n: b", "? {a: 1}\n: b", "<<: {a: 1}", "{[a]: b}"])
def test_a_key_that_is_no_plain_text_is_refused_and_no_crash(text: str):
    assert "a key must be plain text" in refused(text)


def test_depth_is_limited():
    assert load("[" * MAX_POLICY_DEPTH + "]" * MAX_POLICY_DEPTH) is not None
    for depth in (MAX_POLICY_DEPTH + 1, 100_000):
        assert "nest" in refused("[" * depth + "]" * depth)
    assert "nested deeper" in refused("\n".join(" " * n + "a:" for n in range(50)))


def test_size_is_limited():
    assert "is larger than" in refused(b"a: " + b"x" * MAX_POLICY_BYTES)


@pytest.mark.parametrize(
    "text",
    [b"\xff\xfe", b"a: \x00", b"a: 1\n b: 2", b"a: [", b"a: 'x", b"\t- a", b"a: 1\n---\nb: 2", b"a: 2026-13-45",
     b"a: " + b"9" * 5000, b"key: value: more", b"@x", b"a: 1\x85\x00"],
)  # fmt: skip
def test_what_is_no_yaml_is_named_with_its_file(text: bytes):
    refused(text)


def test_the_line_of_a_mistake_is_named():
    assert refused("a: 1\nb: [\nc: ]\nd: {").startswith("f.yaml:")
    assert refused("a: 1\n\na: 2").startswith("f.yaml:3:")


@settings(max_examples=300)
@given(
    st.binary(max_size=60)
    | st.text(st.sampled_from("ab:-? [],{}&*!|>'\"%@`#\n\t \\<=~0.1"), max_size=40).map(str.encode)
)
def test_any_bytes_are_a_plain_value_or_one_error(data: bytes):
    try:
        value = load_yaml(data, path="f")
    except PolicyError:
        return
    yaml.safe_dump(value)  # only plain values can be dumped by the safe dumper
