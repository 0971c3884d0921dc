"""Lines of skillc.yaml that can be read and can never work."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.core.policy import parse_policy
from skillc.core.policy_faults import policy_faults, why_no_key

BODY = base64.b64encode(b"\x00\x00\x00\x0bssh-ed25519" + b"\x00\x00\x00\x20" + b"k" * 32).decode()
KEY = f"ssh-ed25519 {BODY} a comment"


def faults(text: str) -> list[str]:
    head = "format: skillc.namespace/1\nnamespace: shop\nsecurity_domain: shop\n"
    return [f.setting for f in policy_faults(parse_policy((head + text).encode()))]


def test_a_required_evaluator_that_nobody_registered_is_one():
    text = "evaluations:\n  required: {'*': [known, other]}\n"
    text += f"  evaluators: [{{id: known, key: '{KEY}', key_class: isolated}}]\n"
    assert faults(text) == ["evaluations.required"]


@pytest.mark.parametrize(
    ("section", "setting"),
    [
        ("people: [{id: ada, key: 'my key'}]\n", "people ada"),
        ("verifiers: [{id: ci, kind: tool, key: 'ssh-ed25519 AAAA'}]\n", "verifiers ci"),
        ("evaluations: {evaluators: [{id: lab, key: hello}]}\n", "evaluations.evaluators lab"),
    ],
)
def test_a_key_that_is_none_is_one(section: str, setting: str):
    assert faults(section) == [setting]


def test_a_real_key_is_none():
    assert why_no_key(KEY) is None
    assert faults(f"people: [{{id: ada, key: '{KEY}'}}]\n") == []


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no OpenSSH public key"),
        ("ssh-ed25519", "no OpenSSH public key"),
        (f"ssh-dss {BODY}", "a type that signs nothing here"),
        ("ssh-ed25519 !!!!", "no base64"),
        (f"ssh-rsa {BODY}", "another type"),
        (f"ssh-ed25519 {BODY[:12]}", "cut"),
    ],
)
def test_what_is_wrong_with_a_key_is_said(text: str, why: str):
    assert why in (why_no_key(text) or "")


@given(st.binary(max_size=60), st.booleans())
def test_a_body_is_a_key_of_its_type_and_more_or_none(body: bytes, has_head: bool):
    blob = (b"\x00\x00\x00\x0bssh-ed25519" if has_head else b"") + body
    is_key = blob.startswith(b"\x00\x00\x00\x0bssh-ed25519") and len(blob) > 15
    assert (why_no_key(f"ssh-ed25519 {base64.b64encode(blob).decode()}") is None) == is_key


@given(st.text(max_size=80))
def test_a_text_of_one_word_is_no_key(text: str):
    assert why_no_key("".join(text.split())) is not None
