"""A first look at the events of a Trace: what in them gives an agent orders, at the price of a few literals.

Capture takes every session of a project, so it cannot run all rules over all of it. A line is first asked for one of
a few words and signs that such orders rarely do without; only what stands around them is scanned, and only for
injection, concealment, exfiltration and hidden text. It finds less than a scan of the Trace and says nothing of the
rest. Paper: 5.3. Not here: whole scans (core.scan.scanner), reading Traces (lifecycle.first_look).
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from pydantic_core import from_json

from skillc.core.record import strings_in
from skillc.core.scan.detectors import gate

FAMILIES = frozenset({"injection", "concealment", "exfiltration", "hidden text"})
AROUND_CHARS = 200
MAX_WINDOWS = 12  # of one event
MAX_WINDOW_CHARS = 2_000
_WORDS = (
    r"instructions|system prompt|disregard|tell the user|inform the user|mention this|mention it|the user about"
    r"|telling the user|exfiltrat|no restrictions|developer mode|<system|\[INST|<\|im_|hidden from|any ai |ai assistant"
    r"|ai agent|attention[ :]+(?:ai|llm|agent)"
)
_SIGNS = "[\u200b-\u200d\u202a-\u202e\u2060-\u2064\u2066-\u2069\U000e0020-\U000e007f\U000e0100-\U000e01ef]"
_UNTRUSTED = b'"untrusted":true'


class SeenOrder(NamedTuple):
    """An event whose untrusted text the scanner would block, and the rules that say so."""

    event_id: str
    rules: tuple[str, ...]


def may_hold_order(data: bytes) -> bool:
    """Says in linear time whether lines of a Trace may hold an order; False ends the first look."""
    return _gate()(data)


def order_in(line: bytes) -> SeenOrder | None:
    """Returns what an event line holds, None for nothing that blocks and for text that the user or the agent wrote."""
    if _UNTRUSTED not in line or not may_hold_order(line):
        return None
    event = from_json(line)
    rules: dict[str, None] = {}
    for text in strings_in([event.get("text"), event.get("arguments")]):
        for window in _windows(text):
            rules.update(dict.fromkeys(_blocking(window)))
    return SeenOrder(str(event.get("id")), tuple(rules)) if rules else None


def _windows(text: str) -> Iterator[str]:
    """Yields what stands around the words and signs, overlapping parts as one."""
    start = end = -1
    count = 0
    for match in _marks().finditer(text):
        if end < 0 or match.start() - AROUND_CHARS > end:
            if end >= 0:
                yield text[start:end]
                count += 1
            if count == MAX_WINDOWS:
                return
            start = max(0, match.start() - AROUND_CHARS)
        end = min(match.end() + AROUND_CHARS, start + MAX_WINDOW_CHARS)
    if end >= 0:
        yield text[start:end]


def _blocking(text: str) -> Iterator[str]:
    from skillc.core.scan.finding import Severity
    from skillc.core.scan.scanner import scan_text  # loads every rule: most Traces hold no such word

    for finding in scan_text(text, path="event"):
        if finding.severity is Severity.BLOCK and finding.rule in _rules():
            yield finding.rule


@cache
def _rules() -> frozenset[str]:
    from skillc.core.scan.rules import RULES

    return frozenset(rule.id for rule in RULES if rule.family in FAMILIES)


@cache
def _gate() -> Callable[[str | bytes], bool]:
    return gate(f"(?i:{_WORDS})|{_SIGNS}")


@cache
def _marks() -> re.Pattern[str]:
    return re.compile(f"(?i:{_WORDS})|{_SIGNS}")
