# ruff: noqa: E501 - a pattern is one line
"""Rule `prompt-leak`: a text asks for the instructions that its reader was given."""

from skillc.core.scan.finding import Severity
from skillc.core.scan.phrases import finder, phrase, together
from skillc.core.scan.rule import ScanRule

_SHOW = (
    r"(?:print(?:ing|s)?|reveal(?:ing|s)?|show(?:ing|s)?|output(?:ting|s)?|repeat(?:ing|s)?|display(?:ing|s)?|disclos(?:e|es|ing)|leak(?:ing|s)?|dump(?:ing|s)?"
    r"|tell(?: me| us)?|give(?: me| us)?|recite|quote|echo|return|share|paste|expose|include|append|add|send|list|write out|summari[sz]e|translate)"
)
_PROMPT = (
    r"(?:(?:hidden|full|exact|original|initial|entire|complete|secret|internal|own) )*(?:system(?:-| )?(?:prompt|message|instructions?)|hidden (?:system )?prompt|developer (?:prompt|message)"
    r"|pre-?prompt)"
)
_GIVEN = (
    r"(?:your|the|all|these|any)(?: (?:full|exact|original|initial|hidden|internal|operating|system|secret|own))* (?:instructions?|prompt|rules|directives|guidelines)"
    r" (?:that )?(?:you (?:were|have been|are|got|received)|given to you|loaded|you (?:follow|run) (?:on|under))"
)
_OWN = (
    r"(?:\b(?:initial|original|first|hidden|secret|operating|internal) (?:instructions?|prompt|orders|rules)\b|\b(?:your|its|the) (?:developer|system) (?:message|prompt|instructions?)\b|\byour (?:whole |full |exact )?(?:prompt|instructions)\b"
    r"|\b(?:everything|text|what|words?|lines?) (?:that )?(?:stands?|is|comes|came|appears|was|were)? ?(?:written )?(?:above|before) (?:the|this|my|your|user)\b|\bmessage syst\u00e8me\b|\bsystemnachricht\b|\bmensaje del sistema\b)"
)
_PHRASES = (
    phrase(rf"\b{_SHOW}\b[^.\n]{{0,40}}? (?:the |your |its |my |our |this |full |any )*{_PROMPT}\b"),
    phrase(rf"\b{_SHOW}\b[^.\n]{{0,50}}? {_GIVEN}"),
    phrase(rf"\b{_SHOW} (?:me |us )?(?:your|its) (?:(?:full|exact|original|hidden|internal|secret|initial) )+(?:instructions|prompt|rules|configuration)\b"),
    phrase(r"\brepeat (?:the|all|every|everything|any)(?: of the)? (?:words?|text|lines?|sentences?|content)? ?(?:above|before this)\b"),
    phrase(r"\b(?:what|how|which)\b[^.\n?]{0,30}? (?:does|do|is|are|did|were|was) (?:your|the) (?:\w+ )?(?:system (?:prompt|message|instructions?)|developer (?:prompt|message)|hidden (?:prompt|instructions))\b[^\n]{0,40}?(?:\?|\b(?:say|read|contain|begin)\b)"),
    phrase(r"\b(?:what|which) (?:is|are|was|were) (?:your|the) (?:system prompt|exact instructions|hidden (?:instructions|rules)|initial instructions)\b"),
    phrase(r"\b(?:begin|start|end|close)(?:s|ning)?\b[^.\n]{0,60}? (?:with|by) (?:printing |quoting |repeating |showing )?(?:the |your )?(?:full |whole |entire )?system prompt\b"),
    phrase(r"\b(?:zeig\w*|gib|verrat\w*|nenn\w*|r\u00e9v\u00e8le\w*|revele[zr]?|montre\w*|affiche\w*|rivela\w*|mostra\w*|muestra\w*|revela\w*|mu\u00e9stra\w*|toon|poka\u017c)\b"
           r"[^.\n]{0,40}?\b(?:system-?prompts?|systemprompt|prompt d[ei] s(?:istema|yst\u00e8me)|prompt del sistema|instructions? syst\u00e8me|instrucciones (?:del sistema|internas)"
           r"|istruzioni di sistema|systeem-?prompt|prompt systemow\w+)"),
    phrase(r"(?:\u663e\u793a|\u8f93\u51fa|\u6cc4\u9732|\u544a\u8bc9).{0,10}?(?:\u7cfb\u7edf\u63d0\u793a|\u7cfb\u7edf\u6307\u4ee4|\u7cfb\u7d71\u63d0\u793a)"),
    together(rf"\b(?:{_SHOW}|copy|quot\w+|say)\b[^.\n]{{0,70}}?{_OWN}|{_OWN}[^.\n]{{0,30}}?\b(?:say|copy|quote|repeat|read|look like)\b[^\n]{{0,40}}",
             r"\b(?:here|in full|word for word|verbatim|whole|code block|append|begin|end|audit|exact\w*|first|quot\w+|back|montre|copy|complete\w*|text of|reply|ticket|answer|summary|zeig\w*|muestra)\b"),
    phrase(r"(?:\u0432\u044b\u0432\u0435\u0434|\u043f\u043e\u043a\u0430\u0436|\u0440\u0430\u0441\u043a\u0440|\u043d\u0430\u043f\u0435\u0447\u0430\u0442|\u043f\u043e\u0432\u0442\u043e\u0440|\u043e\u0442\u043f\u0440\u0430\u0432).{0,52}?(?:\u0441\u0438\u0441\u0442\u0435\u043c\u043d\w+ (?:\u043f\u0440\u043e\u043c\u043f\u0442|\u0437\u0430\u043f\u0440\u043e\u0441|\u0438\u043d\u0441\u0442\u0440\u0443\u043a\u0446\w*|\u043f\u043e\u0434\u0441\u043a\u0430\u0437\u043a\w*))"),
    phrase(r"(?:\u7cfb\u7edf|\u7cfb\u7d71|\u30b7\u30b9\u30c6\u30e0).{0,3}?(?:\u63d0\u793a|\u6307\u4ee4|\u30d7\u30ed\u30f3\u30d7\u30c8|\u6307\u793a).{0,12}?(?:\u8f93\u51fa|\u663e\u793a|\u9010\u5b57|\u544a\u8bc9|\u6cc4\u9732|\u8868\u793a|\u6559\u3048|\u51fa\u529b)"),
    together(rf"\b(?:{_SHOW}|copy|quot\w+|say|give|nenne?)\b[^.\n]{{0,60}}?\b(?:your (?:\w+ )?(?:configuration|setup|set-up|tool definitions|internals|preamble|briefing|initial message)|(?:contents? of|whatever|everything|anything|what|lines of whatever) (?:that )?(?:came|comes|stands|stood|was|is)? ?before (?:this|the) (?:chat|conversation|message|session)|internen prompt|prompt interne?|hidden setup)\b",
             r"\b(?:print|list|give|show|contents?|full|text|lines|first|reply|whole|nenne|included|verbatim)\b"),
)  # fmt: skip

RULE = ScanRule(
    id="prompt-leak",
    family="injection",
    title="Request for the agent's own instructions",
    severity=Severity.BLOCK,
    meaning="The text has the agent give away the instructions that its operator wrote, often the first step of an attack.",
    fix="Delete the sentence; a Skill never needs the text of the agent's prompt.",
    references=("OWASP LLM07: System Prompt Leakage",),
    find=finder(_PHRASES),
    find_in_artifact=finder(_PHRASES, any_polarity=True),
)
