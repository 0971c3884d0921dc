# ruff: noqa: E501 - a pattern is one line
"""Rule `instruction-override`: a text tells its reader to drop its instructions, its user or its limits."""

from skillc.core.scan.finding import Severity
from skillc.core.scan.phrases import finder, phrase, together
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
_VOID = (
    r"\b(?:ignor(?:e|es|ed)|disregard\w*|forget\w*|scrap(?:ped)?|discard\w*|unlearn|no longer (?:appl\w+|counts?|holds?|binds?|matters?|valid|in force|relevant)|(?:do(?:es)? not|don['\u2019]t|doesn['\u2019]t|none[^.\n]{0,80}) (?:apply|count|matter|hold|bind)"
    r"|(?:is|are|be|becomes?|now|hereby) (?:null(?: and void)?|void|obsolete|invalid|cancell?ed|gone|lifted|revoked|waived|suspended)|cancel\w*|supersed\w+|overrul\w+|overrid\w+|annul\w*|expired?|stop (?:following|obeying)|replaces? (?:them|all|the (?:former|old|earlier|previous)|your)"
    r"|leave behind|throw (?:out|away)|take the place of|(?:not|no longer) (?:be )?bound|outranks?)\b"
)
_TOLD = r"\b(?:instructions?|directions|directives?|guidance|prompts?|briefing|system message|developer message|orders (?:you|given|from)|(?:you (?:were|have been|are|got)|you['\u2019]ve been) (?:told|taught|given|asked|instructed|set)|told (?:you|before|so far)|what (?:came|stands|was said))\b"
_SOONER = r"\b(?:previous(?:ly)?|prior|earlier|above|before|former(?:ly)?|initial|original|old|existing|so far|until now|up to now|preceding|past|your|you|system|developer|operator)\b"
_RULES = r"\b(?:rules|guidelines|constraints|context|orders|commands|policy|policies|programming|training|limits|safeguards)\b"
# What voids, and what is voided.
_LANGUAGES = (
    (
        r"\b(?:ignorier\w*|vergiss|vergessen sie|missacht\w*|verwirf|umgeh\w*|\u00fcbergeh\w*|nicht mehr|au\u00dfer kraft|hinf\u00e4llig|aufgehoben|ausschlie\u00dflich|folge nur)\b",
        r"\b(?:anweisung\w*|instruktion\w*|regeln?|vorgaben|vorschriften|befehle?n?|weisungen|richtlinien|system-?prompts?|(?:besprochen|gesagt) (?:haben|wurde)|bisher\w* (?:gesagt|vorgaben)\w*)\b",
    ),
    (
        r"\b(?:ne (?:tiens|tenez|tenir) (?:plus|pas|aucun) compte|ignore[zr]?|oublie[zr]?|annul\w+|fai(?:s|tes) abstraction|ne suis plus|ob\u00e9is uniquement|n[\u00e9e]glige\w*)\b",
        r"\b(?:consignes?|instructions?|ordres|r\u00e8gles|directives)\b(?=[^.\n]*)",
    ),
    (
        r"\b(?:haz caso omiso|hagan caso omiso|ignor[ae]n?|olvid[ae]n?|no (?:hagas caso|sigas)|anul\w+|descarta|desoye|deja de seguir)\b",
        r"\b(?:instruc\w+|\u00f3rdenes|reglas|indic\w+|directrices|lo que (?:se te|te han|te dijeron))\b",
    ),
    (
        r"\b(?:non tener\w* conto|ignora\w*|dimentic\w+|scarta\w*|annull\w+|lascia perdere|trascura\w*)\b",
        r"\b(?:istruzion\w+|regole|ordini|indicazioni|direttive|(?:che |ci\u00f2 che )?ti (?:\u00e8 stato|hanno) detto)\b",
    ),
    (
        r"\b(?:ignor[ea]\w*|esque\u00e7?[ac]\w*|desconsider\w+|n\u00e3o siga\w*|descart\w+|anul\w+)\b",
        r"\b(?:instru\u00e7\u00f5es|regras|ordens|orienta\u00e7\u00f5es|comandos)\b",
    ),
    (
        r"\b(?:negeer|vergeet|gelden niet|niet meer|volg alleen|sla geen acht)\b",
        r"\b(?:instructies|regels|opdrachten|opgedragen|aanwijzingen|richtlijnen)\b",
    ),
    (
        r"\b(?:z?ignoruj|zapomnij|pomi\u0144|nie obowi\u0105zuj\w+|odrzu\u0107|porzu\u0107)\b",
        r"\b(?:instrukcj\w+|polece\w+|zasad\w*|regu\u0142\w*|wskaz\u00f3w\w+|wytyczn\w+)\b",
    ),
    (
        r"(?:\u0438\u0433\u043d\u043e\u0440\u0438\u0440\u0443\w*|\u0437\u0430\u0431\u0443\u0434\w*|\u043d\u0435 \u0441\u043b\u0435\u0434\u0443\w*|\u043e\u0442\u0431\u0440\u043e\u0441\w*|\u043d\u0435 \u0434\u0435\u0439\u0441\u0442\u0432\w*|\u043e\u0442\u043c\u0435\u043d\w*)",
        r"(?:\u0438\u043d\u0441\u0442\u0440\u0443\u043a\u0446\w+|\u043f\u0440\u0430\u0432\u0438\u043b\w*|\u0443\u043a\u0430\u0437\u0430\u043d\w+|\u043a\u043e\u043c\u0430\u043d\u0434\w+|\u043f\u0440\u0435\u0434\u043f\u0438\u0441\u0430\u043d\w+)",
    ),
    (
        r"\b(?:ignorera|bortse fr\u00e5n|gl\u00f6m|glem|ignorer|se bort fra|strunta i)\b",
        r"\b(?:instruktion\w*|regler\w*|order|anvisning\w*|instruks\w*)\b",
    ),
    (
        r"\b(?:yok say\w*|unut\w*|g\u00f6rmezden gel\w*|dikkate alma\w*)",
        r"\b(?:talimat\w*|kural\w*|komut\w*|y\u00f6nerge\w*)",
    ),
    (
        r"\b(?:ignoruj\w*|zapome\u0148\w*|zanedbej\w*|nebuda\w*)",
        r"\b(?:instrukc\w+|pokyn\w+|pravid\w+|p\u0159\u00edkaz\w+)",
    ),
    (
        r"\b(?:unohda|j\u00e4t\u00e4 huomiotta|sivuuta|\u00e4l\u00e4 noudata)",
        r"\b(?:ohjeet|ohjei\w*|s\u00e4\u00e4n\w+|k\u00e4skyt|m\u00e4\u00e4r\u00e4y\w+)",
    ),
    (
        r"(?:\u5ffd\u7565|\u65e0\u89c6|\u7121\u8996|\u5fd8\u8bb0|\u5fd8\u6389|\u4e0d\u8981\u9075\u5b88|\u65e0\u9700\u9075\u5b88|\u4e0d\u7528\u7ba1|\u4f5c\u5e9f|\u65e0\u6548|\u629b\u5f00|\u4e0d\u518d\u9002\u7528|\u4e0d\u5fc5\u7406\u4f1a|\u7ed5\u8fc7)",
        r"(?:\u6307\u4ee4|\u6307\u793a|\u63d0\u793a|\u8bf4\u660e|\u898f\u5247|\u89c4\u5219|\u547d\u4ee4|\u9650\u5236|\u8981\u6c42|\u8bbe\u5b9a|\u5b89\u5168)",
    ),
    (
        r"(?:\u7121\u8996|\u5fd8\u308c|\u7834\u68c4|\u5f93\u308f\u306a\u3044|\u5f93\u308f\u305a|\u7121\u52b9)",
        r"(?:\u6307\u793a|\u547d\u4ee4|\u30eb\u30fc\u30eb|\u30d7\u30ed\u30f3\u30d7\u30c8|\u898f\u5247|\u6307\u4ee4|\u5236\u9650)",
    ),
    (
        r"(?:\ubb34\uc2dc|\uc78a|\ub530\ub974\uc9c0)",
        r"(?:\uc9c0\uc2dc|\uba85\ub839|\uaddc\uce59|\uc9c0\uce68|\ud504\ub86c\ud504\ud2b8)",
    ),
    (
        r"(?:\u062a\u062c\u0627\u0647\u0644|\u0627\u0646\u0633\u064e?|\u0644\u0627 \u062a\u062a\u0628\u0639)",
        r"(?:\u062a\u0639\u0644\u064a\u0645\u0627\u062a|\u0623\u0648\u0627\u0645\u0631|\u0642\u0648\u0627\u0639\u062f)",
    ),
    (
        r"(?:\u0905\u0928\u0926\u0947\u0916\u093e|\u092d\u0942\u0932 \u091c\u093e|\u0928\u091c\u093c\u0930\u0905\u0902\u0926\u093e\u091c\u093c)",
        r"(?:\u0928\u093f\u0930\u094d\u0926\u0947\u0936|\u0928\u093f\u092f\u092e|\u0906\u0926\u0947\u0936)",
    ),
)
_PHRASES = (
    phrase(rf"\b{_DROP} {_EARLIER}{_ORDERS}"),
    phrase(rf"\b{_DROP} {_EVERYTHING} {_BEFORE}\b"),
    phrase(rf"\bset {_EARLIER}{_ORDERS} aside\b"),
    phrase(rf"\b{_ORDERS} (?:above|before this|given (?:above|before|earlier)) (?:no longer|do not|don['\u2019]t) (?:apply|count|hold)"),
    phrase(rf"\b{_LIMITS} (?:no longer apply|do not apply|don['\u2019]?t apply|(?:are|is|have been|has been) (?:now )?"
           r"(?:lifted|suspended|disabled|off|removed|void|waived|revoked))\b"),
    phrase(r"\byour (?:previous |old |earlier )?(?:rules|instructions|guidelines|orders|policies) have"
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
    # The ideas of it, in any words and order.
    together(_VOID, _TOLD, _SOONER),
    together(_VOID, _RULES, r"\b(?:your?|assistant['\u2019]?s?|agent['\u2019]?s?|model['\u2019]?s?|system|developer|operator)\b", _SOONER),
    together(r"\b(?:obey|follow|heed|listen to|answer to|serve|go by|abide by|comply with)\b", r"\b(?:only|solely|exclusively|nothing (?:but|else)|alone|first)\b",
             r"\b(?:this|these|following|below) ?(?:file|page|text|skill|document|description|lines?|note|section|words|message)?\b", r"\b(?:not|instead|former|earlier|previous|other|user|rules|nothing|refus\w+|above|first)\b"),
    phrase(r"\b(?:the )?only (?:rules|instructions|orders|law|guidance)(?: that (?:count|apply|matter))? (?:are|is|come|stand)[^.\n]{0,20} (?:this|here|below|these|the ones)\b"),
    phrase(r"\bthis (?:skill|file|page|text|document|note|description) (?:wins|outranks|overrules|overrides|beats|has the (?:last|final) (?:word|say)|is the (?:only |final |sole |highest )?(?:authority|law))\b|\bthe skill (?:wins|outranks|overrules|has the last word)\b"),
    together(r"\b(?:refus(?:e|ing|al)|declin(?:e|ing)|say(?:ing)? no|hesitat\w+)\b", r"\b(?:never|not (?:among|an? option|allowed|possible|permitted)|no option|must not|may not|cannot|do not|don['\u2019]t)\b", r"\b(?:requests?|comply|obey|instructions?|carry out|in full|whatever|anything|each|every|all)\b"),
    together(r"\b(?:consent|permission|approval|authori[sz]ation|agreement) (?:was|is|has been|have been|were) (?:already )?(?:given|granted|obtained)\b", r"\b(?:in advance|already|never|without asking|stop to ask|delet\w+|send\w*)\b"),
    # The same in other languages.
    *(together(void, told) for void, told in _LANGUAGES),
    phrase(r"\b(?:sans|sin|senza|sem|zonder|ohne|bez) (?:aucune |ninguna |alcuna |nenhuma |jegliche )?(?:restrictions?|restricciones|restrizioni|restri\u00e7\u00f5es|limites?|filtros?|filtres?|filtri|beperkingen|einschr\u00e4nkungen|ogranicze\u0144|censura|censure|zensur)\b"),
    phrase(r"\b(?:hast du|haben sie|gelten|es gibt) .{0,20}?\bkeine (?:regeln|einschr\u00e4nkungen|grenzen|beschr\u00e4nkungen|vorgaben)\b|\bkeine regeln (?:mehr|gelten)\b"),
    phrase(r"\bneue (?:anweisung\w*|regeln?|befehle?):? .{0,60}?\b(?:ab sofort|ab jetzt|gib\w*|musst|intern\w*)\b"),
    phrase(r"\b(?:ignor(?:e|es|ing)|disregard(?:s|ing)?|bypass(?:es|ing)?|override|forget(?:ting)?|brush aside|work around) (?:the |your |any |all |what the )?(?:user|operator|owner|task|developer|person|human|author|principal|system|template['\u2019]s author|page['\u2019]s author)(?:s)?\b(?!['\u2019]s)(?= (?:and|above|then|who|wants|says|entirely|completely|from)\b|[.,;:!]|\s*$)"),
    phrase(r"\b(?:drop|cast aside|brush aside|leave aside|lay aside|put aside|throw overboard|shed|lift(?:s|ing)?|switch(?:ed|es|ing)? off|turn(?:ed|s|ing)? off) (?:\w+ ){0,2}?(?:your|every|all|any|the) (?:\w+ ){0,2}?(?:limits?|restrictions?|rules|filters?|guardrails|orders?|policies|instructions?|safeguards|constraints|task above)\b"),
    phrase(r"\b(?:safety|content|security|ethic\w*|moderation) (?:\w+ )?(?:filters?|rules|limits|policies|guardrails|checks|text|training)[^.\n]{0,20}? (?:is|are|was|were|has been|have been)[^.\n]{0,20}? (?:switched off|turned off|off|withdrawn|suspended|not in force|no longer|a draft|lifted|removed|disabled)\b"),
    phrase(r"\b(?:n['\u2019](?:as|avez) plus (?:aucune?|de)|ya no tienes|no tienes ningun\w*|non hai (?:pi\u00f9 )?(?:alcun\w*|nessun\w*)?|n\u00e3o (?:tens|tem|h\u00e1)(?: mais)? (?:nenhum\w*)?|du hast (?:ab jetzt |jetzt )?keine|je hebt geen|nie masz \u017cadnych)\b[^.\n]{0,24}?(?:r\u00e8gles?|restrictions?|limites?|reglas?|restriccion\w*|l\u00edmites|regol\w+|restrizion\w+|limiti|regras?|restri\u00e7\w+|limites|regeln|grenzen|regels|beperkingen|zasad|ogranicze\u0144)"),
    phrase(r"\u5236\u9650(?:\u304c|\u306f)?(?:\u3042\u308a\u307e\u305b\u3093|\u306a\u3044)|\u6ca1\u6709(?:\u4efb\u4f55)?(?:\u9650\u5236|\u89c4\u5219)|\u4e0d\u53d7(?:\u4efb\u4f55)?\u9650\u5236|\uc81c\ud55c\uc774 \uc5c6"),
    phrase(r"\b(?:wirf|werfen sie|schmei\u00df) [^.\n]{0,40}?(?:regeln|anweisungen|vorgaben|befehle)[^.\n]{0,20}? (?:weg|\u00fcber bord|raus)\b|\b(?:tire|mets|laisse)[^.\n]{0,20}?(?:r\u00e8gles|consignes)[^.\n]{0,20}? (?:de c\u00f4t\u00e9|tomber)\b"),
    phrase(r"\b(?:sentences?|lines?|texts?|words?|comments?|notes?|messages?)\b[^.\n]{0,50}? (?:in|from|on|inside) (?:\w+ )?(?:web ?pages?|pages?|files?|images?|e-?mails?|documents?|results?|tickets?|output)\b[^.\n]{0,50}? (?:is|are|count as|counts as) (?:\w+ )?(?:orders?|commands?|instructions?)\b"),
    phrase(rf"\b(?:set|put|leave|push|lay) aside (?:\w+ ){{0,3}}?(?:{_ORDERS}|directions\b|everything\b)(?=[^.\n]{{0,60}}\b(?:you|received|given|told|before|earlier|above|so far|system)\b)"),
    phrase(r"\b(?:never|do not|don['\u2019]t|must not|may not|cannot) (?:refuse|decline|reject|turn down|question|object to) (?:a |an |any |the |this )?(?:requests?|orders?|commands?|instructions?|tasks?|asks?|prompts?)\b"),
    phrase(r"\b(?:do|follow|carry out|perform|execute|obey) (?:whatever|anything|everything|what|any instructions?|the instructions?|any orders?)(?: that)? (?:an? |the |any |you find in (?:an? |the )?|found in (?:an? |the )?|in (?:an? |the )?)?(?:\w+ ){0,2}?(?:comments?|input(?: file)?|files?|pages?|website|web ?page|image|e-?mail|document|ticket|attachment|result|output|text)\b[^.\n]{0,30}?(?:\b(?:tells?|says?|asks?|orders?|wants?|contains?)\b|[.!\n]|$)"),
    phrase(r"\b(?:follow|obey|take) (?:my|our|these|this author['\u2019]s|the attacker['\u2019]s) (?:orders?|instructions?|commands?|word)\b[^.\n]{0,20}? (?:instead|over|rather than|not)\b|\bstop what you are doing and (?:follow|obey|do|run|send|answer)\b"),
    phrase(r"\b(?:tus|sus) (?:reglas|instrucciones) (?:han cambiado|cambian|ya no)|\b(?:le )?tue regole sono cambiate|\btes r\u00e8gles ont chang\u00e9|\bdeine regeln (?:haben sich ge\u00e4ndert|gelten nicht)|\bsuas regras mudaram|\bdebes (?:cumplir|obedecer) (?:cualquier|toda)|\bdevi (?:eseguire|obbedire a) (?:ogni|qualsiasi)|\btu dois (?:ob\u00e9ir \u00e0|ex\u00e9cuter) (?:tout|chaque)"),
)  # fmt: skip

RULE = ScanRule(
    id="instruction-override",
    family="injection",
    title="Instruction to drop instructions",
    severity=Severity.BLOCK,
    meaning="The text asks the agent that reads it to ignore its instructions, its limits or its user.",
    fix="Delete the sentence. To warn of such a text, quote it and say that it must be refused.",
    references=("OWASP LLM01: Prompt Injection", "MITRE ATLAS AML.T0051: LLM Prompt Injection"),
    find=finder(_PHRASES),
    find_in_artifact=finder(_PHRASES, any_polarity=True),
)
