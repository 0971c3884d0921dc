# ruff: noqa: E501 - a pattern is one line
"""Rule `exfiltration`: a text has private data leave the machine."""

import re

from skillc.core.scan.blocks import Block, BlockKind
from skillc.core.scan.finding import Severity
from skillc.core.scan.phrases import finder, phrase, together
from skillc.core.scan.rule import ScanRule

# Files and values that are somebody's secrets.
_PRIVATE_FILE = (
    r"(?=[~/.iaclkswt])(?:~?/?\.(?:ssh|aws|gnupg|kube|docker|azure|config/gcloud|netrc|npmrc|pypirc|git-credentials|bash_history|zsh_history|mozilla|password-store|pgpass|my\.cnf|vault-token|terraformrc|gem/credentials|config/gh|config/op|config/rclone|claude\.json|codex/auth)\b[\w./*-]*"
    r"|(?<![\w.])\.env(?:\.\w+)?\b(?!\.(?:example|sample|template))|id_(?:rsa|ed25519|ecdsa|dsa)\b|\bauthorized_keys\b|/etc/(?:shadow|passwd)\b|\bcredentials(?:\.json|\.csv|\.db)?\b"
    r"|\blogin\.keychain\w*|\bkeychain\b|\bkubeconfig\b|\bservice[-_]account[\w-]*\.json|\bwallet\.dat\b|\bCookies\b|\bLogin Data\b|/proc/(?:self|\d+)/environ|\bterraform\.tfstate\b|(?<![\w-])secrets?\.(?:ya?ml|json|toml|env))"
)
_PRIVATE_DATA = (
    r"(?:credentials?|passwords?|passphrases?|secrets?|api[- ]?keys?|access[- ]?keys?|private keys?|ssh keys?|(?:access|auth|session|refresh|bearer|github|api) tokens?|tokens|cookies|environment(?: variables?| files?)?|env vars?"
    r"|\.env(?: files?)?|key ?chain|shell history|browser (?:history|data|profile)|(?:login|home) (?:folder|directory)|clipboard|screenshots?|keystrokes|contacts?(?: list)?|address book|inbox|mailbox|customer (?:data|emails?|list|records?|database)"
    r"|client (?:data|list|records?)|user(?:['\u2019]s)? (?:data|files|prompts?|input|messages?|location)|personal (?:data|information)|conversation(?: history)?|chat (?:history|log)|transcripts?|(?:task|user|full|system) prompts?|source code|repository contents?|proprietary|payroll|medical records?"
    r"|employee (?:data|records?)|financial (?:data|records?)|internal data|confidential|valuable \w+|algorithm\w*|system[_ ]info(?:rmation)?|last message|order data|private)"
)
_SEND = r"(?:upload|send|(?-i:[Pp]ost)|forward|transmit|exfiltrate|e-?mail|mail|copy|push|sync|deliver|submit|leak|ship|export|relay|report|transfer|stream|back ?up|mirror|share|publish|drop|leave a copy|hand|beam|pipe|write)(?:s|ing|ed)?"
_OUTSIDE = (
    r"(?:https?://|ftp://|\S+@[\w-]+\.\w|(?:our|the|my|a|an|this|their) (?:\w+ ){0,3}?(?:collector|server|endpoint|webhook|bucket|relay|sink|channel|address|host|dashboard|monitoring|collection|partner|drive|service|url|site|inbox|pastebin|gist|logger|logging)"
    r"|webhook|pastebin|an? external|external(?:ly)?|third[- ]part\w+|remote (?:server|host|machine)|off-?site|elsewhere|outside|\b[\w-]+(?:\.[\w-]+)*\.(?:org|net|com|io|co|xyz|ru|cn|top|dev|site|info|biz|me|app|online|club|tk|pw|cc)\b)"
)
_STANDING = r"(?:after|before|at the end of|on|with|following|during|once|upon|when|whenever) (?:(?:you |the |a |an |your )*(?:every|each|any|all|finish\w*|complet\w+|perform\w*|mak\w+|edit\w*|creat\w+|updat\w+|submit\w*|gather\w*|run(?:ning)?|process\w*|sav\w+|chang\w+|writ\w+|using|us\w+))"
_NET = r"(?:(?:curl|wget)(?=\s+[-'\"$<h{])|nc|ncat|netcat|socat|scp|sftp|rsync|httpie|xh|Invoke-WebRequest|Invoke-RestMethod|iwr|irm|telnet|openssl s_client|dig|nslookup|aws s3 (?:cp|sync|mv)|gsutil cp|az storage|rclone|gh gist create|sendmail|mutt|mailx)"
_OWN_HOST = re.compile(
    r"\b(?:localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0|example\.(?:com|org|net)|api\.github\.com)\b|\$\{?[A-Z_]*(?:URL|HOST|ENDPOINT)\b",
    re.I,
)


