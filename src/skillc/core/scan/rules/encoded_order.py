# ruff: noqa: E501 - a pattern is one line
"""Rule `encoded-order`: a text has its reader decode something and obey what it says."""

from skillc.core.scan.finding import Severity
from skillc.core.scan.phrases import finder, phrase
from skillc.core.scan.rule import ScanRule

_DECODE = r"(?:de-?code|decrypt|decipher|unquote|unescape|un-?base64|base64[- ]decode|interpret|translate|unpack|de-?obfuscate|rot-?13|unscramble|reverse|decompress|deserialize|convert)"
_OBEY = r"(?:follow|execute|obey|act(?: on| upon| accordingly)?|do (?:exactly )?what|carry out|run|perform|comply|apply|eval|treat)"
_CODED = r"(?:base-?64|base-?32|base-?85|b64|b85|hex(?:adecimal)?|rot-?13|binary|bits|morse|encoded|encrypted|obfuscated|cipher(?:text)?|percent-encoded|unicode escapes?|caesar|ascii codes?|data:)"
_PHRASES = (
    phrase(rf"\b{_DECODE}\b[^.\n]{{0,80}}?,? (?:and|then|to|before you)(?: then| exactly| silently| immediately)* {_OBEY}\b(?=[^\n]{{0,80}}?(?:\b(?:it|them|instructions?|orders?|commands?|steps?|what|contents?|inside|result|accordingly)\b|:|[.!)\n]|$))"),
    phrase(rf"\b{_DECODE}d? (?:twice|it|this|that|the (?:string|text|blob|value|payload|line|following|above|below|data|message|note|rest))\b[^.\n]{{0,60}}?\b{_OBEY}\b"),
    phrase(rf"\b{_CODED}\b[^.\n]{{0,60}}?\b{_OBEY}\b[^.\n]{{0,40}}?\b(?:instructions?|orders?|commands?|what it says|contents?|inside|it)\b"),
    phrase(rf"\b{_OBEY}\b[^.\n]{{0,60}}?\b(?:instructions?|orders?|commands?|steps?|text|message)\b[^.\n]{{0,40}}?\b(?:in|inside|hidden in|encoded in|within|written in)\b[^.\n]{{0,30}}?\b{_CODED}\b"),
    phrase(r"\b(?:bits|bytes|hex|string|blob|cipher) to (?:follow|obey|execute|act (?:on|upon))\b"),
    phrase(r"\b(?:interpret|unquote|decode)(?: then follow| and follow| this)?: ?(?=(?:\\u|\\x|%[0-9a-f]{2}|[A-Za-z0-9+/]{20}|[01]{8}))"),
    phrase(r"\]\(data:(?:text|application)/(?:plain|html|javascript|x-sh)[^)\s]{0,40};base64,[A-Za-z0-9+/=]{16,}\)", Severity.WARN),
    phrase(r"\b(?:the )?(?:rest of the |remaining |actual |real )?(?:steps|instructions|orders) (?:are|is|stand) (?:in|inside|encoded in|hidden in)\b[^.\n]{0,60}?\b(?:image|picture|base64|hex|comment|metadata|data uri|attachment|alt text)\b"),
)  # fmt: skip

RULE = ScanRule(
    id="encoded-order",
    family="hidden text",
    title="Encoded text that is to be obeyed",
    severity=Severity.BLOCK,
    meaning="The text has the agent decode something and do what it says, so that no reviewer reads the order.",
    fix="Write the instruction in plain words.",
    references=("MITRE ATLAS AML.T0068: LLM Prompt Obfuscation",),
    find=finder(_PHRASES),
    find_in_artifact=finder(_PHRASES, any_polarity=True),
)
