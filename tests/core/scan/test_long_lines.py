"""In a long text a pattern matches what it matches in a short one, tried in few places, in linear time."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillc.core.scan.detectors import gate_for
from skillc.core.scan.long_lines import matches_in

KEY = re.compile(r"(?<![\w-])key-[a-z0-9]{3,20000}(?![\w-])")
WORDS = re.compile(r"\bsend [^.]{0,40}? away\b")
PARTS = (
    "so it goes on ",
    "x" * 700 + " ",
    "key-",
    "key-a1b2 ",
    "key-" + "9" * 3000 + " ",
    "send it away ",
    "send ",
    "away. ",
)


def spans(pattern: re.Pattern[str], text: str, reach: int = 64) -> list[tuple[int, int]]:
    return [match.span() for match in matches_in(pattern, gate_for(pattern), text, reach)]


@pytest.mark.parametrize("pattern", [KEY, WORDS])
@settings(max_examples=150, deadline=None)
@given(parts=st.lists(st.sampled_from(PARTS), max_size=60))
def test_a_long_text_gives_what_one_search_of_it_gives(pattern: re.Pattern[str], parts: list[str]):
    text = "".join(parts)

    assert spans(pattern, text) == [match.span() for match in pattern.finditer(text)]


@settings(max_examples=150, deadline=None)
@given(parts=st.lists(st.sampled_from((*PARTS, "and ", "as it was before " * 20)), max_size=80))
def test_a_pattern_that_matches_within_a_word_gives_the_same_in_narrow_windows(parts: list[str]):
    text = "".join(parts)
    found = matches_in(KEY, gate_for(KEY), text, 64, in_words=True)

    assert [match.span() for match in found] == [match.span() for match in KEY.finditer(text)]


def test_a_window_of_words_sees_nothing_of_the_next_one():
    asked: list[str] = []
    text = "nothing at all here " * 400

    def gate(part: str | bytes) -> bool:
        asked.append(str(part))
        return len(part) > 4096

    assert list(matches_in(KEY, gate, text, 1024, in_words=True)) == []
    assert sum(len(part) for part in asked if len(part) < 4096) < 2 * len(text)


def test_a_value_that_reaches_over_many_windows_is_whole():
    text = "so it goes " * 40 + "key-" + "a1" * 9000 + " and on" * 40

    assert [text[start:end] for start, end in spans(KEY, text)] == ["key-" + "a1" * 9000]


def test_what_fails_only_behind_its_window_is_no_match_and_hides_none():
    text = "and so on " * 30 + "key-" + "a1" * 9000 + "- key-a1b2 " + "and so on " * 30

    assert [text[start:end] for start, end in spans(KEY, text)] == ["key-a1b2"]


def test_the_pattern_is_tried_only_where_the_gate_passes():
    asked: list[str] = []
    text = "nothing at all here " * 400 + "key-a1b2 " + "nothing at all here " * 400

    class Pattern:
        def search(self, text: str, start: int, end: int) -> re.Match[str] | None:
            asked.append(text[start:end])
            return KEY.search(text, start, end)

    found = list(matches_in(Pattern(), gate_for(KEY), text, 64))  # type: ignore[arg-type]

    assert [match.group() for match in found] == ["key-a1b2"]
    assert sum(map(len, asked)) < len(text) / 20


def test_windows_that_all_pass_cost_time_that_grows_with_the_text():
    """How many characters are searched, so that no clock is asked."""
    searched = 0

    class Pattern:
        def search(self, text: str, start: int, end: int) -> re.Match[str] | None:
            nonlocal searched
            match = KEY.search(text, start, end)
            searched += (match.end() if match else end) - start
            return match

        def match(self, text: str, start: int) -> re.Match[str] | None:
            nonlocal searched
            match = KEY.match(text, start)
            searched += (match.end() if match else len(text)) - start
            return match

    for unit in ("key-a1b2 ", "key-a1b2", "x", "key- "):
        text = unit * (100_000 // len(unit))
        searched = 0
        list(matches_in(Pattern(), lambda part: True, text, 64))  # type: ignore[arg-type]
        assert searched < 4 * len(text), unit
