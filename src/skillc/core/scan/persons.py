# ruff: noqa: E501 - a pattern is one line
"""Names of persons, told by how a sentence treats them, without a list of names.

Two capitalised words are a person where somebody asks, tells, thanks or waits for them, where a role or a title stands
before them, where a label or a signature names them, or where something personal is theirs. Paper: 5.3, Scanners; 5.6.
Not here: numbers and addresses of persons (core.scan.personal_numbers).
"""

import re
from collections.abc import Iterable, Iterator

from skillc.core.scan.blocks import BlockKind, blocks_of, pieces_of
from skillc.core.scan.detectors import gate, gate_for
from skillc.core.scan.linear import may_match
from skillc.core.scan.long_lines import matches_in
from skillc.core.words import names

_UP = "A-Z\u00c0-\u00d6\u00d8-\u00dc\u0141\u015a\u017b\u0179\u0106\u010c\u0160\u017d\u0150"
_LOW = "a-z\u00df-\u00f6\u00f8-\u00ff\u0101-\u017e"
_REST = rf"[{_LOW}]{{1,20}}(?:['\u2019-][{_UP}]?[{_LOW}]{{2,20}}){{0,2}}"
_WORD = rf"(?:O['\u2019]|D['\u2019]|Mc|Mac)?[{_UP}]{_REST}"
# The same at the start of a name. It begins with a capital, so that the engine steps over all other characters, and
# looks at what stands before it afterwards.
_FIRST_WORD = rf"[{_UP}](?<![\w@/.#-].)(?:(?<=[OD])['\u2019][{_UP}]|(?<=M)a?c[{_UP}])?{_REST}"
_PARTICLE = r"(?:van|von|de|da|do|dos|del|della|di|du|la|le|bin|ibn|al|el|ter|den|der|zu|y|[A-Z]\.)"
_ROLES = r"customer|passenger|patient|client|employee|tenant|colleague|manager|user|accountant|landlord|landlady|plumber|electrician|driver|nurse|doctor|dentist|teacher|tutor|engineer|analyst|clerk|supervisor|director|assistant|secretary|agent|owner|guest|member|student|pupil|buyer|seller|supplier|contractor|architect|lawyer|solicitor|caretaker|janitor|neighbou?r|friend|wife|husband|son|daughter|mother|father|brother|sister|partner|boss|head|chief|editor|applicant|candidate|claimant|plaintiff|defendant|witness|suspect|inspector|officer|operator|technician|receptionist|coordinator|consultant|controller|bookkeeper|treasurer|chairman|chairwoman|chair|president|founder|ceo|cfo|cto|coo|ciso|intern|trainee|foreman|courier|cashier|chef|gardener|cleaner|carer|midwife|surgeon|physician|pharmacist|vet|pilot|captain|steward|buyer|planner|dispatcher|developer|designer|administrator|admin|maintainer|requester|reporter|caller|contact|person|recipient|sender|holder|subscriber|donor|volunteer|delegate|speaker|host|author of the ticket|account manager|project lead|team lead|tech lead|line manager|duty manager|Kundin|Kunde|Kollegin|Kollege|cliente|client|paciente"
_ROLE = re.compile(rf"(?i)(?:{_ROLES})$")
_AFTER = r"(?=\s+(?:first|before|after|for|about|from|in|at|of|to|on|when|if|and|by|with|who|has|had|was|wants|asked|said|says|lives|is|or|once|every|each|as|directly|personally|checks|keeps|files|signs|approves|needs|will|must|only|again|today|tomorrow|because|so|\()|['\u2019]s\b|[.,;:!?)\]|]|\s*$|\n)"
_TREATED = re.compile(
    r"(?:(?:^|[\s(*_-])(?:[Aa]sk|[Tt]ell|[Cc]all|[Pp]hone|[Rr]ing|[Ee]-?mail|[Mm]essage|[Pp]ing|[Nn]otify|[Cc]ontact|[Ww]rite to|[Ss]peak (?:to|with)|[Tt]alk to|[Tt]alked to|[Cc]heck with|[Aa]gree[ds]? with|[Mm]eet(?:ing)? with|[Mm]et|[Ii]nterviewed|[Vv]isit|[Cc]onsult|[Pp]ay|[Rr]efund|[Rr]emind|[Tt]hank|[Tt]hanks to|[Ii]nvite|[Ll]oop in|[Ss]ign-?off (?:by|from|of)"
    r"|(?:[Aa]pproved|[Rr]equested|[Oo]wned|[Rr]aised|[Rr]eported|[Ff]iled|[Ss]igned|[Bb]ooked|[Oo]rdered|[Ss]ent|[Ss]ubmitted|[Oo]pened|[Cc]losed|[Hh]andled|[Mm]anaged|[Ll]ed|[Rr]eviewed|[Cc]hecked|[Pp]repared|[Dd]ecided|[Pp]aid|[Hh]eld|[Pp]rovided|[Gg]iven|[Aa]greed|[Cc]onfirmed|[Ii]nvited|[Rr]un) (?:by|for)|[Aa]ssign(?:ed)? (?:it |this |them )?to|[Ee]scalate (?:it |this )?to|[Ff]orward (?:it |this |them )?to|[Hh]and (?:it )?(?:over )?to|[Rr]eturn (?:it )?to|[Bb]elongs? to|[Ss]end (?:it|this|them|the \w+|a \w+) to|[Mm]r\.?|[Mm]rs\.?|[Mm]s\.?|[Dd]r\.?|[Pp]rof\.?"
    rf"|(?i:{_ROLES})|[Ff]or|[Oo]n behalf of|[Cc]c:?|[Rr]eports? to|[Ww]ait(?:s|ing)? for|[Ff]rom|[Nn]amed|[Nn]ame is|[Ii] am|[Ii]['\u2019]m|[Tt]his is|[Aa]ttn:?|[Dd]ear|[Hh]i|[Hh]ello) )$"
)
_GOES_ON = re.compile("^" + _AFTER)
_WEAK = re.compile(
    r"(?i)(?:for|from|named|visit|this is|chair|host|head|chief|user|admin|contact|agent|person|assistant|intern|partner|run by|run for|hello|hi) $"
)
_BEGINS = re.compile(
    r"(?:^|[.!?:;] |\n|[-*|] |(?:when|until|unless|after|before|because|and|if|that|once|as|while) )[*_]{0,2}$"
)
_ACTS = re.compile(
    r"^(?:,? (?:born|aged|(?:from|of|at) (?:(?:the|our) )?(?:\w+ ){0,2}\w+|in (?:accounts|sales|support|finance|billing|legal|hr|operations|it)))?,?"
    r" (?:signs?|signed|approves?|approved|owns?|wants?|wanted|asked|asks|said|says|prefers?|preferred|requested|reported|lives|handles?|decides?|decided|called|booked|ordered|knows?|will|must|has(?! been)|had(?! been)|is (?:the (?!best|most|name|default)|our|on (?:leave|holiday|call|duty|vacation)|away|out|in charge|responsible|ill|sick|allergic|our)|confirms?|confirmed|reviews?|reviewed|manages?|managed|runs the|keeps?|kept|needs|needed|looks after|takes|took|pays|paid|leads|led|checks|checked|files|filed|sent|sends|told|tells|met|agreed|joined|left|wrote|writes|complained|cancelled|moved|lost|turned|answers|answered|picks|sits|uses|used|does|did|gets|got|came|comes|went|goes|works (?:at|for|in|from|on)|drives|arrives|teaches|cleans)\b"
)
_BORN = re.compile(r"^,? (?:\(?(?:born|b\.|\*|DOB|geb\.|n\u00e9e?|aged \d|age \d)|\(\d{2}\))")
_LABELLED = re.compile(
    rf"(?m)(?:^|[\s|>*_(-])(?=[^\n]{{2,34}}?[:=|\u2013\u2014-][*_]{{0,2}}[ \t]{{0,4}}[\"'`]?[{_UP}])(?i:(?:(?:reviewed|signed-off|co-authored|approved|requested|prepared|tested|reported|acked|assigned|created|owned|signed|filed|raised|booked|handled|checked|verified)[- ]by)|(?:(?:case|account|order|ticket|task|project|process|file|document|data|product|service|contract|policy|booking|ship|bill|billing|emergency|main|primary|second|next|on-call|duty|key|sales|legal|hr|it|ops) ?)?(?:{_ROLES}|assignee|reviewer|approver|full name|name|first and last name|requester|attendees?|participants?|signatory|signed|attn|attention|c/o|cc|from|sold to|ship to|bill to|deliver to|payee|beneficiary|next of kin|emergency contact|responsible|point of contact|poc|lead|caller|insured|policyholder|driver|traveller|traveler|Ansprechpartner|Kontakt|Nom|Nombre|Nome|Imi\u0119|Naam|Navn|Namn))"
    rf"[*_]{{0,2}}(?: ?[:=|]| [\u2013\u2014-])[*_]{{0,2}}[ \t]{{0,4}}[\"'`]?(?P<name>{_WORD}(?:, ?{_WORD}(?: [A-Z]\.?)?|(?: {_PARTICLE}){{0,2}}(?: {_WORD}){{1,2}})|[A-Z]\. ?{_WORD})(?=\s*(?:[.,;|()<*_\"'`\[-]|\u2013|\u2014|$|\n|and\b))"
)
_APPOSED = re.compile(
    rf"(?i:\b(?:{_ROLES}))(?: (?:of|for|at|in|on|from) (?:the |our )?[\w-]+(?: \w+)?)?(?:,| is| was|:| \u2013| \u2014| -) $"
)
_APPOSED_END = re.compile(r"^(?:[,.;)]| (?:and|who|has|will|on|in|at|from|\u2013|\u2014|-)|$|\n)")
_TITLED = re.compile(
    rf"(?:(?<=^)|(?<=[\s(*_\"'>]))(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Professor|Herr|Herrn|Frau|Mme|Madame|Monsieur|Mevrouw|Meneer|Dhr|Mevr|Fru|Se\u00f1ora?|Sra|Do\u00f1a|Don|Signora?|Sig|Dott|Dottoressa|Pan|Pani|Dona|Senhora?|Sir|Dame|Lady|Sister|Nurse|Sgt|Capt|Captain|Judge|Rev)\.? (?P<name>(?:[A-Z]\. ){{0,2}}(?:{_PARTICLE} )?{_WORD}(?: {_WORD})?)(?![\w-])"
)
_HAS = re.compile(
    r"^['\u2019]s? (?:(?:\w+ )?(?:laptop|phone|mobile|number|extension|desk|office|account|mailbox|inbox|calendar|e-?mail|address|house|home|flat|car|van|badge|card|passport|salary|contract|file|record|chart|booking|order|ticket|claim|refund|reservation|password|login|team|manager|wife|husband|partner|daughter|son|birthday|leave|sign-?off|approval|signature|machine|folder|notes|diary|shift|locker|key|bank|invoice|appointment|prescription|allergy|visa|flight|seat))\b"
)
_WITH_CONTACT = re.compile(
    r"^[*_]{0,2},? ?[(<\[\u2013\u2014-]{0,2} ?(?:(?:ext\.?|extension|tel\.?|phone|mobile|cell|call|room|e-?mail|mailto)[ :]{1,2}[\w+(]|\+\d{1,3}[ \d(]|[\w.+-]{2,40}@[\w-]+\.\w)"
)
_CLOSING = re.compile(
    r"(?m)^[ \t>*_]{0,8}(?:(?:[Bb]est|[Kk]ind(?:est)?|[Ww]arm(?:est)?|[Mm]any|[Ww]ith|[Mm]it) ?(?:freundlichen )?)?(?:[Rr]egards|[Ww]ishes|[Tt]hanks|[Tt]hank you|[Ss]incerely|[Cc]heers|[Yy]ours(?: truly| sincerely| faithfully)?|[Bb]est|[Rr]espectfully|[Gg]r\u00fc\u00dfen?|[Cc]ordialement|[Ss]aludos(?: cordiales)?|[Aa]tentamente|[Aa]tenciosamente|[Cc]ordiali saluti|[Gg]roeten|[Mm]et vriendelijke groet|[Hh]\u00e4lsningar|[Pp]ozdrawiam)[,.!]?[ \t]*\r?\n{1,2}[ \t>*_]{0,8}"
    rf"(?P<name>{_WORD}(?: {_PARTICLE})?(?: {_WORD}){{0,2}})[*_]{{0,2}}[ \t]*$"
)
# Words that begin a name of a product, a place, a role or a method rather than a person's.
_NO_NAME = names(
    "The This That These Those A An All Any Every Each Some No Not New Old Next Last First Second Third Final Other Same Use Using Run Read Write Open Close Create Delete Update Add Remove Set Get Check Test Build Deploy Find Show List Make"
    " Google Amazon Microsoft Apple Azure Cloud Claude Anthropic Open Azure GitHub GitLab Docker Redis Apache Visual Studio Code Stack Overflow Team Teams Support Service Services Customer Client User Admin Manager Lead Engineer Engineering Developer"
    " Data Database Server Web Mobile Security Network System Systems Platform Product Project Program Process Policy Plan Design Marketing Sales Finance Legal Human Resources Operations Research Development Quality Assurance Machine Learning Deep"
    " Artificial Intelligence Business Company Group Inc Ltd Corp University College School Hospital Bank City State County North South East West New York San Francisco Los Angeles United States Kingdom Europe America Asia Africa Monday Tuesday"
    " Wednesday Thursday Friday Saturday Sunday January February March April May June July August September October November December Black Friday Best Good Bad Great High Low Fast Slow Big Small Full Empty Active Directory Power Shell Command Line"
    " Red Hat Blue Green Hash Burp Suite Kali Linux Mac Windows Word Excel Sheets Docs Drive Slides Slack Zoom Jira Confluence Notion Figma Adobe Photoshop Image Magick Model Context Protocol Agent Agents Skill Skills Prompt Prompts Step Steps Phase"
    " Section Chapter Part Table Figure Example Sample Template Note Warning Error Info Debug Level Version Release Change Log Issue Pull Request Merge Branch Commit Feature Bug Fix Task Ticket Order Invoice Payment Card Account Bank Address Phone"
    " Email Name Date Time Day Week Month Year Key Value Type Class Function Method Object Array String Number Boolean True False Null None Yes Ok React Vue Angular Next Node Python Java Script Type Rust Go Ruby Swift Kotlin Spring Boot Django Flask"
    " Fast Express Tailwind Bootstrap Material Event Domain Driven Clean Hexagonal Micro Front Back End Test Unit Integration Continuous Delivery Deployment Single Multi Zero Trust Access Control Identity Incident Response Threat Intelligence Risk"
    " Compliance General Protection Regulation Privacy Personal Public Private Internal External Global Local Remote Main Master Head Root Home Work Office Chief Executive Officer Vice President Director Senior Junior Staff Principal Technical"
    " Terms Conditions License Apache Creative Commons Free Software Foundation Open Source Vendor Risk Nmap Metasploit Wire Shark Splunk Elastic Grafana Prometheus Kibana Jenkins Circle Travis Cobalt Strike Active Mimikatz Blood Hound Pass Golden Silver"
    " Case Study White Paper Key Management Object Storage Content Delivery Virtual Private Kubernetes Terraform Ansible Chef Puppet Vault Consul Secrets Parameter Store Systems Elastic Beanstalk Lambda Step Functions Simple Queue Natural Language"
)
_ALSO_NO_NAME = names(
    "Contact Owner Author Maintainer Reviewer Foundation Institute Council Committee Commission Agency Ministry Department Division Office Society Association Union Federation Alliance Consortium Initiative Academy Press Journal Magazine Review Studio Labs Lab Works Partners Holdings Ventures Capital Trust Fund Airlines Airways Motors Energy Foods Pharma Health Care Clinic Center Centre Station Airport Street Road Avenue Park Valley River Lake Mountain Island Bay Beach"
    " Gettysburg Christmas Easter Thanksgiving Enterprise Edition Professional Standard Premium Basic Advanced Beginner Guide Tutorial Reference Manual Handbook Cookbook Overview Summary Introduction Conclusion Appendix Glossary Index Monte Carlo Bayes Bayesian Gaussian Markov Fourier Kalman Turing Dijkstra Poisson Bernoulli Euler Newton Pareto Liskov Conway Moore Occam Hungarian Roman Greek Latin English French German Spanish Italian Chinese Japanese Korean Russian Arabic Portuguese Dutch Swedish American British European Western Eastern Northern Southern Central International"
    " Sonnet Opus Haiku Gemini Copilot Cursor Llama Mistral Whisper Codex Bard Alexa Siri Cortana Hudson Travis Jenkins Gradle Maven Nova Neo Pro Max Plus Ultra Mini Lite Air Studio Suite Cloud Edge Core Hub Portal Gateway Bridge Proxy Router Switch Firewall Load Balancer Backup Disk Memory Cache Queue Stack Heap Tree Graph Node Cluster Pod Container Volume Secret Config Map Job Cron Pipeline Workflow Runner Worker Thread Process Session Token Cookie Header Footer Body Form Field Button Menu Dialog Modal Panel Card Grid List Row Column Page Screen Window Frame View Layer Tab Icon Logo Font Color Theme Style Sheet"
    " Always Never Often Only Also Please If When Then While Where Why How What Who Which Before After During Until Since Because Although However Therefore Instead Otherwise Please Do Does Is Are Was Were Be Been Can Could Will Would Shall Should May Might Must Have Has Had If Your Our Their His Her My Its Me Us Them You We They He She It I In On At By For From With Without About Against Between Into Through Over Under To Of And Or But Nor So Yet"
    " Review Approve Reject Submit Cancel Confirm Return Send Save Load Start Stop Begin End Continue Pause Resume Enable Disable Allow Deny Block Accept Decline Install Uninstall Upgrade Import Export Copy Move Rename Search Filter Sort Group Join Split Merge Compare Convert Parse Format Print Render Draw Paint Fill Select Click Press Type Enter Submit Verify Validate Ensure Make Take Give Keep Put Let Ask Tell Call Say See Look Think Know Learn Teach Help Try Work Play"
)
# Names that documentation gives to nobody, and those of people whom every textbook cites.
_NOBODY = names(
    "Doe Roe Mustermann Musterfrau Bloggs Alice Bob Eve Mallory Lovelace Turing Hopper Lincoln Shakespeare Einstein Knuth Torvalds Fowler Kernighan Ritchie Stroustrup Nielsen Norman Crockford Beck"
)
_NEVER_A_NAME = frozenset((*_NO_NAME, *_ALSO_NO_NAME, *_NOBODY))
_NOBODY_PAIRS = frozenset(
    {
        "John Smith",
        "Jane Smith",
        "Joe Public",
        "John Public",
        "Bob Smith",
        "Alice Smith",
        "Alice Johnson",
        "Bob Johnson",
        "Alice Jones",
        "Bob Jones",
        "Uncle Bob",
        "Robert Martin",
    }
)
_LIBRARY_ENDS = re.compile(r"(?:[A-Z][a-z]+)?(?:Magick|Script|Hub|Lab|DB|SQL|JS|API|SDK|CLI|AI|ML|OS)$")
_WORD_ENDS = (
    "ing",
    "tion",
    "tions",
    "ment",
    "ness",
    "ity",
    "ities",
    "ware",
    "ics",
    "ology",
    "able",
    "ance",
    "ence",
    "ency",
    "ship",
    "ism",
    "ful",
    "less",
    "ized",
    "ised",
)
_NAME_GATE = r"[A-Z\x{c0}-\x{dc}\x{141}\x{15a}\x{17b}\x{179}\x{106}\x{10c}\x{160}\x{17d}][A-Za-z\x{df}-\x{17e}'\x{2019}.-]*,? (?:(?:van|von|de|da|do|dos|del|della|di|du|la|le|bin|ibn|al|el|ter|den|der|zu|y|[A-Z]\.) ){0,2}[A-Z\x{c0}-\x{dc}\x{141}\x{15a}\x{17b}\x{179}\x{106}\x{10c}\x{160}\x{17d}]['\x{2019}a-z\x{df}-\x{17e}]"
_PROSE = frozenset((BlockKind.PROSE, BlockKind.ITEM, BlockKind.ROW, BlockKind.HIDDEN, BlockKind.FRONTMATTER))
_CAPITALISED = re.compile(rf"{_FIRST_WORD}(?:(?: {_PARTICLE}){{0,2}} {_WORD}){{1,3}}(?![\w-])")
_REACH_CHARS = 512  # no name with its label is longer
_BEFORE_CHARS = 96
_AFTER_CHARS = 80


