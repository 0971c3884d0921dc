"""Keys and signatures: what is signed is what is checked, with the key and for the purpose that it names."""

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillc.core.trace.verification import Envelope
from skillc.errors import RepoError
from skillc.repo import layout
from skillc.repo.home import tool_key_path
from skillc.repo.keys import (
    SignatureCache,
    agent_keys,
    is_signed_by,
    key_from_text,
    key_in_agent,
    make_tool_key,
    needs_person,
    public_half,
    sign,
    sign_many,
    tool_key,
)
from skillc.repo.repository import Repository
from tests.approvers import ssh_agent
from tests.authenticator import Authenticator

NS = "skillc-verification"


@pytest.fixture(scope="module")
def key(tmp_path_factory) -> Path:
    return new_key(tmp_path_factory.mktemp("key") / "id")


def new_key(path: Path, passphrase: str = "") -> Path:
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", passphrase, "-C", "x", "-f", str(path)], check=True)
    return path


def without_ssh_keygen(monkeypatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")


def test_a_key_in_the_agent_signs_by_its_public_half(tmp_path: Path, monkeypatch):
    assert agent_keys() == ()
    new_key(tmp_path / "id")
    with ssh_agent(monkeypatch, tmp_path / "id"):
        (public,) = agent_keys()
        with key_in_agent(public) as path:
            assert needs_person(path)
            envelope = sign(b"{}", namespace=NS, key_path=path)
    assert envelope.key == public
    assert is_signed_by(envelope, namespace=NS)
    assert agent_keys() == ()  # it is gone, and its address is still set


def test_a_signature_holds_for_its_payload_key_and_namespace(key: Path):
    envelope = sign(b'{"a":1}', namespace=NS, key_path=key)
    assert envelope.key == public_half(key)
    assert is_signed_by(envelope, namespace=NS)


def test_a_signature_for_another_purpose_does_not_hold(key: Path):
    """Kinds have their own SSH namespace, so an approval cannot be replayed as a verification."""
    assert not is_signed_by(sign(b"x", namespace="skillc-approval", key_path=key), namespace=NS)


def test_a_changed_payload_does_not_hold(key: Path):
    envelope = sign(b'{"outcome":"failure"}', namespace=NS, key_path=key)
    changed = envelope.model_copy(update={"payload": '{"outcome":"success"}'})
    assert not is_signed_by(changed, namespace=NS)


def test_another_key_does_not_hold(key: Path, tmp_path: Path):
    envelope = sign(b"x", namespace=NS, key_path=key)
    other = public_half(new_key(tmp_path / "other"))
    assert not is_signed_by(envelope.model_copy(update={"key": other}), namespace=NS)


@pytest.mark.parametrize(
    "bad",
    [
        {"signature": ""}, {"signature": "junk"}, {"key": ""}, {"key": "ssh-ed25519"}, {"key": "junk AAAA"},
        {"key": "cert-authority ssh-ed25519 AAAA"}, {"key": "ssh-ed25519 AAAA\n* ssh-ed25519 BBBB"},
        {"key": "ü ü"}, {"signature": "-----BEGIN SSH SIGNATURE-----\n\n-----END SSH SIGNATURE-----"},
    ],
)  # fmt: skip
def test_a_malformed_envelope_does_not_hold(key: Path, bad: dict[str, str]):
    envelope = sign(b"x", namespace=NS, key_path=key)
    assert not is_signed_by(envelope.model_copy(update=bad), namespace=NS)


def test_a_key_line_cannot_bring_its_own_options(key: Path):
    """The line of allowed signers is ours: a key field with options or a second line adds nothing to it."""
    envelope = sign(b"x", namespace="skillc-approval", key_path=key)
    bare = " ".join(envelope.key.split()[:2])
    for line in (f'namespaces="{NS},skillc-approval" {bare}', f'x\nskillc namespaces="{NS}" {bare}'):
        assert not is_signed_by(envelope.model_copy(update={"key": line}), namespace=NS)


@settings(max_examples=8, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_can_be_signed_and_checked(key: Path, text: str):
    assert is_signed_by(sign(text.encode(), namespace=NS, key_path=key), namespace=NS)


def test_without_ssh_keygen_nothing_is_weaker_it_stops(key: Path, monkeypatch, repository: Repository):
    envelope = sign(b"x", namespace=NS, key_path=key)
    without_ssh_keygen(monkeypatch)
    for attempt in (
        lambda: is_signed_by(envelope, namespace=NS),
        lambda: sign(b"x", namespace=NS, key_path=key),
        make_tool_key,
        lambda: SignatureCache(repository).is_signed(envelope, namespace=NS),
    ):
        with pytest.raises(RepoError, match="ssh-keygen is not installed") as caught:
            attempt()
        assert "OpenSSH" in str(caught.value.hint)


def test_an_ssh_keygen_that_cannot_check_is_an_error_and_no_no(key: Path, tmp_path: Path, monkeypatch):
    envelope = sign(b"x", namespace=NS, key_path=key)
    (tmp_path / "ssh-keygen").write_text("#!/bin/sh\necho 'unknown option -- Y' >&2\nexit 1\n", "utf-8")
    (tmp_path / "ssh-keygen").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin")
    with pytest.raises(RepoError, match="could not be checked"):
        is_signed_by(envelope, namespace=NS)


# The tool key


def test_the_tool_key_is_made_once_and_its_private_half_is_private():
    assert tool_key() is None
    made = make_tool_key()
    assert made.startswith("ssh-ed25519 ")
    assert make_tool_key() == tool_key() == made
    assert tool_key_path().stat().st_mode & 0o777 == 0o600
    assert sorted(p.name for p in tool_key_path().parent.iterdir()) == ["tool", "tool.pub"]


def test_a_lost_public_half_is_made_again_from_the_private_one():
    made = make_tool_key()
    tool_key_path().with_suffix(".pub").unlink()
    assert make_tool_key().split()[:2] == made.split()[:2]


def test_a_key_that_is_not_there_is_named(tmp_path: Path):
    with pytest.raises(RepoError, match="cannot read the public key"):
        sign(b"x", namespace=NS, key_path=tmp_path / "gone")


def test_a_public_half_may_be_named_itself(key: Path):
    assert public_half(key.with_name("id.pub")) == public_half(key)


def test_a_key_without_passphrase_does_not_need_the_person(key: Path, tmp_path: Path):
    assert not needs_person(key)
    assert needs_person(new_key(tmp_path / "locked", passphrase="long enough"))


def test_a_key_that_only_an_agent_or_hardware_holds_needs_the_person(tmp_path: Path):
    (tmp_path / "agent.pub").write_text("ssh-ed25519 AAAA x\n", "utf-8")
    (tmp_path / "token.pub").write_text("sk-ssh-ed25519@openssh.com AAAA x\n", "utf-8")
    assert needs_person(tmp_path / "agent.pub")
    assert needs_person(tmp_path / "token")


# The cache


def test_a_checked_signature_is_remembered(key: Path, repository: Repository, monkeypatch):
    envelope = sign(b"x", namespace=NS, key_path=key)
    assert SignatureCache(repository).is_signed(envelope, namespace=NS)
    without_ssh_keygen(monkeypatch)
    assert SignatureCache(repository).is_signed(envelope, namespace=NS)


@pytest.mark.parametrize("change", [{"payload": "y"}, {"key": "ssh-ed25519 AAAA"}, {"signature": "s"}])
def test_the_memory_is_of_the_whole_envelope(key: Path, repository: Repository, change: dict[str, str]):
    envelope = sign(b"x", namespace=NS, key_path=key)
    cache = SignatureCache(repository)
    assert cache.is_signed(envelope, namespace=NS)
    assert not cache.is_signed(envelope.model_copy(update=change), namespace=NS)
    assert not cache.is_signed(envelope, namespace="skillc-approval")


def test_a_signature_that_does_not_hold_is_not_remembered(repository: Repository):
    cache = SignatureCache(repository)
    assert not cache.is_signed(Envelope(payload="x", signature="s", key="k k"), namespace=NS)
    assert not (repository.private / layout.SIGNATURE_CACHE).exists()


@pytest.mark.parametrize("kind", ["link", "folder", "binary"])
def test_a_cache_that_is_not_ours_costs_time_and_not_truth(
    key: Path, repository: Repository, tmp_path: Path, kind: str
):
    path = repository.private / layout.SIGNATURE_CACHE
    path.parent.mkdir(parents=True)
    if kind == "link":
        (tmp_path / "mine").write_text("mine\n", "utf-8")
        path.symlink_to(tmp_path / "mine")
    elif kind == "folder":
        path.mkdir()
    else:
        path.write_bytes(b"\xff\xfe\0")
    assert SignatureCache(repository).is_signed(sign(b"x", namespace=NS, key_path=key), namespace=NS)
    if kind == "link":
        assert (tmp_path / "mine").read_text("utf-8") == "mine\n"


def test_many_payloads_are_signed_at_once_and_each_holds_alone(key: Path):
    envelopes = sign_many([b"one", b"two"], namespace=NS, key_path=key)
    assert [e.payload for e in envelopes] == ["one", "two"]
    assert all(is_signed_by(e, namespace=NS) for e in envelopes)
    swapped = envelopes[0].model_copy(update={"signature": envelopes[1].signature})
    assert not is_signed_by(swapped, namespace=NS)
    assert sign_many([], namespace=NS, key_path=key) == []


def test_a_key_given_as_text_is_a_private_file_that_goes_away(key: Path):
    with key_from_text(key.read_text("utf-8").replace("\n", "\r\n")) as path:
        assert path.stat().st_mode & 0o777 == 0o600
        assert is_signed_by(sign(b"x", namespace=NS, key_path=path), namespace=NS)
    assert not path.exists()


def test_a_hardware_signature_is_checked_like_any_other():
    device = Authenticator()
    envelope = Envelope(payload="x", signature=device.sign(b"x", namespace=NS, flags=1), key=device.key)
    assert is_signed_by(envelope, namespace=NS)
    assert not is_signed_by(envelope.model_copy(update={"payload": "y"}), namespace=NS)
