"""Words and operators of a shell command line: quotes, substitutions, comments, here documents.

One pass over the text, never raises; an open quote or substitution ends with the text.
Not here: what the words mean (core.trace.shell).
"""

from collections.abc import Iterator
from typing import NamedTuple

_OPERATORS = ("&&", "||", ";;", "|&", "&>>", "&>", "|", ";", "&", "\n", "(", ")")
_REDIRECTIONS = ("<<<", "<<-", "<<", ">>", ">|", ">&", "<&", "<>", ">", "<")
_ENDS = frozenset(("&&", "||", ";;", ";", "&", "\n", "(", ")"))


class Token(NamedTuple):
    """A word, an operator that ends a command, or a redirection. `is_quoted`: some of it stood in quotes."""

    text: str
    is_operator: bool = False
    is_redirection: bool = False
    is_quoted: bool = False


def split_commands(tokens: Iterator[Token]) -> Iterator[tuple[list[Token], str]]:
    """Yields the tokens of each simple command and the operator that ends it."""
    current: list[Token] = []
    for token in tokens:
        if token.is_operator and (token.text in _ENDS or token.text in ("|", "|&")):
            yield current, token.text
            current = []
        else:
            current.append(token)
    yield current, ""


def tokens_of(text: str) -> Iterator[Token]:
    """Yields words and operators; skips comments and the bodies of here documents."""
    position, length = 0, len(text)
    marks: list[str] = []
    wants_mark = False
    while position < length:
        char = text[position]
        if char in " \t\r":
            position += 1
        elif text.startswith("\\\n", position):
            position += 2
        elif char == "#":
            end = text.find("\n", position)
            position = length if end < 0 else end
        elif char == "\n" and marks:
            position = _after_documents(text, position + 1, marks)
            marks = []
            yield Token("\n", is_operator=True)
        else:
            operator = _operator_at(text, position)
            if operator:
                redirects = operator.lstrip("012&")[:1] in ("<", ">")
                wants_mark = operator.lstrip("012") in ("<<", "<<-")
                yield Token(operator, is_operator=not redirects, is_redirection=redirects)
                position += len(operator)
                continue
            word, end, quoted = _word_at(text, position)
            if wants_mark:
                marks.append(word)
                wants_mark = False
            yield Token(word, is_quoted=quoted)
            position = max(end, position + 1)


def _after_documents(text: str, position: int, marks: list[str]) -> int:
    """Returns the position after the here documents that start at `position`."""
    for mark in marks:
        while position < len(text):
            end = text.find("\n", position)
            line = text[position:] if end < 0 else text[position:end]
            position = len(text) if end < 0 else end + 1
            if line.strip() == mark:
                break
    return position


def _operator_at(text: str, position: int) -> str:
    for operator in _OPERATORS:
        if text.startswith(operator, position):
            return operator
    number = text[position] if text[position] in "012" else ""
    for operator in _REDIRECTIONS:
        if text.startswith(number + operator, position):
            return number + operator
    return ""


def _word_at(text: str, position: int) -> tuple[str, int, bool]:
    """Returns the word that starts here with its quotes removed, its end, and whether it was quoted."""
    parts: list[str] = []
    quoted = False
    length = len(text)
    while position < length:
        char = text[position]
        if char in " \t\r\n;|()<>" or (char == "&"):
            break
        if char == "\\":
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
        if text[position] == "\\" and text[position + 1 : position + 2] in ('"', "\\", "$", "`", "\n"):
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
        return len(text) if end < 0 else end + 1
    depth = 0
    for index in range(position, len(text)):
        if text[index] == "(":
            depth += 1
        elif text[index] == ")":
            depth -= 1
            if depth == 0:
                return index + 1
    return len(text)
