"""Values: flat views of JSON arguments and results, and which values are shared by attempt families.

A path names a field: list indexes become `[*]`, keys that look like identifiers become `{*}`. A value that
only one attempt family shows is an instance value and never enters a claim. Paper: 5.3.
Not here: where an argument comes from (engines.offline.provenance).
"""

import re
from collections import Counter
from collections.abc import Iterable
from functools import cached_property, lru_cache
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
    _walk(value, "", "", 0, cut, found)
    return found[:MAX_LEAVES]


def _walk(value: Any, path: str, name: str, depth: int, cut: bool, found: list[Leaf]) -> None:
    """Appends the scalars below a value; one function without generators, since it runs over every result."""
    if depth > MAX_DEPTH or len(found) >= MAX_LEAVES or value is None:
        return
    if isinstance(value, str):
        text = value.strip()
    elif isinstance(value, dict):
        if has_identifier_keys(value):
            below, own = f"{path}{{*}}", f"{path}{{key}}"
            for key, item in value.items():
                _walk(str(key), own, name, depth, cut, found)
                _walk(item, below, name, depth + 1, cut, found)
            return
        prefix = f"{path}." if path else ""
        for key, item in value.items():
            _walk(item, f"{prefix}{key}", str(key), depth + 1, cut, found)
        return
    elif isinstance(value, (list, tuple)):
        below = f"{path}[*]"
        for item in value:
            _walk(item, below, name, depth + 1, cut, found)
        return
    else:
        text = scalar(value)
    if text and (cut or len(text) <= MAX_VALUE_CHARS):
        found.append(Leaf(path, name, text[:MAX_VALUE_CHARS]))


def number_paths(value: Any) -> frozenset[str]:
    """Returns the paths of a JSON value that hold numbers."""
    return frozenset(leaf.path for leaf in leaves(_numbers_only(value, 0)) if not leaf.path.endswith("{key}"))


def _numbers_only(value: Any, depth: int) -> Any:
    if depth > MAX_DEPTH:
        return None
    if isinstance(value, dict):
        return {key: _numbers_only(item, depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_numbers_only(item, depth + 1) for item in value]
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def plain_fields(value: Any) -> dict[str, str]:
    """Returns path -> value of the scalars of a record that stand in no list and below no identifier."""
    found: dict[str, str] = {}
    if isinstance(value, dict):
        _plain_fields(value, "", 0, found)
    return found


def _plain_fields(value: dict[Any, Any], prefix: str, depth: int, found: dict[str, str]) -> None:
    if depth > MAX_DEPTH or has_identifier_keys(value):
        return
    for key, item in value.items():
        if isinstance(item, dict):
            _plain_fields(item, f"{prefix}{key}.", depth + 1, found)
        elif item is not None and not isinstance(item, (list, tuple)) and len(found) < MAX_LEAVES:
            text = scalar(item)
            if text and len(text) <= MAX_VALUE_CHARS:
                found[f"{prefix}{key}"] = text


def has_identifier_keys(value: dict[Any, Any]) -> bool:
    """Says whether the keys of an object are identifiers of records and not names of fields."""
    for key in value:
        if not isinstance(key, str) or not _IDENTIFIER_KEY.match(key):
            return False
    return len(value) > 0


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


@lru_cache(maxsize=4096)
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
        """Takes pairs of attempt family and text; they are read when the first question comes."""
        self._texts = texts

    @cached_property
    def _families(self) -> Counter[str]:
        found: dict[str, set[str]] = {}
        for family, text in self._texts:
            found.setdefault(family, set()).update({t.strip(".-/").lower() for t in set(_TOKEN.findall(text))})
        counted = Counter[str]()
        for tokens in found.values():
            counted.update(tokens)
        return counted

    def families(self, token: str) -> int:
        return self._families[token.strip(".-/").lower()]

    def is_shared(self, token: str) -> bool:
        return self.families(token) >= 2
