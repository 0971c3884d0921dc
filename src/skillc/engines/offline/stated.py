"""Stated values: whether a text states a value or names a file, and what shape a value has.

A shape is what values of one field share without being equal: `W7387996` and `W2417020` are both `#8`. It tells
whether a text holds some value of a field before one knows which. Paper: 5.3 (placeholders).
Not here: where an argument comes from (engines.offline.provenance).
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

_MONTH_NAMES = "january february march april may june july august september october november december"
_MONTHS = tuple(_MONTH_NAMES.split())
_ISO_DATE = re.compile(r"^(\d{4})-(\d{2})-(\d{2})$")
_WORD = re.compile(r"[A-Za-z0-9_@#+](?:[A-Za-z0-9_@#.+\-/:]*[A-Za-z0-9])?")
_RUNS = re.compile(r"[A-Za-z]+|\d+")
_CODE = re.compile(r"(?=[A-Z0-9]*\d)(?=[A-Z0-9]*[A-Z])[A-Z0-9]{4,}|\d+")


def is_telling(value: str) -> bool:
    """Says whether a value is long enough that finding it somewhere is no chance."""
    return len(value) >= 3 and not (value.isdigit() and len(value) < 4) and value not in ("true", "false", "yes")


def states(text: str, value: str) -> bool:
    """Says whether a text states a value: as whole words, with blanks for `_`, or a date in words."""
    lowered, wanted = text.lower(), value.lower()
    at = lowered.find(wanted)
    while at >= 0:
        before, after = lowered[at - 1 : at], lowered[at + len(wanted) : at + len(wanted) + 1]
        if not (before.isalnum() or after.isalnum() or before == "_" or after == "_"):
            return True
        at = lowered.find(wanted, at + 1)
    spaced = wanted.replace("_", " ")
    if spaced != wanted and spaced in lowered:
        return True
    match = _ISO_DATE.match(value)
    if match and 1 <= int(match[2]) <= 12:
        month, day = _MONTHS[int(match[2]) - 1], int(match[3])
        return bool(re.search(rf"\b{month}\s+{day}(st|nd|rd|th)?\b|\b{day}(st|nd|rd|th)?\s+(of\s+)?{month}\b", lowered))
    return False


def names_file(text: str, path: str) -> bool:
    """Says whether a text names a file: by its path, its name, or the stem of a test file."""
    if "/" not in path and re.fullmatch(r"\w+(\.\w+)+", path) and not path.endswith((".py", ".js", ".ts")):
        path = path.replace(".", "/") + ".py"  # a module, as a test runner names it
    base = path.rsplit("/", 1)[-1]
    stem = base.rsplit(".", 1)[0]
    if stem not in text:
        return False
    if path in text or (len(base) >= 5 and _has_word(text, base, r"[\w.-]", r"[\w-]")):
        return True
    imports = "from" in text or "import" in text
    if imports and re.search(rf"\b(?:from|import)\b[^\n]*\b{re.escape(stem)}\b", text):
        return True
    return len(stem) >= 6 and "_" in stem and _has_word(text, stem, r"\w", r"\w")


def _has_word(text: str, word: str, before: str, after: str) -> bool:
    return word in text and re.search(rf"(?<!{before}){re.escape(word)}(?!{after})", text) is not None


@lru_cache(maxsize=16384)
def shape_of(value: str) -> str:
    """Returns the shape of a value without blanks, or nothing when it says nothing (words, short numbers).

    Runs of digits keep their length, words become `a`: `mia_li_3668` gives `a_a_#4`, `#W7387996` gives `##8`.
    """
    if value.isalpha() or len(value) > 64 or not _WORD.fullmatch(value):
        return ""
    coded = _CODE.sub(lambda m: f"#{len(m[0])}", value)
    shape = _RUNS.sub(lambda m: m[0] if m.start() and coded[m.start() - 1] == "#" else "a", coded)
    telling = any(c in shape for c in "#@") and not re.fullmatch(r"#[123]", shape)
    return shape if telling else ""


def values_of_shape(text: str, shapes: Iterable[str]) -> Iterator[str]:
    """Yields the words of a text that have one of the shapes, in order."""
    wanted = frozenset(shapes)
    if wanted:
        for word in words_in(text):
            if shape_of(word) in wanted:
                yield word


def words_in(text: str) -> list[str]:
    """Returns the words of a text as `shape_of` reads them: without the punctuation around them."""
    return _WORD.findall(text)
