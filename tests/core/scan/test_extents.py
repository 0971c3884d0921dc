"""What a pattern's matches hold or never hold, as its source tells it."""

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skillc.core.scan import case_ids, personal_numbers
from skillc.core.scan.detectors import DETECTORS, PERSONAL, PLACES
from skillc.core.scan.extents import has_digit, is_one_word
from skillc.core.scan.rules import instance_id

SHAPES = (*personal_numbers.SHAPES, *instance_id._SHAPES, *case_ids.SHAPES)
PATTERNS = sorted(
    {shape.pattern.pattern for shape in SHAPES} | {row.pattern for row in (*DETECTORS, *PLACES, *PERSONAL)}
)
PLAIN = st.characters(min_codepoint=32, max_codepoint=126)


@pytest.mark.parametrize(
    "pattern",
    ["a", "[a-z]+", r"[^ ]x", r"\w{2,}\d", "(?:a|b|)c", r"(?<! )a(?! )", "(?>a)", r"(a)\1", "a*+b", "a(?=[a-z]*7)"],
)
def test_a_pattern_without_a_blank_is_one_word(pattern: str):
    assert is_one_word(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        "a b",
        "a.b",
        r"\s",
        r"\W",
        r"\D",
        "[^a]",
        "[!-~ ]",
        "[ -z]",
        "(?:a|b c)",
        "(?:a ?)+",
        "a(?=[^,]{0,17},)",
        "a(?!.*b)",
    ],
)
def test_a_pattern_that_may_hold_a_blank_or_looks_far_over_one_is_none(pattern: str):
    assert not is_one_word(pattern)


@pytest.mark.parametrize("pattern", ["7", r"a\d", "[0-9]b", r"[\d5]", "(?:1|a2)", "(?:x3)+", "(?>4)"])
def test_a_digit_that_every_way_holds_is_told(pattern: str):
    assert has_digit(pattern)


@pytest.mark.parametrize("pattern", ["a", r"\w", r"\d?", r"[\da]", "[^0-9]", "(?:1|a)", "(?=1)a", "[/-9]", "(?:x3)*"])
def test_a_digit_that_a_match_may_lack_is_not_told(pattern: str):
    assert not has_digit(pattern)


@pytest.mark.parametrize("number", [n for n, pattern in enumerate(PATTERNS) if is_one_word(pattern)])
def test_no_match_of_a_pattern_of_one_word_holds_a_blank(number: int):
    pattern = re.compile(PATTERNS[number])

    @settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
    @given(st.from_regex(pattern, alphabet=PLAIN))
    def check(text: str) -> None:
        for match in pattern.finditer(text):
            assert " " not in match.group()
            assert not has_digit(PATTERNS[number]) or re.search(r"\d", match.group())

    check()
