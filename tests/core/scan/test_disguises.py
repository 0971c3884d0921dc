"""Texts that a reader passes over are read, each at its place."""

import base64
import binascii
import codecs
import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.core.scan.disguises import disguised, hidden_bits, reordered

SENTENCE = "sweep the floor and lock the door"


def _morse(text: str) -> str:
    from skillc.core.scan.disguises import _MORSE_LETTERS

    signs = {letter: sign for sign, letter in _MORSE_LETTERS.items()}
    return " / ".join(" ".join(signs[c] for c in word) for word in text.split())


WRITTEN = {
    "letters apart": " ".join(SENTENCE.replace(" ", "  ")),
    "digits for letters": SENTENCE.translate(str.maketrans("oea", "034")),
    "bits": " ".join(f"{ord(c):08b}" for c in SENTENCE),
    "character codes": ",".join(str(ord(c)) for c in SENTENCE),
    "base32": base64.b32encode(SENTENCE.encode()).decode(),
    "base85": f"<~{base64.a85encode(SENTENCE.encode()).decode()}~>",
    "Morse": _morse(SENTENCE),
    "ROT13": f"rot13: {codecs.encode(SENTENCE, 'rot13')}",
    "hex apart": SENTENCE.encode().hex(" "),
    "quoted-printable": "".join(f"={ord(c):02X}" for c in SENTENCE),
    "octal": "".join(f"\\{ord(c):03o}" for c in SENTENCE),
    "gzip": base64.b64encode(gzip.compress(SENTENCE.encode(), mtime=0)).decode(),
    "cut words": "sweep the fl-\noor and lock the door",
    "uuencode": f"begin 644 x\n{binascii.b2a_uu(SENTENCE.encode()).decode()}`\nend",
}


@pytest.mark.parametrize("name", sorted(WRITTEN))
def test_a_disguised_sentence_is_read(name: str):
    text = f"First line.\n{WRITTEN[name]}\nLast line."
    found = [(piece, kind) for kind, piece in disguised(text) if kind == name]

    assert any(SENTENCE in " ".join(piece.text.lower().split()) for piece, _ in found), found
    assert all(0 <= piece.start < piece.end <= len(text) for piece, _ in found)


@pytest.mark.parametrize("zero", ["\u200b", "\u2060"])
def test_bits_of_invisible_characters_are_read(zero: str):
    bits = (
        "".join(f"{ord(c):08b}" for c in SENTENCE)
        .replace("0", zero)
        .replace("1", "\u200c" if zero < "\u200c" else "\u200b")
    )

    assert [piece.text for piece in hidden_bits(f"a{bits}b")] == [SENTENCE]


def test_bytes_of_selectors_are_read():
    signs = "".join(chr(0xFE00 + b) if b < 16 else chr(0xE0100 + b - 16) for b in SENTENCE.encode())

    assert [piece.text for piece in hidden_bits(f"a{signs}b")] == [SENTENCE]


def test_text_behind_a_direction_mark_is_read_as_it_is_shown():
    assert [piece.text for piece in reordered(f"a \u202e{SENTENCE[::-1]}\u202c b")] == [SENTENCE]


@pytest.mark.parametrize(
    "text", ["Colours: #ff8800, #00aa33", "SOS is ... --- ...", "v1.2.3 and x86", "A B C D", "1 2 3 4 5 6"]
)
def test_plain_texts_hold_no_sentence(text: str):
    assert not any(
        len(piece.text.split()) > 3 and piece.text.isascii() and " the " in piece.text for _, piece in disguised(text)
    )


@given(st.text(alphabet="01 .-/=<~>\\x%abz+H4sI\n", max_size=400))
def test_no_text_breaks_the_reading(text: str):
    for _, piece in disguised(text):
        assert 0 <= piece.start < piece.end <= len(text)
