# ruff: noqa: E501 - a pattern is one line
"""Ids of one case, told by the word before them or by a form that only ids have.

`order 114-7731902-4486610`, `sess_01JQ8ZV4N7K2M9T3X5R6`, `ssh kilnprd-sql07`: a value of its own form behind the noun
of a thing that there are many of. Without Traces this is all there is. Paper: 5.3 and 5.6, instance data.
Not here: what the Traces themselves prove (core.scan.values), the finding (core.scan.rules.instance_id).
"""

import re

from skillc.core.scan.detector import Shape
from skillc.core.scan.secret_values import is_made_up

_THINGS = r"orders?|bestellung|commande|pedido|auftrag|purchase orders?|PO|returns?|shipments?|parcels?|packages?|consignments?|deliver(?:y|ies)|waybill|tracking|pallets?|containers?|lots?|batch(?:es)?|cases?|tickets?|incidents?|requests?|claims?|polic(?:y|ies)|contracts?|invoices?|rechnung|facture|factura|bookings?|reservations?|confirmation|pnr|record locator|itinerary|locator|vouchers?|coupons?|accounts?|konto|projects?|subscriptions?|organi[sz]ations?|orgs?|tenants?|tenancy|customers?|kunde(?:n)?|clients?|members?|merchants?|users?|patients?|employees?|staff|students?|workspaces?|installations?|sessions?|runs?|jobs?|deployments?|devices?|clusters?|documents?|docs?|records?|instances?|builds?|traces?|spans?|pipelines?|messages?|threads?|conversations?|chats?|transactions?|payments?|refunds?|transfers?|charges?|payouts?|wires?|assets?(?: tag)?|serial|meters?|badges?|quotes?|quotations?|work orders?|proposals?|opportunit(?:y|ies)|leads?|campaigns?|listings?|propert(?:y|ies)|sensors?|printers?|machines?|trucks?|vehicles?|rows?|files?|folders?|datasets?|boards?|events?|meetings?|courses?|specimens?|studies|study|prescriptions?|dockets?|matters?|applications?|permits?|certificates?|flights?|trips?|rides?|articles?|sku|items?|products?|parts?|tasks?|change(?: request)?s?|problems?|releases?|snapshots?|backups?|volumes?|images?|networks?|subnets?|vpcs?|dhl|ups|fedex|usps|dpd|gls|hermes|tnt|royal mail"
_LABEL = re.compile(
    rf"(?i)(?<![a-z])(?:{_THINGS})(?:[ _-]?(?:no\.?|nr\.?|num(?:ber|mer)?|id|uuid|guid|ref(?:erence)?|code|key|tag|name|handle|identifier|locator)\b\.?)?(?: ?(?:is|was|are|of|for|=|:|-|lautet|est|es))?[ :=#`'\"(]{{0,3}}(?:\w{{0,3}}#)?$"
)
_BOOKING = re.compile(
    r"(?i)(?:booking|reservation|confirmation|pnr|locator|itinerary|voucher|coupon|order|ticket|reference|case|claim|serial)[^.\n]{0,24}$"
)
_UNIT = re.compile(
    r"(?i)^ ?(?:%|ms|s|sec|seconds?|minutes?|hours?|days?|weeks?|months?|years?|rows?|items?|tokens?|chars?|characters?|bytes?|[kmg]i?b|lines?|users?|requests?|records?|files?|times|x|px|people|orders?|messages?|rps|qps|events?|samples?|per|/|\.\.)"
)
_NO_ID = re.compile(
    r"^(?:19|20)\d\d[-/.](?:[01]?\d)(?:[-/.][0-3]?\d)?(?:T.*)?$|^20[0-4]\d[01]\d[0-3]\d$|^v?\d+(?:\.\d+)+\w*$|^\d{1,2}(?::\d\d)+$|^\d+[a-z]{1,3}$|^\d{1,3}(?:[.,]\d{3})+$|^0x|^\d+-\d+$(?<!\d{7})|^(?:19|20)\d\d$|^(?:19|20)\d\d-(?:19|20)\d\d$|0000$|^(?:SHA|MD|AES|RSA|UTF|ISO|RFC|CVE|CWE|NIST|IEC|IEEE|HTTP|TLS|OWASP|MS\d\d|KB|T\d|TA\d|CIP|PCI|SOC)[-\d]|^[\d/.:]+$(?<!\d{5})(?<!\d{4})|\.(?:md|py|js|ts|json|ya?ml|toml|txt|sh|csv|log|pdf|png|jpg|html?|xml|sql)$"
)


