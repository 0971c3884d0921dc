"""Texts and arguments that are too long for a Trace: their middle goes, and what is missing is said.

Paper: 5.1. Not here: redacting them before (importers.writer).
"""

from collections.abc import Callable, Iterator
from typing import Any

from pydantic_core import to_json

_MIN_ARGUMENT_BYTES = 256


def cut_middle(data: bytes, limit: int) -> str:
    """Returns UTF-8 text of at most `limit` bytes: head, a line that says how much is missing, and tail."""
    if len(data) <= limit:
        return data.decode()
    room = max(0, limit - 64)
    head = data[: room - room // 2].decode("utf-8", "ignore")
    tail = data[len(data) - room // 2 :].decode("utf-8", "ignore")
    missing = len(data) - len(head.encode()) - len(tail.encode())
    return f"{head}\n[... {missing} bytes cut ...]\n{tail}"


def cut_arguments(arguments: dict[str, Any], limit: int) -> tuple[dict[str, Any], bytes]:
    """Returns arguments of about `limit` bytes, every long string cut, and the bytes of the whole."""
    whole = to_json(arguments)
    if len(whole) <= limit:
        return arguments, whole
    each = max(_MIN_ARGUMENT_BYTES, limit // max(1, sum(1 for _ in strings_of(arguments))))
    cut = mapped(arguments, lambda text: cut_middle(text.encode(), each))
    if len(to_json(cut)) > limit * 2:
        cut = {"_raw": cut_middle(whole, limit)}
    return cut, whole


def mapped(value: Any, change: Callable[[str], str]) -> Any:
    """Returns a JSON value with every string in it changed; keys stay."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {key: mapped(item, change) for key, item in value.items()}
    if isinstance(value, list):
        return [mapped(item, change) for item in value]
    return value


def strings_of(value: Any) -> Iterator[str]:
    """Yields every string of a JSON value, without its keys."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from strings_of(item)
