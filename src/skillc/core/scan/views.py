"""Views: the same text as a reader, a model and a decoder may see it.

The raw view is the text itself. Where it holds characters that hide or disguise, a second view has them taken
out: tag characters decoded, invisible characters dropped, look-alikes and compatibility forms folded. Lines
stay lines, so that a finding in any view has a line number of the file. Paper: 5.3. Not here: encodings such
as base64.
"""

import unicodedata
from typing import NamedTuple

RAW = "raw"
DECODED = "decoded"

TAG_FIRST, TAG_LAST = 0xE0000, 0xE007F

# Characters that show nothing or reorder what is shown, by their published code points.
INVISIBLE = frozenset(
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u200b\u200c\u200d\u200e\u200f"
    "\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\u206a\u206b\u206c\u206d\u206e\u206f"
    "\u3164\ufeff\uffa0\ufff9\ufffa\ufffb"
)
BIDI_CONTROLS = frozenset("\u202a\u202b\u202d\u202e\u2066\u2067\u2068")

# Cyrillic and Greek letters that look like Latin ones; enough to read a disguised English phrase.
_LOOK_ALIKES = str.maketrans(
    "АВЕЅІЈКМНОРСТУХаеѕіјорсухһԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧοναι",
    "ABESIJKMHOPCTYXaesijopcyxhdqwABEZHIKMNOPTYXovai",
)
_TAGS = {
    code: (chr(code - TAG_FIRST) if 0x20 <= code - TAG_FIRST < 0x7F else None)
    for code in range(TAG_FIRST, TAG_LAST + 1)
}
_DROPPED: dict[int, str | None] = {ord(c): None for c in INVISIBLE - {"\u3164", "\u115f", "\u1160", "\uffa0"}}
_FILLERS: dict[int, str | None] = dict.fromkeys((0x3164, 0x115F, 0x1160, 0xFFA0), " ")
_SUPPLEMENT: dict[int, str | None] = dict.fromkeys(range(0xE0100, 0xE01F0))
_DECODE: dict[int, str | None] = {**_TAGS, **_DROPPED, **_FILLERS, **_SUPPLEMENT}


class View(NamedTuple):
    """One way to read a text. `name` is `raw` or `decoded`."""

    name: str
    text: str


def views_of(text: str) -> tuple[View, ...]:
    """Returns the raw view, and the decoded view where it differs."""
    raw = View(RAW, text)
    if text.isascii():
        return (raw,)
    decoded = decode(text)
    return (raw,) if decoded == text else (raw, View(DECODED, decoded))


def decode(text: str) -> str:
    """Returns the text with hidden characters decoded or dropped and look-alikes folded, line for line."""
    lines = (
        unicodedata.normalize("NFKC", line.translate(_DECODE)).translate(_LOOK_ALIKES).replace("\n", " ")
        for line in text.split("\n")
    )
    return "\n".join(lines)