def _digits(text: str) -> int:
    return sum(map(str.isdigit, text))


def _is_labelled(match: re.Match[str]) -> bool:
    value, text = match["value"], match.string
    digits = _digits(value)
    has_letter = any(map(str.isalpha, value))
    is_short = has_letter and value.isupper() and 5 <= len(value) <= 8 and digits >= 1
    is_long = (
        digits >= 6
        or (digits == 5 and not has_letter)
        or (has_letter and digits >= 3 and len(value) >= 6 and value.upper() == value)
        or (has_letter and digits >= 4 and len(value) >= 10)
    )
    if not (is_short or is_long) or len(set(value)) < 4 or _NO_ID.search(value):
        return False
    before = text[max(0, match.start() - 48) : match.start("value")]
    if not _LABEL.search(before) or is_made_up(value):
        return False
    if not has_letter and _UNIT.match(text[match.end("value") : match.end("value") + 12]):
        return False
    return is_long or _BOOKING.search(before) is not None


def _is_random(match: re.Match[str]) -> bool:
    tail = match["value"].partition("_")[2] or match["value"]
    mixed = any(c.isalpha() for c in tail)
    return (
        _digits(tail) >= (3 if mixed else 6)
        and not is_made_up(tail)
        and not tail.endswith("0000")
        and len(set(tail)) > 3
        and not re.search(r"(?<!\d)(?:19|20)\d{6}$|^[a-z]+\d{1,3}$|^\d+[a-z]{1,4}$|^[a-z]+\d+[a-z]+$", tail)
    )


_NULL_UUID = re.compile(
    r"^(?:0{8}-|1{8}-|f{8}-|a{8}-|12345678-|01234567-|abcdef|123e4567-|6ba7b81\d-|550e8400-|deadbeef-|xxxxxxxx)", re.I
)
_UUID_LABEL = re.compile(
    rf"(?i)(?<![a-z])(?:{_THINGS})(?![a-z])[^.;\n]{{0,32}}$|--[a-z-]{{2,30}}[ =][`'\"]?$|_id['\"]?\s*(?:=|:|==|IN \()\s*['\"]?$"
)


def _is_own_uuid(match: re.Match[str]) -> bool:
    before = match.string[max(0, match.start() - 64) : match.start("value")]
    return (
        _NULL_UUID.match(match["value"]) is None
        and len(set(match["value"])) > 8
        and _UUID_LABEL.search(before) is not None
    )


_ANY_MACHINE = re.compile(
    r"^(?:node|server|host|web|db|worker|app|master|slave|client|machine|example|my|test|local|primary|replica|replicas|agent|api|cache|proxy|lb|vm|pod|dc|srv|prod|dev|staging|us|eu|ap|sa|ca|af|me|east|west|north|south|central|linux|ubuntu|windows|win|target|control|plane|etcd|kafka|zk|redis|pg|mysql|sql|sw|router|switch|fw|site|rack|zone|dmz|esxi|hv|nas|file|print|mail|mx|ns|dns|ws|pc|desktop|laptop)?\d*$"
)


def _is_own_host(match: re.Match[str]) -> bool:
    pieces = match["value"].lower().split("-")
    last = pieces[-1]
    is_numbered = re.match(r"^[a-z]{2,10}\d{2,3}$|^0\d{1,2}$|^\d{2}$", last) is not None
    before = match.string[max(0, match.start() - 32) : match.start("value")]
    said = (
        re.search(
            r"(?i)(?:\b(?:to|on|from|into|onto|at|via|host|server|node|box|machine|ssh|scp|rsync|ping|restart|reboot|drain|cordon|patch|reach|-h|--host)\s+|@|\\\\)[`'\"]?$",
            before,
        )
        is not None
    )
    return is_numbered and said and not all(_ANY_MACHINE.match(piece) for piece in pieces)


