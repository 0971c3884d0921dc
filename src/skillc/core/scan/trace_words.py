"""What one Trace says, in compact form: its values, the names of its tools and fields, and whatever it mentions.

Values come from arguments, result fields, output and what users said; the names of tools, operations, arguments and
fields are none. Long texts are cut into pieces first, and each piece is looked at once. Paper: 5.3 and 5.6.
Not here: what is shaped like a value (core.scan.value_shapes), what several Traces have in common (core.scan.values).
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from pydantic_core import from_json

from skillc.core.record import strings_in
from skillc.core.scan.value_shapes import (
    MIN_CHARS,
    WORD,
    Shape,
    compact,
    is_telling_number,
    names_of_persons,
    strong_kind,
    strong_shapes,
    whole_shape,
)
from skillc.core.trace.codec import Trace
from skillc.core.trace.once import once_per_trace
from skillc.core.trace.records import EventKind

MIN_OUTPUT_DIGITS = 7
MAX_TEXT_CHARS = 200_000
# No value of one piece holds one of these: blanks, quotes, brackets and marks between words.
_GAPS = b"\t\n\v\f\r\x1c\x1d\x1e\x1f \"'`()<>,;:=[]{}|"
_CUT = bytes(0x20 if byte in _GAPS else byte for byte in range(256))
_LOWER = bytes(range(256)).lower()
_NO_WORD = bytes(byte for byte in range(0x80) if byte != 0x20 and not chr(byte).isalnum())
_MAY_TELL = re.compile(rb"[0-9@\x80-\xff]")


class TraceWords(NamedTuple):
    """The values of one Trace with their kinds, those of them that are strong or have several words, and names."""

    kinds: dict[str, str]
    strong: frozenset[str]
    multi_word: frozenset[str]
    names: frozenset[str]


class _Fields:
    """What arguments and JSON results hold, each different thing once: keys, strings with their key, and numbers."""

    def __init__(self) -> None:
        self.keys: dict[str, None] = {}
        self.strings: dict[tuple[str, str], None] = {}
        self.numbers: dict[str, None] = {}

    def add(self, value: Any, key: str = "") -> None:
        if isinstance(value, str):
            self.strings[key, value] = None
        elif isinstance(value, dict):
            self.keys.update(dict.fromkeys(value))
            for name, item in value.items():
                self.add(item, name)
        elif isinstance(value, list):
            for item in value:
                self.add(item, key)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            self.numbers[str(value)] = None


@once_per_trace
def words_of(trace: Trace) -> TraceWords:
    """Returns the values and names of a Trace. A value of two kinds has the one that is found first."""
    fields, output, said = _Fields(), [], []
    names: set[str] = set()
    for event in trace.events:
        for name in filter(None, (event.tool, event.operation)):
            names.update((name, *name.split()))
        fields.add(event.arguments)
        if event.text and event.kind is EventKind.USER_MESSAGE:
            said.append(event.text[:MAX_TEXT_CHARS])
        elif event.text and event.kind is EventKind.TOOL_RESULT:
            value = _json(event.text)
            fields.add(value)
            if value is None:
                output.append(event.text[:MAX_TEXT_CHARS])
    kinds: dict[str, str] = {}
    strong, multi_word = set(), set()
    for shape in (*_of_fields(fields), *_of_output(output), *_of_users(said)):
        key = compact(shape.value)
        if len(key) < MIN_CHARS:
            continue
        kinds.setdefault(key, shape.kind)
        if shape.is_strong:
            strong.add(key)
        if len(WORD.findall(shape.value)) > 1:
            multi_word.add(key)
    names.update(key for key in fields.keys if strong_kind(key) is None)  # some results are keyed by ids
    return TraceWords(kinds, frozenset(strong), frozenset(multi_word), frozenset(map(compact, names)))


@once_per_trace
def mentions_of(trace: Trace) -> frozenset[str]:
    """Returns every piece of what a Trace's texts and arguments say, in compact form."""
    texts = (t for event in trace.events for t in (event.text or "", *strings_in(event.arguments)))
    pieces = b" ".join(_pieces(texts)).translate(_LOWER, _NO_WORD).split()
    found = {piece.decode() for piece in pieces if piece.isascii()}
    for piece in pieces:
        if not piece.isascii():
            found.update(map(compact, piece.decode().split()))
    return frozenset(found)


def _of_fields(fields: _Fields) -> Iterator[Shape]:
    for key in fields.keys:
        kind = strong_kind(key)
        if kind is not None:
            yield Shape(key, kind, True)
    yield from strong_shapes(_telling(text for _, text in fields.strings))
    for key, text in fields.strings:
        shape = whole_shape(text, key)
        if shape is not None:
            yield shape
    for number in fields.numbers:
        if is_telling_number(number):
            yield Shape(number, "number", True)


def _of_output(texts: list[str]) -> Iterator[Shape]:
    """Shell and file output is full of line numbers and sizes; only a long number tells an instance."""
    for shape in strong_shapes(_telling(texts)):
        if shape.kind != "number" or len(shape.value) >= MIN_OUTPUT_DIGITS:
            yield shape


def _of_users(texts: list[str]) -> Iterator[Shape]:
    yield from strong_shapes(_telling(texts))
    for text in texts:
        yield from names_of_persons(text)


def _telling(texts: Iterable[str]) -> str:
    """Returns the pieces of texts that may hold a strong value, each once."""
    return b"\n".join(filter(_MAY_TELL.search, _pieces(texts))).decode()


def _pieces(texts: Iterable[str]) -> dict[bytes, None]:
    """Returns each different piece of the texts once, in their order."""
    data = "\n".join(text[:MAX_TEXT_CHARS] for text in texts).encode("utf-8", "replace")
    return dict.fromkeys(data.translate(_CUT).split())


def _json(text: str) -> Any:
    """Returns the JSON object or list that a result text holds, or None."""
    if text[:1] not in ("{", "["):
        return None
    try:
        value = from_json(text)
    except ValueError:
        return None
    return value if isinstance(value, dict | list) else None
