"""The signature of a commit, checked against keys that we name: never by git's own configuration.

`git verify-commit` asks programs and files that a repository can name. Here the commit's bytes are taken apart,
and ssh-keygen checks them against the registered keys in the namespace `git`. Not here: who is an approver
(lifecycle.landings).
"""

from dataclasses import dataclass

from skillc.core.trace.ssh_signature import SignatureFacts, key_line, read_signature
from skillc.core.trace.verification import same_key
from skillc.repo.keys import SignatureCache
from skillc.repo.objects import ObjectReader
from skillc.repo.repository import Repository

_NAMESPACE = "git"
_HEADERS = {"sha1": b"gpgsig", "sha256": b"gpgsig-sha256"}


@dataclass(frozen=True)
class CommitSignature:
    """A signature found in a commit: the bytes that it covers, its text, and what it says when it is SSH."""

    payload: bytes
    text: str
    facts: SignatureFacts | None


def signature_of(repository: Repository, commit: str, reader: ObjectReader | None = None) -> CommitSignature | None:
    """Returns the signature of a commit, whatever its kind; None for an unsigned one. A `reader` saves time."""
    data = reader.read_commit(commit) if reader is not None else None
    if data is None:
        data = repository.git.run("cat-file", "commit", commit)
    payload, text = split_signature(data, repository.object_format)
    return None if text is None else CommitSignature(payload, text, read_signature(text))


def split_signature(data: bytes, object_format: str) -> tuple[bytes, str | None]:
    """Returns the signed bytes of a commit object and the signature in it, both as git makes them."""
    head, blank, body = data.partition(b"\n\n")
    kept: list[bytes] = []
    found: list[bytes] = []
    current = b""
    for line in head.split(b"\n"):
        name, _, value = line.partition(b" ")
        if not line.startswith(b" "):
            current = name
        if current not in _HEADERS.values():
            kept.append(line)
        elif current == _HEADERS[object_format]:
            found.append(line[1:] if line.startswith(b" ") else value)
    text = b"\n".join(found).decode("ascii", "replace") + "\n" if found else None
    return b"\n".join(kept) + blank + body, text


def holds_for(signature: CommitSignature, key: str, cache: SignatureCache) -> bool:
    """Says whether this key made the signature. Raises RepoError when it cannot be checked at all."""
    if signature.facts is None or not same_key(key_line(signature.facts), key):
        return False
    return cache.holds(signature.payload, signature.text, key=key, namespace=_NAMESPACE)
