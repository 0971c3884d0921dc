"""What stands in a secret's place is a secret only when it looks like one."""

import pytest

from skillc.core.scan.secret_values import (
    entropy_bits,
    is_assigned_secret,
    is_call,
    is_placeholder,
    is_real_example,
    looks_random,
)
from tests.core.scan.test_detectors import MIX


@pytest.mark.parametrize(
    "value", ["<token>", "$TOKEN", "${TOKEN}", "xxxx", "****", "changeme", "abc", "aaaa", "your-key"]
)
def test_placeholders_are_known(value: str):
    assert is_placeholder(value)


def test_entropy_is_in_bits_per_character():
    assert entropy_bits("aaaa") == 0.0
    assert entropy_bits("0123456789abcdef") == 4.0
    assert entropy_bits("") == 0.0


def test_random_is_letters_and_digits_and_no_expression():
    assert looks_random(MIX[:20])
    assert not looks_random("config.value2")
    assert not looks_random("2026-01-05T10")
    assert not looks_random("function1(x)")
    assert not looks_random("short1")


def test_a_quoted_password_needs_no_randomness_but_a_token_does():
    assert is_assigned_secret("password", "opensesame", quoted=True)
    assert not is_assigned_secret("token", "opensesame", quoted=True)
    assert not is_assigned_secret("token_count", MIX, quoted=True)
    assert is_assigned_secret("api_token", MIX[:20], quoted=False)


def test_a_call_is_no_value():
    assert is_call("get_token(user)")
    assert not is_call(MIX)


def test_a_key_that_calls_itself_an_example_is_told_from_a_word():
    assert is_real_example("AKIAIOSFODNN7" + "EXAMPLE")
    assert not is_real_example("example")