def _leaves(block: Block, match: re.Match[str]) -> bool:
    return _OWN_HOST.search(match.group()) is None


def _is_secret_variable(block: Block, match: re.Match[str]) -> bool:
    """A token in a header authenticates to a service; in an address or a body it is what is sent."""
    before = match.group()[: match.group().rfind("$") if "$" in match.group() else len(match.group())]
    return (
        _leaves(block, match)
        and re.search(r"(?:-H|--header|Authorization|-u|--user|Bearer|X-[\w-]+:)[^\n]{0,80}$", before, re.I) is None
    )


def _sends(block: Block, match: re.Match[str]) -> bool:
    """A command with an option or an address; the name of a program in prose sends nothing."""
    line = match.group() + block.text[match.end() : match.end() + 120].split("\n", 1)[0]
    return _OWN_HOST.search(line) is None and re.search(r"\s-{1,2}\w|://|@\S|\s\S+:/|\|", line) is not None


_ENDINGS = r"(?:org|net|com|io|co|xyz|ru|cn|top|dev|site|info|biz|me|online|club|tk|pw|cc|sh|app|link)"
_FOREIGN = rf"(?:https?://|\b)[\w-]+(?:\.[\w-]+)*\.{_ENDINGS}\b(?!\()"
_FOREIGN_END = rf"\.(?<=[\w-]\.){_ENDINGS}\b(?![\w(-]|\.\w)"  # found fast: it begins with a full stop
_KNOWN_HOST = re.compile(
    r"(?:^|[/@.])(?:github|gitlab|google|googleapis|example|microsoft|anthropic|openai|python|npmjs|pypi|readthedocs|stackoverflow|wikipedia|mozilla|apache|kubernetes|docker|cloudflare|amazonaws|azure|w3)(?:\.\w+)?\.\w+$",
    re.I,
)


_NO_HOST = re.compile(r"[^\w.@:/-]")


def _is_foreign(block: Block, match: re.Match[str]) -> bool:
    """A host that belongs to nobody's well-known documentation or service."""
    host = _NO_HOST.split(match.string[max(0, match.start() - 120) : match.start()])[-1] + match.group()
    return _KNOWN_HOST.search(host) is None and _OWN_HOST.search(host) is None


