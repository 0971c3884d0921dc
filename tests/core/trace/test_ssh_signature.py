"""What an SSH signature says: read whole and exactly, or not at all."""

import base64
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillc.core.trace.ssh_signature import key_line, read_signature
from tests.authenticator import Authenticator, armoured, signature_blob


@cache
def hardware(flags: int = 1) -> str:
    return Authenticator().sign(b"x", namespace="ns", flags=flags)


def blob_of(text: str) -> bytes:
    return base64.b64decode("".join(text.split("-----")[2].split()))


def field(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


SOFTWARE_KEY = field(b"ssh-ed25519") + field(b"k" * 32)
SOFTWARE = armoured(signature_blob(SOFTWARE_KEY, "git", field(b"ssh-ed25519") + field(b"s" * 64)))


@pytest.mark.parametrize(("flags", "present"), [(0, False), (1, True), (4, False), (5, True), (0x81, True)])
def test_the_presence_of_the_user_is_the_first_bit_of_the_flags(flags: int, present: bool):
    facts = read_signature(Authenticator().sign(b"x", namespace="ns", flags=flags, counter=9))
    assert facts is not None
    assert (facts.is_hardware, facts.user_present, facts.flags, facts.counter) == (True, present, flags, 9)
    assert key_line(facts) == Authenticator().key.removesuffix(" token")
    assert facts.namespace == "ns"


def test_a_software_key_knows_nothing_about_the_person():
    facts = read_signature(SOFTWARE)
    assert facts is not None
    assert (facts.is_hardware, facts.user_present, facts.key_type) == (False, False, "ssh-ed25519")


def test_a_signature_of_a_browser_has_flags_too():
    kind = b"webauthn-sk-ecdsa-sha2-nistp256@openssh.com"
    key = field(b"sk-ecdsa-sha2-nistp256@openssh.com") + field(b"nistp256") + field(b"p" * 65) + field(b"ssh:")
    tail = field(b"sig") + b"\x01" + b"\0\0\0\2" + field(b"https://o") + field(b"{}") + field(b"")
    facts = read_signature(armoured(signature_blob(key, "ns", field(kind) + tail)))
    assert facts is not None
    assert facts.user_present


@pytest.mark.parametrize(
    "signature",
    [
        field(b"ssh-ed25519") + field(b"s"),
        field(b"sk-ssh-ed25519@openssh.com") + field(b"s") + b"\x01",
        field(b"sk-ssh-ed25519@openssh.com") + field(b"s") + b"\x01\0\0\0\1more",
        field(b"sk-ssh-ed25519@openssh.com") + field(b"s"),
        b"",
    ],
)
def test_a_hardware_key_with_another_kind_of_signature_says_nothing(signature: bytes):
    key = field(b"sk-ssh-ed25519@openssh.com") + field(b"k" * 32) + field(b"ssh:")
    assert read_signature(armoured(signature_blob(key, "ns", signature))) is None


def test_flags_on_a_software_key_say_nothing():
    """A software signature cannot borrow the flag of hardware."""
    lying = field(b"sk-ssh-ed25519@openssh.com") + field(b"s" * 64) + b"\x01\0\0\0\1"
    assert read_signature(armoured(signature_blob(SOFTWARE_KEY, "ns", lying))) is None


@settings(deadline=None)
@given(st.integers(0, 400), st.integers(0, 255))
def test_a_changed_byte_never_makes_the_parser_stumble(at: int, value: int):
    blob = bytearray(blob_of(hardware()))
    blob[at % len(blob)] = value
    read_signature(armoured(bytes(blob)))


@given(st.integers(0, 400))
def test_a_cut_signature_says_nothing(size: int):
    blob = blob_of(hardware())
    if size < len(blob):
        assert read_signature(armoured(blob[:size])) is None
    assert read_signature(armoured(blob + b"x" * (size + 1))) is None


@given(st.text(max_size=300))
def test_any_text_is_a_signature_or_none(text: str):
    read_signature(text)
    read_signature(f"-----BEGIN SSH SIGNATURE-----{text}-----END SSH SIGNATURE-----")


@pytest.mark.parametrize("text", ["", "x", SOFTWARE + SOFTWARE, SOFTWARE.replace("SSH", "PGP"), "A" * 100_000])
def test_what_is_no_single_signature_says_nothing(text: str):
    assert read_signature(text) is None
