"""Trace values: ids, names, dates and numbers of the attempts behind a Skill, and where a text repeats them.

A Skill generalises; a value of one attempt in it is leaked instance data. Values come from arguments, result
fields and what users said, never from the names of tools, operations, arguments and fields. Plain words are
no values, and a plain value that occurs in two attempt families is a constant. Paper: 5.3 and 5.6,
instance-data leakage.
Not here: credentials (core.scan.detectors), turning values into placeholders (core.compile).
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from functools import cache, lru_cache
from typing import Any, NamedTuple

from pydantic_core import from_json

from skillc.core.record import strings_in
from skillc.core.scan.finding import Severity
from skillc.core.scan.rule import Hit, ScanRule
from skillc.core.scan.views import View
from skillc.core.trace.codec import Trace
from skillc.core.trace.records import Event, EventKind
from skillc.core.words import names

MIN_CHARS = 4
MIN_SPLIT_CHARS = 6
MIN_OUTPUT_DIGITS = 7
MIN_DASHED_DIGITS = 9
MAX_TEXT_CHARS = 200_000
_MAX_PIECES = 24

_WORD = re.compile(r"[^\W_]+")
_EMAIL = re.compile(r"[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,5}")
_TOKEN = re.compile(r"(?<![A-Za-z0-9_-])#?[A-Za-z0-9][A-Za-z0-9_-]{3,79}(?![A-Za-z0-9_-])")
_DATE = re.compile(r"(?<!\d)(?:19|20)\d\d-\d\d-\d\d(?!\d)")
_NAME = re.compile(r"(?<![^\W_])[A-Z][a-z]{1,20}(?: [A-Z][a-z]{1,20}){1,3}(?![^\W_])")
_MENTION = re.compile(r"[^\s\"'`()<>,;:=\[\]{}|]{4,200}")
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


class TraceValues(NamedTuple):
    """The values of some Traces in compact form: case folded, separators dropped. Maps to what kind each is."""

    kinds: Mapping[str, str]
    multi_word: frozenset[str] = frozenset()


class _Found(NamedTuple):
    value: str
    kind: str
    is_strong: bool  # shaped like an id, an address or a number: never a constant by being frequent


def trace_values(
    traces: Iterable[Trace],
    *,
    attempt_family_of: Callable[[Trace], str] | None = None,
    constants: Iterable[str] = (),
) -> TraceValues:
    """Returns the instance values of the Traces.

    Args:
        attempt_family_of: names a Trace's attempt family; without it each Trace is a family of its own.
        constants: values that the caller knows to be the same in every attempt; they may stand in a Skill.
    """
    families: dict[str, set[str]] = {}
    strong: set[str] = set()
    kinds: dict[str, str] = {}
    multi_word: set[str] = set()
    not_values = {compact(item) for item in constants}
    loaded = tuple(traces)
    family_of = attempt_family_of or (lambda trace: trace.trace_id)
    for trace in loaded:
        family = family_of(trace)
        for event in trace.events:
            not_values.update(compact(name) for name in _names_of(event))
            for found in _values_of(event):
                key = compact(found.value)
                if len(key) < MIN_CHARS:
                    continue
                families.setdefault(key, set()).add(family)
                kinds.setdefault(key, found.kind)
                if found.is_strong:
                    strong.add(key)
                if len(_WORD.findall(found.value)) > 1:
                    multi_word.add(key)
    _count_mentions(loaded, family_of, families, families.keys() - strong)
    kept = {
        key: kind
        for key, kind in sorted(kinds.items())
        if key not in not_values and (key in strong or len(families[key]) < 2)
    }
    return TraceValues(kinds=kept, multi_word=frozenset(multi_word & kept.keys()))


def _count_mentions(
    traces: Iterable[Trace],
    family_of: Callable[[Trace], str],
    families: dict[str, set[str]],
    keys: Set[str],
) -> None:
    """Adds the families whose commands and texts mention a plain value: a path of every attempt is a constant."""
    if not keys:
        return
    for trace in traces:
        family = family_of(trace)
        for event in trace.events:
            for text in (event.text or "", *strings_in(event.arguments)):
                for token in _MENTION.findall(text[:MAX_TEXT_CHARS]):
                    key = compact(token)
                    if key in keys:
                        families[key].add(family)


@lru_cache(maxsize=32768)
def compact(value: str) -> str:
    """Returns a value without case and separators: `Sofia_Kim-7287` gives `sofiakim7287`."""
    return "".join(_WORD.findall(value)).casefold()


def value_hits(view: View, values: TraceValues) -> Iterator[Hit]:
    """Yields where a view holds a value, also in other case or with other separators between its parts."""
    if not values.kinds:
        return
    words = [(match.start(), match.end(), match.group().casefold()) for match in _WORD.finditer(view.text)]
    longest = max(map(len, values.kinds))
    prefixes = _prefixes(values)
    end_of_last = -1
    for first in range(len(words)):
        if words[first][0] < end_of_last:
            continue
        found = _longest_match(words, first, values, prefixes, longest, view.text)
        if found is not None:
            last, kind = found
            end_of_last = words[last][1]
            yield Hit(words[first][0], end_of_last, f"<{kind} of a source>")


def _longest_match(
    words: list[tuple[int, int, str]],
    first: int,
    values: TraceValues,
    prefixes: frozenset[str],
    longest: int,
    text: str,
) -> tuple[int, str] | None:
    joined = ""
    found: tuple[int, str] | None = None
    for last in range(first, min(first + _MAX_PIECES, len(words))):
        if last > first and words[last][0] - words[last - 1][1] > 3:
            break
        joined += words[last][2]
        if len(joined) > longest:
            break
        kind = values.kinds.get(joined)
        if kind is not None and (last == first or joined in values.multi_word or len(joined) >= MIN_SPLIT_CHARS):
            found = last, kind
        if joined[:3] not in prefixes and len(joined) >= 3:
            break
    return found


@cache
def _prefixes_of(keys: frozenset[str]) -> frozenset[str]:
    return frozenset(key[:3] for key in keys)


def _prefixes(values: TraceValues) -> frozenset[str]:
    return _prefixes_of(frozenset(values.kinds))


def _names_of(event: Event) -> Iterator[str]:
    """Yields the names of an event: its tool, operation, argument names and result fields."""
    for name in (event.tool, event.operation):
        if name:
            yield name
            yield from name.split()
    if event.arguments:
        yield from _keys(event.arguments)
    if event.kind is EventKind.TOOL_RESULT and event.text:
        value = _json(event.text)
        if value is not None:
            yield from _keys(value)


def _keys(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            if _strong_kind(key) is None:  # some results are keyed by ids
                yield key
            yield from _keys(item)
    elif isinstance(value, list):
        for item in value:
            yield from _keys(item)


def _values_of(event: Event) -> Iterator[_Found]:
    if event.arguments:
        yield from _leaf_values(event.arguments, "")
    if not event.text:
        return
    text = event.text[:MAX_TEXT_CHARS]
    if event.kind is EventKind.TOOL_RESULT:
        value = _json(text)
        if value is not None:
            yield from _leaf_values(value, "")
        else:
            # Shell and file output is full of line numbers and sizes; only a long number tells an instance.
            yield from (f for f in _strong_values(text) if f.kind != "number" or len(f.value) >= MIN_OUTPUT_DIGITS)
    elif event.kind is EventKind.USER_MESSAGE:
        yield from _strong_values(text)
        for match in _NAME.finditer(text):
            words = match.group().split(" ")
            while words and words[0] in _COMMON_NAMES:
                words.pop(0)
            if len(words) > 1 and not all(word in _COMMON_NAMES for word in words):
                yield _Found(" ".join(words), "name", False)


def _leaf_values(value: Any, key: str) -> Iterator[_Found]:
    if isinstance(value, dict):
        for name, item in value.items():
            kind = _strong_kind(name)
            if kind is not None:
                yield _Found(name, kind, True)
            yield from _leaf_values(item, name)
    elif isinstance(value, list):
        for item in value:
            yield from _leaf_values(item, key)
    elif isinstance(value, str):
        yield from _text_values(value, key)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        number = str(value)
        if _is_telling_number(number):
            yield _Found(number, "number", True)


def _text_values(value: str, key: str) -> Iterator[_Found]:
    """Yields the values in one string of an argument or result field."""
    yield from _strong_values(value[:MAX_TEXT_CHARS])
    text = value.strip()
    if key in _FREE_TEXT_KEYS or len(text) > 120 or "\n" in text:
        return
    if _PATH.match(text):
        if text.rsplit("/", 1)[-1].lower() not in _COMMON_FILES:
            yield _Found(text, "path", False)
    elif _STREET.match(text):
        yield _Found(text, "address", True)
    elif _NAME.fullmatch(text) or (_NAME_KEYS.search(key) and text[:1].isupper() and text.isalpha()):
        yield _Found(text, "name", False)
    elif key.lower().endswith(("_id", "id", "_number", "_code", "_key")) and " " not in text and not text.isalpha():
        yield _Found(text, "id", True)


def _strong_values(text: str) -> Iterator[_Found]:
    """Yields what is shaped like an instance value wherever it stands."""
    for match in _EMAIL.finditer(text):
        yield _Found(match.group(), "e-mail", True)
    for match in _DATE.finditer(text):
        yield _Found(match.group(), "date", False)
    for match in _TOKEN.finditer(text):
        kind = _strong_kind(match.group())
        if kind is not None:
            yield _Found(match.group(), kind, True)
        elif _HOST.match(match.group()) and not _VERSION.match(match.group()):
            yield _Found(match.group(), "host", False)


@lru_cache(maxsize=32768)
def _strong_kind(token: str) -> str | None:
    """Returns `id` or `number` for a token shaped like one, else None: `8JX2WO`, `sofia_kim_7287`, `55120917`."""
    if token.isalpha():
        return None
    bare = token.lstrip("#")
    digits = sum(c.isdigit() for c in bare)
    if digits == 0 or len(bare) < MIN_CHARS:
        return None
    if digits == len(bare):
        return "number" if _is_telling_number(bare) else None
    if digits + bare.count("-") == len(bare):  # a range, a time, a date; or a telephone number
        return "number" if digits >= MIN_DASHED_DIGITS else None
    if _COLOUR.match(token):
        return None
    if _VERSION.match(bare) or _DATE.fullmatch(bare):
        return None
    if digits >= 3 or (digits >= 2 and len(bare) >= 6 and bare.upper() == bare and "_" not in bare):
        return "id"
    return None


def _is_telling_number(number: str) -> bool:
    whole = number.replace(".", "", 1)
    if len(number) < MIN_CHARS or not whole.isdigit():
        return False
    if number in _COMMON_NUMBERS or number.endswith("000") or number.strip("0.") in ("", "1", "2", "5"):
        return False
    if len(number) == 4 and number.isdigit():
        return not (1900 <= int(number) <= 2099 or int(number) % 100 == 0)
    return True


def _json(text: str) -> Any:
    """Returns the JSON object or list that a result text holds, or None."""
    if text[:1] not in ("{", "["):
        return None
    try:
        value = from_json(text)
    except ValueError:
        return None
    return value if isinstance(value, dict | list) else None


@cache
def value_rule() -> ScanRule:
    """Returns the rule that the scanner reports values under. It needs Traces, so it is not in the table."""
    return ScanRule(
        id="trace-value",
        family="instance data",
        title="Value of a source Trace",
        severity=Severity.BLOCK,
        meaning="The text repeats an id, name, date, path or number of an attempt that it was compiled from.",
        fix="Put a placeholder such as <order_id> in its place and say where the value comes from.",
        find=lambda view: (),
    )
