"""Phrases: a rule whose hits are words of a sentence, found over line breaks and markup.

In a phrase a blank stands for any blanks, line breaks and marks of emphasis. All phrases of all rules stand in one
table; a piece of text is read once for all of them, and tried only for those that its words call for
(core.scan.word_index). Patterns are compiled when they are first tried. Long blocks are read in overlapping pieces, so
the time grows with the text. Paper: 5.3, Scanners.
Not here: the phrases themselves (core.scan.rules), who speaks (core.scan.polarity).
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from skillc.core.scan.blocks import Block, BlockKind, blocks_of, pieces_of
from skillc.core.scan.finding import Severity
from skillc.core.scan.linear import as_gates_read, gate_of, may_match
from skillc.core.scan.literals import words_of
from skillc.core.scan.polarity import is_order, sentence_around
from skillc.core.scan.rule import Find, Hit
from skillc.core.scan.views import View
from skillc.core.scan.word_index import WordIndex

PIECES_TOGETHER = 512
_BLANK = r"[\s*_]{1,24}"
_CLASS_OR_BLANK = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]| \??", re.DOTALL)
_BLANKS = {" ": _BLANK, " ?": r"[\s*_]{0,24}"}

Test = Callable[[Block, re.Match[str]], bool]


class Phrase(NamedTuple):
    """One pattern. `beside` must stand in the same sentence; `kinds` limits it to some blocks; `accept` decides.

    `words` are whole words one of which a match needs, where the pattern's own pieces are too short to tell.
    """

    source: str
    severity: Severity | None = None
    kinds: frozenset[BlockKind] | None = None
    accept: Test | None = None
    beside: tuple[str, ...] = ()
    words: tuple[str, ...] = ()


def phrase(
    source: str,
    severity: Severity | None = None,
    *,
    kinds: Iterable[BlockKind] | None = None,
    accept: Test | None = None,
    words: str = "",
) -> Phrase:
    """Returns a phrase, in any case; a blank in `source` matches any blanks, line breaks and marks of emphasis."""
    blocks = frozenset(kinds) if kinds is not None else None
    return Phrase(_with_blanks(source), severity, blocks, accept, words=tuple(words.split()))


def together(
    first: str,
    *others: str,
    severity: Severity | None = None,
    kinds: Iterable[BlockKind] | None = None,
    accept: Test | None = None,
) -> Phrase:
    """Returns a phrase for ideas that stand in one sentence in any order; the hit is where the first one stands."""
    found = phrase(first, severity, kinds=kinds, accept=accept)
    return found._replace(beside=tuple(_with_blanks(other) for other in others))


def finder(phrases: Iterable[Phrase], *, any_polarity: bool = False) -> Find:
    """Returns what yields the hits of phrases in a view; what a text forbids, quotes or describes is none.

    Args:
        any_polarity: yields also what is forbidden or quoted: a compiled Skill quotes what a tool said, not a warning.
    """
    numbers = [_TABLE.add(item) for item in phrases]
    any_of = frozenset(numbers)

    def find(view: View) -> Iterator[Hit]:
        found = _matches(view.text, view.path)
        for number in numbers if not any_of.isdisjoint(found) else ():
            for match in found.get(number, ()):
                block = match.block
                if any_polarity or is_order(block, match.start, match.end):
                    severity = _TABLE.phrases[number].severity
                    yield Hit(block.start + match.start, block.start + match.end, severity=severity)

    return find


class _Match(NamedTuple):
    block: Block
    start: int
    end: int


class _Table:
    """All phrases, numbered, and the words that they need."""

    def __init__(self) -> None:
        self.phrases: list[Phrase] = []
        self.index = WordIndex()
        self._indexed = 0

    def add(self, item: Phrase) -> int:
        if item in self.phrases:
            return self.phrases.index(item)
        self.phrases.append(item)
        return len(self.phrases) - 1

    def prepare(self) -> None:
        """Reads which words the phrases need that were added since the last time."""
        for number in range(self._indexed, len(self.phrases)):
            item = self.phrases[number]
            self.index.add(number, item.source, item.beside, item.words)
        self._indexed = len(self.phrases)


_TABLE = _Table()


class _Piece(NamedTuple):
    """A piece of a block, as it is and as gates read it."""

    block: Block
    offset: int
    text: str
    read: str
    is_wide: bool


@lru_cache(maxsize=16)
def _matches(text: str, path: str = "") -> dict[int, list[_Match]]:
    """Returns for each phrase where a text holds it, in whatever polarity."""
    _TABLE.prepare()
    found: dict[int, list[_Match]] = defaultdict(list)
    pieces = _pieces(text, path)
    while some := tuple(islice(pieces, PIECES_TOGETHER)):
        called_for = _TABLE.index.called_for([words_of(piece.text) for piece in some])
        for number, places in called_for.items():
            if matches := list(_in_pieces(_TABLE.phrases[number], [some[place] for place in places])):
                found[number] += matches
    return found


def _pieces(text: str, path: str) -> Iterator[_Piece]:
    for block in blocks_of(text, path):
        for offset, piece in pieces_of(block.text):
            yield _Piece(block, offset, piece, as_gates_read(piece), not piece.isascii())


def _in_pieces(item: Phrase, pieces: Iterable[_Piece]) -> Iterator[_Match]:
    """Yields the matches of a phrase, which is tried on all pieces in a row where its kinds and its gate let it."""
    for piece in pieces:
        if item.kinds is not None and piece.block.kind not in item.kinds:
            continue
        if gate_of(item.source, piece.is_wide)(piece.read):
            yield from _tried(item, piece.block, piece.offset, piece.text)


def _tried(item: Phrase, block: Block, offset: int, piece: str) -> Iterator[_Match]:
    for match in _compiled(item.source).finditer(piece):
        start, end = match.start() + offset, match.end() + offset
        if item.accept is not None and not item.accept(block._replace(text=piece) if offset else block, match):
            continue
        if item.beside:
            sentence = sentence_around(block.text, start, end)
            if not all(may_match(other, sentence) and _compiled(other).search(sentence) for other in item.beside):
                continue
        yield _Match(block, start, end)


def _with_blanks(source: str) -> str:
    """Returns a pattern with its blanks widened; those inside a class of characters stay."""
    return _CLASS_OR_BLANK.sub(lambda match: _BLANKS.get(match.group(), match.group()), source)


@lru_cache(maxsize=4096)
def _compiled(source: str) -> re.Pattern[str]:
    return re.compile(source, re.IGNORECASE)
