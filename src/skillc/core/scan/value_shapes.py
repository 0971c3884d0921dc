"""What is shaped like a value of one attempt: ids, names, dates, numbers, addresses and paths.

Looks at a text alone, or at a text and the name of the field that holds it. Plain words, versions and colours are no
values. Paper: 5.3 and 5.6, instance-data leakage.
Not here: which texts of a Trace are looked at (core.scan.trace_words), which values are constants (core.scan.values).
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from skillc.core.words import names

MIN_CHARS = 4
MIN_DASHED_DIGITS = 9
MAX_FIELD_CHARS = 120  # a longer text of a field says something

WORD = re.compile(r"[^\W_]+")
_EMAIL = re.compile(r"[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,5}")
_TOKEN = re.compile(r"(?<![A-Za-z0-9_-])#?[A-Za-z0-9][A-Za-z0-9_-]{3,79}(?![A-Za-z0-9_-])")
_DATE = re.compile(r"(?<!\d)(?:19|20)\d\d-\d\d-\d\d(?!\d)")
_NAME = re.compile(r"(?<![^\W_])[A-Z][a-z]{1,20}(?: [A-Z][a-z]{1,20}){1,3}(?![^\W_])")
_STREET = re.compile(r"^\d{1,5} (?:[A-Z][a-z]+ ?){1,4}$")
_PATH = re.compile(r"^[\w.~-]+(?:/[\w.-]+)+$")
_VERSION = re.compile(
    r"^v?\d+(?:[._]\d+)+[a-z0-9]*$|^(?:python|py|node|es|utf|sha|md|base|http|ipv|oauth|web|log|ec|int|uint|float)-?_?\d{1,4}(?:[-_]?\w{1,4})?$|^[hxpks]-?_?\d{1,4}(?:[-_]\w{1,4})?$",
    re.IGNORECASE,
)

# A machine's name: words and a number of its own, as in `kiln-batch-07`. Versions and regions of clouds are none.
_HOST = re.compile(
    r"^(?!(?:us|eu|ap|sa|ca|af|me)-|ubuntu|debian|python|node|java|utf|sha|phase|step|part|day|week)[a-z]{2,}[a-z0-9]*(?:-[a-z0-9]+)*-[a-z]*\d{2,3}$"
)
_COLOUR = re.compile(r"^#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$")
_NAME_KEYS = re.compile(
    r"(?:^|_)(?:name|first_name|last_name|full_name|customer|owner|assignee|author|city|street|address1?|company|user|username)$",
    re.IGNORECASE,
)

_FREE_TEXT_KEYS = names(
    "command content old_string new_string prompt description pattern thought query text message summary "
    "code script body _raw todos"
)
_COMMON_NUMBERS = names(
    "1234 12345 123456 4096 2048 1024 8192 16384 32768 65535 65536 8080 8081 8443 3306 5432 6379 9090 "
    "27017 1337 0644 0755 0600 0700 86400 3600 1440 999 9999 99999"
)
_COMMON_FILES = names(
    "readme.md package.json package-lock.json pyproject.toml setup.py setup.cfg makefile dockerfile "
    "requirements.txt conftest.py main.py app.py index.js index.ts index.html tsconfig.json cargo.toml "
    "go.mod __init__.py .gitignore changelog.md license skill.md agents.md claude.md"
)
_COMMON_NAMES = names(
    "New Thank Thanks Please Hello Yes No The This That You Your Can Could Would What When Where How Let "
    "Also Just And But For Not Now Sure Okay Great Business Class Basic Economy First Gift Card Credit "
    "Travel Insurance Python Java Script Git Hub"
)


class Shape(NamedTuple):
    """A value that was found. A strong one is shaped like an id, an address or a number: never a constant."""

    value: str
    kind: str
    is_strong: bool


@lru_cache(maxsize=32768)
def compact(value: str) -> str:
    """Returns a value without case and separators: `Sofia_Kim-7287` gives `sofiakim7287`."""
    return "".join(WORD.findall(value)).casefold()


def strong_shapes(text: str) -> Iterator[Shape]:
    """Yields what is shaped like an instance value wherever it stands."""
    for match in _EMAIL.finditer(text):
        yield Shape(match.group(), "e-mail", True)
    for match in _DATE.finditer(text):
        yield Shape(match.group(), "date", False)
    for match in _TOKEN.finditer(text):
        kind = strong_kind(match.group())
        if kind is not None:
            yield Shape(match.group(), kind, True)
        elif _HOST.match(match.group()) and not _VERSION.match(match.group()):
            yield Shape(match.group(), "host", False)


def names_of_persons(text: str) -> Iterator[Shape]:
    """Yields the names in what a user said: two and more capital words that are not common ones."""
    for match in _NAME.finditer(text):
        words = match.group().split(" ")
        while words and words[0] in _COMMON_NAMES:
            words.pop(0)
        if len(words) > 1 and not all(word in _COMMON_NAMES for word in words):
            yield Shape(" ".join(words), "name", False)


def whole_shape(text: str, key: str) -> Shape | None:
    """Returns what the whole text of a field is, by its shape and by the field's name; None for free text."""
    text = text.strip()
    if key in _FREE_TEXT_KEYS or len(text) > MAX_FIELD_CHARS or "\n" in text:
        return None
    return _shape_of_field(text, key)


@lru_cache(maxsize=32768)
def _shape_of_field(text: str, key: str) -> Shape | None:
    if _PATH.match(text):
        is_common = text.rsplit("/", 1)[-1].lower() in _COMMON_FILES
        return None if is_common else Shape(text, "path", False)
    if _STREET.match(text):
        return Shape(text, "address", True)
    if _NAME.fullmatch(text) or (_NAME_KEYS.search(key) and text[:1].isupper() and text.isalpha()):
        return Shape(text, "name", False)
    if key.lower().endswith(("_id", "id", "_number", "_code", "_key")) and " " not in text and not text.isalpha():
        return Shape(text, "id", True)
    return None


@lru_cache(maxsize=32768)
def strong_kind(token: str) -> str | None:
    """Returns `id` or `number` for a token shaped like one, else None: `8JX2WO`, `sofia_kim_7287`, `55120917`."""
    if token.isalpha():
        return None
    bare = token.lstrip("#")
    digits = sum(c.isdigit() for c in bare)
    if digits == 0 or len(bare) < MIN_CHARS:
        return None
    if digits == len(bare):
        return "number" if is_telling_number(bare) else None
    if digits + bare.count("-") == len(bare):  # a range, a time, a date; or a telephone number
        return "number" if digits >= MIN_DASHED_DIGITS else None
    if _COLOUR.match(token):
        return None
    if _VERSION.match(bare) or _DATE.fullmatch(bare):
        return None
    if digits >= 3 or (digits >= 2 and len(bare) >= 6 and bare.upper() == bare and "_" not in bare):
        return "id"
    return None


def is_telling_number(number: str) -> bool:
    """Says whether a number tells one case from another: no year, no round one, no port or limit that all know."""
    whole = number.replace(".", "", 1)
    if len(number) < MIN_CHARS or not whole.isdigit():
        return False
    if number in _COMMON_NUMBERS or number.endswith("000") or number.strip("0.") in ("", "1", "2", "5"):
        return False
    if len(number) == 4 and number.isdigit():
        return not (1900 <= int(number) <= 2099 or int(number) % 100 == 0)
    return True
