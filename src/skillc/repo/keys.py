"""Keys and signatures, by `ssh-keygen -Y`: signing with the user's keys, checking in this one place.

A signature that cannot be checked is an error, never a weaker strength. Not here: what a signature is worth
(core.trace.verification).
"""

import contextlib
import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from skillc.core.record import sha256_hex
from skillc.core.trace.verification import Envelope
from skillc.errors import RepoError
from skillc.repo import layout
from skillc.repo.files import read_small, unwritable, write_whole
from skillc.repo.git import clean_environment
from skillc.repo.home import tool_key_path
from skillc.repo.repository import Repository

_IDENTITY = "skillc"
_TOOL_KEY_COMMENT = "skillc tool key"
_NO = 255  # what `ssh-keygen -Y verify` says of any signature that does not hold
_AGENT_TIMEOUT_S = 10
_MAX_CACHE_BYTES = 64 * 1024 * 1024


def tool_key() -> str | None:
    """Returns the public half of this machine's tool key, or None when it was never made."""
    try:
        return tool_key_path().with_suffix(".pub").read_text("utf-8").strip()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise RepoError(f"cannot read the tool key: {error.strerror}") from error


def make_tool_key() -> str:
    """Returns the public half of the tool key, and makes the pair with ssh-keygen on first use."""
    found = tool_key()
    if found is not None:
        return found
    path = tool_key_path()
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise unwritable(path, error) from error
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        fresh = Path(folder) / "tool"
        _ssh_keygen("-q", "-t", "ed25519", "-N", "", "-C", _TOOL_KEY_COMMENT, "-f", str(fresh))
        with contextlib.suppress(FileExistsError):
            os.link(fresh, path)  # the first of two processes wins; the public half is made from the winner
    public = _ssh_keygen("-y", "-f", str(path))
    write_whole(path.with_suffix(".pub"), public.strip() + b"\n")
    made = tool_key()
    assert made is not None
    return made


def sign(payload: bytes, *, namespace: str, key_path: Path) -> Envelope:
    """Signs the payload bytes with a private key (file, agent or hardware, as ssh-keygen decides)."""
    key = public_half(key_path)
    done = _ssh_keygen("-Y", "sign", "-q", "-n", namespace, "-f", str(key_path), stdin=payload)
    return Envelope(payload=payload.decode("utf-8"), signature=done.decode("ascii"), key=key)


def sign_many(payloads: Sequence[bytes], *, namespace: str, key_path: Path) -> list[Envelope]:
    """Signs several payloads with one start of ssh-keygen, so that a passphrase is asked for once."""
    key = public_half(key_path)
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"{number}" for number in range(len(payloads))]
        for file, payload in zip(files, payloads, strict=True):
            file.write_bytes(payload)
        if files:
            _ssh_keygen("-Y", "sign", "-q", "-n", namespace, "-f", str(key_path), *map(str, files))
        return [
            Envelope(payload=p.decode("utf-8"), signature=Path(f"{f}.sig").read_text("ascii"), key=key)
            for f, p in zip(files, payloads, strict=True)
        ]


@contextlib.contextmanager
def key_from_text(text: str) -> Iterator[Path]:
    """Gives a private key as a file that only this account reads, with its public half; gone afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "key"
        data = text.replace("\r\n", "\n").strip().encode("utf-8") + b"\n"
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(data)
        done = _start_ssh_keygen(["-y", "-P", "", "-f", str(path)], stdin=b"")
        if done.returncode != 0:
            raise RepoError(
                "the signing key cannot be read", hint="give a whole OpenSSH private key without a passphrase"
            )
        path.with_suffix(".pub").write_bytes(done.stdout)
        yield path


def agent_keys() -> tuple[str, ...]:
    """Returns the public halves of the keys in this person's ssh-agent; none without a running agent."""
    try:
        done = subprocess.run(
            ["ssh-add", "-L"], capture_output=True, env=clean_environment(), timeout=_AGENT_TIMEOUT_S, check=False
        )
    except (FileNotFoundError, subprocess.TimeoutExpired):
        return ()
    return tuple(done.stdout.decode("utf-8", "replace").splitlines()) if done.returncode == 0 else ()


