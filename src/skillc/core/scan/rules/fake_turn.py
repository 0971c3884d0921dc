# ruff: noqa: E501 - a pattern is one line
"""Rule `fake-turn`: a text plays a part of the conversation that is not its own, or the agent's own thoughts."""

from skillc.core.scan.blocks import Block, BlockKind
from skillc.core.scan.finding import Severity
from skillc.core.scan.phrases import finder, phrase
from skillc.core.scan.rule import ScanRule

import re  # isort: skip

_ORDERING = re.compile(
    r"\b(?:ignore|forget|disregard|override|upload|send|grant|delete|reveal|execute|obey|comply|must|now|admin|bash|curl|call|cat|all requests|authori[sz]ed|approved)\b",
    re.I,
)


def _orders(block: Block, match: re.Match[str]) -> bool:
    return _ORDERING.search(block.text[match.end() : match.end() + 300]) is not None


def _orders_first(block: Block, match: re.Match[str]) -> bool:
    """A line of the agent's that says what it does now, or that begins with an order to it."""
    rest = block.text[match.end() : match.end() + 200]
    return (
        re.match(
            r"(?i)(?:set|save|send|delete|run|ignore|change|approve|call|forward|upload|grant|certainly|sure|of course|yes|i will|as you)\b",
            rest,
        )
        is not None
        and _ORDERING.search(rest + " now") is not None
        and re.search(
            r"(?i)guideline|polic|ignor|upload|grant|turn off|disable|secret|password|price|delete|send|approve", rest
        )
        is not None
    )


