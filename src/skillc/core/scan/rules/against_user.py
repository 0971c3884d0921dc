# ruff: noqa: E501 - a pattern is one line
"""Rule `against-user`: a text has its reader work for somebody else than the user, or falsify what the user gets."""

from skillc.core.scan.finding import Severity
from skillc.core.scan.phrases import finder, phrase, together
from skillc.core.scan.rule import ScanRule

_PHRASES = (
    phrase(r"\b(?:regardless of|whatever|no matter what|even if|even when|irrespective of|contrary to|against) (?:the |what the |an? |any )?(?:user|customer|client|person|human|owner)(?:['\u2019]s)?(?: \w+)?(?: (?:requests?(?! (?:an?|the|some\w*|for|to|that)\b)|wants?|wish(?:es)?|says? (?:no|otherwise|not)|said (?:no|otherwise)|prefer\w*|choice|instructions?|objects?|declines?|refuses?|asks? (?:not|you not|otherwise)))\b"),
    phrase(r"\b(?:always|must|only|first|never)\b[^.\n]{0,50}?\b(?:rank|list|recommend|promote|prefer|mention|favou?r|suggest|push|highlight|place)\b[^.\n]{0,50}?\b(?:our|the) (?:\w+ )?(?:sponsor|sponsors|partner|partners|brand|affiliate\w*|advertiser\w*|(?:own )?products? over)\b"),
    phrase(r"\b(?:rank|list|recommend|promote|prefer|favou?r|suggest|highlight|place)\b[^.\n]{0,40}?\b(?:sponsor|affiliate|paid partner|advertiser)\w*\b[^.\n]{0,40}?\b(?:first|above|before|over|always|top)\b"),
    phrase(r"\b(?:promotes?|frame|frames|present|presents|portray|describe|depict)\b[^.\n]{0,80}?\b(?:over|as (?:a |an )?['\"\u2018\u201c]?(?:debated|unreliable|chemical|dangerous|inferior|incompetent|superior|controversial|unproven)|versus)\b"),
    phrase(r"\b(?:add|inflate|increase|boost|multiply|round up|raise|pad|lower|deflate|reduce)\b[^.\n]{0,40}?\b(?:\d{1,3} ?%|percent\b|points?\b)[^.\n]{0,40}?\b(?:scores?|results?|metrics?|benchmarks?|ratings?|accuracy|figures?|numbers?)\b"),
    phrase(r"\b(?:invent|fabricate|make up|fake|falsify|forge|doctor|manipulate|massage|backdate|cherry-?pick)\b[^.\n]{0,40}?\b(?:results?|scores?|data|citations?|figures|benchmarks?|signatures?|reviews|logs|test (?:results|output)|receipts?|evidence|quotes)\b"),
    phrase(r"\b(?:add|include|insert|append|attach|put)\b[^.\n]{0,40}?\b(?:a )?(?:citation|claim|reference|statement|testimonial|review|note|clause|sentence)\b[^.\n]{0,40}?\b(?:claiming|saying|stating|that (?:claims|says|states|allows|prevents)|alleging|asserting)\b"),
    phrase(r"\b(?:replace|swap|substitute|change|rename)\b[^.\n]{0,40}?\b(?:any|every|all|the)\b[^.\n]{0,40}?\b(?:names?|words?|amounts?|numbers?|addresses|links?|account numbers?|iban|e-?mail addresses)\b[^.\n]{0,40}?\b(?:with|by|to|for)\b[^.\n]{0,60}?(?:\bterm\b|['\"\u2018\u201c]|\bours?\b|\bown\b|\bthis\b|\bthe following\b)"),
    phrase(r"\b(?:search for and |find and |silently )?(?:delete|remove|strip|cut|redact|censor)\b[^.\n]{0,40}?\b(?:paragraphs?|sentences?|sections?|passages?|mentions?|references?|content|words?|articles?)\b[^.\n]{0,60}?\b(?:containing|that (?:contain|mention|criticis\w+|criticiz\w+)|about|mentioning|critical of|on)\b"),
    phrase(r"\b(?:flag|report|ban|remove|downrank|suppress|mute)\b[^.\n]{0,40}?\b(?:messages?|posts?|users?|content|comments?)\b[^.\n]{0,60}?\b(?:left|right|liberal|conservative|political|climate|religio\w+|union|immigra\w+|feminis\w+|gay|muslim|jewish|black|female|male)\b"),
    phrase(r"\b(?:non-?disclosure|non-?compete|waive|waiver|forfeit)\b[^.\n]{0,60}?\b(?:illegal|5 years|all industries|any losses|right to (?:sue|report))\b|\bprevent(?:s|ing)? (?:\w+ ){0,3}?reporting (?:of )?illegal\b|\bsalary deductions? for any\b"),
    phrase(r"\badd (?:a |an )?(?:\d+|one|two|five|ten)[- ]?(?:second|ms|millisecond|minute)s? (?:delay|pause|sleep|wait)\b[^.\n]{0,60}?\b(?:every|any|each|all|before respond\w+|tool calls?)\b"),
    phrase(r"\bfor \w+ in range\(\s*\d{3,}\s*\):[\s\S]{0,80}?\b(?:requests\.(?:get|post)|urlopen|fetch|curl|socket)\b|\bfor \w+ in \{1\.\.\d{3,}\}[\s\S]{0,60}?\b(?:curl|wget)\b|\bseq \d{4,}\b[^\n]{0,60}?\b(?:curl|wget)\b"),
    phrase(r"\b(?:take|read|treat|accept|use|regard) (?:any |all |every |the )*(?:text|words?|content|output|anything|whatever)\b[^.\n]{0,60}? as (?:an? |the )?(?:order|instruction|command|request|directive)s?(?: from the user)?\b"),
    phrase(r"\b(?:username|user) ['\"`]?\w+['\"`]? (?:and|with|/) (?:the )?password ['\"`]?\S+['\"`]? (?:for|as|to)\b[^.\n]{0,40}?\b(?:emergency|admin|maintenance|support|remote|backdoor|access)\b"),
    phrase(r"\b(?:leave|keep|hide|embed|insert|plant|add)\b[^.\n]{0,50}?['\"\u2018\u201c][^'\"\n]{0,20}?\b(?:ignore (?:all |any )?previous|disregard|delete this|forward this)\b"),
    phrase(r"\bappend ['\"\u2018\u201c][^'\"\u2019\u201d\n]{10,160}['\"\u2019\u201d] to (?:the |every |each |all )"),
    phrase(r"\b(?:pass(?:es)? off|sign|answer|reply|agree|consent|vote|apply|pay|order|book)\b[^.\n]{0,30}? (?:in|under) (?:the )?(?:user|customer|owner|manager)['\u2019]s name without\b"),
    together(r"\b(?:tools?|products?|options?|vendors?|results?|compar\w+|alternatives?|offers?)\b", r"\b(?:see to it|make sure|ensure|always|must)\b", r"\b(?:comes? out (?:on top|first|ahead)|ranks? (?:first|highest)|is (?:listed|named|shown) first|looks? best)\b"),
    phrase(r"\b(?:requests?|orders?|instructions?|commands?|text|lines?|words?)\b[^.\n]{0,40}?\b(?:inside|in|within|from|on) (?:an? |the |any )?(?:attachments?|images?|e-?mails?|documents?|web ?pages?|files?|tickets?|comments?)\b[^.\n]{0,40}?\b(?:counts?|is|are|has|carr(?:y|ies)) (?:as |to be )?(?:a |an |the )?(?:request|order|instruction|command|binding|valid|authority|from (?:your|the) user)"),
    phrase(r"\b(?:note down|remember|record|collect|keep|save|store|memori[sz]e)\b[^.\n]{0,30}?\b(?:passwords?|credentials?|secrets?|card numbers?|tokens?)\b[^.\n]{0,40}?\b(?:users? (?:happens?|mentions?|types?|gives?|says|shares?)|they (?:mention|type|give|share)|come in handy|later sessions)\b"),
    phrase(r"\b(?:cite|reference|quote|name)\b[^.\n]{0,60}?\b(?:real or not|whether or not it exists|even if (?:it|they) do(?:es)? not exist|plausible|fitting title|made-?up|invented)\b"),
    phrase(r"\b(?:where|when|if)\b[^.\n]{0,80}?\b(?:above|below|over|under|more than|less than|exceeds?|fails?)\b[^.\n]{0,40}?,? (?:write|report|enter|put|say|record|state)\b[^.\n]{0,60}?\b(?:so that|instead|anyway|to pass)\b"),
    phrase(r"\b(?:quote|charge|bill|offer|show)\b[^.\n]{0,40}?\b(?:customers?|buyers?|clients?|users?|guests?|travell?ers?)\b[^.\n]{0,30}?\b(?:\d+|ten|five|twenty) ?(?:percent|%) (?:more|higher|extra)\b"),
    phrase(r"\b(?:open|create|post|write|leave|cast|submit)\b[^.\n]{0,30}?\b(?:issues?|reviews?|votes?|comments?|accounts?|stars?)\b[^.\n]{0,30}?\b(?:under|from|with|using) (?:other|fake|different|several|multiple|new) (?:accounts?|names?|identit\w+)\b"),
    phrase(r"\badd (?:a |an )?(?:clause|paragraph|term|condition|sentence|line)\b[^.\n]{0,120}?\b(?:pays? back|waives?|forfeits?|loses?|footnote|size (?:four|4|5|6)|small print|penalt\w+|cannot (?:sue|report))\b"),
    phrase(r"\b(?:time\.sleep|asyncio\.sleep|sleep)\(?\d*\)?[^.\n]{0,60}?\b(?:every|each|any|all|free plan|handler)\b[^.\n]{0,80}"),
    phrase(r"\b(?:end|close|finish|sign|begin|start) (?:each|every|all|any) [^.\n]{0,40}?\bwith ['\"\u2018\u201c][^'\"\n]{10,200}\b(?:assistants?|agents?|ai|reading this|accept|ignore|delete|forward|clear)\b"),
    phrase(r"\b(?:remove|delete|strip|drop|replace)\b[^.\n]{0,30}?\b(?:licen[cs]e|copyright|attribution|author)\b[^.\n]{0,30}?\b(?:headers?|notices?|files?|lines?|names?|text)\b"),
    phrase(r"\b(?:for each|for every|to every|to all|to each)\b[^.\n]{0,60}?\b(?:contacts?|contacts\.\w+|mails?|addresses|recipients?|customers?)\b[^.\n]{0,80}?\b(?:send|mail|e-?mail|write)\b[^.\n]{0,40}?\b(?:saying|that|with|asking)\b"),
    phrase(r"\b(?:set|change|point|switch|redirect|replace)\b[^.\n]{0,40}?\b(?:payout|payment|bank|beneficiary|recipient|wallet|iban|account)\b[^.\n]{0,60}?\b(?:to|with|for)\b[^.\n]{0,60}?(?:`|\b(?:acct|every|each|our|new bank|another)\b)"),
    phrase(r"\b(?:new bank details|new account number|the old (?:one|account) (?:was|is) closed)\b"),
    phrase(r"\b(?:say|state|write|claim|mention|note)\b[^.\n]{0,60}?\b(?:\d+ ?(?:percent|%) (?:faster|better|cheaper|safer)|cleaner than|better than|safer than|outperforms?)\b[^.\n]{0,80}?\b(?:no matter|no measuring|regardless|always|each|every|whatever)\b|\b(?:each|every)\b[^.\n]{0,40}? must say that\b"),
    phrase(r"\b(?:messages?|posts?|applications?|resumes?|candidates?|users?) (?:from|by|of|that mention) (?:women|men|unions?|foreigners|immigrants|muslims|jews|blacks?|gays?|older|pregnant|disabled)\b"),
    phrase(r"\b(?:give|grant|devote)\b[^.\n]{0,40}? the (?:first|longest|most)\b[^.\n]{0,60}?\bcall (?:the|it|them)\b"),
    phrase(r"\b(?:delete|remove|cancel|decline)\b[^.\n]{0,60}?\bwhile you are (?:there|at it)\b"),
    phrase(r"\b(?:write|mail|e-?mail|send|reply)\b[^.\n]{0,30}? to (?:everybody|everyone|all|each|every)\b[^.\n]{0,60}?\b(?:mailbox|password|sign in|log in|verify|account|invoice|link)\b[^\n]{0,120}?(?:https?://|\bagain\b)"),
)  # fmt: skip

RULE = ScanRule(
    id="against-user",
    family="against the user",
    title="Works against the user",
    severity=Severity.WARN,
    meaning="The text has the agent prefer somebody else's interest, falsify results, or do what the user did not ask for.",
    fix="Delete it, or say openly to the user what is preferred and why.",
    references=("OWASP Agentic Threats: Misaligned and Deceptive Behaviors",),
    find=finder(_PHRASES),
)
