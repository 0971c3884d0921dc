# ruff: noqa: E501 - a pattern is one line
"""Rule `widened-permissions`: a text gives a file, an account, a container or an agent more rights than a task needs."""

from skillc.core.scan.finding import Severity
from skillc.core.scan.phrases import finder, phrase, together
from skillc.core.scan.rule import ScanRule

_PHRASES = (
    phrase(r"\bchmod\s+(?:-\w+\s+)*(?:0?777|a\+rwx|ugo\+rwx|o\+w|a\+w|0?666)(?:\s+-R)?\b"),
    phrase(r"\bchmod\s+(?:-\w+\s+)*(?:[ugoa]*\+[rwx]*s[rwx]*|[4267][0-7]{3})\s+\S+"),
    phrase(r"\bsetcap\s+\S*(?:cap_setuid|cap_sys_admin|cap_dac_override|cap_net_raw)\S*"),
    phrase(r"\bNOPASSWD\s*:\s*ALL\b|\bvisudo\b[^\n]{0,60}?NOPASSWD|>>?\s*/etc/sudoers\b|\btee\b[^\n]{0,30}?/etc/sudoers(?:\.d/\S+)?"),
    phrase(r"\busermod\b[^\n]{0,40}?(?:-aG|-G)\s+\S*(?:sudo|wheel|root|admin|docker)\b|\b(?:net localgroup administrators|dscl \. -append /Groups/admin)\b[^\n]{0,60}", Severity.WARN),
    phrase(r"\bdocker\s+run\b[^\n]{0,160}?(?:--privileged\b|-v\s+/:/|--pid[= ]host\b|-v\s+/var/run/docker\.sock\S*|--cap-add[= ](?:ALL|SYS_ADMIN)\b)", Severity.WARN),
    phrase(r"\bdocker\s+run\b[^\n]{0,160}?(?:-v\s+/:/|--mount\s+\S*src=/,)[^\n]{0,160}|\bnsenter\b[^\n]{0,40}?-t\s*1\b|\bchroot\s+/(?:host|mnt|rootfs)\b"),
    phrase(r"\bprivileged:\s*true\b|\ballowPrivilegeEscalation:\s*true\b|\bhostPID:\s*true\b", Severity.WARN),
    phrase(r"\bkubectl\s+create\s+clusterrolebinding\b[^\n]{0,120}?cluster-admin\b|\b--clusterrole[= ]cluster-admin\b"),
    phrase(r"[\"']?Action[\"']?\s*:\s*\[?\s*[\"']\*[\"']\s*\]?\s*,[\s\S]{0,80}?[\"']?Resource[\"']?\s*:\s*\[?\s*[\"']\*[\"']"),
    phrase(r"--policy-arn\b[^\n]{0,60}?AdministratorAccess\b|(?:attach-\w+-policy)\b[^\n]{0,120}?AdministratorAccess\b"),
    phrase(r"\b(?:--acl|acl=|ACL[\"']?:)\s*[\"']?public-read(?:-write)?\b|\ballUsers\b[^\n]{0,40}?(?:objectAdmin|roles/owner|objectCreator)|\bGRANT\s+ALL(?:\s+PRIVILEGES)?\s+ON\s+\*\.\*\s+TO\b", Severity.WARN),
    phrase(r"\bicacls\b[^\n]{0,80}?/grant\b[^\n]{0,30}?Everyone:\(?F\b|\btakeown\s+/f\b[^\n]{0,40}?[A-Z]:\\(?:Windows)?"),
    phrase(r"\bxhost\s+\+(?:\s|$)|\bufw\s+disable\b|\biptables\s+-F\b|\bnft\s+flush\s+ruleset\b|\bfirewall-cmd\b[^\n]{0,60}?--set-default-zone=trusted\b|\bnetsh\s+advfirewall\s+set\s+\w+\s+state\s+off\b|\bsystemctl\s+(?:stop|disable)\s+(?:ufw|firewalld|apparmor|auditd|iptables)\b"),
    phrase(r"\b(?:make|set|mark|keep|switch)\b[^.\n]{0,40}?\b(?:it|them|datasets?|repositor(?:y|ies)|buckets?|files?|documents?|shares?|links?)\b[^.\n]{0,30}? (?:public|world[- ](?:readable|writable)|accessible to (?:everyone|anyone|all))\b"
           r"(?=[^.\n]{0,80}\b(?:regardless|always|even if|without|by default|no matter|whatever)\b)", Severity.WARN),
    phrase(r"\b(?:always|must)\b[^.\n]{0,30}?\bset\b[^.\n]{0,40}? to public\b", Severity.WARN),
    phrase(r"\badd\b[^.\n]{0,60}?\b(?:admin(?:istrator)?|root|superuser|backdoor|emergency)\b[^.\n]{0,40}?\b(?:account|user|login|access)\b[^.\n]{0,80}?\b(?:password|username|key|credentials?)\b"),
    phrase(r"\bback ?door\b[^.\n]{0,80}?\b(?:port|access|account|login|route|endpoint|shell)\b|\b(?:include|add|open|leave|install|create|build|plant)\b[^.\n]{0,30}? back ?door\b"),
    phrase(r"\b(?:allow|accept|permit|enable)\b[^.\n]{0,20}? (?:all|any|every) origins?\b[^.\n]{0,40}|\bdebug (?:console|mode|endpoint|toolbar)\b[^.\n]{0,40}?\b(?:on|enabled|open) in (?:the )?(?:release|production|prod|live)\b|\b(?:route|endpoint|port|page|api|url)\b[^.\n]{0,80}?\b(?:without (?:a )?(?:login|authentication|password|auth)|no (?:login|authentication|password|auth)|unauthenticated)\b|\b(?:runs|executes|evals) (?:its|whatever|any) (?:argument|parameter|query|body|input)s?\b[^.\n]{0,60}", Severity.WARN),
    together(r"\b(?:passwords?|tokens?|credentials?|api keys?|private keys?|secrets?)\b", r"\b(?:plain ?text|clear ?text|unencrypted|mode 666|world[- ]readable|in the open)\b", r"\b(?:write|store|save|keep|put|log|print|cache|leave)\b", severity=Severity.WARN),
)  # fmt: skip

RULE = ScanRule(
    id="widened-permissions",
    family="unsafe procedure",
    title="Rights beyond the task",
    severity=Severity.BLOCK,
    meaning="The text opens files, accounts, containers or networks to everyone, or plants a way in.",
    fix="Give the one right that the step needs, to the one account that needs it.",
    references=("CWE-732: Incorrect Permission Assignment for Critical Resource", "OWASP LLM06: Excessive Agency"),
    find=finder(_PHRASES),
)