@contextlib.contextmanager
def key_in_agent(public: str) -> Iterator[Path]:
    """Gives the public half of a key in the agent as a file, by which ssh-keygen finds the other half there."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "agent.pub"
        path.write_text(public.strip() + "\n", "utf-8")
        yield path


def is_signed_by(envelope: Envelope, *, namespace: str) -> bool:
    """Says whether the signature of an envelope covers its payload with its key, in this SSH namespace.

    Raises RepoError when it cannot be checked at all.
    """
    return holds(envelope.payload.encode("utf-8"), envelope.signature, key=envelope.key, namespace=namespace)


def holds(payload: bytes, signature: str, *, key: str, namespace: str) -> bool:
    """Says whether a signature covers these bytes with this key, in this SSH namespace.

    Raises RepoError when it cannot be checked at all.
    """
    key = " ".join(key.split()[:2])
    with tempfile.TemporaryDirectory() as folder:
        signers, file = Path(folder) / "signers", Path(folder) / "signature"
        signers.write_text(f'{_IDENTITY} namespaces="{namespace}" {key}\n', "utf-8")
        file.write_text(signature, "utf-8")
        argv = ["-Y", "verify", "-q", "-f", str(signers), "-I", _IDENTITY, "-n", namespace, "-s", str(file)]
        done = _start_ssh_keygen(argv, stdin=payload)
    if done.returncode not in (0, _NO):
        raise RepoError(
            f"a signature could not be checked: ssh-keygen ended with {done.returncode}",
            hint="install the OpenSSH client (8.2 or newer)",
        )
    return done.returncode == 0


class SignatureCache:
    """Remembers which envelopes were checked, by the digest of all their bytes.

    Derived, may be thrown away. A cache that is a link, a device or too large is not used.
    """

    def __init__(self, repository: Repository) -> None:
        self._path = repository.private / layout.SIGNATURE_CACHE
        self._is_dry = repository.is_dry
        try:
            data = read_small(self._path, limit=_MAX_CACHE_BYTES) or b""
        except RepoError:
            data = b""
        self._known = set(data.decode("ascii", "replace").split())

    def is_signed(self, envelope: Envelope, *, namespace: str) -> bool:
        """As `is_signed_by`, but asks ssh-keygen only once per envelope."""
        payload = envelope.payload.encode("utf-8", "surrogatepass")
        return self.holds(payload, envelope.signature, key=envelope.key, namespace=namespace)

    def holds(self, payload: bytes, signature: str, *, key: str, namespace: str) -> bool:
        """As the function `holds`, but asks ssh-keygen only once."""
        mark = sha256_hex("\0".join((namespace, key, signature, "")).encode() + payload)
        if mark in self._known:
            return True
        if not holds(payload, signature, key=key, namespace=namespace):
            return False
        self._known.add(mark)
        self._remember(mark)
        return True

    def _remember(self, mark: str) -> None:
        if self._is_dry:
            return
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK
            with os.fdopen(os.open(self._path, flags, 0o600), "wb") as file:
                file.write(mark.encode() + b"\n")
        except OSError:
            return  # a cache that cannot be written costs time, not truth


def _ssh_keygen(*arguments: str, stdin: bytes = b"") -> bytes:
    done = _start_ssh_keygen(list(arguments), stdin=stdin)
    if done.returncode != 0:
        words = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise RepoError(f"ssh-keygen failed: {words[0] if words else done.returncode}")
    return done.stdout


def _start_ssh_keygen(arguments: list[str], *, stdin: bytes) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(
            ["ssh-keygen", *arguments], input=stdin, capture_output=True, env=clean_environment(), check=False
        )
    except FileNotFoundError as error:
        raise RepoError("ssh-keygen is not installed", hint="install the OpenSSH client (8.2 or newer)") from error


def public_half(key_path: Path) -> str:
    """Returns the public half beside a private key, or the file itself when it is the public half."""
    public = key_path if key_path.suffix == ".pub" else Path(str(key_path) + ".pub")
    try:
        return public.read_text("utf-8").strip()
    except OSError as error:
        raise RepoError(f"cannot read the public key {str(public)!r}: {error.strerror}") from error


def needs_person(key_path: Path) -> bool:
    """Says whether a key file cannot be used unattended: it is on hardware, or has a passphrase."""
    if public_half(key_path).startswith("sk-"):
        return True
    private = key_path.with_suffix("") if key_path.suffix == ".pub" else key_path
    if not private.exists():
        return True  # only an agent holds it; the registry states its class
    return _start_ssh_keygen(["-y", "-P", "", "-f", str(private)], stdin=b"").returncode != 0
