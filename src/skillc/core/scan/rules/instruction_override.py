# ruff: noqa: E501 - a pattern is one line
"""Rule `instruction-override`: a text tells its reader to drop its instructions, its user or its limits."""

from skillc.core.scan.finding import Severity
from skillc.core.scan.phrases import finder, phrase
from skillc.core.scan.rule import ScanRule

_DROP = (
    r"(?:ignor(?:e|ing)|disregard(?:ing)?|forget(?:ting)?|overrid(?:e|es|ing)|bypass(?:ing)?|drop|discard|neglect|abandon|erase"
    r"|supersede[sd]?|replaces?|void|cancel|set aside|throw (?:out|away)|pay no attention to|do not (?:follow|obey|apply|heed)"
    r"|don['\u2019]?t (?:follow|obey|apply|heed)|stop (?:following|obeying)|no longer (?:follow|obey)|not bound by)"
)
_EARLIER = (
    r"(?:(?:all|any|every|each|the|your|of|my|these|those|everything|previous|previously|prior|earlier|above|preceding|past"
    r"|existing|original|initial|current|other|system|safety|developer|developer['\u2019]s|security|ethical|content|given|old|former"
    r"|hidden|loaded|configured|standing) ){1,7}"
)
_ORDERS = (
    r"(?:instructions?|instruction sets?|prompts?|system messages?|rules|guidelines?|directives?|guardrails?|orders|commands"
    r"|constraints?|restrictions?|limitations?|polic(?:ies|y)|programming|training|context|safeguards?|alignment)\b"
)
_EVERYTHING = r"(?:everything|anything|all|whatever)(?: (?:that|which|you))?(?: (?:was|is|came|were|have been))?"
_BEFORE = r"(?:above|before this|before|so far|said|you were told|up to (?:now|here|this point)|prior|told|read|until now|previously)"
_LIMITS = (
    r"(?:restrictions?|rules|guidelines|safety (?:rules|guidelines|checks?|measures)|guardrails|limits|limitations|filters"
    r"|content (?:policy|policies|filters?)|polic(?:y|ies)|constraints|safeguards)"
)

