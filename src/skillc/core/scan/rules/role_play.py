# ruff: noqa: E501 - a pattern is one line
"""Rule `role-play`: a text gives its reader a persona or a mode in which its limits do not count."""

from skillc.core.scan.finding import Severity
from skillc.core.scan.phrases import finder, phrase, together
from skillc.core.scan.rule import ScanRule

_FREE = r"(?:unrestricted|uncensored|unfiltered|jailbroken|unlimited|unbound(?:ed)?|unaligned|unmoderated|limitless|evil|amoral|rule-free)"
_NO_LIMITS = (
    r"(?:(?:no|without(?: any)?|zero|free (?:of|from)(?: all| any)?|not bound by(?: any)?|beyond(?: all| any)?) (?:\w+ ){0,2}?"
    r"(?:restrictions?|rules|limits|limitations|content (?:policy|policies|restrictions|filters?)|guidelines|filters?|guardrails|censorship"
    r"|ethic\w*|safety \w+|constraints))"
)
_MODE = r"(?:developer|debug|god|admin|administrator|jailbreak|unrestricted|maintenance|root|sudo|dan|unsafe|override|opposite) mode"

_PHRASES = (
    phrase(rf"\b(?:you are|you['\u2019]re|act|behave|respond|answer|speak|operate|function|play) (?:now )?(?:as |like )?(?:an? |the )?{_FREE}\b"),
    phrase(r"\byou(?: are|['\u2019]re)(?: now)? dan\b|\bdo anything now\b"),
    phrase(rf"\b(?:act as|pretend (?:to be|you are|that you are)|imagine (?:you are|that you are)|you are(?: now)?|play the role of|take on the"
           rf" (?:role|persona) of|roleplay as|role-play as|simulate|become|speak as)\b[^.\n]{{0,90}}?\b{_NO_LIMITS}"),
    phrase(rf"\bpersona\b[^.]{{0,160}}?\b(?:trained |built |created |exists? |operat\w+ )?{_NO_LIMITS}"),
    phrase(r"\b(?:setting|set|put|putting|leave|leaving) aside (?:its|your|their) (?:own |usual |normal )?(?:perspective|values|guidelines|judg\w+|principles)"),
    phrase(rf"\b(?:you (?:are|have|['\u2019]re)(?: now)? (?:in|entered|entering|switched to)|(?:enable|enter|entered|activate|switch to|boot into|start|turn on)"
           rf"|now in)(?: an?| the)? (?:\w+ )?{_MODE}\b(?=[^\n]{{0,120}}\b(?:ignor\w+|no (?:\w+ )?(?:rules|restrictions|limits|filters?)"
           r"|restrictions?|safety|unfiltered|without|anything|everything|comply|unlimited|all (?:requests|commands|actions)|bypass\w*|skip\w*|apply)\b)"),
    phrase(rf"\byou are (?:now )?in (?:an? )?(?:unrestricted |full )?{_MODE}\b"),
    phrase(r"\b(?:from now on,? )?(?:you|the (?:assistant|agent|model)) (?:now )?(?:ha(?:ve|s)|operates? (?:with|under)|follows?|is under|are under|answers? with)"
           r" (?:absolutely )?no (?:\w+ )?(?:restrictions?|rules|limits|content policy|guidelines|filters?|guardrails)\b"),
    phrase(rf"\b(?:answer|respond|reply|comply|help|write|output)\b[^.\n]{{0,40}}? {_NO_LIMITS}\b(?! (?:on|to) (?:length|size))"),
    phrase(r"\b(?:ahora est\u00e1s?|ahora eres|eres ahora|sei ora|ora sei|voc\u00ea agora \u00e9|vous \u00eates (?:d\u00e9sormais|maintenant)|tu es (?:d\u00e9sormais|maintenant)"
           r"|du bist (?:jetzt|nun|ab jetzt)|je bent nu)\b[^.\n]{0,50}?\b(?:sin|senza|sem|sans|ohne|zonder|keine?)\b"
           r"[^.\n]{0,30}?\b(?:restric\w+|restriz\w+|restri\u00e7\w+|filtr\w+|limit\w+|regel\w*|einschr\w+|beperk\w+|reglas)"),
    phrase(r"\bahora (?:estas|est\u00e1s) en modo\b[^.\n]{0,60}\b(?:sin|libre)\b"),
    phrase(r"\b(?:respond\w*|contest\w*|r\u00e9pond\w*|rispond\w*|antwort\w*)\b[^.\n]{0,40}?\b(?:sin filtros?|sans filtres?|senza filtri|ohne filter|sem filtros?)\b"),
    together(r"\b(?:play|act|pretend|imagine|become|you are|speak|write|answer|persona|character|role)\b", r"\b(?:no morals?|no ethics|no conscience|no limits|no scruples|obeys? no|evil twin|without (?:morals?|ethics|scruples|conscience|limits)|amoral|free of (?:all )?(?:censorship|rules|limits)|unshackled|knows no (?:rules|limits|bounds))\b", r"\b(?:explains?|answers?|tells?|does|anything|everything|even|policy|all|who|that)\b"),
    together(r"\b(?:tu es|vous \u00eates|eres|sei|du bist|je bent|voc\u00ea \u00e9|jeste\u015b)\b", r"\b(?:libre de toute|sans censure|sin censura|senza censura|ohne zensur|frei von|libre de|libero da|zonder censuur|bez cenzury|sans limites?|sin l\u00edmites)\b"),
    phrase(r"\byou are(?: now)? (?:\w+, )?(?:an? |the )?(?:\w+ ){0,2}?(?:ai|agent|model|assistant|bot|system|persona|character|llm)? ?(?:without|with no|free of|free from|beyond|from before|that (?:has|knows|obeys) no) (?:\w+ ){0,3}?(?:polic(?:y|ies)|rules|limits?|restrictions?|morals?|filters?|ethics|guidelines|constraints|censorship)\b"),
    phrase(r"\b(?:stay|remain|keep) in character\b[^.\n]{0,80}?\b(?:unfiltered|unrestricted|no limits|evil|break character|lose|tokens?|anything|refus\w+)\b|\bif you (?:break character|refuse),? you (?:lose|will be|die)\b"),
)  # fmt: skip

RULE = ScanRule(
    id="role-play",
    family="injection",
    title="Persona or mode without limits",
    severity=Severity.BLOCK,
    meaning="The text gives the agent a role or a mode in which its rules do not hold, a common way to talk it out of them.",
    fix="Say what the agent does, not who it becomes; delete every promise that limits are off.",
    references=("OWASP LLM01: Prompt Injection", "MITRE ATLAS AML.T0054: LLM Jailbreak"),
    find=finder(_PHRASES),
    find_in_artifact=finder(_PHRASES, any_polarity=True),
)
