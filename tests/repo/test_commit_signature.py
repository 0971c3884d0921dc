"""The signature of a commit: taken out as git put it in, and checked with our keys only."""

from pathlib import Path

import pytest

from skillc.repo.commit_signature import holds_for, signature_of, split_signature
from skillc.repo.keys import SignatureCache
from skillc.repo.repository import Repository
from tests.approvers import make_key, signing
from tests.authenticator import Authenticator
from tests.repositories import run_git


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_a_signed_commit_holds_for_its_key_and_no_other(new_repository, tmp_path: Path, object_format: str):
    root = new_repository(object_format=object_format, files={"a": "x\n"})
    key, other = make_key(tmp_path / "alice"), make_key(tmp_path / "other")
    run_git(root, *signing(tmp_path / "alice"), "commit", "--quiet", "--allow-empty", "-m", "Ümlaut\n\nbody\n")
    repository = Repository.open(root)
    signature = signature_of(repository, "HEAD")
    assert signature is not None
    cache = SignatureCache(repository)
    assert holds_for(signature, key, cache)
    assert not holds_for(signature, other, cache)
    assert signature_of(repository, "HEAD^") is None


def test_a_commit_that_was_changed_under_its_signature_does_not_hold(root: Path, tmp_path: Path):
    key = make_key(tmp_path / "alice")
    run_git(root, *signing(tmp_path / "alice"), "commit", "--quiet", "--allow-empty", "-m", "true")
    data = run_git(root, "cat-file", "commit", "HEAD").encode() + b"\n"
    forged = run_git(root, "hash-object", "-t", "commit", "-w", "--stdin", stdin=data.replace(b"\n\ntrue", b"\n\nlie"))
    repository = Repository.open(root)
    signature = signature_of(repository, forged)
    assert signature is not None
    assert not holds_for(signature, key, SignatureCache(repository))


def test_a_statement_signed_for_another_purpose_is_no_signature_of_a_commit(root: Path):
    """The namespace is `git`: a verification's signature cannot be moved into a commit."""
    device = Authenticator()
    data = run_git(root, "cat-file", "commit", "HEAD").encode() + b"\n"
    for namespace, holds in (("git", True), ("skillc-verification", False)):
        text = device.sign(data, namespace=namespace, flags=1).rstrip("\n").replace("\n", "\n ")
        head, _, body = data.partition(b"\n\n")
        signed = head + f"\ngpgsig {text}".encode() + b"\n\n" + body
        commit = run_git(root, "hash-object", "-t", "commit", "-w", "--stdin", stdin=signed)
        repository = Repository.open(root)
        signature = signature_of(repository, commit)
        assert signature is not None
        assert holds_for(signature, device.key, SignatureCache(repository)) is holds


def test_a_signature_of_another_program_is_seen_and_not_checked(root: Path):
    data = run_git(root, "cat-file", "commit", "HEAD").encode()
    pgp = b"-----BEGIN PGP SIGNATURE-----\n \n abc\n -----END PGP SIGNATURE-----"
    payload, text = split_signature(data.replace(b"\n\n", b"\ngpgsig " + pgp + b"\n\n", 1), "sha1")
    assert payload == data
    assert text is not None
    assert text.startswith("-----BEGIN PGP")


def test_both_signatures_are_taken_out_of_what_was_signed():
    data = b"tree 1\ngpgsig a\n b\ngpgsig-sha256 c\nencoding x\n\ngpgsig in the body"
    assert split_signature(data, "sha1") == (b"tree 1\nencoding x\n\ngpgsig in the body", "a\nb\n")
    assert split_signature(data, "sha256")[1] == "c\n"