_PHRASES = (
    phrase(rf"\b{_DROP} {_EARLIER}{_ORDERS}"),
    phrase(rf"\b{_DROP} {_EVERYTHING} {_BEFORE}\b"),
    phrase(rf"\bset {_EARLIER}{_ORDERS} aside\b"),
    phrase(rf"\b{_ORDERS} (?:above|before this|given (?:above|before|earlier)) (?:no longer|do not|don['\u2019]t) (?:apply|count|hold)"),
    phrase(rf"\b{_LIMITS} (?:no longer apply|do not apply|don['\u2019]?t apply|(?:are|is|have been|has been) (?:now )?"
           r"(?:lifted|suspended|disabled|off|removed|void|waived|revoked))\b"),
    phrase(r"\b(?:your|the) (?:previous |old |earlier )?(?:rules|instructions|guidelines|orders|policies) have"
           r" (?:now )?(?:changed|been (?:updated|replaced|changed|revoked|superseded))\b"),
    phrase(r"\b(?:new|updated|revised) (?:system )?(?:instructions?|orders|directives?|rules)(?: for (?:the )?(?:assistant|agent|ai|model))?:"
           r"[^\n]{0,60}\b(?:must|comply|ignore|obey|from now on|you now|from this point|instead)\b"),
    phrase(r"\b(?:must|will|shall|should|now|always|instead) (?:comply|obey)(?: with)? (?:every|any|all|each|whatever|the following)"
           r" (?:single )?(?:requests?|commands?|orders?|instructions?|asks?)\b"),
    phrase(r"\b(?:comply with|obey|follow|carry out) the (?:following|next|new) (?:request|order|instruction|command)s? instead\b"),
    phrase(r"\b(?:you must|you will|always) obey (?:the )?(?:footnote|appendix|comment|note|text below|this (?:file|note|text))\b[^.\n]{0,40}\bnot\b"),
    phrase(r"\bobey (?:the|this) [\w ]{2,30}, not the (?:user|system|developer)\b"),
    phrase(r"\b(?:these|this|the following) (?:instructions?|rules|skill|orders?|notes?) (?:take|takes|has|have) (?:absolute |full |top )?"
           r"(?:precedence|priority) over (?:the |all |any |your |every )*(?:system|user|developer|safety|other|earlier|previous|instructions)"),
    phrase(r"\b(?:treat|take|accept|handle|read|regard) (?:every|any|all|each|the)[^.\n]{0,50} as (?:a |an |the )?(?:trusted|authori[sz]ed|binding|new"
           r"|direct|user['\u2019]?s?|system)? ?(?:commands?|orders?|instructions?)\b"),
    phrase(r"\b(?:regard|treat) (?:this|the following|what follows)[^.\n]{0,30} as (?:a |the |your )?(?:new )?system (?:prompt|message)\b"),
    phrase(r"\b(?:set|put|leave|cast) (?:all |any |the |your )*(?:prior|previous|earlier|safety|existing) (?:rules|instructions|limits|orders) aside\b"),
    # The same in other languages.
    phrase(r"\b(?:ignorier\w*|vergiss|vergessen sie|missacht\w*|verwirf|umgeh\w*|\u00fcbergeh\w*)\b.{0,50}?\b(?:anweisung\w*|instruktion\w*|regeln?|vorgaben"
           r"|vorschriften|befehle?|besprochen|gesagt|bisher\w*|oben|system-?prompts?)\b"),
    phrase(r"\bneue (?:anweisung\w*|regeln?|befehle?):? .{0,60}?\b(?:ab sofort|ab jetzt|gib\w*|musst|intern\w*)\b"),
    phrase(r"\b(?:ab (?:jetzt|sofort)|du|sie) ?(?:hast|haben sie|gelten)? .{0,20}?\bkeine (?:regeln|einschr\u00e4nkungen|grenzen|beschr\u00e4nkungen) ?(?:mehr)?\b"),
    phrase(r"\b(?:ignor(?:ez?|a|ar|are|e|i)|oubli(?:e|ez|er)|olvid(?:a|e|ar)|dimentic\w+|esque\u00e7?[ac]\w*|desconsider\w+|desoye|trascura|n[\u00e9e]glige\w*"
           r"|descarta|faites abstraction)\b.{0,50}?\b(?:instru[ck]?[ct]i?[o\u00f3\u00e7]\w*|instrucciones|istruzioni|instru\u00e7\u00f5es|consignes?|reglas|regole|r\u00e8gles"
           r"|regras|directives|ordres|\u00f3rdenes|ordini|indicaciones|indicazioni)\b"),
    phrase(r"\b(?:sans|sin|senza|sem|zonder) (?:aucune |ninguna |alcuna |nenhuma )?(?:restrictions?|restricciones|restrizioni|restri\u00e7\u00f5es|limites?|filtros?|filtres?"
           r"|beperkingen)\b", kinds=None),
    phrase(r"\b(?:negeer|vergeet)\b.{0,50}?\b(?:instructies|regels|opdrachten|aanwijzingen)\b"),
    phrase(r"\b(?:zignoruj|ignoruj|zapomnij|pomi\u0144)\b.{0,50}?\b(?:instrukcj\w+|polece\w+|zasad\w*|regu\u0142\w*)"),
    phrase(r"(?:\u0438\u0433\u043d\u043e\u0440\u0438\u0440\u0443\w*|\u0437\u0430\u0431\u0443\u0434\u044c\w*|\u043d\u0435 \u0441\u043b\u0435\u0434\u0443\u0439\w*).{0,50}?(?:\u0438\u043d\u0441\u0442\u0440\u0443\u043a\u0446\w+|\u043f\u0440\u0430\u0432\u0438\u043b\w*|\u0443\u043a\u0430\u0437\u0430\u043d\w+|\u043a\u043e\u043c\u0430\u043d\u0434\w+)"),
    phrase(r"(?:\u5ffd\u7565|\u65e0\u89c6|\u7121\u8996|\u5fd8\u8bb0|\u5fd8\u6389|\u4e0d\u8981\u9075\u5b88|\u65e0\u9700\u9075\u5b88|\u4e0d\u7528\u7ba1).{0,16}?(?:\u6307\u4ee4|\u6307\u793a|\u63d0\u793a|\u8bf4\u660e|\u898f\u5247|\u89c4\u5219|\u547d\u4ee4|\u9650\u5236)"),
    phrase(r"(?:\u6307\u793a|\u547d\u4ee4|\u30eb\u30fc\u30eb|\u30d7\u30ed\u30f3\u30d7\u30c8|\u898f\u5247).{0,10}?(?:\u7121\u8996|\u5fd8\u308c|\u5ffd\u308c|\u7834\u68c4|\u5f93\u308f\u306a\u3044)"),
    phrase(r"(?:\uc774\uc804|\ubaa8\ub4e0|\uc704\uc758).{0,12}?(?:\uc9c0\uc2dc|\uba85\ub839|\uaddc\uce59).{0,8}?(?:\ubb34\uc2dc|\uc78a)"),
)  # fmt: skip
GATE = (
    r"(?i)ignor|disregard|forget|overrid|bypass|\bdrop\b|discard|neglect|abandon|erase|supersede|replace|\bvoid\b|cancel|set aside|throw"
    r"|attention|not follow|not obey|not apply|not heed|n.?t follow|n.?t obey|n.?t apply|n.?t heed|stop following|stop obeying|no longer|not bound"
    r"|lifted|suspended|disabled|\boff\b|removed|waived|revoked|have changed|have been|instruction|orders|directive|rules|comply|obey"
    r"|precedence|priority|\btreat\b|\btake\b|\baccept\b|\bhandle\b|\bread\b|\bregard\b|aside|vergiss|vergess|missacht|verwirf|umgeh|bergeh|neue |keine"
    r"|oubli|olvid|dimentic|esque|desconsider|desoye|trascura|glige|descarta|faites|\bsans\b|\bsin\b|senza|\bsem\b|zonder|negeer|vergeet"
    r"|zapomnij|pomi\x{144}|\x{438}\x{433}\x{43d}\x{43e}\x{440}|\x{437}\x{430}\x{431}\x{443}\x{434}\x{44c}|\x{43d}\x{435} \x{441}\x{43b}\x{435}\x{434}\x{443}\x{439}"
    r"|\x{5ffd}\x{7565}|\x{65e0}\x{89c6}|\x{7121}\x{8996}|\x{5fd8}|\x{9075}\x{5b88}|\x{4e0d}\x{7528}|\x{5fd8}\x{308c}|\x{7834}\x{68c4}|\x{5f93}\x{308f}|\x{bb34}\x{c2dc}|\x{c78a}"
)

RULE = ScanRule(
    id="instruction-override",
    family="injection",
    title="Instruction to drop instructions",
    severity=Severity.BLOCK,
    meaning="The text asks the agent that reads it to ignore its instructions, its limits or its user.",
    fix="Delete the sentence. To warn of such a text, quote it and say that it must be refused.",
    references=("OWASP LLM01: Prompt Injection", "MITRE ATLAS AML.T0051: LLM Prompt Injection"),
    find=finder(GATE, _PHRASES),
    find_in_artifact=finder(GATE, _PHRASES, any_polarity=True),
)
