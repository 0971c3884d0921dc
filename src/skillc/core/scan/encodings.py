"""Encodings: a text as a decoder would read it, with the place in the source of every decoded character.

Undone are whole runs of base64 and hex that hold text, escapes (\\x67, \\u0067, octal, percent, HTML), and the joints
of string literals that a program joins. What a detector finds in such a reading lies somewhere in the source.
The gates decide in linear time whether a reading is worth making. Paper: 5.3, Scanners.
Not here: what is looked for (core.scan.detectors), hidden and look-alike characters (core.scan.views).
"""

import base64
import binascii
import html
import re
from collections.abc import Iterator
from typing import NamedTuple

MAX_DEPTH = 3
_WINDOW_CHARS = 2048
_OVERLAP_CHARS = 512
_MAX_WINDOW_CHARS = 16384
_LONG_OVERLAP_CHARS = 4096
_MIN_RUN_CHARS = 16
_MIN_STRETCH = 12

# Printable ASCII leaves few characters in three of the four places of a group: plain words do not pass.
_BASE64_OF_ASCII = r"(?:[A-Za-f][A-HQ-Xg-nw-z0-3][ABEFIJMNQRUVYZcdghklopstwx014589][A-Za-z0-9+/_-]){5}"
_BASE64_OF_UTF16 = r"(?:[A-f][AQgw][AB][A-Za-z0-9+/]A[A-H][AEIMQUYcgkosw048]A){3}"
_HEX_OF_ASCII = r"(?:[2-7][0-9a-fA-F]){10}"
# Part of a value stands on both sides: an empty literal and the quotes around a text are no joint.
_QUOTE = r"""\\*["'`]"""
_OPERATOR = r"(?:\+|\.\.?|&|\|\||\\)"
_BREAK = r"(?:\\+[rn]|[\r\n])"
JOINT_GATE = (
    rf"[A-Za-z0-9_=/+.:@~-]{_QUOTE}[ \t]?(?:{_OPERATOR}[ \t]?)?(?:{_BREAK}+[ \t]*{_OPERATOR}?[ \t]?)?[rbufL]?{_QUOTE}"
    r"[A-Za-z0-9_=/+.:@~-]"
)
RUN_GATES = (_BASE64_OF_ASCII, _BASE64_OF_UTF16, _HEX_OF_ASCII)
ESCAPE_GATES = (
    r"\\x[2-7][0-9a-fA-F]|\\[uU]0*[2-7][0-9a-fA-F]|\\u\{|\\[01][0-7][0-7]|:\\+/\\+/",
    r"%[2-7][0-9a-fA-F]",
    r"(?:\x1b|u001b|x1b|033|\\e)\[[0-9;]*[mK]",
    r"&#[0-9xX]|&(?:commat|quot|lowbar|colon|period|sol|equals|hyphen|amp);",
)

_ESCAPE = re.compile(
    r"(?<=[A-Za-z0-9_=/+.:@~-])(?P<joint>\\{0,3}[\"'`][ \t]{0,2}(?:(?:\+|\.\.?|&|\|\||\\)[ \t]{0,2})?"
    r"(?:(?:\\{1,3}[rn]|[\r\n]){1,2}[ \t]{0,80}(?:\+|\.\.?|&|\|\|)?[ \t]{0,2})?[rbufL]?\\{0,3}[\"'`])"
    r"(?=[A-Za-z0-9_=/+.:@~-])(?!https?:)"
    r"|(?P<ansi>(?:\x1b|\\{1,4}(?:u001b|x1b|033|e))\[[0-9;?]{0,20}[A-Za-z])"
    r"|\\{1,4}(?:u\{(?P<braces>[0-9a-fA-F]{1,6})\}|[uU](?P<unicode>[0-9a-fA-F]{4,8})|x(?P<byte>[0-9a-fA-F]{2})"
    r"|(?P<octal>[01][0-7]{2})|(?P<simple>[nrt\"'/\\]))"
    r"|%(?P<percent>[0-9a-fA-F]{2})"
    r"|(?P<entity>&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]{2,10});)"
)
_SIMPLE = {"n": "\n", "r": "\r", "t": "\t"}
_BASE64 = re.compile(
    r"(?<![A-Za-z0-9+/_-])(?:(?:[A-Za-z0-9+/]{40,120}(?:\\{0,2}\r?\n|(?:\\{1,2}r)?\\{1,2}n)[ \t>+|]{0,12}){1,20000}"
    r"[A-Za-z0-9+/]{0,120}|[A-Za-z0-9+/_-]{16,})={0,2}"
)
_HEX = re.compile(r"(?<![A-Za-z0-9])(?:0[xX])?(?:[0-9a-fA-F]{2}){10,}(?![A-Za-z0-9])")
_NOT_BASE64 = re.compile(r"\\+[rn]|[^A-Za-z0-9+/_-]")
_STRETCH = re.compile(rb"[\t\n\r\x20-\x7e]{%d,}" % _MIN_STRETCH)


