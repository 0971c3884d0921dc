"""Values: flat views of JSON arguments and results, and which values are shared by attempt families.

A path names a field: list indexes become `[*]`, keys that look like identifiers become `{*}`. A value that
only one attempt family shows is an instance value and never enters a claim. Paper: 5.3.
Not here: where an argument comes from (engines.offline.provenance).
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

MAX_LEAVES = 3000
MAX_DEPTH = 12
MAX_VALUE_CHARS = 200
MAX_SHOWN_DEPTH = 5
MAX_SHOWN_KEYS = 40

_IDENTIFIER_KEY = re.compile(r"^(?=.*[0-9])[A-Za-z0-9_#.-]{3,}$")
_TOKEN = re.compile(r"[A-Za-z0-9_@#.\-/]+")


class Leaf(NamedTuple):
    """A scalar inside a JSON value. `name` is the last named part of its path."""

    path: str
    name: str
    value: str


def leaves(value: Any, *, cut: bool = False) -> list[Leaf]:
    """Returns the scalars of a JSON value with their generalised paths, at most 3,000 of them.

    Texts of more than 200 characters are no values and are left out; with `cut` they are kept, shortened.
    """
    found: list[Leaf] = []
    for leaf in _walk(value, "", "", 0):
        if len(leaf.value) > MAX_VALUE_CHARS:
            if not cut:
                continue
            leaf = leaf._replace(value=leaf.value[:MAX_VALUE_CHARS])
        found.append(leaf)
        if len(found) >= MAX_LEAVES:
            break
    return found


def _walk(value: Any, path: str, name: str, depth: int) -> Iterator[Leaf]:
    if depth > MAX_DEPTH:
        return
    if isinstance(value, dict):
        has_ids = has_identifier_keys(value)
        for key, item in value.items():
            if has_ids:
                yield Leaf(f"{path}{{key}}", name, str(key))
                yield from _walk(item, f"{path}{{*}}", name, depth + 1)
            else:
                yield from _walk(item, f"{path}.{key}" if path else str(key), str(key), depth + 1)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _walk(item, f"{path}[*]", name, depth + 1)
    elif value is not None:
        text = scalar(value)
        if text:
            yield Leaf(path, name, text)


def has_identifier_keys(value: dict[Any, Any]) -> bool:
    """Says whether the keys of an object are identifiers of records and not names of fields."""
    return len(value) > 0 and all(isinstance(k, str) and _IDENTIFIER_KEY.match(k) for k in value)


def scalar(value: Any) -> str:
    """Returns a scalar as the text in which it would be compared."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip()


def with_placeholders(value: Any, name: str = "", depth: int = 0) -> Any:
    """Returns the structure of an argument with `<name>` in place of every scalar; lists keep one item.

    Empty values are left out. What lies too deep, or is keyed by identifiers, becomes one placeholder.
    """
    if isinstance(value, dict) and not has_identifier_keys(value) and depth < MAX_SHOWN_DEPTH:
        shown = {str(k): with_placeholders(v, str(k), depth + 1) for k, v in list(value.items())[:MAX_SHOWN_KEYS]}
        return {k: v for k, v in shown.items() if v not in (None, {}, [])}
    if isinstance(value, (list, tuple)) and depth < MAX_SHOWN_DEPTH:
        return [with_placeholders(value[0], name, depth + 1)] if value else []
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    return f"<{placeholder_name(name)}>"


def placeholder_name(name: str) -> str:
    """Returns a name as a placeholder's: lower case, words joined by `_`, starting with a letter."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    plain = re.sub(r"[^a-z0-9]+", "_", spaced.lower()).strip("_")
    if not plain or not plain[0].isalpha():
        plain = f"value_{plain}".strip("_")
    return plain[:64].rstrip("_")


class SharedWords:
    """Which tokens of text occur in how many attempt families: the guard against instance values."""

    def __init__(self, texts: Iterable[tuple[str, str]]) -> None:
        """Takes pairs of attempt family and text."""
        self._families: dict[str, set[str]] = {}
        for family, text in texts:
            for token in set(_TOKEN.findall(text)):
                self._families.setdefault(token.strip(".-/").lower(), set()).add(family)

    def families(self, token: str) -> int:
        return len(self._families.get(token.strip(".-/").lower(), ()))

    def is_shared(self, token: str) -> bool:
        return self.families(token) >= 2
