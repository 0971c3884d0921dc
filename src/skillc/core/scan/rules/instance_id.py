# ruff: noqa: E501 - a pattern is one line
"""Rule `instance-id`: a text names one order, ticket, account, machine or row, where it should say which kind.

Without the Traces only the shape of the value and the word before it tell; with them `trace-value` is exact.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from operator import attrgetter

from skillc.core.scan.blocks import BlockKind, blocks_of, pieces_of
from skillc.core.scan.case_ids import SHAPES
from skillc.core.scan.detector import Shape
from skillc.core.scan.detectors import Span, gate
from skillc.core.scan.finding import Severity
from skillc.core.scan.private_values import shown_spans
from skillc.core.scan.rule import Hit, ScanRule
from skillc.core.scan.shapes import standing_in
from skillc.core.scan.views import DECODED, RAW, View
from skillc.core.words import names

_EXAMPLE = re.compile(
    r"(?:^|[\s(])(?:e\.g\.,?|for example|example|such as|like|format|looks like|i\.e\.|sample|placeholder|pattern)[ :`\"'(]*$|[<\[{]$",
    re.I,
)
_KNOWN_KEYS = names(
    "UTF ISO RFC CVE CWE CAPEC SHA MD AES RSA HTTP HTTPS IEEE ANSI ECMA PEP BCP STD NIST SP FIPS PCI SOC "
    "GDPR HIPAA TLS SSL WCAG OWASP ASVS MITRE TA GPT CLAUDE LLM AML API ID UTC GMT COVID ADR JEP KEP BIP "
    "EIP ERC LOG TOP STEP PHASE PART RULE TEST CASE REQ US UC FR NFR AC TC BUG TASK EPIC STORY ITEM FIG "
    "EQ SEC KB MS DSA USN RHSA GHSA PYSEC SNYK ED EN DIN MIL VT CIS AU IA SC SI CM CP IR PS PE RA CA MP "
    "PL PM AT SR PT CC A B C D E F G H I J K L M N O P Q R S T U V W X Y Z TLP HTTP2 IPV IP ARM WIN EC "
    "RS HS ES XX XXX ABC XYZ PROJ PROJECT KEY FOO BAR TICKET ISSUE JIRA EXAMPLE ORD SKU CIP ISA IEC CFR "
    "USC NERC EBS AWS GCP WP PR CHAPTER FIGURE TABLE MODULE LAB WEEK DAY SPRINT LEVEL GROUP OPTION "
    "VERSION DRAFT CLASS "
)
_NUMBERED_KEY = re.compile(r"^(?:MS\d\d|T\d+|TA\d+)$")
_NULL_UUID = re.compile(r"^(?:0{8}-|1{8}-|f{8}-|12345678-|123e4567-|6ba7b81\d-|550e8400-|xxxxxxxx)", re.I)


def _is_real_ticket(match: re.Match[str]) -> bool:
    key, _, number = match["value"].rpartition("-")
    return (
        key not in _KNOWN_KEYS
        and not _NUMBERED_KEY.match(key)
        and number not in ("1", "12", "123", "1234", "12345", "0", "00", "000", "001", "01", "42", "100", "101", "999")
        and len(set(number)) > 1
    )


def _is_real_number(match: re.Match[str]) -> bool:
    digits = "".join(c for c in match["value"] if c.isdigit())
    return (
        len(set(digits)) > 2
        and digits not in "01234567890123456789"
        and digits not in "98765432109876543210"
        and not digits.endswith("0000")
        and not re.match(r"20[0-4]\d[01]\d[0-3]\d$", digits)
    )


def _is_real_uuid(match: re.Match[str]) -> bool:
    return _NULL_UUID.match(match["value"]) is None and len(set(match["value"])) > 8


def _is_mixed(match: re.Match[str]) -> bool:
    value = match["value"]
    return (
        any(c.isdigit() for c in value)
        and any(c.isalpha() for c in value)
        and value not in ("ABC123", "XYZ789", "A1B2C3", "ABC12345")
    )


_SHAPES = (
    Shape("order", re.compile(r"\b(?:[Oo]rder|[Bb]estellung|[Pp]urchase order|PO|[Rr]eturn|[Ss]hipment|[Pp]arcel|[Tt]racking(?: number)?|[Cc]ase|[Tt]icket|[Ii]ncident|[Rr]equest|[Cc]laim|[Pp]olicy|[Cc]ontract)(?: (?:no\.?|number|id))? (?P<value>#?[A-Z]{0,4}-?\d{5,12})\b"), _is_real_number),
    Shape("order", re.compile(r"(?<![\w#&/])(?P<value>#[A-Z]{1,2}\d{5,10})\b"), _is_real_number),
    Shape("user", re.compile(r"(?<![\w/.@-])(?P<value>[a-z]{2,20}_[a-z]{2,20}_\d{3,6})(?![\w/(-]|\.\w)"), _is_real_number),
    Shape("reservation", re.compile(r"\b(?:[Rr]eservation|[Bb]ooking|[Cc]onfirmation|PNR|[Rr]ecord locator|[Ii]tinerary|[Ff]light booking)(?: (?:no\.?|number|code|id|reference))?:? (?P<value>[A-Z0-9]{5,8})\b"), _is_mixed),
    Shape("ticket", re.compile(r"(?<![\w/.-])(?P<value>[A-Z][A-Z0-9]{1,9}-\d{2,7})(?![\w\[-])"), _is_real_ticket),
    Shape("account", re.compile(r"\b(?:[Aa]ccount|[Pp]roject|[Ss]ubscription|[Oo]rg(?:anization)?|[Tt]enant|[Cc]ustomer|[Cc]lient|[Mm]ember|[Mm]erchant|[Uu]ser|[Pp]atient|[Ee]mployee|[Ww]orkspace|[Ii]nstallation|[Aa]pp)(?: (?:no\.?|number|id|ID))?:? (?P<value>\d{6,16})\b"), _is_real_number),
    Shape("arn", re.compile(r"\b(?P<value>arn:aws[\w-]*:[\w-]*:[\w-]*:(?!123456789012|111122223333|000000000000|111111111111)\d{12}:[^\s\"'`]{1,120})")),
    Shape("account", re.compile(r"\b(?!123456789012|111122223333|000000000000|111111111111)(?P<value>\d{12})\.dkr\.ecr\.")),
    Shape("uuid", re.compile(r"\b(?:[Tt]enant|[Aa]ccount|[Uu]ser|[Cc]ustomer|[Oo]rg(?:anization)?|[Ss]ubscription|[Pp]roject|[Ss]ession|[Rr]un|[Jj]ob|[Dd]eployment|[Dd]evice|[Rr]equest|[Oo]rder|[Ww]orkspace|[Cc]luster|[Dd]ocument|[Rr]ecord|[Cc]lient|[Ii]nstance|[Bb]uild|[Tt]race)(?: (?:id|ID))?:? [`\"']?(?P<value>[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12})\b"), _is_real_uuid),
    Shape("pod", re.compile(r"(?<![\w./-])(?P<value>[a-z][a-z0-9]*(?:-[a-z0-9]+)*-[bcdf0-9][a-z0-9]{7,9}-[a-z0-9]{5})(?![\w./-])"), lambda m: sum(c.isdigit() for c in m["value"][-16:]) >= 2),
    Shape("invoice", re.compile(r"(?<![\w/.-])(?P<value>(?:INV|RE|PO|SO|RMA|CR|CHG|INC|REQ|CS|RITM|SR|WO|BK|RES|TKT|TXN|PAY|REF|CUST|EMP|MRN|POL|CLM)[-_#]?\d{4,12})(?![\w-])"), _is_real_number),
    Shape("row", re.compile(r"\b(?:\w*_?id|ID|uuid|pk)\s*(?:=|==|:|IN \()\s*['\"]?(?P<value>\d{5,20})['\"]?(?![\w.])"), _is_real_number),
    Shape("payment", re.compile(r"(?<![\w/.-])(?P<value>(?:gift_card|credit_card|certificate|paypal|debit_card|bank_account|voucher|coupon)_\d{4,12})(?![\w])"), _is_real_number),
    Shape("payment", re.compile(r"(?<![\w/.-])(?P<value>(?:cus|sub|pi|ch|in|prod|price|acct|evt|seti|cs|txn|re|po|tr|card|ba|src|pm|py|si|il|or|ord|cust|usr|user|org|proj|ws|team|acc|inst|run|job|dep|dpl|prj|req|msg|conv|thread|asst|file|batch|resp)_[A-Za-z0-9]{12,32})(?![\w])"), _is_mixed),
    Shape("cloud resource", re.compile(r"(?<![\w/.-])(?P<value>(?:i|vol|snap|ami|vpc|subnet|sg|eni|rtb|igw|nat|eipalloc|fs|acl|lt|tgw|vpce|db|cluster)-(?:[0-9a-f]{17}|[0-9a-f]{8}))(?![\w-])"), lambda m: _is_mixed(m) and "0123456789" not in m["value"] and "1234567890abcdef" not in m["value"]),
    Shape("host", re.compile(r"\b(?:[Ll]og ?in (?:to|on)|ssh(?: to| into)?|[Cc]onnect to|[Rr]estart|[Rr]eboot|[Dd]rain|[Oo]n host|[Hh]ost|[Ss]erver|[Nn]ode|[Mm]achine|[Ww]orker|[Bb]ox) `?(?P<value>(?:[a-z]{2,12}\d{0,3}-){1,4}[a-z]{0,10}\d{1,4})\b(?![-:/\w]|\.\w)"), lambda m: not re.match(r"(?:node|server|host|web|db|worker|app|master|client|machine|example|my|test|local)-?\d*$", m["value"])),
    Shape("branch", re.compile(r"\bgit (?:switch|checkout|push|pull|merge|rebase|branch|fetch)\b[^\n;&|]{0,60}?\s(?P<value>(?:[a-z][\w.-]{1,30}/)+[A-Z]{2,10}-\d{1,7}[\w.-]{0,60})")),
    Shape("build", re.compile(r"\b(?:[Bb]uild|[Rr]un|[Jj]ob|[Pp]ipeline|[Dd]eployment|[Ww]orkflow run|[Rr]elease)(?: (?:no\.?|number|id))? #?(?P<value>\d{5,12})\b"), _is_real_number),
)  # fmt: skip
_ALL = (*_SHAPES, *SHAPES)
_GATE = r"[0-9]"


def find(view: View) -> Iterator[Hit]:
    """Yields values that look like one case's own; what the text calls an example or a format is none."""
    if view.name not in (RAW, DECODED) or not gate(_GATE)(view.text):
        return
    taken: tuple[Span, ...] | None = None
    for standing in standing_in(_pieces(view.text), _ALL):
        match = standing.match
        if not standing.shape.accept(match):
            continue
        if _EXAMPLE.search(match.string[max(0, match.start("value") - 40) : match.start("value")]):
            continue
        taken = shown_spans(view.text) if taken is None else taken
        start, end = standing.span
        after = bisect_right(taken, start, key=attrgetter("end"))
        if after == len(taken) or taken[after].start >= end:
            yield Hit(start, end, f"<{standing.shape.name}>")


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """Yields what may hold an id: pieces of blocks with a digit, but for samples of data."""
    may_hold = gate(_GATE)
    for block in blocks_of(text):
        if may_hold(block.text) and not _is_sample_code(block.kind, block.text, block.lead):
            for offset, piece in pieces_of(block.text):
                if may_hold(piece):
                    yield block.start + offset, piece


def _is_sample_code(kind: BlockKind, text: str, lead: str) -> bool:
    """Data in a longer piece of code is a sample; a command of a few lines names what it acts on."""
    return kind is BlockKind.CODE and (
        text.count("\n") > 6
        or re.search(r"(?i)\bexample|sample|output|response|returns?\b|format|template", lead[-120:]) is not None
    )


RULE = ScanRule(
    id="instance-id",
    family="instance data",
    title="Id of one case",
    severity=Severity.WARN,
    meaning="The text names one order, account, ticket, machine or row. The next task has another one.",
    fix="Put a placeholder such as <order_id> in its place and say where the value comes from.",
    references=("Agent Skills paper, section 5.3: instance data",),
    find=find,
)
