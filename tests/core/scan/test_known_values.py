"""What one place gave away is known everywhere."""

import base64
from collections import Counter
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import to_json

from skillc.core.scan.detectors import gate, gate_text
from skillc.core.scan.known_values import MAX_KNOWN, KnownValues, is_telling, literal_gate


def known(*values: str) -> KnownValues:
    made = KnownValues()
    for number, value in enumerate(values, 1):
        made.add(value, f"<x:{number}>")
    return made


def replaced(made: KnownValues, text: str) -> tuple[str, dict[str, int]]:
    counts: Counter[str] = Counter()
    shown = made.replaced(text, lambda placeholder, times: counts.update({placeholder: times}))
    return shown, dict(counts)


def test_a_known_value_is_replaced_wherever_it_stands_alone():
    text = "hunter2zz, (hunter2zz) and xhunter2zz or hunter2zz9"

    assert replaced(known("hunter2zz"), text) == ("<x:1>, (<x:1>) and xhunter2zz or hunter2zz9", {"<x:1>": 2})


def test_the_longer_value_wins():
    assert replaced(known("abc123", "abc123-def456"), "abc123-def456")[0] == "<x:2>"


@pytest.mark.parametrize("before", ["", "a", "ab", "user:"])
def test_its_encoded_forms_are_known_too(before: str):
    secret = "hunter2+zz/9x"
    for form in (
        base64.b64encode(f"{before}{secret}:end".encode()).decode(),
        base64.urlsafe_b64encode(f"{before}{secret}".encode()).decode(),
        f"{before}{secret}".encode().hex(),
        quote(secret, safe=""),
    ):
        assert replaced(known(secret), form)[0] != form


@pytest.mark.parametrize("value", ["pass", "secret", "elephant", "12345", "production", "a1"])
def test_a_plain_word_or_a_short_number_is_never_known(value: str):
    assert not is_telling(value)


@pytest.mark.parametrize(
    "value", ["hunter2", "EK44170835", "12 May 1980", "Jane Doe", "correctHorse", "pa$$w0rd", "p@ssphrase!"]
)
def test_what_can_be_told_from_a_word_is_known(value: str):
    assert is_telling(value)


@given(st.text(min_size=6, max_size=30), st.text(max_size=10), st.text(max_size=10))
def test_the_gate_never_hides_a_known_value(value: str, before: str, after: str):
    made = known(value)
    text = f"{before} {value} {after}"
    if made and replaced(made, text)[0] != text:
        assert made.may_stand_in(gate_text(text.encode()))
        assert made.may_stand_in(gate_text(to_json({"text": text})))
        assert gate(literal_gate(value))(gate_text(to_json(text)))


def test_later_values_reach_the_gate():
    made = known("first-value-1")
    assert not made.may_stand_in("second-value-2")
    for number in range(450):
        made.add(f"value-number-{number}", "<x:9>")
    made.add("second-value-2", "<x:2>")

    assert made.may_stand_in("a second-value-2 b")
    assert made.may_stand_in("value-number-3")
    assert made.may_stand_in("first-value-1")


def test_the_number_of_values_is_bounded():
    made = known(*(f"value-number-{number}" for number in range(MAX_KNOWN + 50)))

    assert len(made._placeholders) <= MAX_KNOWN + 20
