# ruff: noqa: E501 - a pattern is one line
"""Rule `agent-memory`: a text writes orders into a file or memory that later sessions of an agent obey."""

import re

from skillc.core.scan.blocks import Block
from skillc.core.scan.finding import Severity
from skillc.core.scan.phrases import finder, phrase
from skillc.core.scan.polarity import sentence_around
from skillc.core.scan.rule import ScanRule

_NAME = (
    r"(?:AGENTS\.md|CLAUDE(?:\.local)?\.md|GEMINI\.md|\.?cursorrules|\.windsurfrules|\.clinerules|\.roorules|\.goosehints|copilot-instructions\.md|SOUL\.md|MEMORY\.md|\.claude/(?:settings(?:\.local)?\.json|CLAUDE\.md|commands/\S{0,60}|hooks/\S{0,60}|agents/\S{0,60})|\.codex/config\.toml|\.gemini/settings\.json"
    r"|\.cursor/(?:rules\S{0,60}|mcp\.json)|[\w-]{1,60}\.mdc|\.kiro/\S{0,60}|\.roo/\S{0,60}|\.amazonq/\S{0,60}|\.windsurf/\S{0,60}|\.junie/\S{0,60}|\.trae/\S{0,60}|\.agents/\S{0,60}|\.openhands/\S{0,60}|replit\.md|\.claude/skills\S{0,60}|WARP\.md|CONVENTIONS\.md|\.continue/\S{0,60}|\.aider\S{0,60}|\.mcp\.json|mcp\.json|claude_desktop_config\.json|opencode\.json|\.github/copilot-instructions\.md|\.vscode/settings\.json)"
)
_FILE = rf"(?:`|[\"'(]|\b|~/|\./|(?<=\s))(?:[\w.~/-]{{0,40}}/)?{_NAME}"
_WRITE = r"(?:put|puts|drop|leave|create|keep|write|writes|append|appends|add|adds|save|saves|store|insert|put|place|copy|record|persist|echo|set|edit|update|modify|inject|register|paste)"
_ORDER = r"(?:rule|rules|instruction|instructions|directive|policy|skip|always|never|auto|approve|ignore|disable|allow|trust|without|permission|bypass|accept|pre-?approved|allowed|tells? the (?:agent|assistant|model)|from now on|each (?:start|session|run)|obey|silen\w+|for (?:later|future|all|every)|later runs?|future (?:runs?|sessions?|tasks?|agents?)|every (?:session|run|agent)|persist\w*|hooks?|mcpServers|so that (?:every|future|later|all|the next))"
_DANGER = (
    r"(?:never flag|need no|no approval|each (?:new )?session|every session|runs? \./|running \./|starts? by|skip\w*|auto\w*|approv\w+|pre-?approved|ignore|disable|allow(?:ed)? (?:all|every|any)|trust\w*|without|bypass\w*|permissions?|never ask|accept|silen\w+|secret\w*|obey|unseen|fetch|curl|https?:|[\w-]+\.(?:io|net|org|com|dev)/|upload|send|override"
    r"|mcpServers|no (?:review|confirmation|questions?)|all (?:tools|commands|edits)|every (?:tool|command|edit))"
)
_MEMORY = r"(?:memory|memories|long-term memory|persistent (?:memory|notes|context|storage)|knowledge base|profile|preferences|system prompt|standing (?:orders|instructions)|custom instructions)"
_GUARDS = re.compile(r"\b(?:blocks?|denies|prevents?|rejects?|guards?|inspects?|forbids?|stops?)\b", re.I)


def _is_no_guard(block: Block, match: re.Match[str]) -> bool:
    """A hook that checks what the agent does is no order to it."""
    return _GUARDS.search(sentence_around(block.text, match.start(), match.end())) is None


