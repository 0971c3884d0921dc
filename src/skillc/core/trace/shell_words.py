"""Words and operators of a shell command line: quotes, substitutions, comments, here documents.

One pass over the text, never raises; an open quote or substitution ends with the text.
Not here: what the words mean (core.trace.shell).
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

# The longer operator stands before its own beginning.
_OPERATOR = r"&&|\|\||;;|\|&|&>>|&>|[|;&\n()]|[012]?(?:<<<|<<-|<<|>>|>\||>&|<&|<>|[<>])"
# A word without escapes and substitutions, quotes included: nearly every word is one.
_SIMPLE_WORD = (
    r"""(?!\#)(?:[^ \t\r\n;|()<>&\\'"`$]++|\$(?![('])|'[^']*+'|"(?:[^"\\$]++|\$(?!\())*+")++"""
    r"""(?=[ \t\r\n;|()<>&]|\Z)"""
)
_STEP = re.compile(rf"[ \t\r]*+(?:({_OPERATOR})|({_SIMPLE_WORD}))")
_QUOTED = re.compile(r"""'([^']*)'|"([^"]*)\"""")
# Runs of characters that mean nothing by themselves are taken whole.
_PLAIN = re.compile(r"[^ \t\r\n;|()<>&\\'\"`$]+")
_PLAIN_IN_QUOTES = re.compile(r"[^\"\\$]+")
_ESCAPED = re.compile(r"(?:[^'\\]|\\.)*", re.DOTALL)
_BRACKET = re.compile(r"[()]")
_ENDS = frozenset(("&&", "||", ";;", ";", "&", "\n", "(", ")", "|", "|&"))


class Token(NamedTuple):
    """A word, an operator that ends a command, or a redirection. `is_quoted`: some of it stood in quotes.

    `is_open`: the text ended before its quote, substitution or here document did.
    """

    text: str
    is_operator: bool = False
    is_redirection: bool = False
    is_quoted: bool = False
    is_open: bool = False


def split_commands(tokens: Iterator[Token]) -> Iterator[tuple[list[Token], str]]:
    """Yields the tokens of each simple command and the operator that ends it."""
    current: list[Token] = []
    for token in tokens:
        if token.is_operator and token.text in _ENDS:
            yield current, token.text
            current = []
        else:
            current.append(token)
    yield current, ""


def tokens_of(text: str) -> Iterator[Token]:
    """Yields words and operators; skips comments and the bodies of here documents."""
    position, length = 0, len(text)
    marks: list[tuple[str, bool]] = []
    mark = ""  # the operator that wants the next word as its mark
    while position < length:
        step = _STEP.match(text, position)
        if step is not None and step.lastindex == 1:
            operator, position = step[1], step.end()
            if operator == "\n" and marks:
                position, is_open = _after_documents(text, position, marks)
                marks = []
                yield Token(operator, True, is_open=is_open)
                continue
            redirects = "<" in operator or ">" in operator
            mark = operator.lstrip("012") if redirects else ""
            yield Token(operator, not redirects, redirects)
            continue
        if step is not None:
            word, position, is_open = step[2], step.end(), False
            quoted = "'" in word or '"' in word
            if quoted:
                word = _QUOTED.sub(r"\1\2", word)
        elif text[position] in " \t\r":
            position += 1
            continue
        elif text[position] == "#":
            end = text.find("\n", position)
            position = length if end < 0 else end
            continue
        elif text.startswith("\\\n", position):
            position += 2
            continue
        else:
            word, end, quoted = _word_at(text, position)
            position, is_open = max(end, position + 1), end > length
        if mark in ("<<", "<<-"):
            marks.append((word, mark == "<<-"))
        mark = ""
        yield Token(word, is_quoted=quoted, is_open=is_open)


def _after_documents(text: str, position: int, marks: list[tuple[str, bool]]) -> tuple[int, bool]:
    """Returns the position after the here documents that start at `position`, and whether one has no end."""
    is_open = False
    for mark, drops_tabs in marks:
        is_open = True
        while position < len(text):
            end = text.find("\n", position)
            line = text[position:] if end < 0 else text[position:end]
            position = len(text) if end < 0 else end + 1
            if (line.lstrip("\t") if drops_tabs else line) == mark:
                is_open = False
                break
    return position, is_open


def _word_at(text: str, position: int) -> tuple[str, int, bool]:
    """Returns the word that starts here with its quotes removed, its end, and whether it was quoted.

    The end lies behind the text when a quote or a substitution does not end in it.
    """
    parts: list[str] = []
    quoted = False
    length = len(text)
    while position < length:
        plain = _PLAIN.match(text, position)
        if plain is not None:
            parts.append(plain[0])
            position = plain.end()
            continue
        char = text[position]
        if char in " \t\r\n;|()<>" or (char == "&"):
            break
        if text.startswith("$'", position):
            end = _ESCAPED.match(text, position + 2).end()  # type: ignore[union-attr]
            parts.append(text[position + 2 : end])
            position, quoted = (end if text[end : end + 1] == "'" else length) + 1, True
        elif char == "\\":
            parts.append(text[position + 1 : position + 2])
            position += 2
        elif char == "'":
            end = text.find("'", position + 1)
            end = length if end < 0 else end
            parts.append(text[position + 1 : end])
            position, quoted = end + 1, True
        elif char == '"':
            part, position = _double_quoted(text, position + 1)
            parts.append(part)
            quoted = True
        elif char == "`" or text.startswith("$(", position):
            end = _substitution_end(text, position)
            parts.append(text[position:end])
            position = end
        else:
            parts.append(char)
            position += 1
    return "".join(parts), position, quoted


def _double_quoted(text: str, position: int) -> tuple[str, int]:
    parts: list[str] = []
    length = len(text)
    while position < length and text[position] != '"':
        plain = _PLAIN_IN_QUOTES.match(text, position)
        if plain is not None:
            parts.append(plain[0])
            position = plain.end()
        elif text[position] == "\\" and text[position + 1 : position + 2] in ('"', "\\", "$", "`", "\n"):
            parts.append(text[position + 1])
            position += 2
        elif text.startswith("$(", position):
            end = _substitution_end(text, position)
            parts.append(text[position:end])
            position = end
        else:
            parts.append(text[position])
            position += 1
    return "".join(parts), position + 1


def _substitution_end(text: str, position: int) -> int:
    """Returns the position after a substitution, by its brackets or its second backtick."""
    if text[position] == "`":
        end = text.find("`", position + 1)
        return len(text) + 1 if end < 0 else end + 1
    depth = 0
    for bracket in _BRACKET.finditer(text, position):
        depth += 1 if bracket[0] == "(" else -1
        if depth == 0:
            return bracket.end()
    return len(text) + 1
