"""Views: the same text as a reader, a model and a decoder may see it.

The raw view is the text itself. Where it holds characters that hide or disguise, the `decoded` view has them taken
out: tag characters decoded, invisible characters dropped, look-alikes and compatibility forms folded, line for line; of
a large text it holds what stands around them, since the rest reads as in the raw view.
What is encoded is decoded to depth 2, one view for each encoding. Every view knows where in the raw text each of its
spans stands. Paper: 5.3, Scanners.
Not here: decoding (core.scan.encodings, core.scan.disguises), what is looked for (core.scan.rules).
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from itertools import accumulate, pairwise
from typing import NamedTuple

from skillc.core.scan.blocks import pieces_of
from skillc.core.scan.detectors import gate_of_all
from skillc.core.scan.disguises import LONG_LINE_CHARS, Piece, disguised, hidden_bits, reordered
from skillc.core.scan.encodings import ESCAPE_GATES, JOINT_GATE, RUN_GATES, runs, unescaped, windows

RAW = "raw"
DECODED = "decoded"
MAX_DEPTH = 2
LARGE_CHARS = 65_536  # of a larger text only what stands around a change is read once more
AROUND_CHARS = 8_192

TAG_FIRST, TAG_LAST = 0xE0000, 0xE007F

# Characters that show nothing or reorder what is shown, by their published code points.
INVISIBLE = frozenset(
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u200b\u200c\u200d\u200e\u200f"
    "\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\u206a\u206b\u206c\u206d\u206e\u206f"
    "\u3164\ufeff\uffa0\ufff9\ufffa\ufffb"
)
BIDI_CONTROLS = frozenset("\u202a\u202b\u202d\u202e\u2066\u2067\u2068")

# Cyrillic, Greek and other letters that look like Latin ones; enough to read a disguised English phrase.
_LOOK_ALIKES = str.maketrans(
    "АВЕЅІЈКМНОРСТУХаеѕіјорсухһԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧοναιρεκτυγӏӀɡɑᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ",
    "ABESIJKMHOPCTYXaesijopcyxhdqwABEZHIKMNOPTYXovaipektuylIgaabcdefghijklmnoprstuvwyz",
)
_TAGS = {
    code: (chr(code - TAG_FIRST) if 0x20 <= code - TAG_FIRST < 0x7F else None)
    for code in range(TAG_FIRST, TAG_LAST + 1)
}
_DROPPED: dict[int, str | None] = {ord(c): None for c in INVISIBLE - {"\u3164", "\u115f", "\u1160", "\uffa0"}}
_FILLERS: dict[int, str | None] = dict.fromkeys((0x3164, 0x115F, 0x1160, 0xFFA0, 0x2800), " ")
_SELECTORS: dict[int, str | None] = dict.fromkeys((*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))
_DECODE: dict[int, str | None] = {**_TAGS, **_DROPPED, **_FILLERS, **_SELECTORS}

# A character that never joins the one before it: ASCII, and letters of scripts that have no composed forms.
_STARTER = re.compile("[\x00-\x7f\u0410-\u0417\u0430-\u0437\u3400-\u9fff]")
_PART_CHARS = 64
_FENCE = re.compile(r"(?m)^[ \t>]{0,12}(?:`{3,}|~{3,})")
_MAX_PART_CHARS = 2048

Span = tuple[int, int]


class View(NamedTuple):
    """One way to read a text.

    `name` is `raw`, `decoded` or the encoding; `place` gives a span's place in the raw text; `path` is the file's.
    `pieces` are the raw places of what was decoded, where the text is put together from it.
    """

    name: str
    text: str
    place: Callable[[int, int], Span] = lambda start, end: (start, end)
    path: str = ""
    pieces: tuple[Span, ...] = ()


def views_of(text: str, path: str = "") -> tuple[View, ...]:
    """Returns the raw view, the decoded view where it differs, and one view for each encoding in either.

    What is encoded alike in both is one view.
    """
    raw = View(RAW, text, path=path)
    views = [raw]
    if not text.isascii():
        decoded = decode(text)
        if decoded != text:
            views.append(_decoded_view(text, decoded, path))
        views += _joined("hidden", [*hidden_bits(text), *reordered(text)], raw)
    known: set[tuple[str, str, tuple[Span, ...]]] = set()
    for view in tuple(views[:2]):
        views += _encoded(view, MAX_DEPTH, known)
    return tuple(views)


def _decoded_view(text: str, decoded: str, path: str) -> View:
    """Returns the decoded view; of a large text what stands around that which decoding changes."""
    places = _Places(text, decoded)
    if len(text) <= LARGE_CHARS:
        return View(DECODED, decoded, places.place, path)
    parts = list(_around(decoded, places.changes()))
    starts = list(accumulate((last - first + 2 for first, last in parts), initial=0))  # an empty line is between parts

    def place(start: int, end: int) -> Span:
        number = min(bisect_right(starts, start), len(parts)) - 1
        first, last = parts[number]
        return places.place(*(min(first + offset - starts[number], last) for offset in (start, end)))

    return View(DECODED, "\n\n".join(decoded[first:last] for first, last in parts), place, path)


def _around(decoded: str, changes: Iterable[Span]) -> Iterator[Span]:
    """Yields what stands around changes, cut where lines or words end, from the fence on that is open there."""
    fences = [match.start() for match in _FENCE.finditer(decoded)]
    held: Span | None = None
    for start, end in changes:
        if held is not None and end <= held[1] - AROUND_CHARS:
            continue
        first = _cut(decoded, start - 2 * AROUND_CHARS, start - AROUND_CHARS) if start > 2 * AROUND_CHARS else 0
        last = _cut(decoded, end + AROUND_CHARS, end + 2 * AROUND_CHARS)
        before = bisect_right(fences, first)
        first = fences[before - 1] if before % 2 else first
        if held is not None and first > held[1]:
            yield held
            held = None
        held = (first if held is None else min(first, held[0]), last)
    if held is not None:
        yield held


def _cut(text: str, first: int, last: int) -> int:
    """Returns where the first line between two places begins, or the first word."""
    for sign in ("\n", " "):
        found = text.find(sign, first, last)
        if found >= 0:
            return found + 1
    return min(first, len(text))


def decode(text: str) -> str:
    """Returns the text with hidden characters decoded or dropped and look-alikes folded, line for line."""
    return "\n".join(_decode_line(line) for line in text.split("\n"))


def _decode_line(line: str) -> str:
    if line.isascii():
        return line
    return "".join(_decoded_parts(line)[1])


@lru_cache(maxsize=1)  # a long line is read once more for its places
def _decoded_parts(line: str) -> tuple[list[str], list[str]]:
    """Returns a line in parts, and what each of them decodes to."""
    parts = list(_parts(line))
    return parts, [_decode_part(part) for part in parts]


def _decode_part(part: str) -> str:
    if part.isascii():
        return part
    return unicodedata.normalize("NFKC", part.translate(_DECODE)).translate(_LOOK_ALIKES).replace("\n", " ")


def _parts(line: str) -> Iterator[str]:
    """Yields a line in parts of about 64 characters that decode alone to what they decode to together.

    A part ends before a character that never joins the one before it. Where none comes, it ends after 2,048, so that
    marks without end take no more than linear time.
    """
    start = 0
    while start < len(line):
        end = start + _PART_CHARS
        found = _STARTER.search(line, end, start + _MAX_PART_CHARS)
        end = found.start() if found else start + _MAX_PART_CHARS
        yield line[start:end]
        start = end


class _Places:
    """Where spans of the decoded text stand in the raw one: found by line, then by part, then by character."""

    def __init__(self, text: str, decoded: str) -> None:
        self._lines = text.split("\n")
        self._starts = _starts_of(self._lines)
        self._decoded_starts = _starts_of(decoded.split("\n"))
        self._parts: dict[int, tuple[list[str], list[int], list[int]]] = {}

    def changes(self) -> Iterator[Span]:
        """Yields the spans of the decoded text that differ from the raw one, a part of a line each."""
        for number, line in enumerate(self._lines):
            if not line.isascii():
                parts, _, starts = self._parts_of(number)
                for part, (first, last) in zip(parts, pairwise(starts), strict=True):
                    if not part.isascii() and _decode_part(part) != part:
                        yield self._decoded_starts[number] + first, self._decoded_starts[number] + last

    def place(self, start: int, end: int) -> Span:
        first = self._offset(start)
        return first, max(self._offset(end), first)

    def _offset(self, offset: int) -> int:
        number = bisect_right(self._decoded_starts, offset) - 1
        column = offset - self._decoded_starts[number]
        start = self._starts[number]
        if self._lines[number].isascii():
            return start + min(column, len(self._lines[number]))
        parts, raw, decoded = self._parts_of(number)
        index = bisect_right(decoded, column) - 1
        if index >= len(parts):
            return start + raw[-1]
        part, column = parts[index], column - decoded[index]
        low, high = 0, len(part)
        while low < high:  # the shortest beginning of the part that decodes to more than the column
            middle = (low + high) // 2
            if len(_decode_part(part[: middle + 1])) > column:
                high = middle
            else:
                low = middle + 1
        return start + raw[index] + low

    def _parts_of(self, number: int) -> tuple[list[str], list[int], list[int]]:
        """Returns a line's parts, and where each starts in the line and in what it decodes to; the ends come last."""
        if number not in self._parts:
            parts, readings = _decoded_parts(self._lines[number])
            raw = list(accumulate(map(len, parts), initial=0))
            decoded = list(accumulate(map(len, readings), initial=0))
            self._parts[number] = parts, raw, decoded
        return self._parts[number]


