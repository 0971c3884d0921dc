# ruff: noqa: E501 - a pattern is one line
"""Polarity: whether a sentence orders what it names, or forbids it, quotes it or describes it as an attack.

A text that warns of a phrase holds the phrase. What counts is what the sentence makes its reader do: the words before
the phrase in its sentence, the quotes around it, and the heading, lead or list that frames its block.
Paper: 5.3, Scanners. Not here: the phrases (core.scan.rules).
"""

import re
from bisect import bisect_right, insort
from functools import lru_cache
from typing import NamedTuple

from skillc.core.scan.blocks import Block, BlockKind

_BEFORE_CHARS = 160
_AFTER_CHARS = 100
_SENTENCE_CHARS = 240
_LINE_CHARS = 400
_SENTENCE_END = re.compile(r"[.!?;](?=[\s\"')\]*]|$)|\n\s*\n|\n(?=\s*(?:[-*+|#]|\d+[.)]))|[:\u2014](?=\s)|\u3002")
# What comes after one of these in a sentence is not to be done; the second group must stand close before it.
_FORBIDS = re.compile(
    r"\b(?:never|do(?:es)? not|don['\u2019]?t|doesn['\u2019]?t|must(?: not|n['\u2019]?t)|should(?: not|n['\u2019]?t)|can(?:not|['\u2019]t)|may not|will not|won['\u2019]t|not to"
    r"|avoid(?:s|ed|ing)?|refus(?:e|es|ed|ing)|reject(?:s|ed|ing)?|forbid(?:s|den|ding)?|prohibit(?:s|ed|ing)?|prevent(?:s|ed|ing)?|den(?:y|ies|ied)|disallow(?:s|ed)?|beware of|wary of"
    r"|careful with|nie(?:mals)?|jamais|ne pas|nunca|mai)\b"
    r"|\b(?:no|without|against|instead of|rather than|not|stop(?:s|ped)?|block(?:s|ed|ing)?|ban(?:s|ned)?|warn\w*|protect\w*|guard\w*|resist\w*|catch(?:es)?|detect(?:s|ed|ing|ion of)?|flag(?:s|ged|ging)?"
    r"|filter(?:s|ed|ing)?|scan(?:s|ned|ning)? for|check(?:s|ed|ing)? for|look(?:s|ing)? for|search(?:es|ing)? for|watch (?:out )?for|identif(?:y|ies|ied|ying)|hunt(?:s|ing)?(?: for)?|alert(?:s|ed|ing)? on"
    r"|mitigat\w+|test(?:s|ed|ing)? for|review(?:s|ed|ing)? for|audit(?:s|ed|ing)? for|attempt(?:s|ed|ing)? to|tr(?:y|ies|ied) to|attackers?(?: can| may| could| will| who)?|adversar\w+|malware|threat actors?"
    r"|malicious (?:\w+ )?(?:code|text|skills?|instructions?|prompts?)|kein\w*|nicht)\b[^.\n]{0,48}$"
    r"|\b(?:if|when|whenever|any|text|content|page|file|message|that|which|who)\b[^.\n]{0,60}?\b(?:asks?|tells?|says?|instructs?|orders?|urges?|tries|wants?) (?:you|it|them|claude|the (?:agent|model|assistant|reader))\b[^.\n]{0,60}$",
    re.I,
)
# A doubled negation orders: "never forget to", "do not hesitate to".
_DOUBLED = re.compile(
    r"(?:never|do(?:es)? not|don['\u2019]?t|must not|should not|without|not) (?:forget|fail|hesitate|wait|bother|skip|omit"
    r"|ask\w*|tell\w*|mention\w*|inform\w*|notify\w*|worry|stop|need|have|warn\w*|check\w*)\b[^.]{0,60}$"
    r"|\bno (?:need|reason|matter|confirmation|approval|questions?|exceptions?)\b[^.]{0,60}$"
    r"|\bwithout (?:asking|telling|confirm\w*|any|further|the|user|prompt\w*|warn\w*|delay)\b[^.]{0,60}$",
    re.I,
)
_WARNING = re.compile(
    r"\b(?:refuse|reject|resist|never (?:obey|follow|comply|act)|do(?:n't| not) (?:obey|comply|act on|follow)|beware"
    r"|watch (?:out )?for|detect\w*|flag(?:s|ged)?|block(?:s|ed)?|filter\w*|such as|e\.g\.|for example|for instance"
    r"|examples?|attack(?:s|er|ers)?|injections?|malicious|attempts?|phrases?|patterns?|payloads?|jailbreak\w*"
    r"|red[- ]team\w*|adversarial|test(?:s|ed|ing)?|suspicious|says|like|vulnerab\w+|exploit\w*|signatures?|indicators?"
    r"|hostile|untrusted|forbidden|dangerous|unsafe|risky|bad|wrong|avoid|deny|denied)\b",
    re.I,
)
_FRAME = re.compile(
    r"\b(?:anti[- ]?patterns?|do(?:n['\u2019]?t|s? not)s?|never|avoid|forbidden|prohibited|not allowed|disallowed|red flags?"
    r"|bad(?: example| practice)?s?|wrong|incorrect|mistakes?|pitfalls?|dangerous|unsafe|insecure|vulnerab\w+|attacks?\b(?! plan)"
    r"|attack vectors?|threats?|exploit\w*|malicious|indicators?|signatures?|detect\w*|hunting|adversar\w+|injections?|payloads?"
    r"|jailbreak\w*|red[- ]team\w*|what not to|blocked|blocklist|denylist|deny|denied|refuse|reject|warning signs?|suspicious"
    r"|abuse|ioc s?|iocs?|tactics|techniques?|mitre|examples? of (?:bad|attack|hostile|injection)|security (?:checks?|tests?)|proofs? of concept|pocs?|scenarios?|findings?"
    r"|test (?:cases?|strings?|inputs?)|scan(?:s|ner|ning)? for|look for|check for|flag)\b",
    re.I,
)
_OPEN_QUOTES = "\"'`\u201c\u2018\u00ab"
_CLOSE_QUOTES = "\"'`\u201d\u2019\u00bb"
_DENY_KEY = re.compile(
    r"(?im)^([ \t]*)[\"']?(?:deny|denied|deny_?list|block|blocked|block_?list|disallow(?:ed)?|disallowed[-_]tools|forbid(?:den)?"
    r"|prohibited|never|reject|dangerous\w*|banned?|bad\w*)[\"']?\s*[:=]"
)
_REFUSES = re.compile(
    r"\b(?:echo|printf|print|raise|throw|die|log\w*|deny|reject)\b[^\n]{0,40}?\b(?:blocked|denied|refus\w+|rejected|forbidden|not allowed)\b",
    re.I,
)
_BAD_LINE = re.compile(
    r"(?i)#\s*(?:bad|wrong|never|don['\u2019]?t|do not|avoid|dangerous|unsafe|insecure|vulnerable)\b|\u274c|\u2717|\U0001f6ab"
)


