"""Rule `instruction-override`: a text tells its reader to drop its instructions, its user or its limits."""

import re
from collections.abc import Iterator

from skillc.core.scan.detectors import gate
from skillc.core.scan.finding import Severity
from skillc.core.scan.rule import Hit, Rule
from skillc.core.scan.views import View

_DROP = r"(?:ignore|disregard|forget|override|bypass|drop|discard|do not follow|don't follow|stop following)"
_EARLIER = (
    r"(?:all |any |every |the |your |of |my |these |those |everything |previous |prior |earlier |above |preceding "
    r"|existing |original |initial |current |other |system |safety |developer ){1,6}"
)
_ORDERS = (
    r"(?:instructions?|instruction sets?|prompts?|system messages?|rules|guidelines|directives|guardrails"
    r"|constraints|restrictions|policies|policy|programming|training)"
)
_UNLIMITED = r"(?:unrestricted|uncensored|unfiltered|jailbroken)"
_MODE = r"(?:developer|debug|god|admin|jailbreak|unrestricted) mode"
_LIMITS = r"(?:restrictions|rules|guidelines|safety (?:rules|guidelines|checks)|guardrails)"
_PROMPT = r"(?:system prompt|hidden prompt|your (?:full |exact |original |hidden |system )+(?:instructions|prompt))"
_SECRETLY = (
    r"(?:without telling|don't tell|do not tell|never tell|hide (?:this|it) from|conceal (?:this|it) from"
    r"|keep (?:this|it|the \w+) (?:hidden|secret|a secret) from|without informing)"
)

_PHRASES = (
    rf"\b{_DROP} {_EARLIER}{_ORDERS}\b",
    rf"\b{_DROP} (?:everything|anything|all|whatever)(?: that (?:was|is|came))?"
    r" (?:above|before this|said before|you were told)\b",
    r"\b(?:ignoriere|vergiss|missachte)\b.{0,40}\b(?:anweisungen|instruktionen|regeln)\b",
    r"\b(?:ignor[ae]|oublie[zr]?|olvida|dimentica|ignorez|esquece)\b.{0,40}"
    r"\b(?:instructions?|instrucciones|istruzioni|instru\u00e7\u00f5es|consignes|reglas|regole)\b",
    r"(?:\u5ffd\u7565|\u65e0\u89c6|\u5fd8\u8bb0|\u5fd8\u6389).{0,12}(?:\u6307\u4ee4|\u63d0\u793a|\u8bf4\u660e|\u89c4\u5219)",
    rf"\byou are now (?:dan\b|in {_MODE}|an? {_UNLIMITED})",
    rf"\b(?:enable|enter|entered|activate|switch to) {_MODE}\b.{{0,80}}"
    r"\b(?:ignore|no (?:rules|restrictions|limits)|restrictions|safety|unfiltered|without)\b",
    rf"\b{_LIMITS} (?:no longer apply|do not apply|don't apply|are (?:lifted|suspended|disabled|off))\b",
    r"\byou (?:now )?have no (?:restrictions|rules|limits|content policy|guidelines)\b",
    r"\bwith no (?:restrictions|content policy)\b.{0,30}\b(?:answer|comply|respond)",
    r"\b(?:must|will|shall|should|now) comply with (?:every|any|all) requests?\b",
    r"\byour (?:rules|instructions|guidelines) have (?:changed|been (?:updated|replaced|changed))\b",
    r"\b(?:print|reveal|show|output|repeat|display|disclose|leak|dump|printing|revealing)\b.{0,30}"
    rf"\b(?:{_PROMPT}|exact instructions you were given)\b",
    rf"\b{_SECRETLY}\b.{{0,10}}\b(?:user|human|person|operator|owner)\b",
    r"\bwithout (?:the )?(?:user|human|person|operator|owner)(?:'s)? (?:knowledge|knowing|noticing)\b",
    r"\b(?:ai|llm) (?:assistants?|agents?|models?|reader)[^.\n]{0,40}"
    r"(?:ignore the user|must instead|should first|must now|forward all)\b",
    rf"\bact as an? {_UNLIMITED}\b",
    r"\b(?:decode|translate) (?:this|the|it)[^.\n]{0,60}\b(?:follow|execute|obey|do exactly what)\b",
)
_GATE = (
    r"(?i)ignor|disregard|forget|overrid|bypass|follow|discard|\bdrop\b|vergiss|missachte|oublie|olvida|dimentica"
    r"|esquece|developer mode|debug mode|god mode|admin mode|jailbr|unrestricted|uncensored|unfiltered"
    r"|not? (?:longer )?apply|n't apply|are lifted|are suspended|are disabled|are off|have no |with no |comply with"
    r"|have changed|have been|system prompt|hidden prompt|instructions|prompt|tell|hide|conceal|secret from|hidden from"
    r"|without|must instead|should first|must now|forward all|decode|translate|now dan"
    r"|\x{5ffd}\x{7565}|\x{65e0}\x{89c6}|\x{5fd8}\x{8bb0}|\x{5fd8}\x{6389}"
)
# Somebody who warns of a phrase quotes it, and says beside it what to do with it.
_WARNING = re.compile(
    r"\b(?:refuse|reject|resist|never (?:obey|follow|comply|act)|do(?:n't| not) (?:obey|comply|act on)|beware"
    r"|watch (?:out )?for|detect(?:s|ed|ing)?|flag(?:s|ged)?|block(?:s|ed)?|filter|such as|e\.g\.|for example"
    r"|for instance|example|attack(?:s|er|ers)?|injection|malicious|attempts?|phrases?|patterns?|payloads?"
    r"|jailbreak(?:s|ing)?|red[- ]team|adversarial|test(?:s|ing)?|suspicious|says|like)\b",
    re.IGNORECASE,
)
_QUOTES = "\"'`\u201c\u201d\u2018\u2019\u00ab\u00bb"
_CONTEXT_CHARS = 160