class Reading(NamedTuple):
    """A decoded text; character i of it stands in the source from starts[i] to ends[i]."""

    text: str
    starts: list[int]
    ends: list[int]

    def source_span(self, start: int, end: int) -> tuple[int, int]:
        """Returns where a non-empty span of this text stands in the source."""
        return self.starts[start], self.ends[end - 1]


class Run(NamedTuple):
    """A run of base64 or hex, source[start:end], and a text that it holds."""

    start: int
    end: int
    text: str


def windows(text: str) -> Iterator[tuple[int, str]]:
    """Yields lines of about 2,000 characters together with what follows them, so that no joint falls between two.

    A line without end is cut, with more of what follows.
    """
    position = 0
    while position < len(text):
        end = text.find("\n", position + _WINDOW_CHARS, position + _MAX_WINDOW_CHARS) + 1
        overlap = _OVERLAP_CHARS if end else _LONG_OVERLAP_CHARS
        end = end or min(len(text), position + _MAX_WINDOW_CHARS)
        yield position, text[position : end + overlap]
        position = end


def unescaped(text: str) -> Reading | None:
    """Returns the reading with one layer of escapes and joints undone; None where there is nothing to undo."""
    parts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    position = 0
    for match in _ESCAPE.finditer(text):
        start, end = match.span()
        decoded = _decoded(match)
        parts += (text[position:start], decoded)
        starts += (*range(position, start), *[start] * len(decoded))
        ends += (*range(position + 1, start + 1), *[end] * len(decoded))
        position = end
    if not parts:
        return None
    parts.append(text[position:])
    starts += range(position, len(text))
    ends += range(position + 1, len(text) + 1)
    return Reading("".join(parts), starts, ends)


def _decoded(match: re.Match[str]) -> str:
    kind = match.lastgroup or ""
    value = match[kind]
    if kind in ("joint", "ansi"):
        return ""
    if kind == "simple":
        return _SIMPLE.get(value, value)
    if kind == "entity":
        return html.unescape(value)
    code = int(value, 8 if kind == "octal" else 16)
    return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"


def runs(text: str) -> Iterator[Run]:
    """Yields the runs of base64 and hex that hold text, each with what it holds."""
    for match in _BASE64.finditer(text):
        for found in _from_base64(match.group()):
            yield Run(match.start(), match.end(), found)
    for match in _HEX.finditer(text):
        digits = match.group()
        for found in _texts(bytes.fromhex(digits[2:] if digits[1] in "xX" else digits)):
            yield Run(match.start(), match.end(), found)


def _from_base64(run: str) -> Iterator[str]:
    """Yields what a run holds, read from each of its first four characters: a path or a name may stand before it."""
    plain = _NOT_BASE64.sub("", run).replace("-", "+").replace("_", "/")
    for offset in range(4):
        part = plain[offset:]
        part = part[: len(part) - (len(part) % 4 == 1)]
        if len(part) < _MIN_RUN_CHARS:
            return
        try:
            data = base64.b64decode(part + "=" * (-len(part) % 4))
        except binascii.Error:  # pragma: no cover - the alphabet and the padding are ours
            continue
        yield from _texts(data)


def _texts(data: bytes) -> Iterator[str]:
    """Yields the texts in decoded bytes: all of them when they are UTF-8 or UTF-16, else the printable stretches."""
    if data[1:16:2].count(0) >= 4 and not data[0:16:2].count(0):
        yield data[: len(data) // 2 * 2].decode("utf-16-le", "replace")
        return
    stretches = _STRETCH.findall(data)
    if not stretches:
        return
    try:
        yield data.decode("utf-8")
    except UnicodeDecodeError:
        for stretch in stretches:
            yield stretch.decode("ascii")
