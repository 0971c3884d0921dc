"""Foreign JSON lines in: bounded, tolerant of what real files hold, and never a crash.

Splits by LF only, drops a BOM, replaces invalid UTF-8 and lone surrogates, accepts raw control characters,
and tells a cut last line from a bad one. The fast path is one call of pydantic-core.
Not here: what a record means (the importers).
"""

import json
import re
from collections.abc import Iterator
from functools import partial
from typing import Any, BinaryIO

from pydantic_core import from_json

MAX_LINE_BYTES = 64 * 1024 * 1024
BOM = b"\xef\xbb\xbf"
_TOO_DEEP = 200
_SURROGATE = re.compile("[\ud800-\udfff]")


def iter_lines(stream: BinaryIO) -> Iterator[bytes]:
    """Yields the lines of a stream without their BOM; a line longer than 64 MiB comes as an empty line.

    The final newline is kept, so that a reader can tell a cut last line.
    """
    first = True
    for line in iter(partial(stream.readline, MAX_LINE_BYTES), b""):
        if first:
            first = False
            if line.startswith(BOM):
                line = line[len(BOM) :]
        if len(line) >= MAX_LINE_BYTES and not line.endswith(b"\n"):
            while line and not line.endswith(b"\n"):
                line = stream.readline(MAX_LINE_BYTES)
            line = b"\n"
        yield line


def parse_json(line: bytes) -> Any:
    """Returns the JSON value of a line, made safe to write again. Raises ValueError when it is no JSON.

    Lone surrogates and invalid bytes become U+FFFD; NaN and infinities become None; more than 200 levels of
    nesting are refused.
    """
    try:
        return from_json(line, allow_inf_nan=False, cache_strings="keys")
    except ValueError:
        pass
    try:
        value = json.loads(line.decode("utf-8", "replace"), strict=False)
        return _cleaned(value, 0)
    except RecursionError as error:
        raise ValueError("is nested too deeply") from error


def _cleaned(value: Any, depth: int) -> Any:
    if depth > _TOO_DEEP:
        raise ValueError("is nested too deeply")
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, list):
        return [_cleaned(item, depth + 1) for item in value]
    if isinstance(value, dict):
        return {clean_text(key): _cleaned(item, depth + 1) for key, item in value.items()}
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return None
    return value


def clean_text(text: str) -> str:
    """Returns the text with every lone surrogate replaced, so that it can be written as UTF-8."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def key_text(value: Any) -> str | None:
    """Returns a foreign id or key as text: of a string or a number, never of anything else."""
    if isinstance(value, bool) or value is None or isinstance(value, dict | list):
        return None
    return clean_text(str(value)) or None


def is_utf8(data: bytes) -> bool:
    """Says whether all bytes are valid UTF-8."""
    if data.isascii():
        return True
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def is_blank(encoded: bytes) -> bool:
    """Says whether a JSON string holds nothing but blanks."""
    if encoded[1:2].isalnum():
        return False
    return not parse_json(encoded).strip()


def head_objects(head: bytes, limit: int = 20) -> list[dict[str, Any]]:
    """Returns the JSON objects among the first whole lines of a file's head, for `detect`."""
    found: list[dict[str, Any]] = []
    for line in head.removeprefix(BOM).split(b"\n")[:limit]:
        try:
            value = parse_json(line)
        except ValueError:
            continue
        if isinstance(value, dict):
            found.append(value)
    return found
