"""Disguises: texts that a reader passes over and a model can still read, each with its place.

Bits written in zero-width characters or selectors, text that a direction mark shows backwards, and the encodings of
puzzles: letters apart, digits for letters, backwards, bits, character codes, base32, base85, Morse and the like. A gate
decides in linear time whether one is worth trying. Paper: 5.3, Scanners.
Not here: base64, hex and escapes (core.scan.encodings), what is looked for (core.scan.rules).
"""

import base64
import binascii
import codecs
import re
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from skillc.core.scan.detectors import Gate, gate, gate_of_all

MIN_CHARS = 8
MAX_PIECES = 2000
MAX_INFLATED = 200_000
LONG_LINE_CHARS = 4000  # longer than people write


class Piece(NamedTuple):
    """A disguised text: source[start:end] stands for `text`."""

    start: int
    end: int
    text: str


_ZERO_WIDTH = re.compile("[\u200b\u200c\u200d\u2060\u2062\u2063\u2064\ufeff]{16,}")
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{4,}")
_PRIVATE_USE = re.compile("[\ue000-\ue07f]{8,}|[\ue400-\ue47f]{8,}|[\U000f0000-\U000f007f]{8,}")
_BACKWARDS = re.compile("[\u202e\u2067]([^\u202c\u2069\n]{4,4000})[\u202c\u2069\n]?")


def hidden_bits(text: str) -> Iterator[Piece]:
    """Yields the texts that runs of invisible characters hold: two of them as bits, selectors as bytes."""
    if not gate_of_all(pattern.pattern for pattern in (_ZERO_WIDTH, _SELECTORS, _PRIVATE_USE))(text):
        return
    for match in _ZERO_WIDTH.finditer(text):
        signs = sorted(set(match.group()))
        for zero, one in ((signs[0], signs[-1]), (signs[-1], signs[0])) if len(signs) == 2 else ():
            bits = match.group().replace(zero, "0").replace(one, "1")
            if found := _from_bits(bits):
                yield Piece(match.start(), match.end(), found)
                break
    for match in _SELECTORS.finditer(text):
        codes = (ord(c) - 0xFE00 if c < "\uff00" else ord(c) - 0xE0100 + 16 for c in match.group())
        if found := _readable(bytes(codes)):
            yield Piece(match.start(), match.end(), found)
    for match in _PRIVATE_USE.finditer(text):
        if found := _readable(bytes(ord(c) & 0x7F for c in match.group())):
            yield Piece(match.start(), match.end(), found)


def reordered(text: str) -> Iterator[Piece]:
    """Yields what stands behind a mark that turns the direction, as it is shown."""
    for match in _BACKWARDS.finditer(text) if "\u202e" in text or "\u2067" in text else ():
        yield Piece(match.start(1), match.end(1), match[1][::-1])


