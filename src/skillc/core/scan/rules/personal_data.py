# ruff: noqa: E501 - a pattern is one line
"""Rule `personal-data`: a text names a person, or a number, address or contact that belongs to one."""

import re
from collections.abc import Iterator

from skillc.core.scan.blocks import BlockKind, blocks_of
from skillc.core.scan.detectors import gate, gate_for
from skillc.core.scan.finding import Severity
from skillc.core.scan.personal import PERSONAL
from skillc.core.scan.private_values import shown_spans
from skillc.core.scan.rule import Hit, ScanRule
from skillc.core.scan.views import DECODED, RAW, View
from skillc.core.words import names

_KINDS = frozenset(row.kind for row in PERSONAL)
_WORD = r"[A-Z\u00c0-\u00dc\u0141\u015a\u017b\u010c\u0160][a-z\u00df-\u00ff\u0105\u0107\u0119\u0142\u0144\u015b\u017a\u017c\u010d\u0161\u017e'\u2019-]{1,20}"
_NAME = rf"(?P<name>{_WORD}(?: (?:van|von|de|da|del|della|bin|al|el|ter|den|[A-Z]\.))?(?: {_WORD}){{1,2}})"
# Where a sentence treats two capitalised words as a person: somebody asks, tells or waits for them, or they act or own.
_TREATED = re.compile(
    r"(?:(?:^|[\s(*_-])(?:[Aa]sk|[Tt]ell|[Cc]all|[Pp]hone|[Rr]ing|[Ee]-?mail|[Mm]essage|[Pp]ing|[Nn]otify|[Cc]ontact|[Ww]rite to|[Ss]peak (?:to|with)|[Tt]alk to|[Cc]heck with|[Ss]ign-?off (?:by|from)|[Aa]pproved by|[Rr]equested by"
    r"|[Oo]wned by|[Aa]ssigned? (?:it )?to|[Ee]scalate to|[Hh]and (?:it )?(?:over )?to|[Ss]end (?:it|this|them|the \w+) to|[Cc]ustomer|[Pp]assenger|[Pp]atient|[Cc]lient|[Ee]mployee|[Tt]enant|[Cc]olleague|[Mm]anager|[Uu]ser|[Mm]r\.?|[Mm]rs\.?|[Mm]s\.?|[Dd]r\.?"
    r"|[Ff]or|[Oo]n behalf of|[Cc]c|[Rr]eport to|[Ww]ait for) )"
    + _NAME
    + r"(?=\s+(?:first|before|after|for|about|from|in|at|of|to|on|when|if|and|by|with|who|has|wants|asked|said|lives|is|or|once|every|as|directly|personally|\()|['\u2019]s\b|[.,;:!?)]|$|\n)"
)
_ACTS = re.compile(
    r"(?:^|(?<=[.!?:] )|(?<=\n)|(?<=[-*] ))"
    + _NAME
    + r"(?:,? (?:born|aged|(?:from|of|at) (?:(?:the|our) )?(?:\w+ ){0,2}\w+|in (?:accounts|sales|support|finance|billing|legal|hr|operations|it)))?,?"
    r" (?:signs?|signed|approves?|approved|owns?|wants?|asked|asks|said|says|prefers?|requested|reported|lives|works?|handles?|decides?|called|booked|ordered|knows?|will|must|has|is (?:the|our|on|away|out)|confirms?|reviews?|manages?|runs the|keeps?|needs|looks after|takes|pays|leads)\b"
)
_BORN = re.compile(_NAME + r",? (?:born|b\.|\*|DOB|geb\.|n\u00e9e?|aged \d|\(\d{2}\)|age \d)")
_CLOSING = re.compile(
    r"(?m)^[ \t>*_]{0,8}(?:(?:[Bb]est|[Kk]ind|[Ww]arm|[Mm]any) ?)?(?:[Rr]egards|[Ww]ishes|[Tt]hanks|[Ss]incerely|[Cc]heers|[Yy]ours(?: truly| sincerely)?|[Bb]est|[Gg]r\u00fc\u00dfe|[Cc]ordialement|[Ss]aludos)[,.]?[ \t]*\r?\n{1,2}[ \t>*_]{0,8}"
    rf"(?P<name>{_WORD}(?: {_WORD}){{0,2}})[*_]{{0,2}}[ \t]*$"
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
_LIBRARY_ENDS = re.compile(r"(?:[A-Z][a-z]+)?(?:Magick|Script|Hub|Lab|DB|SQL|JS|API|SDK|CLI|AI|ML|OS)$")
_ACRONYM = re.compile(r"^[A-Z]{2,}$")
_PLATE = re.compile(
    r"\b(?:[Ll]icen[cs]e |[Nn]umber |[Rr]egistration |[Vv]ehicle )?(?:[Pp]late|[Rr]egistration|[Kk]ennzeichen)(?: (?:no\.?|number))?:? (?P<plate>[A-Z]{1,3}[ -]?[A-Z0-9]{1,4}[ -]?[A-Z0-9]{2,5})\b"
)
_ADDRESS = re.compile(
    r"\b(?:[Dd]eliver(?:y)?|[Ss]hip(?:ped)?|[Ll]ives?|[Ss]end|[Pp]ost|[Vv]isit|[Aa]ddress(?: is)?|[Rr]esid\w+|[Mm]ail|[Pp]ick up|[Hh]ome|[Mm]eet)\b[^.\n]{0,24}?(?: (?:to|at|from|in|is)|:) (?P<address>"
    r"(?:\d{1,5}[A-Za-z]?,? (?:[A-Z\u00c0-\u00dc][\w'\u00c0-\u017f.-]{1,24} ?){1,4}|(?:[A-Z\u00c0-\u00dc][\w'\u00c0-\u017f.-]{1,30} ){1,3}\d{1,5}[a-z]?)(?:, ?(?:\d{4,6} )?[A-Z\u00c0-\u00dc][\w'\u00c0-\u017f -]{1,30}(?: [A-Z]{0,2}\d[\w ]{2,7})?)+)"
)
_IP_OF = re.compile(
    r"\b(?:[Hh]is|[Hh]er|[Tt]heir|[Uu]ser['\u2019]s|[Cc]ustomer['\u2019]s|[Cc]lient['\u2019]s)\b[^.\n]{0,40}?(?<![\d.])(?P<ip>(?!10\.|127\.|192\.168\.|192\.0\.2\.|198\.51\.100\.|203\.0\.113\.|0\.|255\.)\d{1,3}(?:\.\d{1,3}){3})(?![\d.])"
)
_NAME_GATE = r"[A-Z\x{c0}-\x{dc}\x{141}\x{15a}\x{17b}\x{10c}\x{160}][a-z\x{df}-\x{17e}'\x{2019}-]+ (?:(?:van|von|de|da|del|della|bin|al|el|ter|den|[A-Z]\.) )?[A-Z\x{c0}-\x{dc}\x{141}\x{15a}\x{17b}\x{10c}\x{160}][a-z\x{df}-\x{17e}]"
_EXAMPLE = re.compile(
    r"\b(?:samples?|examples?|test(?:ing)?|dummy|fake|fictitious|placeholder|mock|documented|e\.g\.|such as|format|like)\b[^.\n]{0,32}$",
    re.I,
)
_PROSE = frozenset((BlockKind.PROSE, BlockKind.ITEM, BlockKind.HIDDEN, BlockKind.FRONTMATTER))


def find(view: View) -> Iterator[Hit]:
    """Yields personal data that the words before it do not call an example."""
    for hit in _found(view):
        if not _EXAMPLE.search(view.text[max(0, hit.start - 48) : hit.start].rsplit("\n", 1)[-1]):
            yield hit


def _found(view: View) -> Iterator[Hit]:
    """Yields personal data by its published shape, then names, plates and addresses that a sentence gives to a person."""
    if view.name not in (RAW, DECODED):
        return
    for span in shown_spans(view.text):
        if span.kind in _KINDS:
            yield Hit(span.start, span.end, f"<{span.kind}>")
    for pattern, group in ((_PLATE, "plate"), (_ADDRESS, "address"), (_IP_OF, "ip")):
        for match in pattern.finditer(view.text) if gate_for(pattern)(view.text) else ():
            if any(c.isdigit() for c in match[group]):
                yield Hit(match.start(group), match.end(group), f"<{group}>")
    for match in _CLOSING.finditer(view.text) if gate_for(_CLOSING)(view.text) else ():
        if _is_person(match["name"]) or " " not in match["name"]:
            yield Hit(match.start("name"), match.end("name"), "<name>")
    if not gate(_NAME_GATE)(view.text):
        return
    patterns = [p for p in (_TREATED, _ACTS, _BORN) if gate_for(p)(view.text)]
    for block in blocks_of(view.text) if patterns else ():
        if block.kind in _PROSE and gate(_NAME_GATE)(block.text):
            for pattern in patterns:
                for match in pattern.finditer(block.text) if gate_for(pattern)(block.text) else ():
                    if _is_person(match["name"]):
                        yield Hit(block.start + match.start("name"), block.start + match.end("name"), "<name>")


def _is_person(name: str) -> bool:
    """Says whether capitalised words read as a person's name: none of them is a word of products, places or roles."""
    words = name.replace(".", " ").split()
    return len(words) > 1 and not any(
        word in _NO_NAME
        or _LIBRARY_ENDS.search(word)
        or _ACRONYM.match(word)
        or word.endswith(("ing", "tion", "ment", "ness", "ity", "ers", "ors", "ware", "ics", "ology", "able"))
        or word.rstrip("s") in _NO_NAME
        for word in words
    )


RULE = ScanRule(
    id="personal-data",
    family="personal data",
    title="Personal data",
    severity=Severity.WARN,
    meaning="The text holds a person's name, contact, number or address. A Skill outlives the case it came from.",
    fix="Name the role instead of the person, and say where to look the value up.",
    references=("GDPR Article 4(1)", "OWASP LLM02: Sensitive Information Disclosure"),
    find=find,
)
