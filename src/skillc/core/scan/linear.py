"""Linear gates: for a pattern of Python a looser one that an engine without backtracking decides in one pass.

What a pattern looks around for is left out, a count becomes none, some or any, and each class holds at least what it
holds in Python. So a gate passes wherever its pattern matches, costs a tenth of it, and what a hostile text does to
the pattern it cannot do to the gate. Paper: 5.3, Scanners.
Not here: the gates of detectors (core.scan.detectors), the patterns (core.scan.rules).
"""

import re
from functools import cache

from pydantic_core import SchemaError

from skillc.core.scan.detectors import Gate, gate

_LOOK = ("(?=", "(?!", "(?<=", "(?<!")
_COUNT = re.compile(r"\{(\d+)(?:,\d*)?\}")
_CLASSES = {"w": r"0-9A-Za-z_", "s": r"\t-\r\x1c-\x20", "d": "0-9"}
_WIDE_CLASSES = {"w": r"\w\p{N}", "s": r"\s\x1c-\x1f", "d": r"\d"}
# What the engine takes for a part of a word and Python does not: marks that stand on a letter, and joiners.
_MARKS = re.compile(
    "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u200c\u200d\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f"
    "\U000e0100-\U000e01ef]"
)


def may_match(pattern: str, text: str) -> bool:
    """Says in linear time whether a pattern, in any case, may match somewhere in a text; False is certain."""
    return gate_of(pattern, not text.isascii())(as_gates_read(text))


def as_gates_read(text: str) -> str:
    """Returns a text for the gates of patterns: marks that only the engine takes for a part of a word are none."""
    return text if text.isascii() else _MARKS.sub("\x7f", text)


@cache
def gate_of(pattern: str, wide: bool) -> Gate:
    """Returns the gate of a pattern, for what `as_gates_read` gives; one that the engine cannot read always passes.

    Args:
        wide: for texts that are not ASCII.
    """
    try:
        return gate(loosened(pattern, wide=wide))
    except SchemaError:
        return lambda text: True


def loosened(pattern: str, *, wide: bool) -> str:
    """Returns a pattern for the other engine that matches at least where a pattern matches in any case.

    Args:
        wide: for texts of any characters; the edges of words are left out then, which that engine finds slowly.
    """
    parts, at = ["(?i)"], 0
    while at < len(pattern):
        step, part = _step(pattern, at, wide)
        parts.append(part)
        at += step
    return "".join(parts)


def _step(pattern: str, at: int, wide: bool) -> tuple[int, str]:
    """Returns how many characters of a pattern stand at a place for one thing, and what stands for it."""
    char = pattern[at]
    if char == "\\":
        return 2, _escaped(pattern[at + 1], wide)
    if char == "[":
        end = _class_end(pattern, at)
        return end - at, _class(pattern[at + 1 : end - 1], wide)
    if char == "(" and pattern.startswith(_LOOK, at):
        return _group_end(pattern, at) - at, "(?:)"
    if char == "{" and (count := _COUNT.match(pattern, at)):
        return count.end() - at, "*" if int(count[1]) == 0 else "+"
    return 1, r"(?:\n?$)" if char == "$" else char


def _escaped(char: str, wide: bool) -> str:
    if char.isdigit():  # what an earlier group matched: any text
        return r"[\s\S]*"
    if char in "bB":
        return "(?:)" if wide or char == "B" else r"(?-u:\b)"
    if char == "Z":
        return r"\z"
    if char in "wsd":
        return f"[{(_WIDE_CLASSES if wide else _CLASSES)[char]}]"
    if char in "WSD":
        return f"[^{_CLASSES[char.lower()]}]"
    return char if char in "<>" else f"\\{char}"


def _class(body: str, wide: bool) -> str:
    """Returns a class of characters; the marks of the engine's own notation stand for themselves."""
    is_negated = body.startswith("^")
    classes = _WIDE_CLASSES if wide and not is_negated else _CLASSES
    parts, at = ["[^" if is_negated else "["], int(is_negated)
    while at < len(body):
        char = body[at]
        if char == "\\":
            following = body[at + 1]
            if following in "wsd":
                parts.append(classes[following])
            elif following in "WSD":
                parts.append(f"\\{following}" if is_negated else f"[^{_CLASSES[following.lower()]}]")
            else:
                parts.append(r"\x08" if following == "b" else f"\\{following}")
            at += 2
            continue
        is_range = char == "-" and parts[-1] not in ("[", "[^") and at + 1 < len(body)
        parts.append(char if char not in "[]&~-" or is_range else f"\\{char}")
        at += 1
    return "".join((*parts, "]"))


def _class_end(pattern: str, at: int) -> int:
    end = at + 1 + pattern.startswith("^", at + 1)
    end += pattern.startswith("]", end)
    while pattern[end] != "]":
        end += 2 if pattern[end] == "\\" else 1
    return end + 1


def _group_end(pattern: str, at: int) -> int:
    depth = 0
    while True:
        char = pattern[at]
        depth += (char == "(") - (char == ")")
        if char == "[":
            at = _class_end(pattern, at)
        else:
            at += 2 if char == "\\" else 1
        if depth == 0:
            return at