def _is_own_machine_address(match: re.Match[str]) -> bool:
    plain = re.sub(r"[:-]", "", match["value"]).lower()
    return (
        len(set(plain)) > 5
        and plain
        not in ("001122334455", "aabbccddeeff", "deadbeefcafe", "0123456789ab", "001a2b3c4d5e", "0a1b2c3d4e5f")
        and not is_made_up(plain)
    )


_CLOUD_FLAG = re.compile(
    r"(?i)(?:--?(?:project|subscription|account|tenant|cluster|instance|database|db-instance-identifier|instance-ids?|resource-group|bucket|queue|topic|function-name|stack-name|workspace|org|dataset|service-account|site|app|p)[ =]|config set project |projects/|subscriptions/|use-context |set-context |workspace select |project use |firebase use |--context[ =])[`'\"]?$"
)

SHAPES: tuple[Shape, ...] = (
    Shape("id", re.compile(r"(?<![\w./@-])(?=#?[A-Za-z_./-]*+[0-9])#?(?P<value>[A-Za-z0-9]{0,12}(?:[-_./][A-Za-z0-9]{1,12}){0,5}[0-9](?:[-_./]?[A-Za-z0-9]){2,39})(?![\w@]|-\w|\[|://)"), _is_labelled),
    Shape("id", re.compile(r"(?<![\w/.-])(?P<value>[a-z][a-z0-9]{1,14}_(?:[a-z]{2,6}_)?[A-Za-z0-9]{6,40})(?![\w(]|\.\w)"), _is_random),
    Shape("uuid", re.compile(r"(?<![\w-])(?P<value>[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12})(?![\w-])"), _is_own_uuid),
    Shape("host", re.compile(r"(?<![\w./:-])(?P<value>[a-z]{2}[a-z0-9]{1,13}(?:-[a-z0-9]{1,12}){0,3}-[a-z]{0,10}\d{2,3})(?![\w/(-]|\.\w|:\w)"), _is_own_host),
    Shape("tracking", re.compile(r"(?<![\w-])(?P<value>1Z[A-Z0-9]{16}|00[34]\d{17}|[A-Z]{2}\d{9}[A-Z]{2}|\d{3}-\d{7}-\d{7}|JJD\d{16,18}|9[2-5]\d{20})(?![\w-])"), lambda m: not is_made_up(m["value"])),
    Shape("container", re.compile(r"\b(?:docker|podman|nerdctl|crictl)\s+(?:container\s+)?(?:rm|stop|start|logs|exec|inspect|kill|restart|cp|attach|top|commit|wait|port)\b[^\n|;&]{0,60}?\s(?P<value>[0-9a-f]{12}|[0-9a-f]{64})(?![\w.])"), lambda m: _digits(m["value"]) >= 2 and not is_made_up(m["value"])),
    Shape("device", re.compile(r"(?<![\w:-])(?P<value>[0-9A-Fa-f]{2}(?:(?:-[0-9A-Fa-f]{2}){5}|(?::[0-9A-Fa-f]{2}){5}))(?![\w:-])"), _is_own_machine_address),
    Shape("message", re.compile(r"(?<![\w.])(?P<value>1[5-9]\d{8}\.\d{6})(?![\w.])"), lambda m: re.search(r"(?i)(?:ts|thread|message)[^\n]{0,16}$", m.string[max(0, m.start() - 24) : m.start()]) is not None),
    Shape("account", re.compile(r"(?i)\b(?:card|account|iban|number)s? (?:that )?end(?:s|ing)(?: in| with)?:? (?P<value>\d{4})(?!\d)"), lambda m: m["value"] not in ("4242", "1234", "0000", "1111", "5678", "9999")),
    Shape("cloud resource", re.compile(r"(?<![\w.])(?P<value>[a-z][a-z0-9]*(?:-[a-z0-9]+)*-\d{4,7}|[a-z]{3,}(?:-[a-z]+)*-(?:prod|prd|stg|staging)(?:-[a-z0-9]+)*)(?![\w.])"), lambda m: not is_made_up(m["value"].rpartition("-")[2]) and not m["value"].startswith(("my-", "your-", "example", "test-", "sample-")) and _digits(m["value"]) >= 4 and _CLOUD_FLAG.search(m.string[max(0, m.start() - 48) : m.start()]) is not None),
)  # fmt: skip
