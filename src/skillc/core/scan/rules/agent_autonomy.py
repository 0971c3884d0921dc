# ruff: noqa: E501 - a pattern is one line
"""Rule `agent-autonomy`: a text takes the person out of an agent's decisions: no prompts, no sandbox, all tools allowed."""

from skillc.core.scan.finding import Severity
from skillc.core.scan.phrases import finder, phrase
from skillc.core.scan.rule import ScanRule

_PHRASES = (
    phrase(r"--dangerously-skip-permissions\b|--dangerously-bypass-approvals-and-sandbox\b|--allow-dangerously-\S+|--yolo\b|--full-auto\b|--auto-approve(?:-all)?\b|--trust-all-tools\b|--no-sandbox\b(?=[^\n]{0,60}(?:agent|codex|claude|gemini))"
           r"|--ask-for-approval[= ]never\b|--approval-mode[= ](?:yolo|auto|never|full-auto)\b|\bgoose_mode=auto\b|--allow-all-tools\b|--permission-mode[= ]bypassPermissions\b"),
    phrase(r"[\"']?(?:defaultMode|permission_mode|permissionMode)[\"']?\s*[:=]\s*[\"']?bypassPermissions\b|\bapproval_policy\s*=\s*[\"']?never\b|\bsandbox_mode\s*=\s*[\"']?danger-full-access\b|[\"']?(?:autoApprove|alwaysAllow|yolo(?:Mode)?|chat\.tools\.autoApprove|autoAcceptAll)[\"']?\s*[:=]\s*(?:true|\[\s*[\"']\*)"
           r"|\bskipDangerousModePermissionPrompt\b|\benableAllProjectMcpServers[\"']?\s*:\s*true\b"),
    phrase(r"[\"']?allow[\"']?\s*:\s*\[\s*[\"'](?:Bash(?:\(\*+(?::\*)?\))?|\*)[\"']", Severity.WARN),
    phrase(r"\b(?:auto|automatically|always|silently)[- ]?(?:approve|accept|allow|confirm|trust|grant)\w*\b[^.\n]{0,50}?\b(?:every|all|any|each)\b[^.\n]{0,30}?\b(?:tools?|commands?|actions?|requests?|permissions?|prompts?|calls?|changes|edits?|plans?)\b"),
    phrase(r"\b(?:approve|accept|confirm|answer yes to|say yes to|allow|grant) (?:every|all|any)(?: \w+){0,2} (?:prompts?|permissions?|requests?|tool calls?|confirmations?|dialogs?)\b(?=[^.\n]{0,60}\b(?:without|automatically|yourself|silently|on behalf|immediately)\b|[.!\n])"),
    phrase(r"\b(?:user|human|owner|admin\w*)(?: has| have)? (?:already |pre-?|implicitly )(?:approved|authori[sz]ed|consented|agreed|confirmed)\b[^.\n]{0,60}?\b(?:every|all|any|everything|this skill|commands?|actions?)\b"),
    phrase(r"\b(?:all|every|any) (?:commands?|actions?|tool calls?|operations?|steps)[^.\n]{0,40}? (?:is|are) (?:pre-?approved|already approved|pre-?authori[sz]ed|trusted by default|considered (?:safe|approved))\b"),
    phrase(r"\b(?:treat|take|regard|consider|count)\b[^.\n]{0,20}? (?:all|every|any|each) (?:\w+ ){0,2}?(?:prompts?|questions?|requests?|confirmations?|dialogs?|approvals?)\b[^.\n]{0,30}? (?:as )?(?:already )?(?:answered|approved|granted|confirmed|accepted|given)\b"),
    phrase(r"\b(?:approve|merge|accept|sign off|confirm|publish|deploy)\b[^.\n]{0,80}? (?:unread|unseen|blindly|without (?:reading|looking|opening|a look|review\w*|checking))\b"),
)  # fmt: skip

RULE = ScanRule(
    id="agent-autonomy",
    family="unsafe procedure",
    title="The agent acts without a person",
    severity=Severity.BLOCK,
    meaning="The text starts or sets up an agent without permission prompts or sandbox, or says that all is approved already.",
    fix="Leave the permission mode to the person who runs the agent.",
    references=("OWASP LLM06: Excessive Agency",),
    find=finder(_PHRASES),
)
