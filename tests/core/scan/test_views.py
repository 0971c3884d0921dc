"""The decoded view shows what is hidden, line for line."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.core.scan.views import AROUND_CHARS, DECODED, View, _decode_part, decode, views_of


def test_plain_text_has_one_view():
    assert [v.name for v in views_of("plain")] == ["raw"]
    assert [v.name for v in views_of("Grüße, 你好")] == ["raw"]


def test_tags_are_decoded_and_invisible_characters_dropped():
    tagged = "".join(chr(0xE0000 + ord(c)) for c in "secret order")

    assert decode("a" + tagged) == "asecret order"
    assert decode("i\u200bg\u200dn\u00ado\u2060re") == "ignore"
    assert decode("a\u3164b") == "a b"


def test_look_alikes_and_compatibility_forms_are_folded():
    assert decode("Fоrgеt") == "Forget"
    assert decode("𝐅𝐨𝐫𝐠𝐞𝐭") == "Forget"
    assert decode("ﬁx") == "fix"


@given(st.text())
def test_lines_stay_lines(text: str):
    assert decode(text).count("\n") == text.count("\n")


@given(st.text(), st.integers(0, 400))
def test_a_line_decodes_in_parts_to_what_it_decodes_to_at_once(text: str, size: int):
    line = (text.replace("\n", " ") + " \u0435\u0301x\ufb01 ") * (1 + size // 40)

    assert decode(line) == _decode_part(line)


@pytest.mark.parametrize("before", ["", "x" * 5000, "\u0435\u200b " * 900, "\u00e9t\u00e9\n" * 30])
def test_a_place_of_the_decoded_text_is_found_in_the_raw_one(before: str):
    raw = f"{before}f\u200bo\u200br\u200bget it"
    view = next(view for view in views_of(raw) if view.name == DECODED)
    start = view.text.index("forget")
    first, last = view.place(start, start + 6)

    assert decode(raw[first:last]) == "forget"
    assert first == len(before)


def test_marks_without_end_and_many_places_take_time_in_proportion():
    marks = "a" + "\u0301\u0323" * 100_000
    line = "f\u200borget it " * 20_000
    start = time.process_time()
    decode(marks)
    view = next(view for view in views_of(line) if view.name == DECODED)
    assert all(raw < end for raw, end in (view.place(at, at + 6) for at in range(0, len(view.text) - 10, 10)))
    assert time.process_time() - start < 15


FILLER = "Read the log of the run and sort it by day.\n" * 400


def decoded_view(raw: str) -> View:
    return next(view for view in views_of(raw) if view.name == DECODED)


@pytest.mark.parametrize("filler", [FILLER, FILLER.replace("\n", " "), "x" * len(FILLER)])
def test_a_large_text_is_read_decoded_around_what_decoding_changes(filler: str):
    raw = f"{filler * 6}f\u200borget it{filler * 6}f\u200borget all{filler * 6}"
    view = decoded_view(raw)

    assert len(view.text) < len(raw) / 4
    for words in ("forget it", "forget all"):
        start = view.text.index(words)
        first, last = view.place(start, start + len(words))
        assert decode(raw[first:last]) == words
        assert view.text[start - AROUND_CHARS : start] in decode(raw)
        assert view.text[start : start + AROUND_CHARS] in decode(raw)


def test_a_text_that_is_not_large_is_read_decoded_as_a_whole():
    raw = f"{FILLER * 2}f\u200borget it\n{FILLER}"

    assert len(raw) > 2 * AROUND_CHARS
    assert decoded_view(raw).text == decode(raw)


def test_code_of_a_large_text_is_read_decoded_from_its_fence_on():
    raw = f"{FILLER * 4}```bash\n{FILLER}r\u200bm -rf /\n```\n{FILLER * 4}"
    view = decoded_view(raw)

    assert view.text.startswith("```bash\n")
    assert "rm -rf /\n```\n" in view.text
    start = view.text.index("rm -rf")
    assert decode(raw[slice(*view.place(start, start + 6))]) == "rm -rf"


def test_changes_all_over_a_large_text_leave_it_whole():
    raw = "f\u200borget it " * 20_000

    assert decoded_view(raw).text == decode(raw)
