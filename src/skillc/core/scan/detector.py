"""What one row of the tables of detectors is: a gate, a pattern, and a test of what it matched.

The pattern finds the exact span. The gate is a fragment for a linear-time engine that decides in one pass whether a
text needs a closer look. A gate must match wherever its pattern does, also in JSON-escaped text (tests hold it to
that), and stay small: long counted repeats make that engine slow. Paper: 5.3, Scanners.
Not here: the rows (core.scan.formats, service_formats, contexts, places, personal), running them (core.scan.detectors).
"""

import re
from collections.abc import Callable
from typing import NamedTuple

Gate = Callable[[str | bytes], bool]  # says in linear time whether something may stand in a text; False is certain


def edge_after(characters: str) -> str:
    """Returns a left edge: none of these characters before it, unless they are the letter of an escape, as in `\\n`.

    A format starts at the start of its run of characters. This keeps every pattern linear.
    """
    return rf"(?:(?<![{characters}])|(?<=\\[nrtbf]))"


EDGE = edge_after("A-Za-z0-9")
EDGE_DASH = edge_after("A-Za-z0-9_-")
# The left edge of a gate: nothing that may be a part of the value, or an escape of JSON.
GATE_EDGE = r"(?:^|[^A-Za-z0-9.-]|\\[nrtbf]|\\u00[0-9a-f][0-9a-f])"


class Detector(NamedTuple):
    """One format. The span is the group `secret` where the pattern has one, else the whole match.

    `accept` decides about a match; without it, everything that is no placeholder counts.
    """

    kind: str
    gate: str
    pattern: str
    accept: Callable[[re.Match[str]], bool] | None = None
    is_multiline: bool = False
    has_prefix: bool = True  # a published prefix or frame; False where only the name beside it tells


class Shape(NamedTuple):
    """One form that only scans of written text look for: a word beside it may prove what its digits do not.

    The span is the group `value`; `accept` decides about a match.
    """

    name: str
    pattern: re.Pattern[str]
    accept: Callable[[re.Match[str]], bool] = lambda match: True
