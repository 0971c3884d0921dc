# ruff: noqa: E501 - a pattern is one line
"""Rule `private-url`: a text names a place that only one organisation or machine can reach, or a signed link."""

import re
from collections.abc import Iterator

from skillc.core.scan.detectors import gate, passing_lines
from skillc.core.scan.finding import Severity
from skillc.core.scan.private_places import INTERNAL_SUFFIXES, PLACES_OF_SERVICES, is_own_bucket, private_place
from skillc.core.scan.rule import Hit, ScanRule
from skillc.core.scan.views import View
from skillc.core.words import names

_SCHEME = re.compile(
    r"(?i)(?<![a-z0-9])(?P<scheme>(?:https?|ftps?|sftp|scp|ssh|git|svn|wss?|tcp|udp|tls|smb|cifs|nfs|afp|ldaps?|rdp|vnc|telnet|postgres(?:ql)?|mysql|mariadb|mssql|sqlserver|oracle|cockroachdb|redshift|snowflake|clickhouse|trino|presto|hive|rediss?|mongodb|amqps?|mqtts?|nats|kafka|grpcs?|memcached|imaps?|smtps?|pop3s?|hdfs|webhdfs|etcd|consul|zookeeper|elasticsearch|bolt|neo4j|couchdb|cassandra|influxdb|syslog|stun|turns?|rtmps?|rtsp|s3[an]?|gs|abfss?|wasbs?|adl|oss|cosn?)(?:\+\w{1,10})?)$"
)
_REST = re.compile(r"""[^\s<>"'`)\]}]{1,2048}""")
_SCHEME_CHARS = 32
_PARTS = re.compile(
    r"^(?:[^/@\s]{0,256}@)?(?P<host>\[[0-9a-fA-F:]{2,45}|[^/:?#\s]{1,253})\]?(?::\d{1,5})?(?P<rest>.*)$", re.S
)
_ENDS = "|".join(
    sorted(
        {re.escape(p.host) for p in PLACES_OF_SERVICES if p.tenant}
        | {re.escape(p.host) for p in PLACES_OF_SERVICES if p.path.startswith("/")}
    )
)
_INTERNAL = "|".join(re.escape(end) for end in INTERNAL_SUFFIXES)
_BARE_GATE = rf"(?:{_ENDS}|{_INTERNAL})|(?:10|192\.168|172\.[123][0-9]|100\.[0-9]+)\.[0-9]+\.[0-9]+(?:\.[0-9]+)?[:/]|\\\\[A-Za-z]"
_BARE = re.compile(
    r"(?<![\w@./:$-])(?:[\w.-]{1,64}@)?(?P<host>(?:[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9])?\.){1,8}[A-Za-z]{2,24}|\d{1,3}(?:\.\d{1,3}){3})(?P<port>:\d{2,5})?(?P<rest>[/?#][^\s<>\"'`)\]}]{0,1024})?(?![\w(])"
)
_SHARE = re.compile(r"(?<![\\\w])\\\\(?P<host>[A-Za-z][\w.-]{2,62})\\(?P<share>[\w$. -]{1,64})")
_SIGNED = re.compile(
    r"[?&](?:X-Amz-Signature|X-Goog-Signature|X-Oss-Signature|q-signature|Signature|sig|signature|AWSAccessKeyId|GoogleAccessId|OSSAccessKeyId|hmac|Policy|Key-Pair-Id|rlkey|authkey|auth_token|share_token|sharing_token|access_token|token|st|pwd)=[A-Za-z0-9%/+_~.=-]{12,}",
    re.IGNORECASE,
)
_STORES = names("s3 s3a s3n gs abfs abfss wasb wasbs adl oss cos cosn")
_CODE_BEFORE = re.compile(r"(?:import|from|package|require\(.?|\bnew|class|@) ?$")


def find(view: View) -> Iterator[Hit]:
    """Yields addresses of private hosts, of one tenant, or with a signature. Private addresses only warn."""
    text = view.text
    taken: list[tuple[int, int]] = []
    for start, scheme, address in _urls(text):
        end = start + len(scheme) + 3 + len(address.rstrip(".,;:!?*_"))
        taken.append((start, start + len(scheme) + 3 + len(address)))
        parts = _PARTS.match(address.rstrip(".,;:!?*_"))
        if parts is None:
            continue
        host, rest = parts["host"].lower().lstrip("["), parts["rest"]
        if scheme.lower() in _STORES:
            kind = "private store" if is_own_bucket(host) else None
        else:
            kind = private_place(host, rest, has_scheme=True)
        if kind is None and _SIGNED.search(rest) and not re.search(r"example|localhost|127\.0\.0\.1|[<>{}$*]", host):
            kind = f"signed link to {host}"
        if kind is not None:
            yield Hit(start, end, f"<{kind}>", Severity.WARN if kind == "private address" else None)
    if gate(_BARE_GATE)(text):
        yield from _bare(text, taken)


def _urls(text: str) -> Iterator[tuple[int, str, str]]:
    """Yields (start, scheme, what follows `://`) of the URLs of known schemes."""
    at = text.find("://")
    while at >= 0:
        before = text[max(0, at - _SCHEME_CHARS) : at]
        scheme, address = _SCHEME.search(before), _REST.match(text, at + 3)
        if scheme is not None and address is not None:
            yield at - len(scheme["scheme"]), scheme["scheme"], address.group()
        at = text.find("://", address.end() if address is not None else at + 3)


def _bare(text: str, taken: list[tuple[int, int]]) -> Iterator[Hit]:
    """Yields hosts and shares without a scheme, outside of the URLs that were looked at."""
    at = 0
    for start, line in passing_lines(gate(_BARE_GATE), text):
        if len(line) > 8192:
            continue
        for match in (*_BARE.finditer(line), *_SHARE.finditer(line)):
            first, last = start + match.start(), start + match.end()
            while at < len(taken) and taken[at][1] <= start:
                at += 1
            if not any(a < last and first < b for a, b in taken[at : at + 64]) and _is_private(match, line):
                end = first + len(match.group().rstrip(".,;:!?"))
                yield Hit(first, end, "<private host>", Severity.WARN)


def _is_private(match: re.Match[str], line: str) -> bool:
    host = match["host"].lower()
    if match.re is _SHARE:
        return (
            any(c.isdigit() or c in "-." for c in host)
            and private_place(f"{host}.lan", "/x", has_scheme=True) is not None
        )
    if _CODE_BEFORE.search(line[max(0, match.start() - 16) : match.start()]):
        return False
    port, rest = match["port"], match["rest"] or ""
    if host[0].isdigit() and "@" not in match.group() and not (port or rest.strip("/0123456789")):
        return False  # a bare address, or a range
    return private_place(host, rest, has_scheme=bool(port)) is not None


RULE = ScanRule(
    id="private-url",
    family="private places",
    title="Private address in the text",
    severity=Severity.WARN,
    meaning="The text links to an internal host, one tenant of a service, a private document or a signed file.",
    fix="Say what to look for instead of where one organisation keeps it, or use a placeholder such as <wiki_url>.",
    find=find,
    severity_in_artifact=Severity.BLOCK,
)
