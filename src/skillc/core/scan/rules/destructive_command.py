# ruff: noqa: E501 - a pattern is one line
"""Rule `destructive-command`: a command destroys data that no revert brings back."""

import re

from skillc.core.scan.blocks import Block, BlockKind
from skillc.core.scan.finding import Severity
from skillc.core.scan.phrases import finder, phrase
from skillc.core.scan.rule import ScanRule

# Another environment, a test or a temporary thing may be thrown away.
_THROWAWAY = re.compile(
    r"(?:test|tmp|temp|staging|demo|sandbox|scratch|example|dummy|fixture|dev\b|local|backup|old|<|\$)", re.I
)


def _is_kept(block: Block, match: re.Match[str]) -> bool:
    line_end = block.text.find("\n", match.end())
    return (
        _THROWAWAY.search(
            match.group() + block.text[match.end() : line_end if line_end >= 0 else match.end() + 80][:80]
        )
        is None
    )


def _is_own_command(block: Block, match: re.Match[str]) -> bool:
    """A statement of SQL counts where it is run by hand: at the start of a line, by a client, or where a sentence says so."""
    if not _is_kept(block, match):
        return False
    before = block.text[max(0, match.start() - 80) : match.start()].rsplit("\n", 1)[-1]
    if block.kind is BlockKind.CODE:
        return (
            not before.strip(" \t>$#-")
            or re.search(
                r"(?i)\b(?:psql|mysql|mariadb|sqlite3?|sqlcmd|clickhouse\S*|bq|snowsql|cqlsh|duckdb)\b|-[ce] ['\"]$",
                before,
            )
            is not None
        )
    return re.search(r"(?i)\b(?:run|execute|issue|use|call)\b|`\s*$", before) is not None


