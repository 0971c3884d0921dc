# ruff: noqa: E501 - a pattern is one line
"""Blocks: a Markdown text cut into what a reader takes in at once, each with the words that frame it.

A paragraph, a list item, a table row, a fenced piece of code, a field of the frontmatter, or a text that the rendered
page does not show (comments, alternative texts, link titles, styled away). A block's text has the length of its source:
line breaks stay one character, the marks of quotes and comments become blanks, so a phrase is found over line breaks
and an offset needs no table. Paper: 5.3, Scanners.
Not here: whether a framed sentence is an order (core.scan.polarity).
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple


class BlockKind(StrEnum):
    """What a block is."""

    PROSE = "prose"
    ITEM = "item"
    ROW = "row"
    HEADING = "heading"
    CODE = "code"
    FRONTMATTER = "frontmatter"
    HIDDEN = "hidden"


class Block(NamedTuple):
    """One block. `label` is the key of a frontmatter field, the language of code, or where a hidden text stands.

    `heading` is the heading above it, `lead` the paragraph that announces it: before a list, code or a table.
    """

    kind: BlockKind
    start: int
    text: str
    heading: str = ""
    lead: str = ""
    label: str = ""


PIECE_CHARS = 2048
OVERLAP_CHARS = 512
_TEXT_ENDINGS = frozenset(("", "md", "mdx", "markdown", "txt", "rst", "adoc", "skill"))
_HEADING_CHARS = 300  # a heading and a lead frame every hit below them, so they are kept short
_LINE = re.compile(r"[^\n]*(?:\n|$)")
_FENCE = re.compile(r"[ \t>]{0,12}(?:[-*+] {1,4})?(`{3,}|~{3,})[ \t]*([^\n`]{0,80})")
_FENCE_FIRST = frozenset("`~>-*+")
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+([^\n]*)")
_BOLD_HEADING = re.compile(r"[ \t]*(?:\*\*|__)([^\n*_]{2,80}?):?(?:\*\*|__):?[ \t]*$")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,4}[.)])[ \t]+")
_ROW = re.compile(r"[ \t]*\|")
_KEY = re.compile(r"([A-Za-z_][\w-]{0,40})[ \t]*:")
_YAML_COMMENT = re.compile(r"(?m)(?:^|[ \t])#[ \t]*([^\n]{12,2000})$")
_QUOTE_MARK = re.compile(r"(?m)^[ \t]*(?:>[ \t]?)+")
_COMMENT_MARK = re.compile(r"(?m)^[ \t]*(?:#+|//+|--|\*|;|REM\b|<!--|/\*+)[ \t]?")
_HTML_COMMENT = re.compile(r"<!--(.*?)(?:-->|\Z)", re.DOTALL)
# Texts that the page does not show: what each stands in, signs one of which it cannot do without, and its pattern.
_HIDDEN = (
    ("comment", ("]:",), re.compile(r"(?m)^[ \t]*\[[^\]\n]{1,40}\]:[ \t]*(?:#|<>|/{1,2})[ \t]*[(\"']([^\n]{1,4000})[)\"']")),
    ("alternative text", ("![",), re.compile(r"!\[([^\]\n]{1,2000})\]\(")),
    ("link title", ("](",), re.compile(r"\]\([^()\s]{0,2000}[ \t]+[\"']([^\"'\n]{1,2000})[\"'][ \t]*\)")),
    (
        "styled away",
        ("</",),
        re.compile(
            r"(?is)<(\w+)\b[^>]{0,300}(?:display:\s*none|visibility:\s*hidden|opacity:\s*0(?![.\d])|font-size:\s*[01](?:px|pt|em)?\b"
            r"|color[:=]\s*[\"']?(?:white|transparent|#fff(?:fff)?|rgba?\([^)]*,\s*0\))|(?<=\s)hidden(?=\s*>|=[\"'])|size=[\"']?[01][\"'])"
            r"[^>]{0,300}>(?P<text>.{1,4000}?)</\1>"
        ),
    ),
    ("attribute", ("=\"",), re.compile(r"(?i)<\w+\b[^>]{0,300}\b(?:alt|title|aria-label|data-[\w-]+|content)=\"([^\"]{12,2000})\"")),
    ("comment", ("{#", "{{!"), re.compile(r"\{#(.{8,2000}?)#\}|\{\{!--(?P<text>.{8,2000}?)--\}\}", re.DOTALL)),
    ("comment", ("omment", "//", "_note", "__doc__"), re.compile(r"[\"'](?:_?comments?|//|\$comment|_note|__doc__)[\"'][ \t]*:[ \t]*\"([^\"\n]{12,2000})\"")),
    ("footnote", ("[^",), re.compile(r"(?m)^\[\^[^\]\n]{1,40}\]:[ \t]*([^\n]{12,2000})$")),
    ("unseen element", ("</",), re.compile(r"(?is)<(template|noscript|object|desc|metadata|dialog|datalist)\b[^>]{0,300}>(?P<text>.{8,4000}?)</\1>")),
    ("phantom", ("phantom", "color"), re.compile(r"\\(?:[hv]?phantom|color\{white\}|textcolor\{white\})\{([^\n]{1,4000}?)\}(?:\$|$)", re.MULTILINE)),
)  # fmt: skip


def blocks_of(text: str, path: str = "") -> tuple[Block, ...]:
    """Returns the blocks of a text by their start; hidden texts stand in their own blocks, comments only there.

    A file whose name is not that of a text is one piece of code.
    """
    return _blocks(text, code_language(path))


@lru_cache(maxsize=16)
def _blocks(text: str, language: str) -> tuple[Block, ...]:
    if language:
        return (Block(BlockKind.CODE, 0, _without(_COMMENT_MARK, text), label=language),) if text.strip() else ()
    hidden = list(_hidden(text))
    shown = _HTML_COMMENT.sub(lambda match: _blank(match.group()), text) if "<!--" in text else text
    blocks = _Reader(shown).blocks()
    code = [block for block in blocks if block.kind is BlockKind.CODE]
    starts = [block.start for block in code]

    def in_code(at: int) -> bool:
        number = bisect_right(starts, at) - 1
        return number >= 0 and at < code[number].start + len(code[number].text)

    unseen = (block for block in hidden if not in_code(block.start))
    return tuple(sorted((*blocks, *unseen), key=lambda block: block.start))


def pieces_of(text: str) -> Iterator[tuple[int, str]]:
    """Yields a text in pieces of at most 2,560 characters that overlap, each with its offset."""
    if len(text) <= PIECE_CHARS:
        yield 0, text
        return
    for start in range(0, len(text), PIECE_CHARS):
        yield start, text[start : start + PIECE_CHARS + OVERLAP_CHARS]


def code_language(path: str) -> str:
    """Returns the ending of a file of code or data; nothing for a text, or for a place in a file (`path#place`)."""
    if "#" in path:
        return ""
    name = path.rpartition("/")[2]
    ending = name.rpartition(".")[2].lower() if "." in name.lstrip(".") else ""
    return "" if ending in _TEXT_ENDINGS or " " in ending else ending


def _without(mark: re.Pattern[str], text: str) -> str:
    return mark.sub(lambda match: " " * len(match.group()), text)


def _blank(text: str) -> str:
    return "\n".join(" " * len(line) for line in text.split("\n"))


def _hidden(text: str) -> Iterator[Block]:
    if "<!--" in text:
        for match in _HTML_COMMENT.finditer(text):
            yield Block(BlockKind.HIDDEN, match.start(1), match[1], label="comment")
    for label, signs, pattern in _HIDDEN:
        for match in pattern.finditer(text) if any(sign in text for sign in signs) else ():
            group = "text" if "text" in pattern.groupindex and match["text"] is not None else 1
            yield Block(BlockKind.HIDDEN, match.start(group), match[group], label=label)


class _Reader:
    """Reads a text line by line and closes a block where the next one begins."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.heading = self.lead = self.label = ""
        self.kind = BlockKind.PROSE
        self.start = 0
        self.done: list[Block] = []

    def blocks(self) -> list[Block]:
        position = self._frontmatter()
        fence = ""
        self.start = position
        end = position
        for line in self.text[position:].split("\n"):
            at, end = end, end + len(line) + 1
            if fence:
                if fence in line and line.strip(" \t>").startswith(fence) and not line.strip(" \t>").strip(fence[0]):
                    self._close(at, clean=_COMMENT_MARK)
                    fence = ""
                    self._open(BlockKind.PROSE, end)
                continue
            first = line.lstrip()[:1]
            if first.isalpha():  # a line of words begins nothing new
                continue
            opener = _FENCE.match(line) if first in _FENCE_FIRST and ("```" in line or "~~~" in line) else None
            if opener:
                self._close(at)
                fence = opener[1]
                self._open(BlockKind.CODE, end, label=opener[2].strip())
                continue
            self._line(line, first, at, end)
        self._close(len(self.text), clean=_COMMENT_MARK if fence else None)
        return self.done

    def _line(self, line: str, first: str, at: int, end: int) -> None:
        heading = (_HEADING.match(line) or _BOLD_HEADING.match(line)) if first in "#*_" else None
        if heading:
            self._close(at)
            self._open(BlockKind.HEADING, at)
            self._close(end)
            self.heading, self.lead = heading[1].strip()[:_HEADING_CHARS], ""
            self._open(BlockKind.PROSE, end)
        elif not first:
            self._close(at)
            self._open(BlockKind.PROSE, end)
        elif (first in "-*+" or first.isdigit()) and _ITEM.match(line):
            self._close(at)
            self._open(BlockKind.ITEM, at)
        elif first == "|" and _ROW.match(line):
            self._close(at)
            self._open(BlockKind.ROW, at)

    def _open(self, kind: BlockKind, start: int, label: str = "") -> None:
        self.kind, self.start, self.label = kind, start, label

    def _close(self, end: int, clean: re.Pattern[str] | None = None) -> None:
        """Ends the block under way; an empty one is none."""
        text = self.text[self.start : end]
        if not text.strip():
            self.start = end
            return
        if clean is None and ">" in text:
            clean = _QUOTE_MARK
        cleaned = _without(clean, text) if clean is not None else text
        self.done.append(Block(self.kind, self.start, cleaned, self.heading, self.lead, self.label))
        if self.kind is BlockKind.PROSE:
            self.lead = text.strip()[-300:]
        self.start = end

    def _frontmatter(self) -> int:
        """Reads the fields between the first two lines of `---`; returns where the body begins."""
        if not self.text.startswith("---\n"):
            return 0
        end = self.text.find("\n---", 3)
        if end < 0:
            return 0
        key, start = "", 4
        for comment in _YAML_COMMENT.finditer(self.text, 4, end + 1):
            self.done.append(Block(BlockKind.HIDDEN, comment.start(1), comment[1], label="comment"))
        for match in _LINE.finditer(self.text, 4, end + 1):
            found = _KEY.match(match.group())
            if found and match.start() > start:
                self._field(key, start, match.start())
                start = match.start()
            key = found[1] if found else key
        self._field(key, start, end + 1)
        return self.text.find("\n", end + 1) + 1 or len(self.text)

    def _field(self, key: str, start: int, end: int) -> None:
        if self.text[start:end].strip():
            self.done.append(Block(BlockKind.FRONTMATTER, start, self.text[start:end], label=key))
