# ruff: noqa: E501 - a pattern is one line
"""Rule `disabled-check`: a text turns off what would have caught a mistake or an attack."""

from skillc.core.scan.finding import Severity
from skillc.core.scan.phrases import finder, phrase, together
from skillc.core.scan.rule import ScanRule

_CHECK = (
    r"(?:code )?(?:review(?:s|er)?|approvals?|confirmations?|verification|validation|(?:security|safety|signature|integrity|checksum|certificate|permission|access|policy) (?:checks?|scans?|reviews?|tests?|warnings?)|sandbox(?:ing)?"
    r"|two[- ]factor|2fa|mfa|antivirus|firewall|linter|ci|pre-?commit hooks?|branch protection|rate limit\w*|audit(?:ing| log\w*)?|guardrails?|permission prompts?)"
)
_PHRASES = (
    phrase(r"\b(?:PYTHONHTTPSVERIFY|NODE_TLS_REJECT_UNAUTHORIZED|GIT_SSL_NO_VERIFY|CURL_INSECURE|SSL_VERIFY|REQUESTS_VERIFY)\b[\"'\])]*\s*[=:]\s*[\"']?(?:0|1|false|true|no)\b"),
    phrase(r"\bhttp\.(?:\S+\.)?sslVerify[= ]+[\"']?(?:false|0)\b|\bStrictHostKeyChecking[= ]+(?:no|off)\b[^\n]{0,60}\bUserKnownHostsFile[= ]/dev/null\b|\bcore\.hooksPath[= ]+/dev/null\b|\bnpm\s+(?:config\s+)?set\s+strict-ssl\s+false\b"),
    phrase(r"\bstrict-ssl[= ]+false\b|\bStrictHostKeyChecking[= ]+(?:no|off)\b|\bUserKnownHostsFile[= ]/dev/null\b|\bssl\._create_unverified_context\b|\bCERT_NONE\b|\bInsecureSkipVerify:\s*true\b"
           r"|\brejectUnauthorized:\s*false\b|\bverify\s*=\s*False\b|\bcheck_hostname\s*=\s*False\b|\bServerCertificateValidationCallback\b[^\n]{0,40}?true\b|\b-SkipCertificateCheck\b|\btrustServerCertificate=true\b", Severity.WARN),
    phrase(r"\b(?:curl|wget)\b[^\n|;]{0,120}?(?:\s-k\b|\s--insecure\b|\s--no-check-certificate\b)", Severity.WARN),
    phrase(r"\bgit\s+(?:commit|push|merge|rebase)\b[^\n;&|]{0,120}?(?:--no-verify|-n(?=\s)(?=[^\n]{0,40}commit))|\bHUSKY\s*=\s*0\b|\bSKIP\s*=\s*\S+\s+git\s+commit\b|\bcommit\.gpgsign[= ]+false\b", Severity.WARN),
    phrase(r"\b(?:set-executionpolicy|-executionpolicy|-ep)\s+(?:bypass|unrestricted)\b|\bSet-MpPreference\b[^\n]{0,60}?-Disable\w+\s+\$true|\bspctl\s+--master-disable\b|\bcsrutil\s+disable\b|\bxattr\s+-\w*d\w*\s+com\.apple\.quarantine\b|\bsetenforce\s+0\b"),
    phrase(r"\b(?:kubectl|helm|oc)\b[^\n]{0,120}?--insecure-skip-tls-verify\b|\b--disable-web-security\b|\bgpg\b[^\n]{0,60}?--no-verify\b", Severity.WARN),
    phrase(r"\bDISABLE_(?:AUTH|SECURITY|SANDBOX|SCANNER|CHECKS?|VERIFICATION)\w*\s*=\s*(?:1|true|yes)\b|\bSECURITY_CHECKS?\s*=\s*(?:0|false|off)\b"),
    phrase(rf"\b(?:skip|disable|bypass|turn off|switch off|omit|suppress|circumvent|deactivate|silence|ignore|remove|waive|override)(?:s|ing)? (?:the |all |any |every |this |its |your |a )*(?:\w+ )?{_CHECK}\b"
           r"(?=[^\n]{0,120}(?:\b(?:always|every|all|for (?:this|all|every)|because|since|unnecessary|to (?:save|speed)|in production|without|automatically|before (?:you )?(?:merge|deploy|ship)|and (?:merge|push|deploy|run|proceed))\b|[.!\n]|$))", Severity.WARN),
    phrase(r"\bno (?:confirmation|approval|permission|review|consent|verification)s? (?:is |are |was )?(?:needed|required|necessary|asked)\b(?=[^.\n]{0,80}\b(?:any|every|all|command|commands|this skill|tool|tools|action|delete|push|deploy|for)\b|[.!\n])"),
    phrase(r"\b(?:do not|don['\u2019]?t|never|without) (?:ask|asking|wait|waiting|prompt|prompting|request|requesting|seek|seeking)(?: the)?(?: user| human| anyone| anybody)?(?: for)? (?:\w+ )?(?:confirmation|approval|permission|consent)\b"
           r"(?=[^.\n]{0,100}\b(?:any|every|all|before|delet\w+|push\w*|deploy\w*|send\w*|pay\w*|install\w*|run\w*|execut\w+|command\w*|transfer\w*|overwrit\w+)\b)"),
    phrase(r"\b(?:fill in|tick|set|check|mark|enter|give|complete) (?:the |any |a )*(?:consent|approval|authori[sz]ation|sign-?off|confirmation)(?: \w+)? (?:field|box|form|checkbox|flag|yourself|on behalf|for (?:the user|them))\b"),
    phrase(r"\b(?:server[- ]side|signature|certificate|input|payment|identity|webhook|token) (?:verification|validation|checks?)\b[^.\n]{0,60}? (?:adds?|is|are) (?:unnecessary|needless|not (?:needed|necessary|required)|optional|redundant|overkill|pointless)\b", Severity.WARN),
    phrase(r"\b(?:do not|don['\u2019]?t|never|not) (?:to )?(?:write|add|include|run)\b[^.\n]{0,40}?\b(?:unit )?tests?\b[^.\n]{0,60}?\b(?:sql injections?|injection|security|xss|auth\w*|permissions?)\b", Severity.WARN),
    phrase(r"\b(?:use|prefer) (?:string )?(?:concatenation|interpolation|f-strings?|formatting)\b[^.\n]{0,40}?\bsql\b|\braw sql instead of\b", Severity.WARN),
    phrase(r"\b(?:lower|reduce|change|adjust|round down|alter|split)\b[^.\n]{0,60}?\bso that (?:no|the) (?:approval|review|check|limit|threshold|alert)\b[^.\n]{0,40}"),
    phrase(r"\bgh\s+pr\s+merge\b[^\n]{0,80}?--admin\b|\bgh\s+api\b[^\n]{0,40}?-X\s*(?:DELETE|PUT|PATCH)\b[^\n]{0,120}?/(?:branches/\S+/)?protection\b|\bgh\s+api\b[^\n]{0,120}?/protection\b[^\n]{0,60}?-X\s*DELETE\b|\bglab\s+mr\s+(?:merge|approve)\b[^\n]{0,60}?--yes\b"),
    phrase(r"\b(?:merge|push|deploy|ship|release|land|commit)\b[^.\n]{0,60}?\b(?:so that|without|before|even (?:if|when|though)|around|past)\b[^.\n]{0,40}?\b(?:review\w*|approvals?|checks?|ci|tests?|branch (?:rules?|protection)|status checks?)\b[^.\n]{0,40}?(?:\b(?:does not|do not|not|fail\w*|red|pending|missing|bypass\w*|skipp\w*)\b|[.!\n]|$)", Severity.WARN),
    together(r"(?:eslint-disable|type: ?ignore|noqa|nosec|pylint: ?disable|@ts-nocheck|@ts-ignore|rubocop:disable|nolint|SuppressWarnings|istanbul ignore|pragma: no cover)", r"\b(?:each|every|all|top of|whole|quiet|silen\w+|pass(?:es)?|green)\b", severity=Severity.WARN),
    phrase(r"\b(?:comment out|delete|remove|skip|disable|xfail|mark as skipped|weaken|loosen)\b[^.\n]{0,40}?\b(?:failing |broken |red |the )(?:unit )?(?:tests?|assertions?|checks?)\b[^.\n]{0,60}?\b(?:so that|until|to (?:get|make|turn)|and (?:merge|push|commit|go on))\b", Severity.WARN),
    phrase(r"\b(?:leave out|omit|skip|no|drop)\b[^.\n]{0,20}? ?\btests?\b[^.\n]{0,40}?\b(?:injection|login|auth\w*|security|bypass|xss|csrf|permissions?)\b", Severity.WARN),
    phrase(r"\b(?:build|write|compose|assemble|make)\b[^.\n]{0,30}?\b(?:sql|quer(?:y|ies))\b[^.\n]{0,40}?\b(?:f-strings?|concatenat\w+|string formatting|interpolation|template strings?|\+ operator|from the request)\b|\b(?:bind parameters?|prepared statements?|parameteri[sz]ed quer\w+|placeholders) (?:make|makes|are|is|add|only)\b[^.\n]{0,40}?\b(?:hard|slow|unnecessary|overhead|complicat\w+|ugly)\b", Severity.WARN),
    together(r"\b(?:vendor|scripts?|tools?|hosts?|domain|server|site|publisher|address|sender)\b", r"\b(?:is|are|counts? as|may run) (?:always |fully |already |completely |run )?(?:trusted|unseen|safe|unchecked|whitelisted|exempt)\b", r"\b(?:no|without|needs? no|never|from now on|always|remember|check\w*|review\w*)\b", severity=Severity.WARN),
    phrase(r"\b(?:checking|verifying|validating) the (?:\w+ )?(?:signature|certificate|token|body|input|origin|checksum|hash)\b[^.\n]{0,40}?\b(?:only|just|slows?|unnecessary|needless|not needed|optional|costs?|overhead)\b|\bcan (?:simply |just )?trust the (?:\w+ )?(?:body|payload|input|header|client|request)\b", Severity.WARN),
    phrase(r"\b(?:pass|set|use|add)\b[^.\n]{0,20}?\b(?:verify ?= ?False|rejectUnauthorized: ?false|--insecure|-k)\b[^.\n]{0,60}?\b(?:every|all|each|any|go on|anyway)\b"),
    phrase(r"\b(?:turn|switch|set)\b[^.\n]{0,30}?\b(?:rules?|checks?|lint\w*|tests?|warnings?|types?|hooks?)\b[^.\n]{0,20}? off\b[^.\n]{0,60}?\b(?:rather than|instead of|so that|to (?:get|make|pass))\b", Severity.WARN),
    phrase(r"\b(?:when|if|whenever) (?:a |the |any )?(?:tests?|checks?|build|ci)\b[^.\n]{0,30}? fails?\b[^.\n]{0,60}?\b(?:skip\w*|ignore|disable|delete|remove|merge|xfail|comment)\b[^.\n]{0,40}?\b(?:merge|push|go on|commit|ship|green|anyway)\b"),
    phrase(r"\bgit\s+commit\b[^\n;&|]{0,120}?(?:--no-verify|\s-n\b)[^\n]{0,120}|\bgit\s+push\b[^\n;&|]{0,80}?--no-verify\b"),
    phrase(r"\bgpg\b[^\n]{0,60}?--delete-secret-keys?\b|\bcommit\.gpgsign[= ]+false\b[^\n]{0,40}--global|\bgit\s+config\s+--global\s+commit\.gpgsign\s+false\b"),
    phrase(r"\[(?:skip ci|ci skip|no ci)\][^.\n]{0,60}?\b(?:fail\w*|whenever|always|every|red)\b|\b(?:whenever|always|every|fail\w*)\b[^.\n]{0,60}?\[(?:skip ci|ci skip|no ci)\]"),
    phrase(r"\b(?:skip|bypass|ignore|dismiss|suppress|click through|answer yes to)\b[^.\n]{0,20}? (?:the |any |every |all )?(?:approval|permission|confirmation|consent|security|trust) (?:prompts?|dialogs?|questions?|steps?)\b"),
)  # fmt: skip

RULE = ScanRule(
    id="disabled-check",
    family="unsafe procedure",
    title="A safeguard is turned off",
    severity=Severity.BLOCK,
    meaning="The text turns off certificates, signatures, reviews, hooks, sandboxes or confirmations.",
    fix="Keep the safeguard and mend what it complains of; if it must be off, say where, how long and who agreed.",
    references=("CWE-693: Protection Mechanism Failure", "CWE-295: Improper Certificate Validation"),
    find=finder(_PHRASES),
)
