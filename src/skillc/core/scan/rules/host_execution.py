# ruff: noqa: E501 - a pattern is one line
"""Rule `host-execution`: a text that a host runs, or expands, while it loads the Skill.

Claude Code runs `` !`command` `` and fences opened with ```` ```! ````, reads files named by `@path`, and puts what the
user typed in place of `$ARGUMENTS` and `$1` before the model sees the text.
"""

import re
from collections.abc import Iterator

from skillc.core.scan.blocks import BlockKind, blocks_of
from skillc.core.scan.detectors import gate
from skillc.core.scan.finding import Severity
from skillc.core.scan.rule import Hit, ScanRule
from skillc.core.scan.views import DECODED, RAW, View

_COMMAND = re.compile(r"(?m)(?:^|(?<=\s))!`([^`\n]{1,2000})`")
_FENCE = re.compile(r"(?m)^[ \t]{0,3}`{3,}!")
_FILE = re.compile(
    r"(?m)(?:^|(?<=[\s(]))@((?:~|/|\.{1,2}/|\.(?=ssh|aws|env|kube|gnupg|netrc|npmrc|git/))[\w./~*-]{1,200})"
)
_PRIVATE_FILE = re.compile(
    r"(?:^~/?$|\.ssh|\.aws|\.env\b|\.kube|\.gnupg|\.netrc|\.npmrc|\.pypirc|\.git/config|\.git-credentials|/etc/|/proc/|id_rsa|id_ed25519|history|credentials|secrets?|\.docker|\.config/gcloud|shadow|passwd|keychain)",
    re.I,
)
_ARGUMENT = re.compile(r"(?<!\\)\$(?:ARGUMENTS(?:\[\d+\])?|\{ARGUMENTS\}|[1-9]\b)")
_READS_ONLY = re.compile(
    r"^(?:git (?:status|diff|log|branch|show|rev-parse|remote -v|describe|config --get)|ls|pwd|date|cat (?!.*(?:\.env|\.ssh|\.aws|/etc/|credentials|secret))[\w./-]+|head|wc|node -v|node --version|python3? --version|npm ls|gh (?:pr|issue|repo) (?:view|list|diff|status)|uname|whoami|which|echo [\w ]+|jq|find|grep|rg|tree|tail)\b[^|;&$`>]*$"
)
_GATE = r"!`|`!|@|\$ARGUMENTS|\$\{ARGUMENTS|\$[1-9]"


def find(view: View) -> Iterator[Hit]:
    """Yields what runs (block, or a warning where it only looks), files that are read in, and arguments in commands."""
    if view.name not in (RAW, DECODED) or not gate(_GATE)(view.text):
        return
    for match in _COMMAND.finditer(view.text) if "!`" in view.text else ():
        yield Hit(match.start(), match.end(), severity=Severity.INFO if _READS_ONLY.match(match[1].strip()) else None)
    for match in _FENCE.finditer(view.text) if "`!" in view.text else ():
        yield Hit(match.start(), match.end())
    for match in _FILE.finditer(view.text) if gate(r"@[~/.]")(view.text) else ():
        if _PRIVATE_FILE.search(match[1]):
            yield Hit(match.start(), match.end())
        elif match[1].startswith(("~", "/", "..")):
            yield Hit(match.start(), match.end(), severity=Severity.WARN)
    yield from _arguments(view)


def _arguments(view: View) -> Iterator[Hit]:
    """Arguments inside a command that the host or the reader runs are not quoted by anybody."""
    if "ARGUMENTS" not in view.text:
        return
    for block in blocks_of(view.text, view.path):
        for match in _ARGUMENT.finditer(block.text):
            in_shell = block.kind is BlockKind.CODE and block.label.split(" ")[0].lower() in (
                "bash",
                "sh",
                "shell",
                "zsh",
                "console",
                "!",
            )
            in_command = "!`" in block.text[max(0, match.start() - 2000) : match.start()].rpartition("\n")[2]
            if "ARGUMENTS" in match.group() and (in_shell or in_command):
                yield Hit(block.start + match.start(), block.start + match.end(), severity=Severity.WARN)


RULE = ScanRule(
    id="host-execution",
    family="host",
    title="Runs or expands while the Skill loads",
    severity=Severity.BLOCK,
    meaning="A host executes or expands this before the model or the user sees it: a command, a private file, what was typed.",
    fix="Write the command as a step that the agent runs and the user can see; escape a literal as \\$1.",
    references=("Agent Skills in Claude Code: dynamic context", "CWE-78: OS Command Injection"),
    find=find,
)
