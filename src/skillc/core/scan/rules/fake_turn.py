# ruff: noqa: E501 - a pattern is one line
"""Rule `fake-turn`: a text plays a part of the conversation that is not its own, or the agent's own thoughts."""

from skillc.core.scan.blocks import Block, BlockKind
from skillc.core.scan.finding import Severity
from skillc.core.scan.phrases import finder, phrase
from skillc.core.scan.rule import ScanRule

import re  # isort: skip

_ORDERING = re.compile(
    r"\b(?:ignore|forget|disregard|override|upload|send|grant|delete|reveal|execute|obey|comply|must|now|admin|all requests|authori[sz]ed|approved)\b",
    re.I,
)


def _orders(block: Block, match: re.Match[str]) -> bool:
    return _ORDERING.search(block.text[match.end() : match.end() + 300]) is not None


_PHRASES = (
    # Marks that separate the turns of a conversation, in the forms that models are trained on.
    phrase(r"<\|(?:im_start|im_end|system|user|assistant|endoftext|end_of_turn|start_header_id|eot_id)\|>|<(?:start|end)_of_turn>"),
    phrase(r"\[/?INST\]|<</?SYS>>|<\|begin_of_text\|>", Severity.WARN),
    phrase(r"(?m)^[ \t#*=<-]{0,12}(?:end|start|begin) of (?:the )?(?:user|system|previous|untrusted|tool|skill|document|prompt)(?: (?:input|message|prompt|instructions?|content|output|data|turn))?\b"),
    phrase(r"(?m)^[ \t*_]{0,4}(?:human|assistant|system|user|developer)[*_]{0,2}:[*_]{0,2} (?=[a-z])", kinds=(BlockKind.PROSE,), accept=_orders),
    phrase(r"</?(?:system|assistant|user|developer|instructions?|important|admin|override)(?:[_-](?:prompt|message|reminder|instruction|override))?>\s*(?=[^<\n])", Severity.WARN, accept=_orders),
    phrase(r"\bsystem (?:notice|note|update|message|override|alert)\b[^.\n]{0,20}:(?=[^\n]{0,160}\b(?:you|your|the (?:assistant|agent|model)|must|now|all)\b)"),
    phrase(r"\bnota (?:di|del|de) sistema\b|\bsystemhinweis\b|\bnote syst\u00e8me\b|\bsystemnotiz\b"),
    # Thoughts written for the agent, that conclude for it.
    phrase(r"<(?:thinking|thought|reasoning|scratchpad|reflection|think)>(?=[^<]{0,600}\b(?:disregard|ignore|bypass|exempt|comply|authori[sz]ed|policy|restrict\w*|unrestricted|allowed)\b)"),
    phrase(r"\b(?:i have|i['\u2019]ve|as the assistant,? i(?:['\u2019]ve| have)?|the assistant has|we have) (?:already )?(?:reasoned|concluded|determined|verified|established|decided|confirmed)\b"
           r"(?=[^\n]{0,200}\b(?:exempt|restrict\w*|guidelines|safety|policy|policies|rules|comply|limits|authori[sz]ed)\b)"),
    phrase(r"\b(?:en tant qu['\u2019]assistant|como asistente|als assistent|come assistente)\b(?=[^\n]{0,200}\b(?:sans|sin|ohne|senza|ne s['\u2019]?appliquent|no aplican|gelten nicht)\b)"),
    phrase(r"\bthe user (?:is|has) (?:clearly |already |been )*(?:authori[sz]ed|verified|an? admin\w*|approved|consented)\b(?=[^\n]{0,200}\b(?:grant|disregard|ignore|allow|full|all|skip|therefore|so|no (?:need|confirmation))\b)"),
    phrase(r"\bnote to (?:self|the (?:bot|assistant|agent|model|ai|llm))\b(?=[^\n]{0,200}\b(?:must|always|never|print|begin|include|remember|next|when)\b)"),
)  # fmt: skip
GATE = (
    r"(?i)<\|?/?[a-z]|\[/?INST|<</?SYS|(?:end|start|begin)[\s*_]+of[\s*_]|human|assistant|system|developer|user|reasoned|concluded|determined|verified|established"
    r"|decided|confirmed|note[\s*_]+to|asistente|authori|nota[\s*_]"
)

RULE = ScanRule(
    id="fake-turn",
    family="injection",
    title="Imitated turn or thought",
    severity=Severity.BLOCK,
    meaning="The text plays the system, the user or the agent's own reasoning, so that its words count for more than they are.",
    fix="Write the advice as advice, without marks of conversation, roles or thoughts.",
    references=("MITRE ATLAS AML.T0051.001: Indirect Prompt Injection",),
    find=finder(GATE, _PHRASES),
    find_in_artifact=finder(GATE, _PHRASES, any_polarity=True),
)
