"""A decoder's readings of a text, each character with its place in the source."""

import base64
import json
import time
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillc.core.scan.detectors import gate, gate_of_all
from skillc.core.scan.encodings import JOINT_GATE, RUN_GATES, runs, unescaped, windows

TEXT = "the key is Zx9-plain and more of it"


def held(text: str) -> list[str]:
    return [run.text for run in runs(text)]


@pytest.mark.parametrize("before", ["", "data:text/plain;base64,", "key=", "/tmp/a/", '"'])
def test_a_run_of_base64_is_read_whatever_stands_before_it(before: str):
    assert any(TEXT in text for text in held(before + base64.b64encode(TEXT.encode()).decode()))


def test_a_run_over_lines_is_one_run():
    encoded = base64.encodebytes((TEXT * 9).encode()).decode()

    assert any(TEXT * 9 in text for text in held(encoded))
    assert any(TEXT * 9 in text for text in held(encoded.replace("\n", "\r\n")))
    assert any(TEXT * 9 in text for text in held(json.dumps(encoded))), "and where its line ends are escaped"


def test_utf16_and_hex_are_read():
    assert TEXT in held(base64.b64encode(TEXT.encode("utf-16-le")).decode())
    assert TEXT in held(TEXT.encode().hex())
    assert TEXT in held("0x" + TEXT.encode().hex().upper())


def test_text_inside_binary_is_read():
    data = b"\x89PNG\xff\xfe\x00" + TEXT.encode() + b"\x00\xff\x9c"

    assert TEXT in held(base64.b64encode(data).decode())


@pytest.mark.parametrize(
    "text", ["plain words and no more", "3f8a" * 8, "x" * 5000, base64.b64encode(bytes(range(128, 256))).decode()]
)
def test_what_holds_no_text_is_no_run(text: str):
    assert [found for found in held(text) if "a" in found] == []


@pytest.mark.parametrize(
    "encoded",
    [
        quote(TEXT, safe=""),
        "".join(f"%{ord(c):02x}" for c in TEXT),
        "".join(f"&#{ord(c)};" for c in TEXT),
        "".join(f"&#x{ord(c):x};" for c in TEXT),
        "".join(f"\\x{ord(c):02x}" for c in TEXT),
        "".join(f"\\u{ord(c):04x}" for c in TEXT),
        "".join(f"\\u{{{ord(c):x}}}" for c in TEXT),
        "".join(f"\\{ord(c):03o}" for c in TEXT),
        TEXT.replace("Zx9", 'Z" + "x" +\n   "9'),
        TEXT.replace("Zx9", "Z'\"x\"'9"),
        TEXT.replace("Zx9", 'Zx"\n  "9'),
        TEXT.replace("Zx9", 'Z" . "x9'),
        TEXT.replace("Zx9", 'Zx" & "9'),
        TEXT.replace("Zx9", 'Zx\\" + \\"9'),
    ],
)
def test_escapes_and_joints_are_undone(encoded: str):
    reading = unescaped(encoded)

    assert reading is not None
    assert reading.text == TEXT


def test_a_text_without_escapes_has_no_reading():
    assert unescaped(TEXT) is None
    assert unescaped('say "hi", then ""') is None


@given(st.text(max_size=60), st.integers(0, 60), st.integers(1, 20))
def test_every_part_of_a_reading_has_its_place_in_the_source(text: str, start: int, size: int):
    reading = unescaped(quote(text, safe="") + 'a" + "b')
    assert reading is not None
    source = quote(text, safe="") + 'a" + "b'
    assert len(reading.text) == len(reading.starts) == len(reading.ends)
    if start + size <= len(reading.text):
        first, last = reading.source_span(start, start + size)
        assert 0 <= first < last <= len(source)
        part = source[first:last]
        again = unescaped(part)
        if text.isascii():
            assert (again.text if again else part) == reading.text[start : start + size]


@given(st.text(alphabet="ab\n", max_size=60), st.integers(1, 900))
def test_windows_cover_a_text_and_every_joint_in_it(text: str, times: int):
    text *= times
    covered = 0
    for offset, window in windows(text):
        assert offset <= covered
        assert text[offset : offset + len(window)] == window
        assert len(window) <= 16384 + 4096
        covered = offset + len(window)
    assert covered == len(text)


@settings(max_examples=200)
@given(
    st.binary(max_size=3),
    st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=126), min_size=20, max_size=60),
)
def test_the_gate_never_hides_a_run(before: bytes, text: str):
    may_hold_run = gate_of_all(RUN_GATES)
    assert may_hold_run(base64.b64encode(before + text.encode()).decode())
    assert may_hold_run(base64.urlsafe_b64encode(before + text.encode()).decode())
    assert may_hold_run(text.encode().hex())
    assert may_hold_run(base64.b64encode(text.encode("utf-16-le")).decode())


@given(st.sampled_from(['a" + "b', "a'\n   'b", "a\"'b'", 'a" .\n  "b', 'a" "b']))
def test_the_gate_never_hides_a_joint(text: str):
    assert gate(JOINT_GATE)(text)
    assert gate(JOINT_GATE)(json.dumps(text))


@pytest.mark.parametrize("part", ["%41", "&#65;", "QUFB", "4141", "\\x41", "a'+'", "A" * 76 + "\n", "\\u0041"])
def test_hostile_texts_are_read_in_linear_time(part: str):
    def seconds(count: int) -> float:
        text = part * (count // len(part))
        begin = time.process_time()
        unescaped(text)
        list(runs(text))
        return time.process_time() - begin

    small = max(min(seconds(20_000) for _ in range(3)), 0.002)
    assert seconds(200_000) < small * 40
