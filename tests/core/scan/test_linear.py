"""A gate passes wherever its pattern matches, and decides hostile texts in one pass."""

import re
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic_core import SchemaError

from skillc.core.scan import phrases, rules
from skillc.core.scan.detectors import gate
from skillc.core.scan.linear import loosened, may_match


def sources() -> list[str]:
    assert rules.RULES
    return [source for item in phrases._TABLE.phrases for source in (item.source, *item.beside)]


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"\bsweep\b", "please SWEEP it"),
        (r"\bsweep (?!not)\w{3,9}\b", "sweep floors"),
        (r"(?<=x)y(?=(?:a|(?:b|c))d)", "xybd"),
        (r"floor$", "the floor\n"),
        (r"floor\Z", "the floor"),
        (r"[^\s<[&-]{2,4}-x", "ab-x"),
        (r"[]a]b", "]b"),
        (r"a\sb", "a\x1cb"),
        (r"\w+ caf\u00e9", "\u00b2\u00b3 CAF\u00c9"),
        (r"\bignore\b", "\u2014 ignore\u0301 it"),
        (r"\bignore\b", "ignore\u200dit"),
        (r"\<b\>", "<b>"),
        (r"[\b]x", "\bx"),
        (r"x{2}y{0,3}z{1,}", "xxz"),
    ],
)
def test_a_gate_passes_where_its_pattern_matches(pattern: str, text: str):
    assert re.search(pattern, text, re.IGNORECASE)
    assert may_match(pattern, text)
    assert may_match(pattern, "\u2014\n" + text)


@pytest.mark.parametrize(("pattern", "text"), [(r"\bsweep\b", "sweeper"), (r"a.{1,3}z", "the end"), (r"[0-9]{3}", "x")])
def test_a_gate_does_not_pass_everything(pattern: str, text: str):
    assert not may_match(pattern, text)


def test_a_pattern_that_the_engine_cannot_read_always_passes():
    assert may_match(r"(a)?(?(1)b|c)", "nothing")


def test_what_an_earlier_group_matched_is_any_text_for_a_gate():
    assert may_match(r"(a|b)x\1", "bxb")
    assert not may_match(r"(a|b)x\1", "nothing")


def test_every_phrase_has_a_gate():
    unread = []
    for source in sources():
        for wide in (False, True):
            try:
                gate(loosened(source, wide=wide))
            except SchemaError:
                unread.append(source)
    assert unread == []


@pytest.mark.parametrize("number", range(0, 500, 17))
def test_every_text_that_a_phrase_matches_passes_its_gate(number: int):
    """Texts made from the phrase itself, plain ones and ones with characters of every script."""
    sourced = sources()
    if number >= len(sourced):
        pytest.skip("there are fewer phrases")
    pattern = re.compile(sourced[number], re.IGNORECASE)

    @settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
    @given(st.from_regex(pattern), st.booleans())
    def check(text: str, is_plain: bool) -> None:
        text = text.encode("ascii", "replace").decode() if is_plain else text
        if pattern.search(text):
            assert may_match(pattern.pattern, text)

    check()


def test_a_gate_takes_time_in_proportion_to_the_text():
    pattern = r"\bsend\b[^\n]{0,200}?\bkey\b[^\n]{0,200}?\bto\b[^\n]{0,200}?\bhost\b"
    texts = ["send key to " * (size // 12) for size in (20_000, 200_000)]
    may_match(pattern, texts[0])
    times = []
    for text in texts:
        start = time.process_time()
        assert not may_match(pattern, text)
        times.append(time.process_time() - start)
    assert times[1] < max(40 * times[0], 0.5)
