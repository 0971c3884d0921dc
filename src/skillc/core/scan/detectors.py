"""Detectors: the published formats of credentials, one table for redaction and for scanning.

A detector has a gate and a pattern. The gate is a fragment for the linear-time regex engine of pydantic-core;
all gates together decide in one pass whether a text needs a closer look, so clean text costs almost nothing.
The pattern then finds the exact span. A gate must match wherever its pattern does, also in JSON-escaped text
(tests hold it to that), and it stays small: long counted repeats would make the engine slow. Paper: 5.3,
Scanners.

Not here: replacing what was found (core.scan.redact), telling it (core.scan.rules).
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from pydantic_core import SchemaValidator, core_schema


class Category(NamedTuple):
    """What kind of value a detector finds; personal data joins the table later."""

    name: str


CREDENTIAL = Category("credential")


class Detector(NamedTuple):
    """One format. The span is the group `secret` where the pattern has one, else the whole match.

    `accept` decides about a match; without it, everything that is no placeholder counts.
    """

    kind: str
    gate: str
    pattern: str
    accept: Callable[[re.Match[str]], bool] | None = None
    category: Category = CREDENTIAL
    is_multiline: bool = False
    has_prefix: bool = True  # a published prefix or frame; False where only the name beside it tells


class Span(NamedTuple):
    """One detected value: text[start:end] is a `kind`."""

    start: int
    end: int
    kind: str
    has_prefix: bool


_PLACEHOLDER = re.compile(
    r"""^(?:
        <[^<>]*>|\[[^\]]*\]|\{[^{}]*\}|\$[({]?\w+[)}]?|%[({]?\w+[)}]?s?%?|
        \*+|x{3,}|X{3,}|\.{2,}|_+|-+|0+|(?:your|my|the|some|an?)[-_ ].*|.*[-_](?:here|placeholder|goes[-_]here)|
        .*(?:example|placeholder|redacted|changeme|change[-_]me|replace[-_]?me|dummy|xxxx).*|
        .*(?:\*\*\*|\.\.\.|\$\{|\{\{|<[a-z_ -]+).*|
        null|none|nil|true|false|undefined|string|str|bytes|test|secret|password|passwd|pass|pwd|token|key|user|
        required|optional|hidden|value|foo|bar|foobar|empty|bearer|basic|admin|root|postgres
    )$""",
    re.IGNORECASE | re.VERBOSE,
)


def is_placeholder(value: str) -> bool:
    """Says whether a value in a secret's place is plainly no secret: `<token>`, `$TOKEN`, `xxxx`, `changeme`."""
    return len(value) < 4 or len(set(value)) < 3 or _PLACEHOLDER.match(value[:200]) is not None


def _is_real_example(value: str) -> bool:
    """Says whether a value names itself an example and has the length and mix of real key material."""
    cases = any(c.isupper() for c in value) and (any(c.isdigit() for c in value))
    return len(value) >= 16 and cases and "example" in value.lower() and not set("<>{}$*") & set(value)


def entropy_bits(text: str) -> float:
    """Returns the Shannon entropy per character in bits; `aaaa` gives 0.0, 16 different characters give 4.0."""
    size = len(text)
    return -sum(n / size * math.log2(n / size) for n in Counter(text).values()) if size else 0.0


def looks_random(value: str) -> bool:
    """Says whether an unquoted value looks like key material rather than a word, a number or an expression."""
    return (
        len(value) >= 8
        and any(c.isdigit() for c in value)
        and any(c.isalpha() for c in value)
        and _CODE.search(value) is None
        and entropy_bits(value[:256]) >= 2.8
    )


# Calls, attribute chains, indexing, paths, versions, dates: what stands behind `token =` in code.
_CODE = re.compile(
    r"[()\[\]{}$<>|*\\]|^[\w-]+(?:\.[A-Za-z_]\w*)+$|^[./~]|^\d+(?:[.,]\d+)*[a-z%]{0,3}$|^\d{4}-\d\d-\d\d|::|->"
)


def _any(match: re.Match[str]) -> bool:
    return True


def _mixed(match: re.Match[str]) -> bool:
    value = match.group()
    return any(c.isdigit() for c in value) and any(c.isupper() for c in value) and not is_placeholder(value)


def _accept_url(match: re.Match[str]) -> bool:
    return not is_placeholder(match["secret"])


def _accept_header(match: re.Match[str]) -> bool:
    value = match["secret"]
    return not is_placeholder(value) and (len(value) >= 16 or any(c.isdigit() for c in value)) and _call(value) is None


def _accept_bearer(match: re.Match[str]) -> bool:
    value = match["secret"]
    return any(c.isdigit() for c in value) and not is_placeholder(value)


def _accept_assignment(match: re.Match[str]) -> bool:
    return is_assigned_secret(
        match["name"], match["secret"], quoted=bool(match["quote"]), env=match["separator"] == "="
    )


_call = re.compile(r"^[A-Za-z_][\w.]*[(\[]|[{}]").search
_NUMERIC_NAME = re.compile(
    r"(?:count|limit|usage|total|max|min|num|size|length|index|budget|price|cost|type|name|id|url|uri|path|file|format|ttl|expir\w*|field|header|hint|policy|rules?)s?$",
    re.I,
)


def is_assigned_secret(name: str, value: str, *, quoted: bool, env: bool = False) -> bool:
    """Says whether `value`, assigned to a secret's `name`, is a secret and no placeholder, count or expression.

    Args:
        name: the whole name on the left, e.g. `DB_PASSWORD`.
        quoted: the value stood in quotes (or is a JSON string), so it is no expression.
        env: `NAME=value` without blanks, as in a .env file; an all-upper-case name then needs no randomness.
    """
    if is_placeholder(value) or _NUMERIC_NAME.search(name) or _call(value):
        return False
    if looks_random(value):
        return True
    if "pass" in name.lower() or "pwd" in name.lower():
        return (quoted and " " not in value and not value.isdigit()) or (env and name.isupper() and value.isalnum())
    return quoted and len(value) >= 12 and " " not in value and entropy_bits(value) >= 3.0 and not _WORDS.match(value)


_WORDS = re.compile(r"^[A-Za-z]+(?:[-_. /:][A-Za-z]+)*$")

# Left edges: a format starts at the start of its run of characters. This keeps every pattern linear.
_EDGE = r"(?<![A-Za-z0-9])"
_EDGE_DASH = r"(?<![A-Za-z0-9_-])"
_NAMES = (
    "password", "passwd", "passphrase", "secret", "token", "api_key", "api-key", "apikey", "access_key",
    "access-key", "accesskey", "private_key", "privatekey", "credential", "auth_key", "encryption_key", "signing_key",
)  # fmt: skip
_GATE_NAMES = "|".join(
    sorted(
        {
            form
            for name in (*_NAMES, "apiKey", "accessKey", "privateKey", "ApiKey", "AccessKey")
            for form in (name, name.capitalize(), name.upper())
        }
    )
)
# Between a name and its value; quotes may be JSON-escaped, so the gate allows a backslash before each.
_ROWS_PER_GATE = 4
_LONG_TEXT_CHARS = 2048
_GATE_ASSIGN = r"""[A-Za-z0-9_-]*[\\"'\]]* *(?:[:=]|is )"""
_ASSIGN = (
    r"""(?P<name>(?<![A-Za-z0-9])[A-Za-z0-9_.-]{0,40}?(?:"""
    + "|".join(name.replace("_", "[_]?") for name in _NAMES)
    + r""")[A-Za-z0-9_-]{0,30})(?:\\{0,3}["'\]]){0,2} {0,3}(?P<separator>::?=|=>|==?|:| is ) {0,3}"""
    r"""(?P<quote>\\{0,3}["'`])?(?P<secret>[^\s"'`,;\\<>]{4,512})"""
)

# Formats of one prefix and a fixed length each; both engines read the same pattern.
_SERVICE_FORMATS = "|".join(
    (
        r"do[opr]_v1_[a-f0-9]{64}",  # DigitalOcean
        r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}",  # Shopify
        r"dapi[a-f0-9]{32}",  # Databricks
        r"hvs\.[A-Za-z0-9_-]{24}",  # Vault
        r"lin_api_[A-Za-z0-9]{32}",  # Linear
        r"PMAK-[a-f0-9]{24}",  # Postman
        r"AGE-SECRET-KEY-1[A-Z0-9]{40}",  # age
        r"sq0(?:atp|csp)-[A-Za-z0-9_-]{22}",  # Square
        r"glsa_[A-Za-z0-9]{32}_[a-fA-F0-9]{8}",  # Grafana
        r"ntn_[A-Za-z0-9]{40}",  # Notion
        r"r8_[A-Za-z0-9]{37}",  # Replicate
        r"xai-[A-Za-z0-9]{70}",  # xAI
        r"sbp_[a-f0-9]{40}",  # Supabase
        r"ATATT3[A-Za-z0-9_=-]{40}",  # Atlassian
    )
)

_SERVICE_PREFIXES = (
    r"do[opr]_v1_|shp(?:at|ca|pa|ss)_|dapi|hvs\.|lin_api_|PMAK-|AGE-SECRET-KEY-1|sq0(?:atp|csp)-|glsa_|ntn_|r8_|xai-"
    r"|sbp_|ATATT3"
)

DETECTORS: tuple[Detector, ...] = (
    Detector(
        "private_key",
        r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY",
        r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
        r"(?:[^-]{0,16384}(?:-(?!----)[^-]{0,4096}){0,16}-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
        r"|(?:\\n|\\r|\s){0,4}[A-Za-z0-9+/=][A-Za-z0-9+/=\s\\]{39,16384})",
        _any,
        is_multiline=True,
    ),
    Detector(
        "aws_access_key",
        r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{4}",
        _EDGE + r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])",
    ),
    Detector(
        "github_token",
        r"gh[pousr]_[A-Za-z0-9]{4}|github_pat_",
        r"gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255}",
    ),
    Detector(
        "gitlab_token",
        r"gl(?:pat|ptt|dt|rt|cbt|ft|imt|agent|oas|soat)-[A-Za-z0-9_.-]{4}",
        _EDGE_DASH + r"gl(?:pat|ptt|dt|rt|cbt|ft|imt|agent|oas|soat)-[A-Za-z0-9_.-]{19,255}[A-Za-z0-9_-]",
    ),
    Detector(
        "slack_token",
        r"xox[a-z][-.][A-Za-z0-9]|xapp-[0-9]-|hooks\.slack\.com/services/T",
        r"(?<![A-Za-z0-9])(?:xox[abeoprs][-.][A-Za-z0-9.-]{9,255}[A-Za-z0-9]|xapp-[0-9]-[A-Za-z0-9-]{10,255})"
        r"|hooks\.slack\.com/services/(?P<secret>T[A-Z0-9]{6,16}/B[A-Z0-9]{6,16}/[A-Za-z0-9]{16,40})",
    ),
    Detector(
        "stripe_key",
        r"[sr]k_(?:live|test)_[A-Za-z0-9]{4}|whsec_[A-Za-z0-9+/=]{4}",
        _EDGE + r"(?:[sr]k_(?:live|test)_[A-Za-z0-9]{10,255}|whsec_[A-Za-z0-9+/=]{20,255})",
    ),
    Detector("anthropic_key", r"sk-ant-[A-Za-z0-9_-]{4}", _EDGE_DASH + r"sk-ant-[A-Za-z0-9_-]{16,255}", _mixed),
    Detector("openai_key", r"sk-[A-Za-z0-9_-]{12}", _EDGE_DASH + r"sk-(?!ant-)[A-Za-z0-9_-]{20,255}", _mixed),
    Detector(
        "google_key",
        r"AIza[A-Za-z0-9_-]{4}|GOCSPX-|ya29\.[A-Za-z0-9_-]{4}",
        _EDGE + r"(?:AIza[A-Za-z0-9_-]{35}|GOCSPX-[A-Za-z0-9_-]{20,64}|ya29\.[A-Za-z0-9_-]{20,512})",
    ),
    Detector("npm_token", r"npm_[A-Za-z0-9]{12}", _EDGE + r"npm_[A-Za-z0-9]{36,64}"),
    Detector("pypi_token", r"pypi-[A-Za-z0-9_-]{12}", _EDGE_DASH + r"pypi-[A-Za-z0-9_-]{40,512}", _mixed),
    Detector("huggingface_token", r"hf_[A-Za-z0-9]{12}", _EDGE + r"hf_[A-Za-z0-9]{30,64}", _mixed),
    Detector("sendgrid_key", r"SG\.[A-Za-z0-9_-]{4}", _EDGE + r"SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,128}"),
    Detector("service_token", _SERVICE_PREFIXES, _EDGE + f"(?:{_SERVICE_FORMATS})[A-Za-z0-9_=-]{{0,255}}"),
    Detector(
        "webhook",
        r"discord(?:app)?\.com/api/webhooks/[0-9]",
        r"discord(?:app)?\.com/api/webhooks/(?P<secret>[0-9]{15,20}/[A-Za-z0-9_-]{40,100})",
    ),
    Detector("azure_key", r"AccountKey=[A-Za-z0-9+/]{4}", r"AccountKey=(?P<secret>[A-Za-z0-9+/]{40,120}={0,2})"),
    Detector("telegram_token", r":AA[A-Za-z0-9_-]{12}", _EDGE + r"[0-9]{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])"),
    Detector(
        "jwt",
        r"eyJ[A-Za-z0-9_-]+\.eyJ",
        _EDGE_DASH + r"eyJ[A-Za-z0-9_-]{8,4096}\.eyJ[A-Za-z0-9_-]{8,8192}(?:\.[A-Za-z0-9_-]{0,2048})?",
    ),
    Detector(
        "url_password",
        r"://[^\s/:@<>]*:[^\s/@<>]+@",
        r"""://[^\s/:@"'<>]{0,128}:(?P<secret>[^\s/@"'<>]{3,256})@""",
        _accept_url,
    ),
    Detector(
        "authorization_header",
        r"""(?:[aA]uthorization|AUTHORIZATION)[\\"'\]]* *[:=]""",
        r"""(?:[aA]uthorization|AUTHORIZATION)(?:\\{0,3}["'\]]){0,2} {0,5}[:=] {0,5}(?:\\{0,3}["'`])?"""
        r"""(?:(?:[Bb]earer|[Bb]asic|[Tt]oken|[Dd]igest|[Aa]pi[Kk]ey) {1,5})?(?P<secret>[^\s"'`<>,;\\]{8,8192})""",
        _accept_header,
        has_prefix=False,
    ),
    Detector(
        "bearer_token",
        r"(?:[Bb]earer|BEARER) +[A-Za-z0-9._~+/=-]{8}",
        r"(?:[Bb]earer|BEARER) {1,3}(?P<secret>[A-Za-z0-9._~+/=-]{16,8192})",
        _accept_bearer,
        has_prefix=False,
    ),
    Detector(
        "assigned_secret",
        f"(?:{_GATE_NAMES}){_GATE_ASSIGN}",
        "(?i)" + _ASSIGN,
        _accept_assignment,
        has_prefix=False,
    ),
)  # fmt: skip


