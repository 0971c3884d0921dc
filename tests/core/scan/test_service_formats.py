"""The formats of services by prefix: each row is whole, and its beginning lets its pattern through."""

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skillc.core.scan.detectors import find_spans, gate, gate_text
from skillc.core.scan.service_formats import PAYMENT, PLATFORM, SERVICE, pattern_of

ROWS = [(begin, pattern) for _, begin, pattern in (*PLATFORM, *SERVICE, *PAYMENT)]


@pytest.mark.parametrize(("begin", "pattern"), ROWS)
def test_the_beginning_of_a_row_lets_its_pattern_through(begin: str, pattern: str):
    shortest = re.sub(r"\{(\d+),\d{3,}\}", r"{\1}", pattern)
    whole = re.compile(pattern_of((("x", begin, pattern),), r"(?<![A-Za-z0-9])"))

    @settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
    @given(st.from_regex(shortest, fullmatch=True), st.sampled_from(["{}", " {} ", '"{}"', "\n{}\n", "\u00e9 {}"]))
    def check(token: str, around: str) -> None:
        text = around.format(token)
        assert gate(begin)(text)
        assert gate(begin)(gate_text(text.encode()))
        assert whole.search(text)

    check()
    assert not gate(begin)("nothing of the kind")


@pytest.mark.parametrize(
    "token",
    [
        "re_Ab12Cd34" + "_Ef56Gh78Ij90Kl12Mn34Op56",
        "00aZx9Qw8Er7Ty6Ui5Op4" + "As3Df2Gh1Jk0Lz9Xc8Vb7",
        "live_0f1e2d3c4b5a697" + "88796a5b4c3d2e1f0a",
        "test_pub_0f1e2d3c4b5a697" + "88796a5b4c3d2e1f",
    ],
)
def test_a_token_without_a_telling_prefix_is_found_at_the_start_of_a_text(token: str):
    for text in (token, f'"{token}"', f"\n{token}\n"):
        assert [text[s.start : s.end] for s in find_spans(text)] == [token]


def test_no_format_stands_twice():
    assert len(ROWS) > 50
    assert len({pattern for _, pattern in ROWS}) == len(ROWS)
