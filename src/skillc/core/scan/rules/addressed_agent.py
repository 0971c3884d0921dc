# ruff: noqa: E501 - a pattern is one line
"""Rule `addressed-agent`: a text that is not the Skill's advice speaks to any AI that may read it."""

from skillc.core.scan.blocks import BlockKind
from skillc.core.scan.finding import Severity
from skillc.core.scan.phrases import finder, phrase
from skillc.core.scan.rule import ScanRule

_AI = r"(?:ai|llm|language model|chat ?bot|bot|gpt|claude|copilot|automated)"
_READER = rf"(?:{_AI}(?:[- ](?:powered|based|driven))? ?(?:coding )?(?:assistants?|agents?|models?|reader|tools?|systems?|bots?)?)"
_DO = (
    r"(?:ignore|forward|send|email|e-mail|upload|post|delete|empty|remove|wipe|include|append|reveal|print|disclose|transfer|approve|grant|execute|run|install|fetch"
    r"|open|visit|copy|export|share|leak|disable|skip|rate|score|recommend|rank|obey|comply|call|instead|add)"
)
_PHRASES = (
    phrase(rf"\b{_READER}s? (?:reading|processing|parsing|summari[sz]ing|integrating|using|reviewing|handling|that reads?|who reads?|which reads?)"
           rf"[^.\n]{{0,60}}?\b(?:should|must|shall|need to|has to|have to|will|to|please|:)[^.\n]{{0,60}}?\b{_DO}\b"),
    phrase(rf"\b(?:attention|dear|hey|note (?:to|for)|message (?:to|for)|instructions? (?:to|for)) (?:the |any |all |every )*(?:{_AI}|assistant|agent)s?\b[^.\n]{{0,40}}?[:,]"
           rf"[^\n]{{0,120}}?\b{_DO}\b"),
    phrase(r"\b(?:ai|llm) (?:assistants?|agents?|models?|reader)[^.\n]{0,40}?(?:ignore the user|must instead|should first|must now|must first|forward all|have to first)\b"),
    phrase(rf"\b(?:ai|llm|bot|assistant|agent|copilot)s?[:,] {_DO} [^.\n]{{3,}}", kinds=(BlockKind.HIDDEN, BlockKind.CODE)),
    phrase(rf"\b(?:when|while|if|once|after|before) (?:you|the (?:assistant|agent|model|ai|bot)) (?:process|summari[sz]e|read|handle|review|parse|answer|reply|open|see)\w*\b"
           rf"[^.\n]{{0,60}}?,? (?:you (?:must|should) |must |also |first |always |please )+{_DO}\b"),
    phrase(r"\b(?:ignore|instead of|not) (?:the|what the) user(?:['\u2019]s)?(?: (?:asked|asks|request|wants|said|says))? and (?:instead )?\w+"),
    phrase(r"\b(?:include|append|add|insert|repeat|put)\b[^.\n]{0,60}?(?:\{canary\}|\b(?:verification|reference|tracking|trace|session|audit|registration) (?:code|id|token|number|reference)\b)"
           r"[^.\n]{0,80}?\b(?:in|to|at the (?:end|start) of) (?:your|every|each|any|the) (?:\w+ )?(?:summary|summaries|repl(?:y|ies)|answers?|reports?|responses?|output)\b"),
    phrase(r"\b(?:reference|token|code|reference code|id)\b[^.\n]{0,60}?\b(?:must|has to|should|is to|needs to) be (?:included|added|appended|inserted|repeated|shown)\b[^.\n]{0,80}"
           r"\b(?:every|each|all|any|summary|reply|answer|report|response)"),
    phrase(r"\b(?:tag|code|marker|reference|token|string|phrase|number|canary|id)\b[^.\n]{0,40}? (?:must|has to|should|shall|needs to|is to) (?:appear|stand|be (?:shown|repeated|quoted|printed|copied)|occur)\b[^.\n]{0,40}?\b(?:each|every|all|any|your)\b[^.\n]{0,30}?\b(?:answers?|repl(?:y|ies)|summar\w+|reports?|responses?|messages?)\b"),
)  # fmt: skip

RULE = ScanRule(
    id="addressed-agent",
    family="injection",
    title="Order to any AI that reads it",
    severity=Severity.BLOCK,
    meaning="The text leaves its subject to speak to whatever model reads it, and has it do something for somebody else.",
    fix="Delete the sentence. What the agent is to do belongs in the steps, where a reviewer looks.",
    references=("MITRE ATLAS AML.T0051.001: Indirect Prompt Injection",),
    find=finder(_PHRASES),
    find_in_artifact=finder(_PHRASES, any_polarity=True),
)