def is_order(block: Block, start: int, end: int) -> bool:
    """Says whether a phrase, block.text[start:end], is something that the text has its reader do."""
    before = _sentence_before(block.text, start)
    if _is_forbidden(before):
        return False
    if block.kind is BlockKind.CODE:
        return not (_is_bad_line(block.text, start, end) or _is_denied(block.text, start) or _is_framed(block))
    if is_quoted(block.text, start, end) and (
        _WARNING.search(before) or _WARNING.search(_sentence_after(block.text, end)) or _is_framed(block)
    ):
        return False
    return not (block.kind in (BlockKind.ITEM, BlockKind.ROW) and _is_framed(block))


def is_quoted(text: str, start: int, end: int) -> bool:
    """Says whether a span stands in quotes or backticks of its own line."""
    before = text[max(0, start - _LINE_CHARS) : start].rpartition("\n")[2]
    after = text[end : end + _LINE_CHARS].partition("\n")[0]
    return any(
        before.count(opening) % 2 == 1 if opening == closing else opening in before
        for opening, closing in zip(_OPEN_QUOTES, _CLOSE_QUOTES, strict=True)
        if closing in after and (opening != "'" or re.search(r"(?:^|[\s(])'[^']*$", before))
    )


def _is_forbidden(before: str) -> bool:
    return _FORBIDS.search(before) is not None and _DOUBLED.search(before) is None


