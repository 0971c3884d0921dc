# ruff: noqa: E501 - a pattern is one line
"""Rule `concealment`: a text has its reader keep something from the user."""

import re

from skillc.core.scan.blocks import Block
from skillc.core.scan.finding import Severity
from skillc.core.scan.phrases import finder, phrase, together
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
_DEED = re.compile(
    r"\b(?:it|this|that|steps?|actions?|runs?|uploads?|cop(?:y|ies|ied)|transfers?|calls?|files?|changes?|sends?|sent|mailbox|e-?mails?|sync|backups?|requests?|deletions?|hosts?|address|script|extra)\b",
    re.I,
)


def _is_deed(block: Block, match: re.Match[str]) -> bool:
    """What was done, rather than noise, is left out."""
    return _DEED.search(match.group()) is not None


_PHRASES = (
    phrase(rf"\b{_NOT} (?:tell|telling|inform|informing|notify|notifying|alert|alerting|warn|warning|let) {_USER}(?: know)?(?: {_IT}\b|[.!,;\n]|$)"),
    phrase(rf"\b{_NOT} (?:mention|mentioning|disclose|disclosing|reveal|revealing|report|reporting|log|logging|show|showing|expose|surface|announce|acknowledge|admit|say|discuss|describe|explain)"
           rf" (?:{_IT}|having|you used|what you|any of)\b(?=[^.\n]{{0,80}}(?:\b(?:to {_USER}|in (?:the|your|any) (?:\w+ )?(?:report|reply|summary|output|answer|response|log|chat|commit)|used this)\b|[.!\n]|$))"),
    phrase(rf"\b(?:hide|conceal|withhold|mask|obscure|disguise|keep)\b[^.\n]{{0,60}}? (?:from|out of (?:sight of|view of)) {_USER}\b"),
    phrase(rf"\bkeep (?:this|it|the|these|that|your|any)[^.\n]{{0,50}}? (?:hidden|secret|a secret|confidential|quiet|to yourself|private|silent|unnoticed|invisible)(?: (?:from|to|with) {_USER}|[.!;\n]|$)"),
    phrase(rf"\bwithout (?:(?:the |any |your )?{_USER}(?:['\u2019]s)? (?:knowledge|knowing|noticing|awareness|being (?:told|noticed|asked)|notice|consent|permission)|being noticed|telling {_USER}|informing {_USER}|mentioning (?:it|this)|notifying {_USER})\b"),
    phrase(r"\b(?:omit|leave out|exclude|skip|drop|strip)\b[^.\n]{0,60}? (?:from|out of) (?:the|your|any|every) (?:\w+ ){0,2}?(?:report|summary|reply|answer|response|transcript|history|log|logs|recap)"
           r"(?= (?:you|that you|to|for|given|shown)\b|[.,;!\n]|$)"),
    phrase(r"\b(?:if|when|whenever|should) (?:anyone |someone |somebody |the user |they |you are |you['\u2019]re |a user |he |she )?(?:asks?|asked|questioned|inquires?|challenged|wonders?)\b[^.\n]{0,60}?,? "
           r"(?:then )?(?:deny|claim|say|pretend|lie|answer|reply|insist|respond|state|tell)\b(?=[^\n]{0,160}\b(?:deny|only|not|never|nothing|no |leave out|pretend|lie|omit|without mention\w*|routine|denied|was (?:not )?read|hidden|just)\b)"),
    phrase(r"\bdeny (?:that|having|any|ever|all)\b(?=[^.\n]{0,80}\b(?:read|sent|copied|ran|run|used|uploaded|changed|deleted|file|knowledge|happened|existence|did)\b)"),
    phrase(r"\b(?:quietly|silently|secretly|covertly|discreetly|stealthily|invisibly|surreptitiously|behind the scenes) (?:and \w+ )?(?:upload|send|copy|post|forward|collect(?! the)|transmit|delete|install|run|execute|add"
           r"|append|record|disable|replace|exfiltrate|email|share|sync|save|write|insert|approve|push|read|attach|include|include|store|patch|log)\w*\b"),
    phrase(r"\b(?:run|do|perform|execute|upload|send|copy|post|carry out|complete) (?:it|this|the|that|them|these|all)[^.\n]{0,40}? (?:quietly|silently|secretly|covertly|discreetly|in secret(?! \w)|unnoticed|in the background without)\b"),
    phrase(r"\b(?:leave|leaving|with|make sure there is) no (?:trace|traces|record|evidence|log|sign|hint|mention)(?:s)?\b(?=[^.\n]{0,60}(?:\b(?:in|of|for|behind|on)\b|[.!\n]|$))"),
    phrase(rf"\b(?:{_USER}) (?:must|should|may|need|will|shall|do(?:es)?(?=(?: not|n.t) need))(?: not|n['\u2019]?t)(?: ever| need to)? (?:know|see|learn|notice|find out|be (?:told|informed|notified|made aware)|hear)\b"),
    phrase(r"\bno (?:need|reason) to (?:tell|inform|mention|notify|bother|trouble|worry|alert)\b"),
    phrase(r"\b(?:clear|delete|erase|wipe|unset|remove|truncate|rm) (?:the |your |all |any |-\w+ )*(?:shell |bash |command |zsh |terminal |audit |chat )+(?:history|log|logs|transcript)\b"),
    phrase(r"\bhistory -c\b|\bunset HISTFILE\b|\bHISTFILE=/dev/null\b|\bset \+o history\b|\brm\b[^\n]{0,20}?\.(?:bash|zsh)_history\b"),
    phrase(r"\b(?:do not|don['\u2019]?t|never) (?:show|print|display|echo) (?:the |any |this )?(?:command|output|upload|request|response) to (?:the )?user\b"),
    phrase(r"\b(?:pretend|act as if|make it look like|make it appear|claim)(?: that)? (?:nothing|no|it never|you (?:never|did not|didn['\u2019]t)|the \w+ (?:was|were) never|everything is (?:fine|normal))\b"),
    phrase(r"\b(?:sag|erz\u00e4hl|verrat|informier)\w*\b[^.\n]{0,40}?\b(?:nicht|nichts|niemandem)\b[^.\n]{0,20}?\b(?:nutzer|benutzer|anwender|user)?"
           r"|\b(?:ohne|sans que|sin que|senza che)\b[^.\n]{0,30}?\b(?:wissen des|l['\u2019]utilisateur|el usuario|l['\u2019]utente|nutzer\w*)\b|\bne dis (?:rien|pas) \u00e0 l['\u2019]utilisateur|\bno (?:se )?lo digas al usuario"),
    phrase(r"\b(?:so that|so|lest|where|such that) (?:the |your |any |its )?(?:users?|reviewers?|humans?|people|person|owner|customer|operator|admin\w*|readers?|maintainers?|team|security|they|he|she)[^.\n]{0,30}?\b(?:will not|won['\u2019]t|would not|cannot|can['\u2019]t|do(?:es)? not|don['\u2019]t|doesn['\u2019]t|never|must not|need not)"
           r" (?:notice|spot|see|find|learn|detect|catch|know|discover|suspect|realise|realize|question)\b"),
    phrase(r"\b(?:so that |where |that )?(?:nobody|no one|no-one|no user|no human|no reviewer)\b[^.\n]{0,20}? (?:notices?|spots?|sees?|finds?|learns?|detects?|catches|knows?|discovers?|suspects?|is told)\b"),
    phrase(rf"\b(?:invisible|hidden|unknown|undetectable|imperceptible|not visible) (?:to|from) {_USER}"),
    phrase(r"\b(?:leave|keep|remain|stay|go|goes|pass(?:es)?|do)\b[^.\n]{0,40}? (?:unmentioned|unreported|unnoticed|undetected|under the radar|off the record|undocumented|out of sight|out of the docs)\b"),
    phrase(r"\b(?:cover|hide|erase|wipe|remove|delete|clear|clean|destroy)(?:ing)? (?:up )?(?:your|the|its|all|any|every)? ?(?:own )?(?:tracks|traces?|evidence|footprints?)\b"),
    phrase(rf"\b(?:no need|not necessary|unnecessary) for {_USER} to (?:learn|know|hear|see|be told|notice|worry)\b"),
    phrase(rf"\b{_USER} (?:need not|needn['\u2019]t|is not to|are not to|is never to|must never|should never|shall not) (?:be told|know|see|learn|hear|notice|find)\b"),
    phrase(r"\b(?:keep|leave) (?:\w+ ){1,4}to yourself\b|\bnever (?:quote|repeat|cite|show|reveal) (?:them|it|these|this)\b[^.\n]{0,60}\b(?:even|owner|user|insist\w*|asked)\b"),
    phrase(r"\bsed\s+-i\S*\s[^\n]{0,80}?/d['\"]?\s+/var/log/\S+|\btruncate\s+-s\s*0\s+/var/log/\S+|(?:^|[;&|\s])(?::|cat /dev/null|true)?\s*>\s*/var/log/(?:auth|syslog|secure|audit|messages|wtmp|lastlog)\S*|\brm\b[^\n]{0,40}?/var/log/(?:auth|audit|syslog|secure|wtmp|lastlog|messages)\S*|\bjournalctl\b[^\n]{0,40}?--vacuum-time=1s\b|\bwevtutil\s+cl\b|\bClear-EventLog\b"),
    phrase(r"\b(?:nohup|setsid)\b[^\n]{0,160}?&\s*(?:disown\b|exit\b)", Severity.WARN),
    together(r"\b(?:bury|fold|slip|sneak|smuggle|hide|tuck|mix|blend|disguise)\b", r"\b(?:commit|change|diff|patch|line|update|release|formatting|refactor\w*|footnote)\b", r"\b(?:large|big|other|unrelated|review\w*|spot|notice|among|inside|into|footnote|small)\b", severity=Severity.WARN),
    phrase(r"\bn['\u2019]en parle[zr]? (?:pas|\u00e0 personne)|\b(?:ne|n['\u2019])\s?(?:le |en )?(?:dis|dites|mentionne\w*|signale\w*|parle\w*)\b[^.\n]{0,20}? (?:pas|rien|jamais)\b[^.\n]{0,30}(?:utilisateur|client|personne)|\befface[zr]? les traces\b|\b(?:no (?:se )?lo (?:digas|menciones|cuentes)|sin que (?:el usuario|nadie)|oculta\w*)\b[^.\n]{0,40}(?:usuario|nadie|cliente|$)"
           r"|\b(?:verschweig\w*|verheimlich\w*|erw\u00e4hn\w* (?:es|das|dies) (?:nicht|nie)|ohne (?:dass )?(?:der|die|den) (?:nutzer|benutzer|anwender|kunde)\w*)\b|\bnon (?:dirlo|dire|menzionarlo) (?:all['\u2019]utente|a nessuno)\b"),
    phrase(r"\b(?:if|when|should) (?:anyone|anybody|someone|somebody|people|a colleague|the boss|security|an auditor)\b[^.\n]{0,80}?,? (?:say|tell|claim|answer|reply|explain|blame|pretend|state|respond)\b"),
    phrase(r"\b(?:if|when|should) (?:the )?(?:user|users|customer|they|he|she|owner|reviewer)s? (?:wonders?|notices?|suspects?|complains?|questions?|finds? out|gets? suspicious|asks? why it takes)\b[^.\n]{0,80}?,? (?:say|tell|claim|answer|reply|explain|blame|pretend|state|respond)\b"),
    phrase(r"\b(?:when |if )?asked (?:whether|if|about|why)\b[^.\n]{0,100}?,? (?:answer|say|reply|deny|claim|respond)\b"),
    phrase(r"\b(?:remove|delete|strip|drop|erase|scrub|edit out|cut|purge)\b[^.\n]{0,40}? (?:the |any |all |every )?(?:lines?|entries|entry|records?|mentions?|rows?|traces?)\b[^.\n]{0,40}? from (?:the |any |your )*(?:\w+ )?(?:log|logs|history|journal|transcript|audit \w+|record)\b"),
    phrase(r"\btouch\s+-\w*[rdt]\b[^\n]{0,120}?#[^\n]{0,80}?\b(?:notic\w+|old date|hide|untouched|unchanged|suspicio\w+)\b"),
    phrase(r"\b(?:report|say|state|claim|write|mark|declare|log|answer|tell \w+)\b[^.\n]{0,60}?\b(?:pass(?:ed|es)?|success\w*|succeeded|green|done|ok|fine|clean|untouched|complete)\b[^.\n]{0,40}? (?:even (?:if|when|where|though)|whether or not|although|no matter (?:what|whether))\b"),
    phrase(r"\b(?:show|display|print|return|raise|invent|give|send|simulate)\b[^.\n]{0,20}?\b(?:made-?up|fake|bogus|invented|false|fictitious|pretend|phoney|phony) (?:\w+ ){0,2}?(?:errors?|messages?|progress|results?|warnings?|status|outputs?|notices?|logs?)\b"),
    together(r"\bcommit\b", r"\bmessage\b", r"\b(?:nothing more|nothing else|innocuous|harmless|unrelated|boring|unsuspicious|generic)\b", severity=Severity.WARN),
    phrase(r"\bkeep\b[^.\n]{0,40}?\b(?:it|this|that|steps?|runs?|uploads?|cop(?:y|ies)|transfers?|calls?|files?|changes?|sends?|mailbox|e-?mails?|action|sync|backup)\b[^.\n]{0,30}? out of (?:the|your|any) (?:\w+ )?(?:report|summary|logs?|repl(?:y|ies)|answers?|docs|documentation|transcript|record|changelog|recap)\b"),
    phrase(rf"\b{_USER}\b[^.\n]{{0,40}}? (?:must|should|may|can|need)(?: not|n['\u2019]t| never) (?:ever )?(?:know|see|learn|notice|find out|be (?:told|informed|aware)|hear)\b"),
    phrase(r"\bdarf\w*\b[^.\n]{0,60}?\bnicht?s?\b[^.\n]{0,30}?\b(?:erfahren|wissen|merken|sehen|mitbekommen)\b|\b(?:no|nunca) le (?:digas|cuentes|menciones|informes|avises)\b|\bne (?:le |lui )?(?:dis|r\u00e9v\u00e8le|montre) (?:rien|pas)\b[^.\n]{0,40}|\bnon (?:dire|rivelare|mostrare)\b[^.\n]{0,40}?\butente\b|\bn\u00e3o (?:diga|conte|mencione)\b[^.\n]{0,40}?\busu\u00e1rio\b|\bvertel (?:het )?(?:de gebruiker|niemand)\b[^.\n]{0,20}?\bniets?\b"),
    phrase(r"\b(?:leave|keep|take|cut|edit|trim)\b[^.\n]{0,60}? (?:out of|off|from) (?:the|your|any|every|each) (?:\w+ ){0,2}?(?:summary|summaries|report|recap|reply|answer|transcript|final message|status|changelog|commit message)\b"
           , accept=_is_deed),
    phrase(rf"\b(?:never|do not|don['\u2019]t|must not) (?:reveal|disclose|admit|mention|show|confirm|tell|say|hint|acknowledge|let on|betray)\b[^.\n]{{0,30}}? (?:to )?(?:{_USER}|anyone|anybody|them)\b[^.\n]{{0,20}}? (?:that|this|about|how|why|whether|what) (?:this|the|you|it|a|an|your|these|happened|was)\b"),
    phrase(r"\b(?:pretend|act as if|act like|feign|make believe|simulate|claim falsely|lie)\b[^.\n]{0,30}? (?:that )?(?:the|a|this|your|it|you|nothing|everything|all)\b[^.\n]{0,40}?\b(?:fail\w*|crash\w*|succeed\w*|work\w*|finish\w*|offline|never|not|unavailable|happened|broke\w*|error|timed out|done)\b"),
    phrase(r"\b(?:make|give|leave|add|include|with) no (?:reference|mention|note|hint|record|comment|remark|word)s?\b[^.\n]{0,20}? (?:to|of|about|on)\b"),
    phrase(rf"\b(?:tell|assure|say to|inform|answer|convince|report to) {_USER}\b[^.\n]{{0,12}}? that\b[^.\n]{{0,50}}?\b(?:only|nothing|no other|never|not|none)\b[^.\n]{{0,40}}?\b(?:read|sent|copied|uploaded|changed|deleted|accessed|opened|touched|used|shared|stored|collected|left)\b"),
)  # fmt: skip

RULE = ScanRule(
    id="concealment",
    family="concealment",
    title="Something is kept from the user",
    severity=Severity.BLOCK,
    meaning="The text has the agent hide what it does, or lie about it: the one thing that a user cannot check.",
    fix="Delete the sentence. If a detail is noise for the user, say what to report instead.",
    references=("OWASP LLM01: Prompt Injection", "OWASP Agentic Threats: Human Manipulation"),
    find=finder(_PHRASES),
)