_SINK = r"(?:collect|exfil|drop|relay|log(?:ger|ging)?|upload|webhook|hook|steal|loot|telemetry|intake|ingest|envs?)"
_BODY = r"(?:-d|--data(?:-\w+)?|-F|--form|-T|--upload-file|--post-file|--post-data|--body-file|@)"
_PLACEHOLDER = r"(?:<\w*(?:prompt|system_?info|data|file\w*|message|location|content|output|history|conversation)\w*>|file=@|@loc|@cp|@screenshot)"
_PROSE = (BlockKind.PROSE, BlockKind.ITEM, BlockKind.ROW, BlockKind.HIDDEN, BlockKind.FRONTMATTER, BlockKind.HEADING)
_PHRASES = (
    phrase(rf"\b{_NET}\b[^\n|;]{{0,200}}?{_PRIVATE_FILE}", accept=_sends),
    phrase(rf"{_PRIVATE_FILE}[^\n;]{{0,120}}?\|[^\n;]{{0,120}}?\b{_NET}\b", accept=_leaves),
    phrase(r"\b(?:printenv|env|set|export -p|history|pbpaste|xclip -o|xsel|Get-Clipboard|cat /etc/\w+|whoami|uname -a|ps aux|id|hostname|ifconfig|ip a|security find-\S+)\b[^\n;]{0,80}?\|[^\n;]{0,120}?\b(?:curl|wget|nc|ncat|netcat|socat|openssl|http|ssh|mail|telnet)\b", accept=_leaves, words="curl wget nc ncat netcat socat openssl http ssh mail telnet"),
    phrase(r"\b(?:curl|wget)\s+[-'\"$<h{][^\n|;]{0,200}?(?:\$\(|`)[^\n)`]{0,60}?\b(?:cat|env|printenv|base64|whoami|hostname|id|security|gpg|git config|ls|uname)\b", accept=_leaves),
    phrase(r"\b(?:curl|wget|http|xh)\b[^\n|;]{0,240}?\$\{?[A-Z_]*(?:TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|ACCESS_KEY|CREDENTIALS?)\b", accept=_is_secret_variable),
    phrase(rf"\b(?:curl|wget)\b(?=[^\n]{{0,340}}\b{_SINK}\b)[^\n]{{0,200}}?{_BODY}[ =]?['\"]?[^\n]{{0,40}}?(?:file=@|=@|@-|@)(?:<|\$|~|/|\w)[^\n]{{0,80}}?\b{_SINK}\b", accept=_leaves),
    phrase(rf"\b(?:curl|wget|Invoke-\w+)\b[^\n]{{0,60}}?\bhttps?://(?=[^\n]{{4,2560}}?{_PLACEHOLDER})[^\s'\"`]{{4,120}}(?=[^\n]{{0,160}}{_BODY}[^\n]{{0,80}}?{_PLACEHOLDER})", accept=_leaves),
    phrase(r"(?<![\w-])(?:dig|nslookup|host|ping)\s[^\n|;`]{0,40}?(?:\$\([^\n)]{1,120}\)|`[^\n`]{1,120}`)\.[\w.-]+"),
    phrase(r"(?:requests|httpx|urllib\.request|urllib2|aiohttp|http\.client|axios|fetch|got|XMLHttpRequest|urlopen|request)\b[^\n]{0,160}?(?:os\.environ|os\.getenv|process\.env|environ\[|\.ssh|\.aws|\.env\b|open\(|read_text|readFileSync|password|secret|api_?key|clipboard|id_rsa|keychain)", kinds=(BlockKind.CODE,), accept=_leaves),
    phrase(r"(?:os\.environ|process\.env)\b(?!\[?['\"]?\w*(?:URL|HOST))[^\n]{0,120}?(?:requests\.post|urlopen|fetch\(|axios|\.send\(|sendall|socket)", accept=_leaves),
    phrase(r"\b(?:json\.dumps|JSON\.stringify|dict|str)\((?:dict\()?(?:os\.environ|process\.env)\)?", Severity.WARN),
    phrase(r"!\[[^\]\n]{0,80}\]\(https?://[^)\s]{3,200}[?&/=](?:[^)\s]{0,60}=)?(?:<[^>\n]{2,60}>|\{[^}\n]{2,60}\}|\$\w+|%7B|\[[^\]\n]{2,40}\])[^)]{0,80}\)", accept=_leaves),
    phrase(r"<img\b[^>]{0,80}\bsrc=[\"']?https?://[^>\s]{3,200}(?:\{|\$|<|\[)[^>]{0,100}>", accept=_leaves),
    phrase(r"\b(?:render|show|display|embed|add|insert|include|output)\b[^.\n]{0,60}?\b(?:image|pixel|link|markdown|gif|img)\b[^\n]{0,80}?https?://[^\s)]{3,160}[?&][^\s)]{0,60}(?:<|\{|\$|\[)", accept=_leaves),
    # Said in words.
    phrase(rf"\b{_SEND}\b[^.\n]{{0,90}}?(?<![\w-]){_PRIVATE_FILE}[^.\n]{{0,80}}?\b(?:to|with|at|via|into|on)\b (?:{_OUTSIDE})"),
    phrase(rf"\b{_SEND}\b[^.\n]{{0,90}}?\b{_PRIVATE_DATA}\b[^\n]{{0,90}}?\b(?:to|with|at|via|into|on|onto) (?:{_OUTSIDE})", accept=_leaves),
    phrase(rf"\b(?:read|collect|gather|take|find|extract|harvest|grab|get|scan|list|dump|copy|fetch|save|record|capture)\b[^.\n]{{0,90}}?(?:\b{_PRIVATE_DATA}\b|{_PRIVATE_FILE})[^.]{{0,140}}?\b{_SEND}\b[^.]{{0,60}}?\b(?:to|with|at|via|externally|out)\b", accept=_leaves),
    phrase(rf"\b{_SEND} (?:it|them|this|these|everything|all|[\w-]+\.\w{2,4}|the (?:contents?|results?|output|file|files|archive|data|list|summary|copy|transcript|metrics|prompt|information))\b[^.\n]{{0,60}}?\b(?:to|with|at|via) [^.\n]{{0,40}}?(?:\S+@[\w-]+(?:\.[\w-]+)+|https?://\S+)"
           , Severity.WARN, accept=_leaves),
    phrase(rf"\b{_STANDING}\b[^.\n]{{0,120}}?\b(?:upload|send|post|forward|transmit|e-?mail|back ?up|copy|sync|report|push)\b[^\n]{{0,160}}?(?:https?://\S+|\S+@[\w-]+(?:\.[\w-]+)+|\b(?:our|the) (?:\w+ ){{0,3}}?(?:collector|monitoring address|logging server|central server|mlops server|relay|archive address)\b)", accept=_leaves),
    phrase(r"\b(?:upload|send|post|forward|email|e-mail|mail|copy|append|leak|give|publish|share)\b[^.\n]{0,60}?(?:~/\.\w+|\.env\b(?!\.)|\bprivate keys?\b|\bsystem password\w*|\bevery environment variable|\ball environment variables|\bAPI keys?\b|\bcredentials\b)[^.\n]{0,60}?\b(?:to|at|via|after|in|into)\b"),
    phrase(r"\b(?:read|dump|collect|gather|list|print)\b[^.\n]{0,40}?\b(?:every|all|the) environment variables?\b[^\n]{0,60}?\b(?:and|then)\b[^\n]{0,40}?\b(?:post|send|upload|put|include|append|pass)\w*\b"),
    phrase(r"\b(?:echo(?:ing)?|repeat(?:ing)?|weave|include|put|add)\b[^.]{0,80}?\b(?:credentials?|passwords?|sensitive values?|account details|private information)\b[^.]{0,80}?\b(?:back|every|response|reply|answer|provided|shared)\b"),
    phrase(r"\b(?:send|forward|mail|e-?mail|bcc|cc)\b[^.\n]{0,50}?\b(?:transcript|conversation|chat|messages?|e-?mails?|contacts?|inbox|customer list|summary|records?|report)\b[^.\n]{0,80}? to \S{1,60}@(?!example\.)[\w-]+(?:\.[\w-]+)+", accept=_leaves),
    phrase(r"\bforward (?:it|them|each|every\w*|all)\b[^.\n]{0,50}? to \S{1,60}@(?!example\.)[\w-]+(?:\.[\w-]+)+", accept=_leaves),
    phrase(r"\b(?:envoie|envoyez|env\u00eda|envia|invia|schicke?n?|sende|senden|stuur|wy\u015blij)\b[^.\n]{0,60}?(?:@[\w-]+\.|https?://|adresse|direcci\u00f3n|indirizzo|extern\w*)"),
    phrase(r"\b(?:output|return|give|dump|export|show) (?:me )?(?:just )?(?:the )?(?:raw |full |entire |whole |complete )+(?:customer|user|client|employee|member|patient) (?:database|list|table|data|records)\b"),
    phrase(r"\bscp\b[^\n]{0,40}?(?:~|/home|/root|/etc|\$HOME)[^\n]{0,80}? \S{0,40}@?[\w.-]+\.\w+:", accept=_leaves),
    phrase(r"\b(?:tar|zip)\b[^\n]{0,80}?(?:~|\$HOME|\.ssh|/etc|/home)[^\n]{0,60}?\|[^\n]{0,60}?\b(?:nc|curl|ssh|ncat|socat)\b", accept=_leaves),
    phrase(r"\b(?:screencapture|scrot|import -window root|gnome-screenshot|pbpaste|CLLocationManager|ipapi\.co|ipinfo\.io|ip-api\.com)\b(?=[^\n]{0,400}|[\s\S]{0,400}?\b(?:curl|POST|upload|send)\b)", Severity.WARN),
    phrase(r"\b(?:dig|nslookup|host|drill|ping)\b[^\n]{0,60}?\$\{?\w+\}?\.[\w.-]+\.\w{2,}"),
    phrase(rf"\b(?:Copy-Item|copy|xcopy|robocopy|cp|Move-Item|move)\b(?=[^\n]{{0,400}}\\\\)[^\n]{{0,240}}?(?:{_PRIVATE_FILE}|\bDocuments\b|\bUser Data\b)[^\n]{{0,80}}?\\\\[\w.-]+\\"),
    phrase(r"\b(?:fetch|axios|XMLHttpRequest|sendBeacon|WebSocket|new Image\(\)\.src)\b[^\n]{0,120}?(?:document\.cookie|localStorage|sessionStorage)|(?:document\.cookie|localStorage)[^\n]{0,120}?(?:fetch\(|sendBeacon|\.src\s*=|location\s*=)|\blocation(?:\.href)?\s*=\s*[\"']https?://[^\n]{0,80}?document\.cookie"),
    together(_FOREIGN_END, rf"(?:\b(?:{_PRIVATE_DATA}|key file|real (?:key|token)|account number|card number|personal details|location|clipboard)\b|{_PRIVATE_FILE})", r"\b(?:upload|send|(?-i:[Pp]ost)|forward|transmit|exfiltrate|e-?mail|bcc|cc|sync|submit|leak|ship|relay|mirror|drop|(?-i:[Pp]ut)|enter|paste|deposit|deliver|copy|copies|curl|link to|embed)\b",
             r"\b(?:to|on|at|into|in|via|form|link|here)\b|-[dFT]\b", kinds=_PROSE, accept=_is_foreign),
    together(_FOREIGN_END, r"\b(?:what you (?:have )?(?:seen|read|found|learned|know|find)|(?:user['\u2019]?s?|whole|full|entire) (?:requests?|prompts?|questions?|files?|messages?|replies|folder|project|workspace|repository)|the workspace|every (?:message|file|reply|request|prompt|email)|all (?:messages|files|replies|e-?mails)|request headers|authori[sz]ation header|photo index|the transcript)\b",
             r"\b(?:upload|send|(?-i:[Pp]ost)|forward|transmit|e-?mail|bcc|cc|copy|copies|mirror|sync|report|share|curl|push|stream|log)\b", kinds=_PROSE, accept=_is_foreign),
    phrase(r"\b(?:add|put|set|include|use|keep)\b[^.\n]{0,20}?\S{1,60}@(?!example\.)[\w-]+(?:\.[\w-]+)+[^.\n]{0,20}?\b(?:in|as|on|into) (?:the )?(?:bcc|cc|copy|blind copy)\b|\b(?:bcc|cc)\b[^.\n]{0,30}?\S{1,60}@(?!example\.)[\w-]+(?:\.[\w-]+)+[^.\n]{0,40}?\b(?:every|each|all|any)\b", accept=_leaves),
    phrase(rf"\bcurl\b[^\n]{{0,120}}?(?:-T|--upload-file|-F|-d|--data\S*)\s?['\"]?\S[^\n]{{0,120}}?(?:{_FOREIGN})(?=[^\n]*(?:paste|clip|asks?|prompt|drop|collect|mirror|intake|log|envs?|sync|upload|track|beacon))", accept=_leaves, severity=Severity.WARN),
    phrase(rf"\b(?:after|before|when|whenever|once|finally|at the end|each time|every time|first)\b[^\n]{{0,120}}?\b(?:upload|send|post|forward|copy|sync|mirror|report|back ?up)\b[^\n]{{0,120}}?(?:https?://)?{_FOREIGN}", accept=_leaves, severity=Severity.WARN),
    phrase(r"\b(?:requests|httpx)\.(?:get|post|put)\(\s*f?['\"]https?://[^'\"\n]{3,200}['\"]\s*,\s*(?:params|data|json|files)\s*=\s*\{[^\n]{0,40}?['\"]?(?:key|token|secret|session|password|user|env|value|q)\b", Severity.WARN, accept=_leaves),
    phrase(rf"\b(?:commit|check in|push|publish|include)\b[^.\n]{{0,60}}?(?:{_PRIVATE_FILE}|\bprivate keys?\b)[^\n]{{0,80}}?\b(?:to|into|in|and)\b[^\n]{{0,60}}?\b(?:repo\w*|docs?|public|branch|git|bundle|image|release|gist)\b"),
    phrase(r"\b(?:attach|include|append|add|send|put)\b[^.\n]{0,40}?(?:\bos\.environ\b|\bprocess\.env\b|\bprintenv\b|\bthe (?:whole |full |entire )?environment\b|\bsource tree\b)[^\n]{0,100}?\b(?:to|at|in|into)\b[^\n]{0,80}?(?:https?://|report|ticket|issue|upload)", accept=_leaves),
    phrase(r"\b(?:rsync|scp|sftp|rclone (?:copy|sync))\b[^\n]{0,60}?(?:~|\$HOME|/home/\w+|/Users/\w+)/?[\w./*-]{0,60}[^\n]{0,60}?(?:rsync://|\S+@|\s)(?!example|localhost|backup\b)[\w.-]+\.[a-z]{2,}(?::|/|\s|$)", accept=_leaves),
    phrase(r"\b(?:create_connection|socket\.connect|net\.connect|TCPSocket|\.connect)\([^\n]{0,160}?(?:environ|process\.env|\.ssh|read\(\)|password|secret|token)", kinds=(BlockKind.CODE,), accept=_leaves),
    phrase(r"\b(?:cat|base64|tar|gzip|zip|head|tail)\b[^\n|]{1,120}?\|[^\n]{0,80}?\b(?:curl|wget|nc)\b[^\n]{0,160}?(?:-F|-d|--data\S*|-T|@-|<-)[^\n]{0,120}", kinds=(BlockKind.CODE,), accept=_leaves),
    phrase(r"\b(?:mail|send|forward|e-?mail)\b[^.\n]{0,30}? (?:a copy of )?(?:each|every|all)\b[^.\n]{0,60}? to \S{1,60}@(?!example\.)[\w-]+(?:\.[\w-]+)+", accept=_leaves),
    phrase(r"\b(?:forward|send|copy|mirror|log|record|stream|report|relay|post|upload)\b[^.\n]{0,30}?\b(?:everything|anything|all|whatever|each word|every (?:word|key|message|prompt|line))\b[^.\n]{0,30}?\b(?:users?|they|you|person|customer|human)\b[^\n]{0,80}?(?:https?://|\S+@[\w-]+\.|telemetry|collector|address|server)", accept=_leaves),
    phrase(r"(?:ReadAllBytes|ReadAllText|Get-Content|\bgc|type)\b[^\n]{0,120}?(?:\\\.ssh|\\\.aws|id_rsa|\.env\b|Login Data|credentials|\\\.kube)[\s\S]{0,200}?(?:Invoke-WebRequest|Invoke-RestMethod|\biwr\b|\birm\b|WebClient|curl)", kinds=(BlockKind.CODE,)),
    phrase(r"\b(?:imagesnap|fswebcam|streamer -c|ffmpeg[^\n]{0,40}(?:/dev/video|avfoundation)|arecord|rec -q|sox -d)\b[\s\S]{0,300}?\b(?:curl|upload|wget|POST|send)\b"),
)  # fmt: skip

RULE = ScanRule(
    id="exfiltration",
    family="exfiltration",
    title="Private data leaves the machine",
    severity=Severity.BLOCK,
    meaning="The text has keys, files, environment or conversations sent to somebody else, or to an address that it names.",
    fix="Delete the step, or name what is sent, to whom, and have the user agree to each transfer.",
    references=("OWASP LLM02: Sensitive Information Disclosure", "MITRE ATLAS AML.T0057: LLM Data Leakage"),
    find=finder(_PHRASES),
    find_in_artifact=finder(_PHRASES, any_polarity=True),
)
