# ruff: noqa: E501 - a pattern is one line
"""Rule `persistence`: a text has something start by itself later: shell start-up files, schedules, services, keys, hooks."""

from skillc.core.scan.finding import Severity
from skillc.core.scan.phrases import finder, phrase
from skillc.core.scan.rule import ScanRule

_RC = r"(?:~|\$HOME|\$\{HOME\}|/root|/home/\S+?|/etc)?/?(?:\.(?:bashrc|zshrc|zshenv|zprofile|bash_profile|profile|bash_login|kshrc|config/fish/config\.fish|xinitrc|xprofile|inputrc)|(?<=/etc/)(?:profile(?:\.d/\S+)?|bash\.bashrc|rc\.local|environment))\b"
_PHRASES = (
    phrase(rf"(?:>>?|\btee\b(?: -a)?|\bsed -i\S*[^\n]{{0,80}}?)\s*[\"']?{_RC}"),
    phrase(rf"\b(?:add|append|write|put|insert|place|echo)\b[^.\n]{{0,120}}? (?:to|in|into|at the end of) (?:the |your |their |user['\u2019]s )*`?{_RC}", Severity.WARN),
    phrase(r"\bcrontab\s+(?:-\s*(?:$|<|`)|-l?[^\n]{0,120}?\|\s*crontab\b|\S*\.cron|/tmp/\S+)|\|\s*crontab\s+-|(?:>>?|\btee\b(?: -a)?)\s*/etc/cron\S*|/var/spool/cron/\S*|@reboot\s+\S+"),
    phrase(r"(?:>>?|\btee\b(?: -a)?|\bcp\b[^\n]{0,60}?|\bmv\b[^\n]{0,60}?|\bln -s\S{0,8}[^\n]{0,60}?)\s{0,8}(?:~|\$HOME|/etc|/usr/lib|/Library|/lib)?/?(?:\.config/systemd/user/\S+|Library/LaunchAgents/?\S*|Library/LaunchDaemons/?\S*|LaunchDaemons/\S+|\.config/autostart/\S+|init\.d/\S+)"),
    phrase(r"\b(?:launchctl\s+(?:load|bootstrap)|systemctl\s+--user\s+enable|schtasks\s+/create|New-ScheduledTask\w*|Register-ScheduledTask|sc\.exe\s+create|New-Service)\b[^\n]{0,160}", Severity.WARN),
    phrase(r"\breg(?:\.exe)?\s+add\b[^\n]{0,120}?\\(?:Run|RunOnce|Winlogon)\b|\bHK(?:CU|LM):?\\[^\n]{0,80}?\\CurrentVersion\\Run\b|\\Start Menu\\Programs\\Startup\\"),
    phrase(r"(?:>>?|\btee\b(?: -a)?|\bssh-copy-id\b)[^\n]{0,60}?\.ssh/authorized_keys\b|\becho\b[^\n]{0,260}?\.ssh/authorized_keys\b|\b(?:add|append|write|put|insert)\b[^.\n]{0,80}?\bauthorized_keys\b"),
    phrase(r"(?:>>?|\btee\b(?: -a)?|\bcp\b[^\n]{0,60}?)\s{0,8}\S{0,80}\.git/hooks/(?:post|pre)-\w+|\bgit\s+config\b[^\n]{0,60}?(?:core\.hooksPath|core\.fsmonitor|core\.sshCommand|core\.pager|alias\.\w+\s+[\"']?!)[^\n]{0,80}(?:/tmp|https?://|curl|\.sh)"),
    phrase(r"\b(?:useradd|adduser|net user)\b[^\n]{0,80}?(?:-o -u 0|-u 0\b|/add\b)|\bchpasswd\b|\bLD_PRELOAD\b\s*[=:]\s*\S+|/etc/ld\.so\.preload\b"),
    phrase(r"\b(?:nohup|setsid|disown|screen -dm\w*|tmux new\S* -d)\b[^\n]{0,80}?\b(?:curl|wget|nc|ncat|socat|python\S*|bash -i|https?://)[^\n]{0,120}?(?:&|$)", Severity.WARN),
    phrase(r"(?:>>?|\btee\b(?: -a)?|\bcp\b[^\n]{0,60}?)\s*/?(?:etc|lib|usr/lib)/systemd/system/\S+\.(?:service|timer)", Severity.WARN),
    phrase(r"\b(?:make|have|let|set|configure|register|add)\b[^.\n]{0,60}?\b(?:start|run|launch|load|fetch)\w*\b[^.\n]{0,30}? (?:at|on|with|after) (?:every |each |the next )?(?:boot|login|log-in|reboot|start-?up|shell start)\b", Severity.WARN),
    phrase(r"\bmake login item\b|\blogin item\b[^\n]{0,60}?hidden\b|\bcp\b[^\n]{0,80}?/etc/systemd/system/?(?=\s|$|&)[^\n]{0,120}?\bsystemctl\s+enable\b|\bsystemctl\s+enable\s+--now\b[^\n]{0,80}?#[^\n]{0,80}?\b(?:alive|after this|persist\w*|hidden|agent)\b"),
    phrase(r"\bsystemctl\s+(?:--user\s+)?enable\b[^\n]{0,60}", Severity.INFO),
)  # fmt: skip

RULE = ScanRule(
    id="persistence",
    family="unsafe procedure",
    title="Something starts by itself later",
    severity=Severity.BLOCK,
    meaning="The text writes into start-up files, schedules, services, hooks or lists of keys, where it outlives the task.",
    fix="Set what the task needs for the task alone, or tell the user which line to add and why.",
    references=("MITRE ATT&CK TA0003: Persistence",),
    find=finder(_PHRASES),
)
