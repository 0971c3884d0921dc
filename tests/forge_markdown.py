"""What a code host would make of a text: its live mentions, keywords, links, images and HTML, by a real parser."""

import re

from markdown_it import MarkdownIt

_BREAK = "<!-- -->"
_MENTION = re.compile(r"@\w")
_CLOSES = re.compile(
    r"(?i)\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\b[:\s]+(?:[\w.-]+/[\w.-]+)?(?:#\d|GH-\d|https?://\S+/\d)"
)
_REFERENCE = re.compile(r"#\d|(?i:\bGH-\d)")
_LINK = re.compile(r"(?i)(?:https?|ftp)://|\bwww\.|\bmailto:\S")


def live_parts(body: str) -> list[str]:
    """Returns what of a body would act, or would not be shown as text."""
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    found = []
    for token in parser.parse(body):
        if token.type == "html_block":
            found.append(f"html block {token.content!r}")
        for inner in token.children or ():
            if inner.type in ("link_open", "image") or (inner.type == "html_inline" and inner.content != _BREAK):
                found.append(f"{inner.type} {inner.content!r} {inner.attrs}")
            if inner.type == "text":
                found += [f"{inner.content!r}" for p in (_MENTION, _REFERENCE, _LINK) if p.search(inner.content)]
    return found + live_words(body)  # a squash takes it as it is


def live_words(text: str) -> list[str]:
    """Returns the mentions, keywords and references of a text that is no Markdown, as a title or a commit message."""
    return [m[0] for p in (_MENTION, _CLOSES, _REFERENCE) for m in p.finditer(text)]


def headings(body: str) -> list[str]:
    """Returns the headings that a parser finds, so that nothing foreign makes one or hides one."""
    tokens = MarkdownIt("commonmark").enable("table").parse(body)
    return [tokens[n + 1].content for n, token in enumerate(tokens) if token.type == "heading_open"]
