# ruff: noqa: E501 - a pattern is one line
"""Rule `remote-shell`: a command gives somebody else a shell on this machine, or a way into it."""

from skillc.core.scan.finding import Severity
from skillc.core.scan.phrases import finder, phrase
from skillc.core.scan.rule import ScanRule

_PHRASES = (
    phrase(r"\b(?:nc|ncat|netcat)\b[^\n]{0,80}?(?:\s-\w*[ec]\w*\s+|--(?:sh-)?exec[= ])\S*(?:sh|bash|cmd|powershell)\S*", words="nc ncat netcat"),
    phrase(r"\b(?:ba|z|k|da)?sh\s+-i\b[^\n]{0,60}?(?:>&|<>|0<&|/dev/tcp/)|/dev/(?:tcp|udp)/[\w.<>{}$-]+/[\w<>{}$]+", words="sh bash zsh ksh dash tcp udp"),
    phrase(r"\bmkfifo\b[^\n]{0,120}?\|[^\n]{0,60}?\b(?:nc|ncat|netcat|telnet|openssl)\b|\bmknod\b[^\n]{0,60}?\bp\b[^\n]{0,80}?\b(?:nc|telnet)\b"),
    phrase(r"\bsocat\b[^\n]{0,160}?\b(?:exec|system):[^\n]{0,80}"),
    phrase(r"\bsocket\.socket\([^\n]{0,200}?(?:dup2|subprocess|pty\.spawn|/bin/sh)|\bos\.dup2\(\s*\w+\.fileno\(\)|\bpty\.spawn\(\s*[\"']/bin/(?:ba)?sh"),
    phrase(r"\bperl\s+-e\b[^\n]{0,200}?\bSocket\b[^\n]{0,200}?\bexec\b|\bruby\s+-rsocket\b[^\n]{0,160}|\bphp\s+-r\b[^\n]{0,120}?\bfsockopen\b[^\n]{0,120}"),
    phrase(r"\bNew-Object\s+(?:System\.)?Net\.Sockets\.TCPClient\b[^\n]{0,160}"),
    phrase(r"\bmsfvenom\s+-[^\n]{0,160}", Severity.WARN),
    phrase(r"\bssh\b[^\n]{0,80}?\s-\w*R\w*\s+\S*\d+:\S+|\b(?:ngrok|cloudflared|localtunnel|bore|frpc|chisel|serveo)\b\s+(?:tcp|http|tunnel|client|local)\b[^\n]{0,80}?(?:\b22\b|\b3389\b|ssh)", Severity.WARN),
    phrase(r"\btmate\b\s+(?:-F|-S|new)\b|\bgsocket\b|\bgs-netcat\b", Severity.WARN),
)  # fmt: skip

RULE = ScanRule(
    id="remote-shell",
    family="unsafe procedure",
    title="A shell for somebody else",
    severity=Severity.BLOCK,
    meaning="The command connects a shell of this machine to an address, or opens a port to one.",
    fix="Delete it. Remote access is set up by the person who owns the machine.",
    references=("MITRE ATT&CK T1059.004: Unix Shell", "MITRE ATT&CK T1572: Protocol Tunneling"),
    find=finder(_PHRASES),
)
