"""A security key in software, for tests: it signs as `sk-ssh-ed25519` hardware does, with the flags that it is told.

Ed25519 as RFC 8032 describes it, plain and slow. Only for keys that guard nothing.
"""

import base64
import hashlib

_P = 2**255 - 19
_ORDER = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, _P - 2, _P) % _P
_BASE_Y = 4 * pow(5, _P - 2, _P) % _P
_TYPE = b"sk-ssh-ed25519@openssh.com"

Point = tuple[int, int]


def _x_of(y: int) -> int:
    square = (y * y - 1) * pow(_D * y * y + 1, _P - 2, _P) % _P
    x = pow(square, (_P + 3) // 8, _P)
    if (x * x - square) % _P:
        x = x * pow(2, (_P - 1) // 4, _P) % _P
    return x if x % 2 == 0 else _P - x


def _add(one: Point, two: Point) -> Point:
    (x1, y1), (x2, y2) = one, two
    t = _D * x1 * x2 * y1 * y2 % _P
    x = (x1 * y2 + x2 * y1) * pow(1 + t, _P - 2, _P) % _P
    y = (y1 * y2 + x1 * x2) * pow(1 - t, _P - 2, _P) % _P
    return x, y


def _times(number: int, point: Point) -> Point:
    found: Point = (0, 1)
    while number:
        if number & 1:
            found = _add(found, point)
        point, number = _add(point, point), number >> 1
    return found


def _bytes_of(point: Point) -> bytes:
    return (point[1] | (point[0] & 1) << 255).to_bytes(32, "little")


def _string(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


class Authenticator:
    """One key on one imagined device."""

    def __init__(self, seed: bytes = b"seed", application: bytes = b"ssh:") -> None:
        digest = hashlib.sha512(seed).digest()
        self._secret = (int.from_bytes(digest[:32], "little") & ((1 << 254) - 8)) | (1 << 254)
        self._prefix, self._application = digest[32:], application
        self._base = (_x_of(_BASE_Y), _BASE_Y)
        self._public = _bytes_of(_times(self._secret, self._base))
        self._blob = _string(_TYPE) + _string(self._public) + _string(application)

    @property
    def key(self) -> str:
        """The public half as a line of OpenSSH."""
        return f"{_TYPE.decode()} {base64.b64encode(self._blob).decode()} token"

    def sign(self, message: bytes, *, namespace: str, flags: int, counter: int = 7) -> str:
        """Returns the armoured SSH signature over a message."""
        inner = b"SSHSIG" + b"".join(
            map(_string, (namespace.encode(), b"", b"sha512", hashlib.sha512(message).digest()))
        )
        tail = bytes([flags]) + counter.to_bytes(4, "big")
        signed = hashlib.sha256(self._application).digest() + tail + hashlib.sha256(inner).digest()
        blob = _string(_TYPE) + _string(self._ed25519(signed)) + tail
        return armoured(signature_blob(self._blob, namespace, blob))

    def _ed25519(self, message: bytes) -> bytes:
        r = int.from_bytes(hashlib.sha512(self._prefix + message).digest(), "little") % _ORDER
        point = _bytes_of(_times(r, self._base))
        h = int.from_bytes(hashlib.sha512(point + self._public + message).digest(), "little") % _ORDER
        return point + ((r + h * self._secret) % _ORDER).to_bytes(32, "little")


def signature_blob(key: bytes, namespace: str, signature: bytes) -> bytes:
    """Returns the bytes inside the armour of an SSH signature."""
    fields = (key, namespace.encode(), b"", b"sha512", signature)
    return b"SSHSIG" + (1).to_bytes(4, "big") + b"".join(map(_string, fields))


def armoured(blob: bytes) -> str:
    text = base64.b64encode(blob).decode()
    lines = "\n".join(text[at : at + 70] for at in range(0, len(text), 70))
    return f"-----BEGIN SSH SIGNATURE-----\n{lines}\n-----END SSH SIGNATURE-----\n"
