"""The published formats of credentials: one table, read by redaction and by scanning.

A row has a gate and a pattern. The pattern finds the exact span. The gate is a fragment for a linear-time engine
that decides in one pass whether a text needs a closer look. A gate must match wherever its pattern does, also in
JSON-escaped text (tests hold it to that), and stay small: long counted repeats make that engine slow.
Paper: 5.3, Scanners. Not here: running them (core.scan.detectors), judging a value (core.scan.secret_values).
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from skillc.core.scan.secret_values import is_assigned_secret, is_call, is_placeholder
from skillc.core.scan.service_formats import PAYMENT, PLATFORM, SERVICE, gate_of, pattern_of


class Category(NamedTuple):
    """What kind of value a detector finds: a credential here; core.scan.personal has the others."""

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


def _any(match: re.Match[str]) -> bool:
    return True


def _mixed(match: re.Match[str]) -> bool:
    value = match.group()
    return any(c.isdigit() for c in value) and any(c.isupper() for c in value) and not is_placeholder(value)


def _mixed_or_long(match: re.Match[str]) -> bool:
    value = match.group()
    return any(c.isdigit() for c in value) and any(c.isalpha() for c in value) and not is_placeholder(value)


def _accept_url(match: re.Match[str]) -> bool:
    return not is_placeholder(match["secret"])


def _accept_header(match: re.Match[str]) -> bool:
    value = match["secret"]
    return not is_placeholder(value) and (len(value) >= 16 or any(c.isdigit() for c in value)) and not is_call(value)


def _accept_bearer(match: re.Match[str]) -> bool:
    value = match["secret"]
    return any(c.isdigit() for c in value) and not is_placeholder(value)


def _accept_assignment(match: re.Match[str]) -> bool:
    if match["separator"].strip() == "is" and not any(c.isdigit() for c in match["secret"]):
        return False  # prose: the password is wrong
    return is_assigned_secret(
        match["name"], match["secret"], quoted=bool(match["quote"]), env=match["separator"] == "="
    )


# Left edges: a format starts at the start of its run of characters. This keeps every pattern linear.
_EDGE = r"(?<![A-Za-z0-9])"
_EDGE_DASH = r"(?<![A-Za-z0-9_-])"
_NAMES = (
    "password", "passwd", "passphrase", "secret", "token", "api_key", "api-key", "apikey", "access_key",
    "access-key", "accesskey", "private_key", "privatekey", "credential", "auth_key", "encryption_key", "signing_key",
)  # fmt: skip


def _written(name: str) -> set[str]:
    """Returns a name in the cases and with the separators that people write: api_key, apiKey, Api-Key, APIKEY."""
    words = re.split("[_-]", name)
    titles = [word.capitalize() for word in words]
    every = {sep.join(parts) for sep in ("", "_", "-") for parts in (words, titles, [words[0], *titles[1:]])}
    return every | {form.upper() for form in every} | {form.capitalize() for form in every}


_GATE_NAMES = "|".join(sorted({form for name in _NAMES for form in _written(name)}))
# Between a name and its value; quotes may be JSON-escaped, so the gate allows a backslash before each.
_GATE_TAIL = r"""[\\"'\]]* *(?:[:=]|is )"""
_GATE_ASSIGN = "[A-Za-z0-9_-]*" + _GATE_TAIL
_ASSIGN = (
    r"""(?P<name>(?<![A-Za-z0-9])[A-Za-z0-9_.-]{0,40}?(?:"""
    + "|".join(name.replace("_", "[_]?") for name in _NAMES)
    + r""")[A-Za-z0-9_-]{0,30}|(?<![A-Za-z0-9])[A-Za-z0-9_-]{1,40}_pass)"""
    r"""(?:\\{0,3}["'\]]){0,2} {0,3}(?P<separator>::?=|=>|==?|:| is ) {0,3}"""
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
        r"xox[a-z][-.][A-Za-z0-9.-]|xapp-[0-9]-|hooks\.slack\.com/services/T",
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
    Detector("platform_token", gate_of(PLATFORM), pattern_of(PLATFORM, _EDGE_DASH)),
    Detector("app_token", gate_of(SERVICE), pattern_of(SERVICE, _EDGE_DASH), _mixed_or_long),
    Detector("payment_token", gate_of(PAYMENT), pattern_of(PAYMENT, _EDGE_DASH)),
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
        "basic_auth",
        r"curl [^\n]*-(?:u|-user)[ =]",
        r"""\bcurl [^\n|;&]{0,300}?-(?:u|-user)[ =]["']?[^\s:"'\\]{1,64}:(?P<secret>[^\s"'\\]{4,128})""",
        _accept_url,
    ),
    Detector(
        "docker_auth",
        r"""["']auth[\\"']+ *: *[\\"']+[A-Za-z0-9+/]{8}""",
        r"""["']auth\\{0,3}["'] {0,3}: {0,3}\\{0,3}["'](?P<secret>[A-Za-z0-9+/]{16,400}={0,2})""",
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
        f"(?:{_GATE_NAMES}){_GATE_ASSIGN}|_(?:pass|PASS|Pass){_GATE_TAIL}",
        "(?i)" + _ASSIGN,
        _accept_assignment,
        has_prefix=False,
    ),
)  # fmt: skip