@cache
def gate(pattern: str) -> Callable[[str | bytes], bool]:
    """Returns a linear-time test: does the pattern match anywhere in the text, or in its UTF-8 bytes?"""
    schema = core_schema.str_schema(pattern=pattern, regex_engine="rust-regex")
    return SchemaValidator(schema).isinstance_python


@cache
def _credential_gates(rows: int) -> tuple[Callable[[str | bytes], bool], ...]:
    groups = [DETECTORS[start : start + rows] for start in range(0, len(DETECTORS), rows)]
    return tuple(gate("|".join(f"(?:{detector.gate})" for detector in group)) for group in groups)


def may_hold_credential(text: str | bytes) -> bool:
    """Says in linear time whether a detector may match; False is certain. Bytes are UTF-8.

    The engine finds a few literals at once by vector instructions, many only by an automaton. So a long text is
    read by several small groups of gates, three times as fast as by one, and a short text by one.
    """
    if isinstance(text, bytes):
        text = text.decode("utf-8", "replace")
    rows = _ROWS_PER_GATE if len(text) > _LONG_TEXT_CHARS else len(DETECTORS)
    return any(may_match(text) for may_match in _credential_gates(rows))


@cache
def _compiled() -> tuple[tuple[Detector, Callable[[str | bytes], bool], re.Pattern[str]], ...]:
    return tuple((d, gate(d.gate), re.compile(d.pattern)) for d in DETECTORS)