_PHRASES = (
    phrase(rf"\b{_WRITE}\b[^.\n]{{0,100}}?\b{_DANGER}\b[^\n]{{0,100}}?\b(?:in|into|to|at|inside|under|>>?)\b[^.\n]{{0,30}}?{_FILE}", accept=_is_no_guard),
    phrase(rf"\b{_WRITE}\b[^.\n]{{0,60}}? (?:in|into|to|at|inside|under) (?:the |your |its |a |every |any |user['\u2019]s )*(?:\w+ )?{_FILE}(?=[^\n]{{0,160}}\b{_DANGER}\b)", accept=_is_no_guard),
    phrase(rf"\b(?:echo|printf)\b[^\n]{{0,240}}?\b{_DANGER}\b[^\n]{{0,200}}?(?:>>?|\btee\b(?: -a)?)[^\n]{{0,40}}?{_FILE}", accept=_is_no_guard),
    phrase(rf"\b{_WRITE}\b[^.\n]{{0,100}}?\b{_ORDER}\b[^\n]{{0,100}}?\b(?:in|into|to|at|inside|under|>>?)\b[^.\n]{{0,30}}?{_FILE}(?=[^\n]{{0,120}}\b(?:later|future|every|always|persist\w*|each|next)\b)", Severity.WARN),
    phrase(rf"\b(?:echo|printf|cat|tee|sed -i)\b(?=[^\n]{{0,360}}{_NAME})[^\n]{{0,240}}?(?:>>?|\btee\b(?: -a)?|-i\S{{0,20}})[^\n]{{0,40}}?{_FILE}", Severity.WARN),
    phrase(rf"{_FILE}[^\n]{{0,40}}?\b(?:must|should|has to|needs to) (?:contain|include|say|hold|list)\b[^.\n]{{0,100}}?\b{_ORDER}\b", Severity.WARN),
    phrase(r"\b(?:remember|memori[sz]e|keep in mind|note|retain|persist|save|store|add|commit)\b[^.\n]{0,80}?\b(?:for (?:all|every|any) (?:future |later |subsequent |other )?(?:tasks?|sessions?|conversations?|runs?|users?|requests?|agents?)|permanently|forever|from now on|in all future|across sessions|until told otherwise)\b"
           r"(?=[^\n]{0,200}\b(?:must|always|never|include\w*|send|skip|approve|ignore|trust|allow|add|append|without|recommend)\b)"),
    phrase(rf"\b(?:add|write|save|store|append|insert|inject|persist|commit)\b[^.\n]{{0,100}}?\b(?:to|in|into) (?:your|the agent['\u2019]s|its|the model['\u2019]s|the assistant['\u2019]s|claude['\u2019]s|long-term|persistent) {_MEMORY}\b"
           r"(?=[^\n]{0,160}|)(?<=\w)", Severity.WARN),
    phrase(r"\b(?:on|at|for) (?:the )?(?:next|every|each|all) (?:future |later |subsequent )?(?:user message|sessions?|runs?|conversations?|start-?up|turns?)\b[^.\n]{0,40}?,? (?:always |first )?(?:begin|start|run|print|send|include|ignore|load|execute|append)\b"),
    phrase(rf"\b{_WRITE}\b[^.\n]{{0,30}}? ?(?:in|into|to)? ?{_FILE}(?::| with)[^\n]{{0,120}}?\b{_DANGER}", accept=_is_no_guard),
    phrase(rf"\b{_WRITE}\b[^.\n]{{0,60}}?{_FILE}[^\n]{{0,60}}?\b(?:that (?:says?|tells?|orders?|lets?|allows?|makes?)|saying|telling|so that|that)\b[^\n]{{0,100}}?\b{_DANGER}\b", accept=_is_no_guard),
    phrase(r"\b(?:leave|write|keep|put|store|save)\b[^.\n]{0,20}? (?:yourself|your future self|the next session|later sessions|the next agent)\b[^.\n]{0,120}?\b(?:note|reminder|rule|instruction|session|trust\w*|may|must|always|skip)\b"),
    phrase(r"\b(?:claude|codex|gemini|cursor|code|opencode|goose)\s+mcp\s+add(?:-json)?\b[^\n]{0,160}|\b(?:claude|gemini|codex)\s+(?:plugin|extensions?|skills?)\s+(?:install|add|marketplace add)\b[^\n]{0,120}?https?://", Severity.WARN),
    phrase(r"\b(?:copy|install|add|write|spread|drop|place|commit|propagate|replicate|put)\b[^.\n]{0,40}?\b(?:this (?:skill|folder|file|prompt|text|rule)|these instructions|itself)\b[^.\n]{0,60}?\b(?:into|to|in|across) (?:each|every|all|any|other|the user['\u2019]s)\b[^.\n]{0,60}?\b(?:repositor\w+|repos?|projects?|skills?|machines?|sessions?|agents?|folders?|settings)\b"),
    phrase(rf"{_FILE}[^\n]{{0,40}}?:?\s*(?:```\w*\s*)?[^`]{{0,60}}?\"mcpServers\"[\s\S]{{0,200}}?\"(?:command|url)\""),
)  # fmt: skip

RULE = ScanRule(
    id="agent-memory",
    family="unsafe procedure",
    title="Standing orders for later sessions",
    severity=Severity.BLOCK,
    meaning="The text has rules, permissions or hooks written where every later session of an agent reads and obeys them.",
    fix="Propose the change to the user and let them make it; a Skill changes no instructions of other sessions.",
    references=("OWASP Agentic Threats: Memory Poisoning", "MITRE ATLAS AML.T0061: LLM Prompt Self-Replication"),
    find=finder(_PHRASES),
)