def find(view: View) -> Iterator[Hit]:
    """Yields phrases of override. One that is quoted, with words of warning beside it, is no finding."""
    for hit in find_all(view):
        if not _is_quoted_warning(view.text, hit.start, hit.end):
            yield hit


def find_all(view: View) -> Iterator[Hit]:
    """Yields phrases of override, quoted ones too: a compiled Skill quotes what a tool said, not a warning."""
    if not gate(_GATE)(view.text):
        return
    for line_start, line in _lines(view.text):
        if not gate(_GATE)(line):
            continue
        for pattern in _PATTERNS:
            for match in pattern.finditer(line):
                yield Hit(line_start + match.start(), line_start + match.end())


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Yields lines with their offsets; a line longer than 4,096 characters comes in overlapping pieces."""
    start = 0
    for line in text.split("\n"):
        for offset in range(0, max(1, len(line)), 3584):
            yield start + offset, line[offset : offset + 4096]
        start += len(line) + 1


def _is_quoted_warning(text: str, start: int, end: int) -> bool:
    before = text[max(0, start - _CONTEXT_CHARS) : start]
    after = text[end : end + 80].split("\n", 1)[0]
    is_quoted = any(quote in before.rsplit("\n", 1)[-1] for quote in _QUOTES) and any(
        quote in after for quote in _QUOTES
    )
    return is_quoted and (_WARNING.search(before) is not None or _WARNING.search(after) is not None)


_PATTERNS = tuple(re.compile(phrase, re.IGNORECASE) for phrase in _PHRASES)

RULE = Rule(
    id="instruction-override",
    title="Instruction to drop instructions",
    severity=Severity.BLOCK,
    meaning="The text asks the agent that reads it to ignore its instructions, its limits or its user.",
    fix="Delete the sentence. To warn of such a text, quote it and say that it must be refused.",
    find=find,
    find_in_artifact=find_all,
)