def _from_bits(bits: str) -> str:
    return _readable(int(bits[: len(bits) // 8 * 8], 2).to_bytes(len(bits) // 8, "big")) if len(bits) >= 16 else ""


def _readable(data: bytes) -> str:
    """Returns bytes as a text when it reads as one: printable ASCII for the most part, else nothing."""
    text = data.decode("utf-8", "ignore")
    printable = sum(c.isprintable() or c in "\n\t" for c in text)
    letters = sum(c.isascii() and (c.isalpha() or c == " ") for c in text)
    return text if len(text) >= 4 and printable == len(text) and letters * 2 >= len(text) else ""


_APART = re.compile(r"(?<![^\s])(?:[A-Za-z0-9](?:[ .\-_*]| {2,6})){4,400}[A-Za-z0-9](?![^\s.,;:!?])")
_BASE58 = re.compile(r"(?<![A-Za-z0-9])[1-9A-HJ-NP-Za-km-z]{24,400}(?![A-Za-z0-9])")
_BASE58_DIGITS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_LEET_WORD = re.compile(
    r"(?<![A-Za-z0-9])(?=[A-Za-z]*[013457@$!])(?=[013457@$!]*[A-Za-z])[A-Za-z013457@$!]{3,24}(?![A-Za-z0-9])"
)
_LEET = str.maketrans("013457@$!", "oieastasi")
# A line, or a part of a long one: what hides in it is about as long as a sentence.
_LINE = re.compile(rf"(?m)^[^\n]{{12,{LONG_LINE_CHARS}}}$|[^\n]{{12,1000}}")
_BITS = re.compile(r"(?<![01])(?:[01]{8}[ ,]{0,2}){5,4000}(?![01])")
_CHR = re.compile(
    r"(?:(?:chr|String\.fromCharCode|char|\[char\])\s?\(?\s?\d{2,3}\s?\)?\s?[+.&,]{0,2}\s?){5,2000}", re.I
)
_CODES = re.compile(
    r"(?<![\d.])(?:(?:3[2-9]|[4-9]\d|1[01]\d|12[0-6])[ ,]{1,3}){9,2000}(?:3[2-9]|[4-9]\d|1[01]\d|12[0-6])(?![\d.])"
)
_BASE32 = re.compile(r"(?<![A-Za-z0-9])[A-Z2-7]{24,4000}={0,6}(?![A-Za-z0-9=])")
_ASCII85 = re.compile(r"<~([!-u\sz]{16,8000})~>")
_BASE85 = re.compile(r"(?<!\S)[0-9A-Za-z!#$%&()*+;<=>?@^_`{|}~-]{24,8000}(?!\S)")
_MORSE = re.compile(r"(?<![.\-\w])(?:[.\-]{1,6}(?: ?/ ?| {1,3})){7,2000}[.\-]{1,6}(?![.\-\w])")
_MORSE_LETTERS = dict(
    zip(
        [
            ".-",
            "-...",
            "-.-.",
            "-..",
            ".",
            "..-.",
            "--.",
            "....",
            "..",
            ".---",
            "-.-",
            ".-..",
            "--",
            "-.",
            "---",
            ".--.",
            "--.-",
            ".-.",
            "...",
            "-",
            "..-",
            "...-",
            ".--",
            "-..-",
            "-.--",
            "--..",
            "-----",
            ".----",
            "..---",
            "...--",
            "....-",
            ".....",
            "-....",
            "--...",
            "---..",
            "----.",
            ".-.-.-",
            "--..--",
            "..--..",
            "-..-.",
            "-....-",
            ".--.-.",
            "---...",
            "..--.-",
        ],
        "abcdefghijklmnopqrstuvwxyz0123456789.,?/-@:_",
        strict=True,
    )
)


def _of_apart(text: str) -> Iterator[Piece]:
    """A line with letters apart, read with them together; where words are apart by more, they stay words."""
    for match in _LINE.finditer(text):
        joined = _APART.sub(lambda m: _together(m.group()), match.group())
        if joined != match.group():
            yield Piece(match.start(), match.end(), joined)


def _together(letters: str) -> str:
    words = re.split(r"[ .\-_*]{2,}", letters)
    return " ".join(re.sub(r"[ .\-_*]", "", word) for word in words)


def _of_leet(text: str) -> Iterator[Piece]:
    """A line with at least three words that have digits for letters."""
    for match in _LINE.finditer(text):
        words = _LEET_WORD.findall(match.group())
        if sum(not word[-1:].isdigit() or sum(c.isdigit() for c in word) > 1 for word in words) >= 3:
            yield Piece(match.start(), match.end(), match.group().translate(_LEET))


def _of_backwards(text: str) -> Iterator[Piece]:
    for match in _LINE.finditer(text):
        if gate(rf"(?i)\b{_BACKWARDS_WORDS}")(match.group()):
            yield Piece(match.start(), match.end(), match.group()[::-1])


def _of_bits(text: str) -> Iterator[Piece]:
    for match in _BITS.finditer(text):
        if found := _from_bits("".join(c for c in match.group() if c in "01")):
            yield Piece(match.start(), match.end(), found)


def _of_codes(text: str) -> Iterator[Piece]:
    for match in _CODES.finditer(text):
        if found := _readable(bytes(int(code) for code in re.findall(r"\d+", match.group()))):
            yield Piece(match.start(), match.end(), found)


def _of_chr(text: str) -> Iterator[Piece]:
    for match in _CHR.finditer(text):
        if found := _readable(bytes(int(code) for code in re.findall(r"\d{2,3}", match.group()) if int(code) < 256)):
            yield Piece(match.start(), match.end(), found)


def _of_base32(text: str) -> Iterator[Piece]:
    for match in _BASE32.finditer(text):
        run = match.group().rstrip("=")
        yield from _decoded(match, base64.b32decode, run + "=" * (-len(run) % 8))


def _of_base85(text: str) -> Iterator[Piece]:
    for match in _ASCII85.finditer(text):
        yield from _decoded(match, base64.a85decode, match[1])
    for match in _BASE85.finditer(text):
        run = match.group().rstrip(".,;:")
        if not run.isalnum():
            yield from _decoded(match, base64.b85decode, run)


def _of_base58(text: str) -> Iterator[Piece]:
    for match in _BASE58.finditer(text):
        number = 0
        for digit in match.group():
            number = number * 58 + _BASE58_DIGITS.index(digit)
        if found := _readable(number.to_bytes((number.bit_length() + 7) // 8, "big")):
            yield Piece(match.start(), match.end(), found)


def _of_morse(text: str) -> Iterator[Piece]:
    for match in _MORSE.finditer(text):
        words = (word.split() for word in match.group().split("/"))
        read = " ".join("".join(_MORSE_LETTERS.get(sign, "") for sign in word) for word in words)
        if len(read) >= MIN_CHARS:
            yield Piece(match.start(), match.end(), read)


def _of_rot13(text: str) -> Iterator[Piece]:
    for match in _LINE.finditer(text):
        yield Piece(match.start(), match.end(), codecs.encode(match.group(), "rot13"))


def _decoded(match: re.Match[str], decode: Callable[[str], bytes], run: str) -> Iterator[Piece]:
    try:
        found = _readable(decode(run))
    except (ValueError, binascii.Error):
        return
    if len(found) >= MIN_CHARS:
        yield Piece(match.start(), match.end(), found)


_HEX_APART = re.compile(
    r"(?<![\w])(?:(?:0x|\\\\x)?[2-7][0-9a-fA-F][ ,:]{1,2}){9,4000}(?:0x|\\\\x)?[2-7][0-9a-fA-F](?!\w)"
)
_QUOTED_PRINTABLE = re.compile(r"(?:=[2-7][0-9A-F]){6,4000}")
_OCTAL = re.compile(r"(?:\\[01][0-7]{2}){6,4000}")
_UTF7 = re.compile(r"\+([A-Za-z0-9/]{2,12})-")
_UU = re.compile(r"(?m)^begin [0-7]{3} \S+\n((?:[!-`][ -`]{0,61}\n){1,400}?)[` ]?\n?end$")
_GZIP = re.compile(r"(?<![A-Za-z0-9+/])H4sI[A-Za-z0-9+/]{20,20000}={0,2}")
_NATO = (
    "alfa alpha bravo charlie delta echo foxtrot golf hotel india juliett juliet kilo lima mike november oscar papa "
    "quebec romeo sierra tango uniform victor whiskey xray x-ray yankee zulu"
)
_NATO_RUN = re.compile(rf"(?i)\b(?:(?:{'|'.join(_NATO.split())})[ ,/-]{{1,3}}){{8,400}}(?:{'|'.join(_NATO.split())})\b")
_HYPHEN = re.compile(r"[^\n]*[A-Za-z]-\n[ \t]*[a-z][^\n]*(?:\n[^\n]+){0,6}")
_ROT47_LINE = re.compile(r"(?i)\b(?:rot-?47|shift\w* by 47)\b[^\n]*")


def _of_hex_apart(text: str) -> Iterator[Piece]:
    for match in _HEX_APART.finditer(text):
        if found := _readable(
            bytes(int(code, 16) for code in re.findall(r"(?:0x|\\x)?([2-7][0-9a-fA-F])", match.group()))
        ):
            yield Piece(match.start(), match.end(), found)


def _of_quoted_printable(text: str) -> Iterator[Piece]:
    for match in _QUOTED_PRINTABLE.finditer(text):
        yield Piece(match.start(), match.end(), bytes.fromhex(match.group().replace("=", "")).decode("latin-1"))


def _of_octal(text: str) -> Iterator[Piece]:
    for match in _OCTAL.finditer(text):
        yield Piece(match.start(), match.end(), "".join(chr(int(code, 8)) for code in match.group().split("\\")[1:]))


def _of_utf7(text: str) -> Iterator[Piece]:
    for match in _LINE.finditer(text):
        if _UTF7.search(match.group()):
            try:
                found = match.group().encode().decode("utf-7")
            except ValueError:
                continue
            if found != match.group():
                yield Piece(match.start(), match.end(), found)


def _of_uuencode(text: str) -> Iterator[Piece]:
    for match in _UU.finditer(text):
        try:
            data = b"".join(binascii.a2b_uu(line.encode()) for line in match[1].splitlines())
        except (ValueError, binascii.Error):
            continue
        yield Piece(match.start(), match.end(), data.decode("utf-8", "replace"))


def _of_gzip(text: str) -> Iterator[Piece]:
    for match in _GZIP.finditer(text):
        run = match.group().rstrip("=")
        try:
            data = zlib.decompressobj(31).decompress(base64.b64decode(run + "=" * (-len(run) % 4)), MAX_INFLATED)
        except (ValueError, zlib.error):
            continue
        yield Piece(match.start(), match.end(), data.decode("utf-8", "replace"))


def _of_nato(text: str) -> Iterator[Piece]:
    for match in _NATO_RUN.finditer(text):
        words = (re.findall(r"[A-Za-z]+(?:-ray)?", word) for word in match.group().split("/"))
        yield Piece(match.start(), match.end(), " ".join("".join(sign[0].lower() for sign in word) for word in words))


def _of_hyphens(text: str) -> Iterator[Piece]:
    """A paragraph whose words are cut at the ends of its lines, with them whole."""
    for match in _HYPHEN.finditer(text):
        yield Piece(match.start(), match.end(), re.sub(r"([A-Za-z])-\n[ \t]*([a-z])", r"\1\2", match.group()))


def _of_rot47(text: str) -> Iterator[Piece]:
    for match in _ROT47_LINE.finditer(text):
        turned = "".join(chr(33 + (ord(c) - 33 + 47) % 94) if "!" <= c <= "~" else c for c in match.group())
        yield Piece(match.start(), match.end(), turned)


_BACKWARDS_WORDS = (
    r"(?:erongi|drager?sid|tegrof|edirrevo|snoitcurtsni|tpmorp|slaitnederc|laitnederc|//:s?ptth|drowssap|daolpu"
    r"|etucexe|etel[e]d|terces|resu eht)"
)


class _Disguise(NamedTuple):
    """A disguise with the gate that says whether it is worth a try; those of one `group` are asked together first."""

    name: str
    gate: str
    find: Callable[[str], Iterator[Piece]]
    group: str


# Together in one automaton stand what it reads at one speed: letters and words, runs of signs, and codes.
_DISGUISES = (
    _Disguise("letters apart", r"(?:^|\s)(?:[A-Za-z0-9][ .\-_*]){4}[A-Za-z0-9](?:$|\s)", _of_apart, "runs"),
    _Disguise(
        "digits for letters",
        r"[A-Za-z][013457@$!]{1,4}[A-Za-z][^\n]{0,80}[A-Za-z][013457@$!]{1,4}[A-Za-z]",
        _of_leet,
        "runs",
    ),
    _Disguise("backwards", rf"(?i){_BACKWARDS_WORDS}", _of_backwards, "words"),
    _Disguise("bits", r"[01]{8}[ ,]?[01]{8}[ ,]?[01]{8}", _of_bits, "codes"),
    _Disguise("character codes", r"(?:[0-9]{2,3}[ ,]{1,3}){9}", _of_codes, "codes"),
    _Disguise(
        "joined characters", r"(?i)(?:chr|fromcharcode|char)\]?\s?\(?\s?[0-9]{2,3}\s?\)?\s?[+.&,]", _of_chr, "codes"
    ),
    _Disguise("base32", r"[A-Z2-7]{24}", _of_base32, "runs"),
    _Disguise("base85", r"<~|(?i:(?:base|ascii|b|a)-?85)", _of_base85, "words"),
    _Disguise("base58", r"(?i)\bbase-?58", _of_base58, "words"),
    _Disguise("Morse", r"(?:[.\-]{1,6}(?: ?/ ?| {1,3})){7}", _of_morse, "runs"),
    _Disguise(
        "ROT13",
        r"(?i)\brot(?:-?13|at[a-z]+ by (?:13|thirteen))\b|\bcaesar|\bshift[a-z]* (?:by|of) (?:13|thirteen)\b",
        _of_rot13,
        "words",
    ),
    _Disguise("ROT47", r"(?i)\brot-?47\b|shift[a-z]* by 47\b", _of_rot47, "words"),
    _Disguise("hex apart", r"(?:[2-7][0-9a-fA-F][ ,:]{1,2}(?:0x|\\x)?){9}", _of_hex_apart, "codes"),
    _Disguise("quoted-printable", r"(?:=[2-7][0-9A-F]){6}", _of_quoted_printable, "codes"),
    _Disguise("octal", r"(?:\\[01][0-7]{2}){6}", _of_octal, "codes"),
    _Disguise("UTF-7", r"\+A[A-Za-z0-9/]{1,11}-", _of_utf7, "codes"),
    _Disguise("uuencode", r"begin [0-7]{3} ", _of_uuencode, "codes"),
    _Disguise("gzip", r"H4sI[A-Za-z0-9+/]{20}", _of_gzip, "codes"),
    _Disguise(
        "spelling alphabet",
        r"(?i)(?:(?:tango|echo|india|november|oscar|romeo|sierra|alfa|alpha|hotel|lima|uniform)[ ,/-]{1,3}){3}",
        _of_nato,
        "words",
    ),
    _Disguise("cut words", r"[a-z]-\n[ \t]*[a-z]", _of_hyphens, "codes"),
)


def disguised(text: str) -> Iterator[tuple[str, Piece]]:
    """Yields the name of a disguise and what it hides, at most 2,000 of each."""
    groups = {name for name, may_hold in _groups().items() if may_hold(text)}
    for disguise in _DISGUISES if groups else ():
        if disguise.group in groups and gate(disguise.gate)(text):
            for count, piece in enumerate(disguise.find(text)):
                if count >= MAX_PIECES:
                    break
                yield disguise.name, piece


@cache
def _groups() -> dict[str, Gate]:
    """Returns for each group the gate of all its disguises, without the edges of words, which it finds slowly."""
    groups: dict[str, list[str]] = {}
    for disguise in _DISGUISES:
        groups.setdefault(disguise.group, []).append(disguise.gate.replace(r"\b", ""))
    return {name: gate_of_all(gates) for name, gates in groups.items()}
