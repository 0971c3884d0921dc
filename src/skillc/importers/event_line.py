"""Event lines as they are encoded: the fields in their order, the one form of their escapes, the salts.

Works on structs, not on records, because this is the hot path of every import; the tests hold each line to the
record. Paper: 5.1. Not here: what is redacted in a line (importers.writer).
"""

import hashlib
from collections.abc import Callable
from functools import cache
from typing import Any

from msgspec import Raw, Struct
from msgspec.json import Encoder
from pydantic_core import from_json, to_json

from skillc.core.scan.detectors import gate


class EventLine(Struct, tag_field="record", tag="event", omit_defaults=True, gc=False):
    """The fields of an Event in its order."""

    id: str
    seq: int
    kind: str
    actor: str
    at: str | None = None
    tool: str | None = None
    operation: str | None = None
    call_id: str | None = None
    arguments: Raw | None = None
    text: Raw | None = None
    is_error: bool | None = None
    restricted: dict[str, str] | None = None
    truncated: dict[str, Any] | None = None
    untrusted: bool = False
    salt: str = ""


encode_lines = Encoder().encode_lines


@cache
def two_form_gates() -> tuple[Callable[[str | bytes], bool], ...]:
    """Returns tests for escapes that JSON does not need. One gate each: the engine finds one literal the fastest."""
    return gate(r"\\u"), gate(r"\\/")


def in_one_form(line: bytes) -> bytes:
    """Returns a JSON line with its escapes as we write them."""
    return to_json(from_json(line)) if b"\\u" in line or b"\\/" in line else line


class Salter:
    """Gives what `salt_of` gives, twice as fast: the keyed half of the HMAC is made once per Trace."""

    def __init__(self, secret: bytes, trace_id: str) -> None:
        key = (secret if len(secret) <= 64 else hashlib.sha256(secret).digest()).ljust(64, b"\x00")
        self._inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in key) + f"{trace_id}:".encode())
        self._outer = hashlib.sha256(bytes(byte ^ 0x5C for byte in key))

    def salt(self, seq: int) -> str:
        """Returns the salt of one event: 32 hex digits."""
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(b"%d" % seq)
        outer.update(inner.digest())
        return outer.hexdigest()[:32]
