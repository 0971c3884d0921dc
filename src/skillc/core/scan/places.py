# ruff: noqa: E501 - a pattern is one line
"""Private places: addresses and hosts that only one organisation, machine or holder of a link can reach.

Addresses that are the same in every network (a router's first one, the metadata address of clouds, documented ranges)
and names reserved for examples are no place of anybody. Paper: 5.6.
Not here: passwords in URLs (core.scan.contexts), home folders (importers.paths), findings (core.scan.rules).
"""

import re

from skillc.core.scan.detector import Detector
from skillc.core.words import names

_PRIVATE_SUFFIX = (
    r"(?:internal|corp|lan|intra|intranet|private|home\.arpa|ts\.net|ngrok\.io|ngrok-free\.app|ngrok\.app)"
)
_TENANT = r"(?:atlassian\.net|slack\.com|sharepoint\.com|my\.salesforce\.com|zendesk\.com|okta\.com)"
_PUBLIC_TENANT = re.compile(
    r"^(?:www|api|app|docs|help|support|status|developer|developers|community|login|files|hooks|your|my|example|acme|company|contoso|corp)\b"
    r"|^(?:your|my|example)[-_.]?\w*\.",
    re.I,
)
_URL_REST = r"""[^\s<>"'`)\]}\\]{0,2048}"""
_IPV4 = r"(?:10(?:\.\d{1,3}){3}|192\.168(?:\.\d{1,3}){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2}|169\.254(?:\.\d{1,3}){2})"
# The same in every network: first and last addresses of common ranges, of hypervisors and containers.
_EVERYWHERE = names(
    "10.0.0.1 10.0.2.2 10.1.1.1 10.10.10.10 10.255.255.255 127.0.0.1 169.254.169.254 172.16.0.1 172.17.0.1 172.17.0.2 "
    "192.168.0.1 192.168.1.1 192.168.1.254 192.168.2.1 192.168.99.100 192.168.255.255"
)
_RESERVED_HOST = re.compile(
    r"(?:^|\.)(?:example|test|invalid|localhost)(?:\.|$)|^(?:your|my)[-_.]|[<>{}$*]"
    r"|(?:^|\.)(?:host|gateway|kubernetes)\.docker\.internal$|\.cluster\.local$|^metadata\.google\.internal$"
)
# Packages and properties of code end in `.internal` and `.local` too.
_CODE_ROOTS = names(
    "com org net io sun java javax jdk android androidx kotlin scala go golang self this cls threading settings"
)
_STAND_INS = names("domain corp example company contoso acme local test lab internal host server")
_ANY_USER = names("git hg svn user username root admin anonymous name you token x-access-token oauth2 postgres app")


def _host(match: re.Match[str]) -> bool:
    """A bare name needs more than its end: `threading.local` is code, and `app.fjall.internal` a host."""
    host = match["secret"].lower()
    labels = host.split(".")
    if _RESERVED_HOST.search(host) or labels[0] in _CODE_ROOTS:
        return False
    if _STAND_INS.issuperset(labels[1:-1] or labels[:1]):
        return False
    before = match.string[max(0, match.start("secret") - 40) : match.start("secret")]
    if re.search(r"(?:import|from|package|require\(.?|\bnew) ?$", before):
        return False
    is_told = (
        before.endswith(("@", "host ", "ssh "))
        or re.match(r":\d{2,5}\b", match.string[match.end("secret") :]) is not None
    )
    if is_told or any(c.isdigit() or c == "-" for c in host):
        return True
    return len(labels) > 2 and labels[-1] not in ("internal", "private", "local")  # words of code end in these too


def _address(match: re.Match[str]) -> bool:
    return max(map(int, match["secret"].split("."))) < 256 and match["secret"] not in _EVERYWHERE


def _user(match: re.Match[str]) -> bool:
    return match["secret"].lower() not in _ANY_USER


def _tenant(match: re.Match[str]) -> bool:
    host = match["host"] or ""
    return _PUBLIC_TENANT.match(host) is None and "//169.254.169.254" not in match["secret"]  # every cloud's own


PLACES: tuple[Detector, ...] = (
    Detector(
        "private_url",
        rf"://(?:[^\s/@]+@)?(?:[A-Za-z0-9._-]+\.(?:{_PRIVATE_SUFFIX}|local)|(?:10|172|192|169)\.[0-9]|(?:docs|drive|sheets)\.google\.com/)"
        rf"|\.{_TENANT}"
        r"|notion\.so/|X-Amz-Signature=|X-Goog-Signature=",
        rf"""\b(?P<secret>[a-z][a-z0-9+.-]{{1,14}}://(?:[^\s/@"'<>]{{1,128}}@)?(?:"""
        rf"""[A-Za-z0-9._-]{{1,200}}\.(?:{_PRIVATE_SUFFIX}|local)(?![A-Za-z0-9.-]*[A-Za-z0-9])"""
        r"""|10(?:\.\d{1,3}){3}|192\.168(?:\.\d{1,3}){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2}|169\.254(?:\.\d{1,3}){2}"""
        rf"""|(?P<host>[a-z0-9-]{{2,64}})\.{_TENANT}(?=/|[^\w.-]|$)"""
        r"""|(?:docs|drive|sheets)\.google\.com/[^\s"'<>]{0,200}/d/[A-Za-z0-9_-]{20}"""
        r"""|(?:www\.)?notion\.so/[^\s"'<>]{0,200}[0-9a-f]{32}"""
        r"""|[^\s"'<>]{1,400}[?&]X-(?:Amz|Goog)-Signature=[A-Za-z0-9%]{16}"""
        rf"""){_URL_REST})""",
        _tenant,
    ),
    Detector(
        "git_remote",
        r"git@[A-Za-z0-9.-]+:",
        r"""\b(?P<secret>git@[A-Za-z0-9.-]{1,200}:[A-Za-z0-9._~/-]{1,200}[A-Za-z0-9])""",
        lambda match: "example" not in match["secret"],
    ),
    Detector(
        "private_host",
        rf"[a-z0-9-]\.(?:{_PRIVATE_SUFFIX}|local)(?:[^A-Za-z0-9(-]|$)",
        rf"(?<![\w.$/-])(?P<secret>(?:[a-z0-9][a-z0-9-]{{0,62}}\.){{1,6}}(?:{_PRIVATE_SUFFIX}|local))(?![\w-]|\.[A-Za-z0-9]|\()",
        _host,
    ),
    Detector(
        "private_address",
        r"@(?:10|192\.168|172\.[123][0-9]|169\.254)\.[0-9]",
        rf"(?<=@)(?P<secret>{_IPV4})(?![\w-]|\.[0-9])",
        _address,
    ),
    Detector(
        "url_user",
        r"://[A-Za-z0-9._%+-]+@",
        r"://(?P<secret>[A-Za-z0-9._%+-]{2,64})@(?=[A-Za-z0-9\[])",
        _user,
    ),
)  # fmt: skip