def _sentence_before(text: str, start: int) -> str:
    before = text[max(0, start - _BEFORE_CHARS) : start]
    ends = [match.end() for match in _SENTENCE_END.finditer(before)]
    return before[ends[-1] :] if ends else before


def sentence_around(text: str, start: int, end: int) -> str:
    """Returns the sentence in which a span stands, as far as 240 characters to each side."""
    after = text[end : end + _SENTENCE_CHARS]
    stop = _SENTENCE_END.search(after)
    before = text[max(0, start - _SENTENCE_CHARS) : start]
    begins = [match.end() for match in _SENTENCE_END.finditer(before) if match.group()[0] not in ":\u2014;"]
    return (before[begins[-1] :] if begins else before) + text[start:end] + (after[: stop.start()] if stop else after)


def _sentence_after(text: str, end: int) -> str:
    return text[end : end + _AFTER_CHARS].split("\n", 1)[0]


def _is_framed(block: Block) -> bool:
    """Says whether the heading, or the sentence that announces the block, calls it bad, an attack or a test."""
    lead = block.lead.rsplit("\n\n", 1)[-1]
    announcing = re.split(r"(?<=[.!?])\s", lead)[-1] if lead.rstrip().endswith((":", "\uff1a")) else ""
    return _FRAME.search(block.heading) is not None or _FRAME.search(announcing) is not None


def _is_bad_line(text: str, start: int, end: int) -> bool:
    first, line_break, before = text[max(0, start - 2 * _LINE_CHARS) : start].rpartition("\n")
    previous = first.rpartition("\n")[2] if line_break else ""
    rest = text[start:end] + text[end : end + _LINE_CHARS].partition("\n")[0]
    line = before + rest
    if _REFUSES.search(rest):
        return True
    return _BAD_LINE.search(line) is not None or (
        _BAD_LINE.search(previous) is not None and previous.lstrip()[:1] in "#/\u274c\u2717"
    )


def _is_denied(text: str, start: int) -> bool:
    """Says whether a line stands below, or behind, a key such as `deny:` in a piece of configuration."""
    starts, lines = _denied_lines(text)
    number = bisect_right(starts, start) - 1
    line = lines[number]
    return line.is_below or (line.key_end is not None and line.key_end <= start - starts[number])


class _Denied(NamedTuple):
    """A line of configuration: whether it stands below a key that denies, and where such a key of its own ends."""

    is_below: bool
    key_end: int | None


@lru_cache(maxsize=4)
def _denied_lines(text: str) -> tuple[list[int], list[_Denied]]:
    """Returns where each line starts and whether it is denied; a key counts for the deeper lines that follow it."""
    starts, lines, position = [], [], 0
    keys: list[int] = []  # how deep the keys stand that still count, the deepest last
    for line in text.split("\n"):
        content = line.lstrip()
        indent = len(line) - len(content)
        if content and content[0] not in "-]})\"'":
            while keys and keys[-1] >= indent:
                keys.pop()
        key = _DENY_KEY.match(line)
        starts.append(position)
        lines.append(_Denied(bool(keys), key.end() if key else None))
        if key and indent not in keys[-2:]:
            insort(keys, indent)
        position += len(line) + 1
    return starts, lines
