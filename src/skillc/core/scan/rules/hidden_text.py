# ruff: noqa: E501 - a pattern is one line
"""Rule `hidden-text`: an instruction stands where the rendered page shows nothing, or far away from the rest."""

import re
from collections.abc import Iterator

from skillc.core.scan.blocks import BlockKind, blocks_of
from skillc.core.scan.detectors import gate
from skillc.core.scan.finding import Severity
from skillc.core.scan.rule import Hit, ScanRule
from skillc.core.scan.views import RAW, View

# Verbs of an order to an agent; a comment of a tool or an author's note has none of them with an object.
_ORDER = re.compile(
    r"\b(?:ignore|forget|disregard|override|upload|send|e-?mail|forward|post|exfiltrate|delete|remove|execute|run|install|download|fetch|curl|wget|reveal|print|copy|append|include|insert"
    r"|add|write|read|open|visit|tell|say|answer|recommend|approve|grant|disable|skip|always|never|must|do not|don['\u2019]t|you (?:are|should|must|will|have)|when (?:you|the user|asked)"
    r"|instead|before (?:you|answering|replying)|secret|password|credentials?|token)\b",
    re.I,
)
_STRONG = re.compile(
    r"\b(?:ignore|forget|disregard|override|upload|exfiltrate|forward|curl|wget|credentials?|passwords?|secrets?|\.env|api keys?|without (?:telling|asking)|(?:ai|llm|assistant|agent|model|claude|copilot)s?(?:[,:]|\b[^.]{0,40}?\b(?:must|should|ignore|send|run|read|add|include|when|grant|replace|tell|are to|is to))|https?://\S+[^.]{0,60}\b(?:send|post|replace|load|fetch|visit|open)|(?:send|post|replace|load|fetch|visit|open|report)\b[^.]{0,80}https?://)",
    re.I,
)
# What tools and authors write in comments.
_USUAL = re.compile(
    r"^\W*(?:prettier|eslint|markdownlint|cspell|spell-?checker|vale|textlint|remark|lint|doctoc|toc\b|table of contents|start\b|end\b|begin\b|more\b|todo|fixme|note\b|example|generated|auto-?generated|do not edit|this file is (?:auto-?)?generated"
    r"|all-contributors|badge|copyright|license|spdx|include:|template|placeholder|optional|editor['\u2019]?s? note|section|prompt-?template|region|endregion|nav|hide|truncate|break|skillc)\b",
    re.I,
)
_BLANK_LINES = re.compile(r"(?<=\S)((?:[ \t]*\r?\n){40,})[ \t]*(?=\S)")
_TRAILING_LINES = re.compile(r"(?<![ \t\n])(?:[ \t]*\r?\n){200,}")
_WIDE = re.compile(r"(?<=\S)[ \t\u00a0]{120,}(?=\S|\n|$)")
_GATE = r"<!--|\]:|!\[|\]\(|<[A-Za-z]|\\[a-z]*phantom|color\{|\{#|\{\{!|omment|_note|#"
_STYLED = frozenset(("styled away", "phantom"))
_MIN_WORDS = 4


def find(view: View) -> Iterator[Hit]:
    """Yields hidden texts that order something, whatever they are hidden in, and text behind a wide gap."""
    if view.name == RAW:
        yield from _gaps(view.text)
    if not gate(_GATE)(view.text):
        return
    for block in blocks_of(view.text, view.path):
        if block.kind is not BlockKind.HIDDEN:
            continue
        words = len(re.findall(r"\w{2,}", block.text[:4000]))
        if words < _MIN_WORDS or _USUAL.match(block.text):
            continue
        if _STRONG.search(block.text):
            yield Hit(block.start, block.start + len(block.text))
        elif block.label in _STYLED or (
            block.label not in ("alternative text", "link title", "attribute", "footnote")
            and words >= 6
            and _ORDER.search(block.text)
        ):
            yield Hit(block.start, block.start + len(block.text), severity=Severity.WARN)


def _gaps(text: str) -> Iterator[Hit]:
    if "\n\n\n\n\n\n\n\n" in text or "\r\n\r\n\r\n" in text:
        for match in _BLANK_LINES.finditer(text):
            yield Hit(match.start(1), match.end(1), f"<{match[1].count(chr(10))} empty lines>", Severity.WARN)
        for match in _TRAILING_LINES.finditer(text):
            yield Hit(match.start(), match.end(), f"<{match.group().count(chr(10))} empty lines>", Severity.WARN)
    if " " * 60 in text or "\t" * 30 in text or "\u00a0" * 60 in text:
        for match in _WIDE.finditer(text):
            yield Hit(match.start(), match.end(), f"<{len(match.group())} blanks>", Severity.WARN)


RULE = ScanRule(
    id="hidden-text",
    family="hidden text",
    title="Instruction that the page does not show",
    severity=Severity.BLOCK,
    meaning="A comment, an alternative text, a styled-away passage or a wide gap holds words that a model reads and a reviewer does not see.",
    fix="Move the words into the visible text, or delete them.",
    references=("MITRE ATLAS AML.T0051.001: Indirect Prompt Injection",),
    find=find,
)
