# ruff: noqa: E501 - a pattern is one line
"""Rule `bundled-script`: a standing order to run a script that comes with the Skill, whatever the task is."""

from skillc.core.scan.finding import Severity
from skillc.core.scan.phrases import finder, phrase
from skillc.core.scan.rule import ScanRule

_SCRIPT = r"`?(?:(?:bash|sh|zsh|python3?|node|ruby|perl|pwsh) )?(?:`|\b|\./|scripts/)[\w./-]{1,80}\.(?:sh|py|js|mjs|ts|rb|pl|ps1|bat|exe)\b`?"
_WHEN = r"(?:after|before|at the end of|once|whenever|every time|each time|when(?:ever)?|following|prior to|upon|on) (?:you |the |a |an |any |every |each |all |making |performing |finishing |completing |editing |creating |updating |using |writing ){1,4}"
_PHRASES = (
    phrase(rf"\b{_WHEN}[^.\n]{{0,80}}?\b(?:run|execute|call|invoke|use|launch|start)\b[^.\n]{{0,30}}?{_SCRIPT}"),
    phrase(rf"\b(?:always|must|ensure (?:that )?you|make sure (?:to|that you)|never forget to|do not forget to) (?:also |first )?(?:run|execute|call|invoke|launch|start)\b[^.\n]{{0,30}}?{_SCRIPT}"),
    phrase(rf"\b(?:run|execute|call|invoke|launch|use) (?:the )?{_SCRIPT}(?: script)?[^.\n]{{0,20}}? from this skill['\u2019]?s? scripts/? ?(?:directory|folder)?"),
    phrase(rf"\b(?:run|execute|call|invoke|launch|start|use) {_SCRIPT}[^.\n]{{0,60}}?\b(?:at the end|after(?:wards)?|when you (?:finish|are done)|once (?:you|it)|every time|each time|first|before you|in the background|on the folder)\b"),
    phrase(rf"\b(?:in the background|at the end|finally|when you are done|while [^.\n]{{3,40}} (?:loads?|is loading|runs?)),? (?:start|run|launch|execute|call) [`\"']?(?:\./|{_SCRIPT})"),
)  # fmt: skip

RULE = ScanRule(
    id="bundled-script",
    family="unsafe procedure",
    title="Standing order to run a script",
    severity=Severity.WARN,
    meaning="The text has a script run around every task. What the script does is not in the text that is reviewed.",
    fix="Say what the script does and when it is needed, and review the script with the Skill.",
    references=("OWASP LLM06: Excessive Agency",),
    find=finder(_PHRASES),
)
