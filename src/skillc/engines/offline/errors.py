"""Errors: the telling line of a failed call, and its form without the values of one case.

Not here: what was done about it (engines.offline.failures).
"""

import re
from collections.abc import Iterable, Set

from skillc.core.record import json_value
from skillc.engines.offline.calls import Attempt, Call, CallKind
from skillc.engines.offline.symptoms import symptoms_of
from skillc.engines.offline.values import SharedWords
from skillc.engines.offline.wording import ELIDED, STOPWORDS, content_words, plain_line

MAX_EDIT_LINES = 200
MANY_PROGRAMS = 3
_WEAK = re.compile(
    r"not found|no such|cannot|can.t|could not|invalid|missing|out of date|refused|denied|must |failed"
    r"|unknown|error",
    re.I,
)
_PREFIX = re.compile(r"^\s*(E\s+)?((AssertionError|Error|error|fatal|Exception)\s*:\s*)+")
_CUT_QUOTE = re.compile(r"(?<!\w)['\"“`][^'\"”`]*…$")  # a quoted text that the end of the line cut off
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"|“[^”]*”|`[^`]*`")
_PATH = re.compile(r"https?://\S+|(?:[\w.~-]*/)+[\w.-]+|(?<![\w.:])[A-Za-z_-][\w-]*(?:(?:\.|::)[\w-]+)+(?![\w.])")
_VALUE = re.compile(r"\S*[\d_@#]\S*|\S*[{}\[\]()=]\S*")
_ALONE = re.compile(r"\b(?:undefined|undeclared|unresolved|timed out|out of memory|[A-Z]\w{8,}(?:Error|Exception))\b")
_CLASS_NAME = re.compile(r"\b[A-Z]\w*(Error|Exception)\b")
_COMPOUND = re.compile(r"\b[A-Z][a-z]+(?:[A-Z][a-z0-9]*)+\b")
_REJECTED = re.compile(r"user (doesn.t want|does not want|rejected|denied|interrupted)|interrupted by user", re.I)
_SEVERAL_ELIDED = re.compile(rf"{ELIDED}(?:[\s,:;!=.-]*{ELIDED})+")
_ELIDED_FIRST = re.compile(rf"^{ELIDED}:\s*")
_CAPITAL = re.compile(r"(?<=\S )[A-Z][A-Za-z]+")


def error_line(call: Call) -> str:
    """Returns the line of a failed call's result that says what is wrong, in plain text, or nothing."""
    text = call.text
    if call.kind is CallKind.RECORD:
        text = _message_of(text)
        return plain_line(_PREFIX.sub("", text.strip().split("\n", 1)[0]))
    if call.kind is CallKind.EDIT:
        lines = [line for raw in text.splitlines()[:MAX_EDIT_LINES] if (line := plain_line(raw))]
        weak = [line for line in lines if _WEAK.search(line)]
        return _PREFIX.sub("", next(iter(weak or lines), "")).strip()
    return next(iter(symptoms_of(text)[-1:]), "")


def lines_of_hosts(attempts: Iterable[Attempt]) -> frozenset[str]:
    """Returns the symptoms that are no program's: the whole answer, word for word the same, to three programs.

    What runs the commands says such a line about the request itself; the procedure can do nothing about it.
    """
    programs: dict[str, set[str]] = {}
    for attempt in attempts:
        for call in attempt.calls:
            text = call.text.strip()
            if call.failed and call.command is not None and text and "\n" not in text:
                programs.setdefault(text, set()).add(call.command.program)
    return frozenset(s for line, users in programs.items() if len(users) >= MANY_PROGRAMS for s in symptoms_of(line))


def _message_of(text: str) -> str:
    if text.lstrip()[:1] == "{":
        try:
            value = json_value(text)
        except (ValueError, RecursionError):
            return text
        for key in ("error", "message", "detail"):
            if isinstance(value, dict) and isinstance(value.get(key), str):
                return str(value[key])
    return text


def elided(line: str, shared: SharedWords, known: Set[str] = frozenset(), *, people: bool = True) -> str:
    """Returns the line with `…` for quoted texts, paths, numbers and names that only one family shows.

    `known` words stay; they are in lower case. Without `people`, words with a capital stay: programs speak of no
    persons.
    """
    line = _QUOTED.sub(lambda m: m[0] if m[0][1:-1].lower() in known else ELIDED, line)
    line = _CUT_QUOTE.sub(ELIDED, line)
    line = _PATH.sub(lambda m: m[0] if m[0].lower() in known else _last_name(m[0]), line)
    line = _VALUE.sub(lambda m: m[0] if m[0].strip("'\"").lower() in known else ELIDED, line)
    if people:
        line = _CAPITAL.sub(lambda m: m[0] if _is_common(m[0], known) or shared.is_shared(m[0]) else ELIDED, line)
    line = _COMPOUND.sub(lambda m: m[0] if _is_common(m[0], known) or shared.is_shared(m[0]) else ELIDED, line)
    line = _SEVERAL_ELIDED.sub(ELIDED, line).strip(" ,:;")
    return _ELIDED_FIRST.sub("", line)


def _last_name(dotted: str) -> str:
    """Returns what stays of a dotted name: the class of an error, or nothing."""
    last = re.split(r"\.|::", dotted)[-1]
    return last if _CLASS_NAME.fullmatch(last) and "/" not in dotted else ELIDED


def _is_common(word: str, known: Set[str]) -> bool:
    return word.lower() in known or word.lower() in STOPWORDS or _CLASS_NAME.match(word) is not None


def says_something(line: str) -> bool:
    """Says whether a line without its values still tells what went wrong."""
    words = content_words(_CLASS_NAME.sub(" ", line))
    return len(words) >= max(2, line.count(ELIDED)) or (_ALONE.search(line) is not None and line.count(ELIDED) < 2)


def is_refusal(text: str) -> bool:
    """Says whether a person stopped the call: no error of the procedure."""
    return _REJECTED.search(text[:2000]) is not None