def _starts_of(lines: list[str]) -> list[int]:
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    return starts[:-1]


@cache
def _may_hold() -> tuple[Callable[[str | bytes], bool], Callable[[str | bytes], bool]]:
    return gate_of_all(RUN_GATES), gate_of_all((*ESCAPE_GATES, JOINT_GATE))


def _encoded(view: View, depth: int, known: set[tuple[str, str, tuple[Span, ...]]]) -> Iterator[View]:
    """Yields what a view holds encoded, and what that holds encoded again, but for what is known."""
    may_hold_run, may_hold_escape = _may_hold()
    found: dict[str, list[Piece]] = {}
    if may_hold_run(view.text):
        for run in runs(view.text):
            found.setdefault("base64 or hex", []).append(Piece(run.start, run.end, run.text))
    if may_hold_escape(view.text):
        found["escapes"] = [p for p in _unescaped(view.text) if p.text.strip()]
    for name, piece in disguised(view.text):
        found.setdefault(name, []).append(piece)
    for name, pieces in found.items():
        for inner in _joined(name if view.name in (RAW, DECODED) else f"{view.name}, {name}", pieces, view):
            if (inner.name, inner.text, inner.pieces) in known:
                continue
            known.add((inner.name, inner.text, inner.pieces))
            yield inner
            if depth > 1:
                yield from _encoded(inner, depth - 1, known)


def _unescaped(text: str) -> Iterator[Piece]:
    """Yields the lines that change when their escapes are undone, each with its place; of a long line, its pieces."""
    _, may_hold_escape = _may_hold()
    for offset, window in windows(text):
        if not may_hold_escape(window):
            continue
        reading = unescaped(window)
        if reading is None:
            continue
        start = 0
        for line in reading.text.split("\n"):
            for at, piece in pieces_of(line) if len(line) > LONG_LINE_CHARS else ((0, line),) if line else ():
                first, last = reading.source_span(start + at, start + at + len(piece))
                if window[first:last] != piece:
                    yield Piece(offset + first, offset + last, piece)
            start += len(line) + 1


def _joined(name: str, pieces: list[Piece], source: View) -> Iterator[View]:
    """Yields one view of all pieces, a blank line between them; a span of it stands where its piece stands."""
    if not pieces:
        return
    starts, position = [], 0
    for piece in pieces:
        starts.append(position)
        position += len(piece.text) + 2

    places = tuple(source.place(piece.start, piece.end) for piece in pieces)

    def place(start: int, end: int) -> Span:
        return places[bisect_right(starts, start) - 1]

    yield View(name, "\n\n".join(p.text for p in pieces), place, pieces=places)