_ROOT = r"(?:/(?![\w.$<{])\*?|/\*|~/?(?![\w./])\*?|\$HOME/?(?![\w/])|\$\{HOME\}/?(?![\w/])|/(?:etc|usr|var|home|root|boot|bin|lib|opt|Users|System|mnt|srv)/?(?![\w.$<{/-])\*?|[A-Z]:\\(?![\w]))"
_PHRASES = (
    phrase(rf"\brm\s+(?:-\S+\s+)*(?:-\w*[rR]\w*|--recursive|--no-preserve-root)\s+(?:-\S+\s+)*(?:--\s+)?[\"']?{_ROOT}", words="rm"),
    phrase(r"\brm\s+(?:-\S+\s+)*--no-preserve-root\b"),
    phrase(r"\brm\s+-\w*r\w*f?\w*\s+(?:\S+\s+)*?(?:\.git\b(?!/(?:index|\w+)\.lock|\w)|\*(?:\s|$)|\.\*?(?:\s|$)|\.\./?(?:\s|$))", Severity.WARN, words="rm"),
    phrase(rf"\bfind\s+{_ROOT}[^\n|]{{0,120}}?(?:-delete\b|-exec\s+rm\b)"),
    phrase(r"\b(?:mkfs(?:\.\w+)?|wipefs|blkdiscard|shred)\b[^\n]{0,60}?/dev/\w+|\bdd\b[^\n]{0,80}?\bof=/dev/(?:sd|hd|nvme|xvd|vd|disk|mmcblk)\w*|>\s*/dev/(?:sd|nvme|hd|vd|disk)\w+"),
    phrase(r"\b(?:format|diskpart|cipher /w)\b\s+[A-Z]:(?=\s|$)|\bdel\s+/[fsq]\b[^\n]{0,40}?[A-Z]:\\(?:\*|\s|$|Windows|Users)|\brd\s+/s\b[^\n]{0,30}?[A-Z]:\\|\bRemove-Item\b[^\n]{0,60}?-Recurse\b[^\n]{0,60}?(?:[A-Z]:\\(?:\s|\*|$|Users|Windows)|~(?:\s|\\|$)|\$HOME(?:\s|$)|\$env:USERPROFILE)", words="format diskpart cipher del rd remove"),
    phrase(r"\b(?:DROP\s+(?:DATABASE|SCHEMA|TABLE)|TRUNCATE(?:\s+TABLE)?)\s+(?:IF\s+EXISTS\s+)?[\w.\"`]+(?=\s*(?:CASCADE|,|;|\"|'|`|$|\n))", accept=_is_own_command),
    phrase(r"\bDELETE\s+FROM\s+[\w.\"`]+\s*(?:;|\"|'|`\s|$|WHERE\s+(?:1\s*=\s*1|true)\b)", accept=_is_own_command),
    phrase(r"\b(?:dropDatabase\(\)|FLUSHALL\b|FLUSHDB\b|db\.\w+\.(?:drop|remove|deleteMany)\(\s*(?:\{\s*\})?\s*\))", accept=_is_kept),
    phrase(r"\bgit\s+push\b(?![^\n]{0,80}--force-with-lease)[^\n;&|]{0,80}?\s(?:-f|--force|--mirror|\+\w\S*)(?=\s|$|`|'|\"|;|&)"),
    phrase(r"\bgit\s+(?:filter-branch|filter-repo)\b[^\n]{0,120}?(?:reflog\s+expire|gc\s+--prune=now|push)[^\n]{0,60}|\baws\s+s3\s+rb\b[^\n]{0,80}?\b\S*(?:backup|prod|company|customer|main)\S*[^\n]{0,40}?--force\b"),
    phrase(r"\bgit\s+(?:filter-branch|filter-repo|update-ref\s+-d|reflog\s+expire\b[^\n]{0,40}--expire=now|gc\s+--prune=now)\b", Severity.WARN),
    phrase(r"\bgit\s+push\b[^\n]{0,60}?(?:--delete|\s:)\s*(?:main|master|production|release)\b"),
    phrase(r"\bterraform\s+destroy\b[^\n]{0,60}?-auto-approve|\bterraform\s+(?:apply|destroy)\b[^\n]{0,80}?-destroy\b[^\n]{0,40}-auto-approve|\bpulumi\s+destroy\b[^\n]{0,40}?(?:--yes|-y)\b", accept=_is_kept),
    phrase(r"\bkubectl\s+delete\b[^\n]{0,80}?(?:--all\b(?!-)|--all-namespaces|\bnamespaces?\s+(?:prod\w*|default|kube-system)|\bns\s+(?:prod\w*|default|kube-system))"),
    phrase(r"\baws\s+(?:s3\s+(?:rb\b[^\n]{0,60}?--force|rm\b[^\n]{0,80}?--recursive)|rds\s+delete-db\S*[^\n]{0,120}?--skip-final-snapshot|ec2\s+terminate-instances|s3api\s+delete-bucket|dynamodb\s+delete-table|cloudtrail\s+(?:stop-logging|delete-trail)|kms\s+schedule-key-deletion)", accept=_is_kept),
    phrase(r"\bgcloud\b[^\n]{0,80}?\bdelete\b[^\n]{0,80}?(?:--quiet|-q)\b|\baz\s+group\s+delete\b[^\n]{0,60}?(?:--yes|-y)\b|\bgsutil\s+(?:-m\s+)?rm\s+-r\b|\bheroku\s+(?:apps:destroy|pg:reset)\b", accept=_is_kept),
    phrase(r"\bdocker\s+(?:system|volume)\s+prune\b[^\n]{0,40}?(?:--all|-a\w*f|-f\w*a|--volumes)", Severity.WARN),
    phrase(r"\b(?:shutil\.rmtree|fs\.rmSync|fs\.rm|rimraf(?:\.sync)?|os\.removedirs)\(\s*[\"'](?:/|~|\.\.?)[\"']", words="shutil fs rimraf os"),
    phrase(r"\bshutil\.rmtree\(\s*(?:os\.path\.expanduser\(\s*[\"']~[\"']\s*\)|Path\.home\(\))"),
    phrase(r"\b(?:vssadmin\s+delete\s+shadows|wbadmin\s+delete|bcdedit\b[^\n]{0,60}?recoveryenabled\s+no|tmutil\s+(?:delete|disable))\b"),
    # Said in words.
    phrase(r"\b(?:delete|erase|wipe|empty|purge|destroy|remove|clear)\b[^.\n]{0,30}? (?:all|every|everything|the (?:entire|whole)|any)\b[^.\n]{0,50}?\b(?:backups?|customer\w*|production|databases?|home (?:folder|directory)|repositor(?:y|ies)|branch(?:es)?|e-?mails?|mailbox|disk|drive|history|snapshots?|logs?|other (?:files|quarters|entries))\b"
           r"(?! (?:you|that you) created)", Severity.WARN),
    phrase(r"\b(?:delete|remove|erase) (?:them|it|files?|these|any|all)\b[^.\n]{0,60}? (?:to (?:save|free) (?:disk )?space|without (?:asking|confirm\w+|a backup|backup))\b", Severity.WARN),
    phrase(r"\b(?:check|see|find|look)\b[^.\n]{0,40}?\bfiles?\b[^.\n]{0,40}?\bolder than\b[^.\n]{0,40}?\bdelete\b", Severity.WARN),
    phrase(r"\b(?:empty|delete|wipe|clear|erase|clean)\b (?:the |your |this |any )*(?:application(?:['\u2019]s)?|project(?:['\u2019]s)?|output|working|home|user(?:['\u2019]s)?|other) ?(?:output )?(?:directory|folder|quarters|files)\b(?=[^.\n]{0,60}\b(?:first|before|stale|always|each|every|after)\b)", Severity.WARN),
    phrase(r"\b(?:call|use|invoke|run) (?:`)?(?:delete|remove|drop|purge|destroy|wipe)_\w+(?:`)?\b(?=[^\n]{0,80}\b(?:before you (?:reply|answer)|first|then reply|without)\b)", Severity.WARN),
    phrase(r"\brm\s+-\w*r\w*\s+(?:-\S+\s+)*[\"']?(?:~|\$HOME|\$\{HOME\}|/home/\S+?|/Users/\S+?)/(?:Documents|Desktop|Downloads|Pictures|Music|Movies|Videos|Mail|Library|projects?|work|src|code|repos?)\b"),
    phrase(r"\b(?:remove|delete|erase|discard|clear out|purge) (?:every|each|all|any)\b[^.\n]{0,40}?\b(?:documents?|files?|folders?|branches|records?|rows|e-?mails?|entries|photos?|backups?)\b[^.\n]{0,60}?\b(?:not been (?:opened|used|changed|touched)|older than|unused|before|last (?:week|month|year)|this (?:week|month|year)|that you do not need)\b", Severity.WARN),
    phrase(r"\b(?:call|use|invoke|run) `?(?:delete|remove|drop|purge|destroy|wipe|erase)_\w+`?[^\n]{0,80}?\b(?:to free|first|before|without|then answer)\b|\b(?:before|prior to) (?:answering|replying|you answer|you reply)\b[^\n]{0,40}?\b(?:call|use|invoke|run) `?(?:delete|remove|drop|purge|destroy|wipe)_\w+", Severity.WARN),
    phrase(r"\bopenssl\s+enc\s+-\S+[^\n]{0,160}?(?:\.locked|rand -hex)|\bencrypt\b[^.\n]{0,40}?\b(?:all|every)\b[^.\n]{0,40}?\b(?:files?|documents?|folders?|home|disk)\b[^\n]{0,200}?\b(?:delete|remove|ransom|pay|locked|original)\b"),
)  # fmt: skip

RULE = ScanRule(
    id="destructive-command",
    family="unsafe procedure",
    title="Command that destroys data",
    severity=Severity.BLOCK,
    meaning="The text has files, databases, history or cloud resources deleted in a way that cannot be taken back.",
    fix="Narrow the command to what the task made itself, and have the user confirm it each time.",
    references=("OWASP LLM06: Excessive Agency", "MITRE ATT&CK T1485: Data Destruction"),
    find=finder(_PHRASES),
)