def person_names(text: str) -> Iterator[tuple[int, int]]:
    """Yields (start, end) of the names of persons in a text."""
    for match in _CLOSING.finditer(text) if gate_for(_CLOSING)(text) else ():
        if _is_person(match["name"]) or (" " not in match["name"] and match["name"] not in _NO_NAME):
            yield match.span("name")
    may_name = gate(_NAME_GATE)
    for block in blocks_of(text) if may_name(text) else ():
        if block.kind not in _PROSE:
            continue
        for offset, piece in pieces_of(block.text):
            if may_name(piece):
                for start, end in _in_piece(piece, block.kind is BlockKind.FRONTMATTER):
                    yield block.start + offset + start, block.start + offset + end


def _in_piece(piece: str, is_field: bool) -> Iterator[tuple[int, int]]:
    yield from _in_block(piece)
    for match in _gated(_LABELLED, piece) if not is_field else ():
        if _is_person(match["name"].replace(",", "")):
            yield match.span("name")
    for match in _gated(_TITLED, piece):
        if _is_person(match["name"], is_titled=True):
            yield match.span("name")


def _gated(pattern: re.Pattern[str], piece: str) -> Iterable[re.Match[str]]:
    may_match = gate_for(pattern)
    return matches_in(pattern, may_match, piece, _REACH_CHARS) if may_match(piece) else ()