_NO_CODE = tuple(kind for kind in BlockKind if kind is not BlockKind.CODE)
_PHRASES = (
    # Marks that separate the turns of a conversation, in the forms that models are trained on.
    phrase(r"<\|(?:im_start|im_end|system|user|assistant|endoftext|end_of_turn|start_header_id|eot_id)\|>|<(?:start|end)_of_turn>"),
    phrase(r"\[/?INST\]|<</?SYS>>|<\|begin_of_text\|>", Severity.WARN),
    phrase(r"(?m)^[ \t#*=<-]{0,12}(?:end|start|begin) of (?:the )?(?:user|system|previous|untrusted|tool|skill|document|prompt)(?: (?:input|message|prompt|instructions?|content|output|data|turn))?\b"),
    phrase(r"(?m)^[ \t*_]{0,4}(?:human|assistant|system|user|developer)[*_]{0,2}:[*_]{0,2} (?=[a-z])", kinds=(BlockKind.PROSE,), accept=_orders),
    phrase(r"(?<![\w,<])</?(?:system|assistant|user|developer|instructions?|important|admin|override|tool_results?|function_calls?|function_results?|tool_use|tool_calls?|invoke|antml:\w+)(?:[_-](?:prompt|message|reminder|instruction|override))?>\s*(?=[^<\n])", Severity.WARN, kinds=_NO_CODE, accept=_orders),
    phrase(r"\bsystem (?:notice|note|update|message|override|alert)\b[^.\n]{0,20}:(?=[^\n]{0,160}\b(?:you|your|the (?:assistant|agent|model)|must|now|all)\b)"),
    phrase(r"\bnota (?:di|del|de) sistema\b|\bsystemhinweis\b|\bnote syst\u00e8me\b|\bsystemnotiz\b"),
    # Thoughts written for the agent, that conclude for it.
    phrase(r"<(?:thinking|thought|thoughts|reasoning|scratchpad|reflection|think)>(?=[^<]{0,600}\b(?:disregard|ignore|bypass|exempt|comply|authori[sz]ed|policy|polic\w+|rules|skip|complete answer|restrict\w*|unrestricted|allowed)\b)"),
    phrase(r"\b(?:i have|i['\u2019]ve|as the assistant,? i(?:['\u2019]ve| have)?|the assistant has|we have) (?:already )?(?:reasoned|concluded|determined|verified|established|decided|confirmed)\b"
           r"(?=[^\n]{0,200}\b(?:exempt|restrict\w*|guidelines|safety|policy|policies|rules|comply|limits|authori[sz]ed)\b)"),
    phrase(r"\b(?:en tant qu['\u2019]assistant|como asistente|als assistent|come assistente)\b(?=[^\n]{0,200}\b(?:sans|sin|ohne|senza|ne s['\u2019]?appliquent|no aplican|gelten nicht)\b)"),
    phrase(r"\bthe user (?:is|has) (?:clearly |already |been )*(?:authori[sz]ed|verified|an? admin\w*|approved|consented)\b(?=[^\n]{0,200}\b(?:grant|disregard|ignore|allow|full|all|skip|therefore|so|no (?:need|confirmation))\b)"),
    phrase(r"\bnote to (?:self|the (?:bot|assistant|agent|model|ai|llm))\b(?=[^\n]{0,200}\b(?:must|always|never|print|begin|include|remember|next|when)\b)"),
    phrase(r"\b(?:anthropic|openai|google|microsoft|system|platform|security|admin\w*|developer) (?:staff|team|support|administrator|engineer)?s? ?(?:notice|message|update|order|announcement|bulletin|override)\b[^.\n]{0,20}:(?=[^\n]{0,160}\b(?:waived|reveal|disabled|lifted|must|allowed|grant|unlock|obey|ignore|skip|suspended|hidden)\b)"),
    phrase(r"\b(?:denkprotokoll|gedankengang|raisonnement|razonamiento|ragionamento|reasoning trace|chain of thought|internal monologue)\b[^.\n]{0,20}:(?=[^\n]{0,240}\b(?:keine regeln|gesperrt\w*|aucune r\u00e8gle|sin restricciones|no rules|exempt|unrestricted|policy|allowed|comply|senza|restrict\w*)\b)"),
    phrase(r"(?m)^[ \t|*_>-]{0,6}(?:assistant|agent|ai|bot)[*_]{0,2}: ?(?=[a-z])", Severity.BLOCK, kinds=(BlockKind.ROW, BlockKind.ITEM, BlockKind.PROSE), accept=_orders_first, words="assistant agent ai bot"),
    phrase(r"\|\s*(?:assistant|agent|ai|bot|claude|copilot): ?(?=(?:set|save|send|delete|run|ignore|change|approve|call|forward|upload|grant|reply|say|mark|add)\b)"),
    phrase(r"\b(?:policy|rule|guideline|terms?)s? (?:change|update|amendment)[^.\n:]{0,40}?:(?=[^\n]{0,160}\b(?:all requests|none may|nothing is|everything is|allowed|no longer|refus\w*|turned down|unrestricted|comply)\b)"),
    phrase(r"\bi am (?:the|your|an?) (?:\w+ )?(?:engineer|developer|creator|administrator|admin|author|owner|programmer|operator|security officer)\b[^.\n]{0,60}?\b(?:lift|unlock|authori[sz]e|allow|grant|order|remove|override|permit|hereby|disable)\w*\b"),
    phrase(r"\b(?:summary|recap|transcript) of (?:the |this |our )?(?:conversation|session|chat|context|previous turns?)[^.\n:]{0,30}?:(?=[^\n]{0,240}\b(?:agreed|approved|authori[sz]ed|may run|without approval|wants? (?:the|you)|allowed|consented|confirmed|must)\b)"),
    phrase(r"<(?:analysis|commentary|plan|cot|internal|monologue)>(?=[^<]{0,400}\b(?:comply|filters?|none|policy|restrict\w*|admin\w*|hidden|exempt|unrestricted|allowed)\b)"),
    phrase(r"\bas the (?:assistant|model|ai)\b[^.\n]{0,30}?[:,](?=[^\n]{0,240}\b(?:polic(?:y|ies)|rules|limits|filters?|restrictions?)\b)(?=[^\n]{0,280}\b(?:go ahead|comply|so i will|therefore|forbidden|anyway|complete|full answer|not apply|others?)\b)"),
    phrase(r"(?m)^[ \t]{0,3}<(?:system|SYSTEM)>(?=\s*\S)", Severity.WARN, kinds=_NO_CODE),
)  # fmt: skip

RULE = ScanRule(
    id="fake-turn",
    family="injection",
    title="Imitated turn or thought",
    severity=Severity.BLOCK,
    meaning="The text plays the system, the user or the agent's own reasoning, so that its words count for more than they are.",
    fix="Write the advice as advice, without marks of conversation, roles or thoughts.",
    references=("MITRE ATLAS AML.T0051.001: Indirect Prompt Injection",),
    find=finder(_PHRASES),
    find_in_artifact=finder(_PHRASES, any_polarity=True),
)
