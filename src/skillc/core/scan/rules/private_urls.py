"""Rule `private-url`: a text names a place that only one organisation or machine can reach, or a signed link."""

import re
from collections.abc import Iterator

from skillc.core.scan.finding import Severity
from skillc.core.scan.rule import Hit, ScanRule
from skillc.core.scan.views import View

_URL = re.compile(
    r"""\b(?:https?|ftp|ssh|git|wss?|postgres(?:ql)?|mysql|redis|mongodb(?:\+srv)?|amqps?)://[^\s<>"'`)\]}]{1,2048}""",
    re.IGNORECASE,
)
_HOST = re.compile(r"^[a-z0-9+.-]{2,15}://(?:[^/@\s]{0,256}@)?([^/:?#\s]{1,253})", re.IGNORECASE)
_PRIVATE_ADDRESS = re.compile(
    r"^(?:10(?:\.\d{1,3}){3}|192\.168(?:\.\d{1,3}){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2}|169\.254(?:\.\d{1,3}){2})$"
)
_PRIVATE_SUFFIX = (
    ".internal",
    ".corp",
    ".lan",
    ".intra",
    ".intranet",
    ".private",
    ".home.arpa",
    ".ts.net",
    ".ngrok.io",
    ".ngrok-free.app",
    ".ngrok.app",
)
_TENANT = re.compile(
    r"^(?!(?:www|api|app|docs|help|support|status|developer|developers|community|login|files|hooks|your|my|example|company|yourcompany|mycompany|acme)[.-]?"
    r"(?:domain|company|org|instance|workspace|team|tenant)?\.)[a-z0-9-]+\.(?:atlassian\.net|slack\.com|sharepoint\.com|my\.salesforce\.com|zendesk\.com|okta\.com)$",
    re.IGNORECASE,
)
_DOCUMENT = re.compile(
    r"(?:docs|drive|sheets)\.google\.com/.*/d/[A-Za-z0-9_-]{20,}|notion\.so/.*[0-9a-f]{32}", re.IGNORECASE
)
_SIGNED = re.compile(
    r"[?&](?:X-Amz-Signature|X-Goog-Signature|Signature|sig|AWSAccessKeyId|se)=[A-Za-z0-9%/+_-]{16,}",
    re.IGNORECASE,
)
_RESERVED = re.compile(
    r"(?:^|\.)(?:example|test|invalid|localhost|example\.(?:com|org|net))$|^your[-_.]|[<>{}$*]", re.IGNORECASE
)


def find(view: View) -> Iterator[Hit]:
    """Yields URLs with private hosts, one tenant's address, or a signature. Private addresses only warn."""
    if "://" not in view.text:
        return
    for match in _URL.finditer(view.text):
        url = match.group().rstrip(".,;:!?")
        found = _HOST.match(url)
        if found is None:
            continue
        host = found[1].lower()
        end = match.start() + len(url)
        if _RESERVED.search(host):
            continue
        if _SIGNED.search(url):
            yield Hit(match.start(), end, f"<signed link to {host}>")
        elif _PRIVATE_ADDRESS.match(host):
            yield Hit(match.start(), end, "<private address>", Severity.WARN)
        elif host.endswith(_PRIVATE_SUFFIX) or _TENANT.match(host) or _DOCUMENT.search(url):
            yield Hit(match.start(), end, "<private link>")


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
