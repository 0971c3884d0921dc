"""What an SSH signature says about itself: its key, its purpose, and whether hardware saw the person.

Reads the armoured form that `ssh-keygen -Y sign` and git write. It reads and never checks: repo.keys asks
ssh-keygen whether a signature holds, and only then do these facts count. Paper: none; ADR 0003, ADR 0010.
"""

import base64
import binascii
import re

from skillc.core.record import Record

USER_PRESENT = 0x01
USER_VERIFIED = 0x04
_MAGIC = b"SSHSIG"
_MAX_CHARS = 64 * 1024
_ARMOUR = re.compile(r"\s*-----BEGIN SSH SIGNATURE-----([A-Za-z0-9+/=\s]*)-----END SSH SIGNATURE-----\s*")
# Signatures of hardware keys end with flags and a counter; the last kind adds three texts of the browser.
_HARDWARE = {
    "sk-ssh-ed25519@openssh.com": 0,
    "sk-ecdsa-sha2-nistp256@openssh.com": 0,
    "webauthn-sk-ecdsa-sha2-nistp256@openssh.com": 3,
}


class SignatureFacts(Record):
    """`flags` and `counter` are None for a software key, which knows nothing about the person."""

    key_type: str
    key: str
    namespace: str
    algorithm: str
    flags: int | None = None
    counter: int | None = None

    @property
    def is_hardware(self) -> bool:
        return self.flags is not None

    @property
    def user_present(self) -> bool:
        return self.flags is not None and bool(self.flags & USER_PRESENT)


def read_signature(armoured: str) -> SignatureFacts | None:
    """Returns what the signature says, or None for a text that is no whole and exact SSH signature."""
    found = _ARMOUR.fullmatch(armoured) if len(armoured) <= _MAX_CHARS else None
    if found is None:
        return None
    try:
        blob = base64.b64decode("".join(found[1].split()), validate=True)
        return _facts(_Reader(blob))
    except (binascii.Error, ValueError):
        return None


def key_line(facts: SignatureFacts) -> str:
    """Returns the signing key as OpenSSH writes it: type and base64 body."""
    return f"{facts.key_type} {facts.key}"


def _facts(reader: "_Reader") -> SignatureFacts:
    if reader.take(len(_MAGIC)) != _MAGIC or reader.number() != 1:
        raise ValueError("is no signature of this version")
    key = reader.string()
    namespace = reader.text()
    reader.string()  # reserved
    reader.text()  # the hash of the message
    signature = _Reader(reader.string())
    reader.require_end()
    algorithm = signature.text()
    signature.string()
    flags = counter = None
    key_type = _Reader(key).text()
    texts = _HARDWARE.get(algorithm)
    if (texts is None) is key_type.startswith("sk-"):
        raise ValueError("key and signature are of different kinds")
    if texts is not None:
        flags, counter = signature.take(1)[0], signature.number()
        for _ in range(texts):
            signature.string()
    signature.require_end()
    return SignatureFacts(
        key_type=key_type,
        key=base64.b64encode(key).decode("ascii"),
        namespace=namespace,
        algorithm=algorithm,
        flags=flags,
        counter=counter,
    )


class _Reader:
    """Reads the wire form of SSH; a length that leads beyond the end is a ValueError."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def take(self, size: int) -> bytes:
        found = self._data[self._at : self._at + size]
        if len(found) != size:
            raise ValueError("ends too early")
        self._at += size
        return found

    def number(self) -> int:
        return int.from_bytes(self.take(4), "big")

    def string(self) -> bytes:
        return self.take(self.number())

    def text(self) -> str:
        return self.string().decode("ascii")

    def require_end(self) -> None:
        if self._at != len(self._data):
            raise ValueError("goes on after its end")