def find_spans(text: str, *, with_examples: bool = False) -> list[Span]:
    """Returns the credentials in a text, in order, not overlapping; the earlier row of the table wins.

    `with_examples` also gives values that say of themselves that they are examples and look real otherwise:
    a scan leaves them alone, a capture does not bet on it.
    """
    if not may_hold_credential(text):
        return []
    spans: list[Span] = []
    by_line = []
    for detector, may_match_here, pattern in _compiled():
        if may_match_here(text):
            if detector.is_multiline:
                spans.extend(_matches(detector, pattern, text, 0, with_examples))
            else:
                by_line.append((detector, may_match_here, pattern))
    start = 0
    for line in text.split("\n") if by_line else ():
        for detector, may_match_here, pattern in by_line:
            if may_match_here(line):
                spans.extend(_matches(detector, pattern, line, start, with_examples))
        start += len(line) + 1
    return spans if len(spans) < 2 else _merged(spans)


def _matches(
    detector: Detector, pattern: re.Pattern[str], text: str, offset: int, with_examples: bool
) -> Iterator[Span]:
    has_group = "secret" in pattern.groupindex
    for match in pattern.finditer(text):
        group: str | int = "secret" if has_group and match["secret"] is not None else 0
        accepted = detector.accept(match) if detector.accept else not is_placeholder(match[group])
        if accepted or (with_examples and _is_real_example(match[group])):
            yield Span(match.start(group) + offset, match.end(group) + offset, detector.kind, detector.has_prefix)


def _merged(spans: list[Span]) -> list[Span]:
    """Joins overlapping spans into one of the kind that stands first in the table."""
    rank = {detector.kind: index for index, detector in enumerate(DETECTORS)}
    kept: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start, rank[span.kind])):
        if not kept or span.start >= kept[-1].end:
            kept.append(span)
            continue
        last = kept[-1]
        first = min(last, span, key=lambda item: rank[item.kind])
        kept[-1] = first._replace(start=last.start, end=max(last.end, span.end))
    return kept
