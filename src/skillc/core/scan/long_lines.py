"""Long lines: where a pattern matches in a line or a piece that is too long to be tried as one.

A gate passes for a long text nearly always, so the text is cut into windows, the gate is asked of each, and the
pattern is tried only where it passes. A window ends at a blank, and sees some way into the next one: no value is cut.
Paper: 5.3, Scanners. Not here: the gates and patterns (core.scan.detectors, core.scan.shapes, core.scan.persons).
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from skillc.core.scan.detector import Gate

_LARGE_CHARS = 8192
WORDS_CHARS = 256  # a window for a pattern that matches within a word: it sees nothing of the next one
_LOOK_CHARS = 64  # what a pattern or its gate looks at before and after a match


class _Window(NamedTuple):
    """What begins from `start` on and before `stop` is looked for as far as `end`."""

    start: int
    stop: int
    end: int


def matches_in(
    pattern: re.Pattern[str], may_match: Gate, text: str, reach: int, *, in_words: bool = False
) -> Iterator[re.Match[str]]:
    """Yields the matches of a pattern that do not overlap, in order, in time that grows with the text.

    Args:
        may_match: passes wherever the pattern matches, in a part of the text too.
        reach: a window has at least so many characters, and sees so many of the next one. A match that reaches the
            end of what its window sees is looked at again with the rest of the text.
        in_words: no match holds a blank (core.scan.extents), so that a window which ends at one needs no reach.
    """
    if len(text) <= 2 * (WORDS_CHARS if in_words else reach):
        yield from pattern.finditer(text)
        return
    at = 0
    for start, stop, end in _joined(_passing(may_match, text, reach, in_words)):
        at = max(start, at)
        while at < stop and (match := pattern.search(text, at, end)) and match.start() < stop:
            at = max(match.end(), match.start() + 1)
            if match.end() + _LOOK_CHARS > end and end < len(text):
                whole = pattern.match(text, match.start())
                at = whole.end() if whole else match.start() + 1
                match = whole
            if match:
                yield match


def _passing(may_match: Gate, text: str, reach: int, in_words: bool) -> Iterator[_Window]:
    """Yields the windows for which a gate passes; in a very long text large ones are asked first."""
    size = min(reach, WORDS_CHARS) if in_words else reach
    for large in _windows(text, 0, len(text), _LARGE_CHARS, reach, in_words):
        if may_match(text[max(0, large.start - _LOOK_CHARS) : large.end]):
            for window in _windows(text, large.start, large.stop, size, reach, in_words):
                if may_match(text[max(0, window.start - _LOOK_CHARS) : window.end]):
                    yield window


def _windows(text: str, first: int, last: int, size: int, reach: int, in_words: bool) -> Iterator[_Window]:
    while first < last:
        stop = min(_next_blank(text, first + size), last)
        is_enough = in_words and text.startswith(" ", stop)
        yield _Window(first, stop, stop + _LOOK_CHARS if is_enough else _next_blank(text, stop + reach))
        first = stop


def _next_blank(text: str, at: int) -> int:
    """Returns where the next blank stands, or the last place that is near enough."""
    most = min(at + _LARGE_CHARS, len(text))
    found = text.find(" ", at, most)
    return most if found < 0 else found


def _joined(windows: Iterator[_Window]) -> Iterator[_Window]:
    """Yields windows; those that follow each other are one, but never a very large one."""
    held: _Window | None = None
    for window in windows:
        if held is not None and held.stop == window.start and window.stop - held.start <= _LARGE_CHARS:
            window = window._replace(start=held.start)
        elif held is not None:
            yield held
        held = window
    if held is not None:
        yield held