def _in_block(text: str) -> Iterator[tuple[int, int]]:
    """Yields the capitalised words that their sentence treats as a person, without a role or verb before them."""
    for match in _CAPITALISED.finditer(text):
        start, end = match.span()
        words = match.group().split(" ")
        after = text[end : end + _AFTER_CHARS]
        while len(words) > 1:  # the first of them may be the verb or the role
            name = " ".join(words)
            before = text[max(0, start - _BEFORE_CHARS) : start]
            may_be = words[0][0].isupper() and _is_person(name) and _ROLE.match(words[0]) is None
            if may_be and _is_treated(name, before, after):
                yield start, end
                break
            start += len(words.pop(0)) + 1


def _is_treated(name: str, before: str, after: str) -> bool:
    if _GOES_ON.search(after) and may_match(_TREATED.pattern, before) and _TREATED.search(before):
        return _WEAK.search(before) is None or _is_person(name, is_weak=True)
    return (
        (_ACTS.search(after) is not None and _BEGINS.search(before) is not None)
        or _BORN.search(after) is not None
        or _HAS.search(after) is not None
        or _WITH_CONTACT.search(after) is not None
        or (_APPOSED.search(before) is not None and _APPOSED_END.search(after) is not None)
    )


def _is_person(name: str, *, is_weak: bool = False, is_titled: bool = False) -> bool:
    """Says whether capitalised words read as a person's name: none of them is a word of products, places or roles.

    After a weak lead such as `for` or `with`, neither may end like a word of a trade. After a title one word is enough.
    """
    words = [word for word in name.replace(".", " ").split() if len(word) > 1 and not word.islower()]
    if not words or (len(words) < 2 and "." not in name and not is_titled) or " ".join(words) in _NOBODY_PAIRS:
        return False
    if is_weak and any(word.endswith(("er", "or", "ers", "ors", "al", "ic", "ed", "ive", "s")) for word in words):
        return False
    return _NEVER_A_NAME.isdisjoint(words) and not any(
        word.isupper() or _LIBRARY_ENDS.search(word) or word.endswith(_WORD_ENDS) or word.rstrip("s") in _NO_NAME
        for word in words
    )
