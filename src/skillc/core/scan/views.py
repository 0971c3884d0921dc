"""Views: the same text as a reader, a model and a decoder may see it.

The raw view is the text itself. Where it holds characters that hide or disguise, the `decoded` view has them taken
out: tag characters decoded, invisible characters dropped, look-alikes and compatibility forms folded, line for line.
What is encoded is decoded to depth 2, one view for each encoding. Every view knows where in the raw text each of its
spans stands. Paper: 5.3, Scanners.
Not here: decoding (core.scan.encodings, core.scan.disguises), what is looked for (core.scan.rules).
"""

import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from skillc.core.scan.detectors import gate_of_all
from skillc.core.scan.disguises import Piece, disguised, hidden_bits, reordered
from skillc.core.scan.encodings import ESCAPE_GATES, JOINT_GATE, RUN_GATES, runs, unescaped, windows

RAW = "raw"
DECODED = "decoded"
MAX_DEPTH = 2

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

Span = tuple[int, int]


class View(NamedTuple):
    """One way to read a text.

    `name` is `raw`, `decoded` or the encoding; `place` gives a span's place in the raw text; `path` is the file's.
    """

    name: str
    text: str
    place: Callable[[int, int], Span] = lambda start, end: (start, end)
    path: str = ""


def views_of(text: str, path: str = "") -> tuple[View, ...]:
    """Returns the raw view, the decoded view where it differs, and one view for each encoding in either."""
    raw = View(RAW, text, path=path)
    views = [raw]
    if not text.isascii():
        decoded = decode(text)
        if decoded != text:
            views.append(View(DECODED, decoded, _by_line(text, decoded), path))
        views += _joined("hidden", [*hidden_bits(text), *reordered(text)], raw)
    for view in tuple(views[:2]):
        views += _encoded(view, MAX_DEPTH)
    return tuple(views)


def decode(text: str) -> str:
    """Returns the text with hidden characters decoded or dropped and look-alikes folded, line for line."""
    return "\n".join(_decode_line(line) for line in text.split("\n"))


def _decode_line(line: str) -> str:
    if line.isascii():
        return line
    return unicodedata.normalize("NFKC", line.translate(_DECODE)).translate(_LOOK_ALIKES).replace("\n", " ")


def _by_line(text: str, decoded: str) -> Callable[[int, int], Span]:
    """Returns what finds a place of the decoded text: its line, then as much of the line as decodes to it."""

    def place(start: int, end: int) -> Span:
        return _raw_offset(text, decoded, start), max(
            _raw_offset(text, decoded, end), _raw_offset(text, decoded, start)
        )

    return place


def _raw_offset(text: str, decoded: str, offset: int) -> int:
    line_number = decoded.count("\n", 0, offset)
    column = offset - (decoded.rfind("\n", 0, offset) + 1)
    start = 0
    for _ in range(line_number):
        start = text.find("\n", start) + 1
    line = text[start:].split("\n", 1)[0] if "\n" in text[start:] else text[start:]
    low, high = 0, len(line)
    while low < high:  # the shortest beginning of the line that decodes to more than the column
        middle = (low + high) // 2
        if len(_decode_line(line[: middle + 1])) > column:
            high = middle
        else:
            low = middle + 1
    return start + low


@cache
def _may_hold() -> tuple[Callable[[str | bytes], bool], Callable[[str | bytes], bool]]:
    return gate_of_all(RUN_GATES), gate_of_all((*ESCAPE_GATES, JOINT_GATE))


def _encoded(view: View, depth: int) -> Iterator[View]:
    """Yields what a view holds encoded, and what that holds encoded again."""
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
            yield inner
            if depth > 1:
                yield from _encoded(inner, depth - 1)


def _unescaped(text: str) -> Iterator[Piece]:
    """Yields the lines that change when their escapes are undone, each with its place."""
    _, may_hold_escape = _may_hold()
    for offset, window in windows(text):
        if not may_hold_escape(window):
            continue
        reading = unescaped(window)
        if reading is None:
            continue
        start = 0
        for line in reading.text.split("\n"):
            end = start + len(line)
            if line:
                first, last = reading.source_span(start, end)
                if window[first:last] != line:
                    yield Piece(offset + first, offset + last, line)
            start = end + 1


def _joined(name: str, pieces: list[Piece], source: View) -> Iterator[View]:
    """Yields one view of all pieces, a blank line between them; a span of it stands where its piece stands."""
    if not pieces:
        return
    starts, position = [], 0
    for piece in pieces:
        starts.append(position)
        position += len(piece.text) + 2

    def place(start: int, end: int) -> Span:
        piece = pieces[bisect_right(starts, start) - 1]
        return source.place(piece.start, piece.end)

    yield View(name, "\n\n".join(p.text for p in pieces), place)
