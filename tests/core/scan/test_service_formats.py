"""The formats of services by prefix: each row is whole, and its beginning lets its pattern through."""

import re

import pytest

from skillc.core.scan.detectors import gate
from skillc.core.scan.service_formats import PAYMENT, PLATFORM, SERVICE, gate_of, pattern_of

ROWS = [*PLATFORM, *SERVICE, *PAYMENT]


@pytest.mark.parametrize(("begin", "pattern"), ROWS)
def test_every_row_can_be_read_by_both_engines(begin: str, pattern: str):
    re.compile(pattern)
    assert not gate(begin)("nothing of the kind")


def test_no_format_stands_twice():
    assert len(ROWS) > 50
    assert len({pattern for _, pattern in ROWS}) == len(ROWS)


@pytest.mark.parametrize("rows", [PLATFORM, SERVICE, PAYMENT])
def test_gate_and_pattern_of_rows_are_one_alternative_each(rows: tuple[tuple[str, str], ...]):
    assert gate_of(rows).count("|") >= len(rows) - 1
    assert re.compile(pattern_of(rows, r"(?<![A-Za-z0-9])"))
