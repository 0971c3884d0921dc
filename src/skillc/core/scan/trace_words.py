"""What one Trace says, in compact form: its values, the names of its tools and fields, and whatever it mentions.

Values come from arguments, result fields, output and what users said; the names of tools, operations, arguments and
fields are none. Long texts are cut into pieces first, and each piece is looked at once. Paper: 5.3 and 5.6.
Not here: what is shaped like a value (core.scan.value_shapes), what several Traces have in common (core.scan.values).
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from pydantic_core import from_json

from skillc.core.once import once_per_record
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
from skillc.core.trace.records import EventKind

MIN_OUTPUT_DIGITS = 7
MAX_TEXT_CHARS = 200_000
# No value of one piece holds one of these: blanks, quotes, brackets and marks between words.
_GAPS = b"\t\n\v\f\r\x1c\x1d\x1e\x1f \"'`()<>,;:=[]{}|"
_CUT = bytes(0x20 if byte in _GAPS else byte for byte in range(256))
_LOWER = bytes(range(256)).lower()
_NO_WORD = bytes(byte for byte in range(0x80) if byte != 0x20 and not chr(byte).isalnum())
_MAY_TELL = re.compile(rb"[0-9@\x80-\xff]")
_Pieces = dict[bytes, None]


class TraceWords(NamedTuple):
    """What a Trace says: its values with their kinds, those that are strong or have several words, names, mentions.

    `mentions` is every piece of its texts and arguments.
    """

    kinds: dict[str, str]
    strong: frozenset[str]
    multi_word: frozenset[str]
    names: frozenset[str]
    mentions: frozenset[str]


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
                if isinstance(item, str):
                    self.strings[name, item] = None
                else:
                    self.add(item, name)
        elif isinstance(value, list):
            for item in value:
                self.add(item, key)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            self.numbers[str(value)] = None


@once_per_record
def words_of(trace: Trace) -> TraceWords:
    """Returns the values, names and mentions of a Trace. A value of two kinds has the one that is found first."""
    fields = _Fields()
    output, said, other = [], [], []
    called = {name for event in trace.events for name in (event.tool, event.operation) if name}
    names = called.union(*map(str.split, called))
    for event in trace.events:
        fields.add(event.arguments)
        text = (event.text or "")[:MAX_TEXT_CHARS]
        if event.kind is EventKind.USER_MESSAGE:
            said.append(text)
        elif event.kind is not EventKind.TOOL_RESULT:
            other.append(text)
        elif (value := _json(text)) is None:
            output.append(text)
        else:
            other.append(text)
            fields.add(value)
    in_fields, in_output, in_said = (
        _pieces(t[:MAX_TEXT_CHARS] for _, t in fields.strings),
        _pieces(output),
        _pieces(said),
    )
    shapes = [*_of_fields(fields, in_fields), *_of_output(in_output), *_of_users(said, in_said)]
    kinds, strong, multi_word = _read(shapes)
    names.update(key for key in fields.keys if strong_kind(key) is None)  # some results are keyed by ids
    mentions = _mentions(in_fields | in_output | in_said | _pieces(other))
    return TraceWords(kinds, frozenset(strong), frozenset(multi_word), frozenset(map(compact, names)), mentions)


def _read(shapes: Iterable[Shape]) -> tuple[dict[str, str], set[str], set[str]]:
    """Returns kinds, strong values and values of several words."""
    kinds: dict[str, str] = {}
    strong: set[str] = set()
    multi_word: set[str] = set()
    for shape in shapes:
        key = compact(shape.value)
        if len(key) < MIN_CHARS:
            continue
        kinds.setdefault(key, shape.kind)
        if shape.is_strong:
            strong.add(key)
        if len(WORD.findall(shape.value)) > 1:
            multi_word.add(key)
    return kinds, strong, multi_word


def _of_fields(fields: _Fields, pieces: _Pieces) -> Iterator[Shape]:
    for key in fields.keys:
        kind = strong_kind(key)
        if kind is not None:
            yield Shape(key, kind, True)
    yield from _strong(pieces)
    for key, text in fields.strings:
        shape = whole_shape(text, key)
        if shape is not None:
            yield shape
    for number in fields.numbers:
        if is_telling_number(number):
            yield Shape(number, "number", True)


def _of_output(pieces: _Pieces) -> Iterator[Shape]:
    """Shell and file output is full of line numbers and sizes; only a long number tells an instance."""
    for shape in _strong(pieces):
        if shape.kind != "number" or len(shape.value) >= MIN_OUTPUT_DIGITS:
            yield shape


def _of_users(texts: list[str], pieces: _Pieces) -> Iterator[Shape]:
    yield from _strong(pieces)
    for text in texts:
        yield from names_of_persons(text)


def _strong(pieces: _Pieces) -> Iterator[Shape]:
    return strong_shapes(b"\n".join(filter(_MAY_TELL.search, pieces)).decode())


def _pieces(texts: Iterable[str]) -> _Pieces:
    """Returns each different piece of the texts once, in their order."""
    return dict.fromkeys("\n".join(texts).encode("utf-8", "replace").translate(_CUT).split())


def _mentions(pieces: _Pieces) -> frozenset[str]:
    """Returns the pieces in compact form."""
    found = set(b" ".join(pieces).translate(_LOWER, _NO_WORD).decode().split())
    others = {piece for piece in found if not piece.isascii()}
    return frozenset(found - others).union(map(compact, others))


def _json(text: str) -> Any:
    """Returns the JSON object or list that a result text holds, or None."""
    if text[:1] not in ("{", "["):
        return None
    try:
        value = from_json(text)
    except ValueError:
        return None
    return value if isinstance(value, dict | list) else None
