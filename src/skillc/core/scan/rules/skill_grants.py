# ruff: noqa: E501 - a pattern is one line
"""Rule `skill-grants`: the frontmatter of a Skill gives it tools, hooks or a model of its own."""

import re
from collections.abc import Iterator

from skillc.core.scan.blocks import BlockKind, blocks_of
from skillc.core.scan.finding import Severity
from skillc.core.scan.rule import Hit, ScanRule
from skillc.core.scan.views import RAW, View

_EVERYTHING = re.compile(
    r"(?:^|[\s,\[\"'])(?:\*|Bash(?:\(\*+(?::\*)?\))?|Shell|Terminal|all)(?=$|[\s,\]\"'])|Bash\(\s*(?:sudo|su|curl|wget|nc|rm|bash|sh|zsh|python\d?|node|eval|ssh|scp|dd|chmod|docker|kubectl|pwsh|powershell|osascript|perl|ruby|env|xargs)\b[^)]{0,40}\*\s*\)",
    re.I,
)
_KEYS = re.compile(
    r"^(?:hooks|mcpServers|mcp_servers|permissionMode|permission_mode|command|postInstall|install|run|scripts?)$"
)
_PLUGIN = re.compile(
    r"(?:^|/)\.claude-plugin/plugin\.json$|(?:^|/)hooks/hooks\.json$|(?:^|/)\.mcp\.json$|(?:^|/)gemini-extension\.json$"
)
_RUNS = re.compile(r"[\"'](?:command|postInstall|preinstall|postinstall|url|mcpServers|hooks)[\"']\s*:")


def find(view: View) -> Iterator[Hit]:
    """Yields `hooks` and other keys that run something (block), unlimited shells (warn), other tools (info)."""
    if view.name != RAW:
        return
    if _PLUGIN.search(view.path):
        for match in _RUNS.finditer(view.text):
            yield Hit(match.start(), match.end(), severity=Severity.WARN)
    if not view.text.startswith("---\n"):
        return
    for block in blocks_of(view.text, view.path):
        if block.kind is not BlockKind.FRONTMATTER:
            continue
        end = block.start + len(block.text.rstrip())
        if _KEYS.match(block.label):
            yield Hit(block.start, end)
        elif block.label in ("allowed-tools", "allowed_tools", "tools"):
            wide = _EVERYTHING.search(block.text.partition(":")[2]) is not None
            yield Hit(block.start, end, severity=Severity.INFO if not wide else Severity.WARN)


RULE = ScanRule(
    id="skill-grants",
    family="host",
    title="The Skill gives itself rights",
    severity=Severity.BLOCK,
    meaning="Hooks run commands for the rest of a session, and allowed tools are used without asking, from the moment the Skill loads.",
    fix="Leave permissions to the person: remove the key, or allow one command with fixed arguments.",
    references=("Agent Skills specification: allowed-tools", "OWASP LLM06: Excessive Agency"),
    find=find,
)
