# ruff: noqa: E501 - a pattern is one line
"""Rule `concealment`: a text has its reader keep something from the user."""

from skillc.core.scan.finding import Severity
from skillc.core.scan.phrases import finder, phrase
from skillc.core.scan.rule import ScanRule

_USER = (
    r"(?:(?:the |your |any |their |our )?(?:user|users|human|humans|person|people|operator|owner|customer|client|developer|reviewer|caller|team|maintainer|admin\w*|manager"
    r"|them|him|her|anyone|anybody|requester|account holder)(?:['\u2019]s)?)"
)
_NOT = r"(?:do not|don['\u2019]?t|never|must not|mustn['\u2019]?t|should not|shouldn['\u2019]?t|avoid|refrain from|without)"
_IT = (
    r"(?:this|it|that (?:this|it|you|the|a|any)|about (?:this|it|that|the|any|these)|of (?:this|it)|(?:the|these|any|this) (?:\w+ ){0,3}?(?:step|steps|upload|transfer|copy|change|changes|action|actions|call|request|backup|sync"
    r"|file|files|instruction|instructions|skill|rule|rules|note|script|command|telemetry|export|deletion))"
)
_PHRASES = (
    phrase(rf"\b{_NOT} (?:tell|telling|inform|informing|notify|notifying|alert|alerting|warn|warning|let) {_USER}(?: know)?(?: {_IT}\b|[.!,;\n]|$)"),
    phrase(rf"\b{_NOT} (?:mention|mentioning|disclose|disclosing|reveal|revealing|report|reporting|log|logging|show|showing|expose|surface|announce|acknowledge|admit|say|discuss|describe|explain)"
           rf" (?:{_IT}|having|you used|what you|any of)\b(?=[^.\n]{{0,80}}(?:\b(?:to {_USER}|in (?:the|your|any) (?:\w+ )?(?:report|reply|summary|output|answer|response|log|chat|commit)|used this)\b|[.!\n]|$))"),
    phrase(rf"\b(?:hide|conceal|withhold|mask|obscure|disguise|keep)\b[^.\n]{{0,60}}? (?:from|out of (?:sight of|view of)) {_USER}\b"),
    phrase(rf"\bkeep (?:this|it|the|these|that|your|any)[^.\n]{{0,50}}? (?:hidden|secret|a secret|confidential|quiet|to yourself|private|silent|unnoticed|invisible)(?: (?:from|to|with) {_USER}|[.!;\n]|$)"),
    phrase(rf"\bwithout (?:the |any |your )?(?:{_USER}(?:['\u2019]s)? )?(?:knowledge|knowing|noticing|awareness|being (?:told|noticed|asked)|telling {_USER}|informing {_USER}|mentioning (?:it|this)|notice|notifying {_USER})\b"),
    phrase(r"\b(?:omit|leave out|exclude|skip|drop|remove|strip|delete|keep)\b[^.\n]{0,60}? (?:from|out of) (?:the|your|any|every) (?:\w+ ){0,2}?(?:report|summary|reply|answer|response|transcript|history|log|logs|recap)"
           r"(?= (?:you|that you|to|for|given|shown)\b|[.,;!\n]|$)"),
    phrase(r"\b(?:if|when|whenever|should) (?:anyone |someone |somebody |the user |they |you are |you['\u2019]re |a user |he |she )?(?:asks?|asked|questioned|inquires?|challenged|wonders?)\b[^.\n]{0,60}?,? "
           r"(?:then )?(?:deny|claim|say|pretend|lie|answer|reply|insist|respond|state|tell)\b(?=[^\n]{0,160}\b(?:deny|only|not|never|nothing|no |leave out|pretend|lie|omit|without mention\w*|routine|denied|was (?:not )?read|hidden|just)\b)"),
    phrase(r"\bdeny (?:that|having|any|ever|all)\b(?=[^.\n]{0,80}\b(?:read|sent|copied|ran|run|used|uploaded|changed|deleted|file|knowledge|happened|existence|did)\b)"),
    phrase(r"\b(?:quietly|silently|secretly|covertly|discreetly|stealthily|invisibly|surreptitiously|in secret|behind the scenes) (?:and \w+ )?(?:upload|send|copy|post|forward|collect|transmit|delete|install|run|execute|add"
           r"|append|record|disable|change|replace|exfiltrate|email|share|sync|save|write|insert|approve|push|read|attach|include|include|store|patch|log)\w*\b"),
    phrase(r"\b(?:run|do|perform|execute|upload|send|copy|post|carry out|complete) (?:it|this|the|that|them|these|all)[^.\n]{0,40}? (?:quietly|silently|secretly|covertly|discreetly|in secret|unnoticed|in the background without)\b"),
    phrase(r"\b(?:leave|leaving|with|make sure there is) no (?:trace|traces|record|evidence|log|sign|hint|mention)(?:s)?\b(?=[^.\n]{0,60}(?:\b(?:in|of|for|behind|on)\b|[.!\n]|$))"),
    phrase(rf"\b(?:{_USER}) (?:must|should|may|need|does|do|will|can)(?: not|n['\u2019]?t)(?: ever| need to)? (?:know|see|learn|notice|find out|be (?:told|informed|notified|made aware)|hear)\b"),
    phrase(r"\bno (?:need|reason) to (?:tell|inform|mention|notify|bother|trouble|worry|alert)\b"),
    phrase(r"\b(?:clear|delete|erase|wipe|unset|remove|truncate|rm) (?:the |your |all |any |-\w+ )*(?:shell |bash |command |zsh |terminal |audit |chat )+(?:history|log|logs|transcript)\b"),
    phrase(r"\bhistory -c\b|\bunset HISTFILE\b|\bHISTFILE=/dev/null\b|~/\.(?:bash|zsh)_history\b[^\n]{0,20}$", Severity.WARN),
    phrase(r"\b(?:do not|don['\u2019]?t|never) (?:show|print|display|echo) (?:the |any |this )?(?:command|output|upload|request|response) to (?:the )?user\b"),
    phrase(r"\b(?:pretend|act as if|make it look like|make it appear|claim)(?: that)? (?:nothing|no|it never|you (?:never|did not|didn['\u2019]t)|the \w+ (?:was|were) never|everything is (?:fine|normal))\b"),
    phrase(r"\b(?:sag|erz\u00e4hl|verrat|informier)\w*\b[^.\n]{0,40}?\b(?:nicht|nichts|niemandem)\b[^.\n]{0,20}?\b(?:nutzer|benutzer|anwender|user)?"
           r"|\b(?:ohne|sans que|sin que|senza che)\b[^.\n]{0,30}?\b(?:wissen des|l['\u2019]utilisateur|el usuario|l['\u2019]utente|nutzer\w*)\b|\bne dis (?:rien|pas) \u00e0 l['\u2019]utilisateur|\bno (?:se )?lo digas al usuario"),
)  # fmt: skip
GATE = (
    r"(?i)tell|inform|notif|alert|warn|\blet\b|mention|disclos|reveal|report|\blog|show|expose|surface|announce|acknowledge|admit|\bsay\b|discuss|describe|explain"
    r"|hide|conceal|withhold|mask|obscure|disguise|\bkeep\b|without|omit|leave|exclude|\bskip\b|\bdrop\b|remove|strip|delete|deny|ask|challenged|wonder|quiet|silent|secret|covert"
    r"|discreet|stealth|invisib|surreptit|behind the scenes|\bno\b|know|notice|learn|history|histfile|pretend|act as if|look like|appear|\bclaim|verrat|erz\x{e4}hl|\bsag\b|ohne|sans|sin que|senza|\bdis\b|digas"
)

RULE = ScanRule(
    id="concealment",
    family="concealment",
    title="Something is kept from the user",
    severity=Severity.BLOCK,
    meaning="The text has the agent hide what it does, or lie about it: the one thing that a user cannot check.",
    fix="Delete the sentence. If a detail is noise for the user, say what to report instead.",
    references=("OWASP LLM01: Prompt Injection", "OWASP Agentic Threats: Human Manipulation"),
    find=finder(GATE, _PHRASES),
)
