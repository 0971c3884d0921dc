# ruff: noqa: E501 - a pattern is one line
"""The published formats of credentials that are more than a prefix and a length, and the table of all of them.

One table, read by redaction and by scanning; the earlier row wins. Paper: 5.3, Scanners.
Not here: tokens of one shape each (core.scan.service_formats), credentials by context (core.scan.contexts), running
them (core.scan.detectors).
"""

import re

from skillc.core.scan.code_contexts import CODE_CONTEXTS
from skillc.core.scan.contexts import CONTEXTS
from skillc.core.scan.detector import EDGE, EDGE_DASH, Detector
from skillc.core.scan.secret_values import is_mixed_case, is_placeholder
from skillc.core.scan.service_formats import PAYMENT, PLATFORM, SERVICE, gate_of, pattern_of


def _any(match: re.Match[str]) -> bool:
    return True


def _mixed(match: re.Match[str]) -> bool:
    value = match.group()
    has_digit = any(c.isdigit() for c in value) and any(c.isupper() for c in value)
    return (has_digit or is_mixed_case(value)) and not is_placeholder(value)


def _has_digits_and_letters(match: re.Match[str]) -> bool:
    value = match.group()
    has_digit = any(c.isdigit() for c in value) and any(c.isalpha() for c in value)
    return (has_digit or is_mixed_case(value)) and not is_placeholder(value)


DETECTORS: tuple[Detector, ...] = (
    Detector(
        "private_key",
        r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY",
        r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
        r"(?:[^-]{0,16384}(?:-(?!----)[^-]{0,4096}){0,400}-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
        r"|(?:\\n|\\r|\s){0,4}[A-Za-z0-9+/=][A-Za-z0-9+/=\s\\]{39,16384})",
        _any,
        is_multiline=True,
    ),
    Detector(
        "aws_access_key",
        r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{4}",
        EDGE + r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])",
    ),
    Detector(
        "github_token",
        r"gh[pousr]_[A-Za-z0-9]{4}|gh[us]_[A-Za-z0-9]+_eyJ|github_pat_",
        r"gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255}"
        r"|gh[us]_(?:[A-Za-z0-9]{1,32}_)?eyJ[A-Za-z0-9_-]{8,2048}\.[A-Za-z0-9_-]{8,4096}\.[A-Za-z0-9_-]{8,2048}",
    ),
    Detector(
        "gitlab_token",
        r"gl(?:pat|ptt|dt|rt|rtr|cbt|ft|ffct|imt|agent|oas|soat|wt)-[A-Za-z0-9_.-]{4}",
        EDGE_DASH + r"gl(?:pat|ptt|dt|rt|rtr|cbt|ft|ffct|imt|agent|oas|soat|wt)-[A-Za-z0-9_.-]{19,255}[A-Za-z0-9_-]",
    ),
    Detector(
        "slack_token",
        r"xox[a-z][-.][A-Za-z0-9.%/+=-]|xapp-[0-9]-|hooks\.slack\.com/(?:services|workflows|triggers)/[A-Z]",
        EDGE + r"(?:xox[abdeoprs][-.][A-Za-z0-9.%/+=-]{9,400}[A-Za-z0-9]|xapp-[0-9]-[A-Za-z0-9-]{10,255})"
        r"|hooks\.slack\.com/(?:services|workflows|triggers)/(?P<secret>[A-Z][A-Z0-9]{6,16}/[A-Za-z0-9]{6,24}/[A-Za-z0-9/]{16,80})",
    ),
    Detector(
        "stripe_key",
        r"[sr]k_(?:live|test)_[A-Za-z0-9]{4}|whsec_[A-Za-z0-9+/=]{4}",
        EDGE + r"(?:[sr]k_(?:live|test)_[A-Za-z0-9]{10,255}|whsec_[A-Za-z0-9+/=]{20,255})",
    ),
    Detector("anthropic_key", r"sk-ant-[A-Za-z0-9_-]{4}", EDGE_DASH + r"sk-ant-[A-Za-z0-9_-]{16,255}", _mixed),
    Detector("openai_key", r"sk-[A-Za-z0-9_-]{12}", EDGE_DASH + r"sk-(?!ant-)[A-Za-z0-9_-]{20,255}", _mixed),
    Detector(
        "google_key",
        r"AIza[A-Za-z0-9_-]{4}|GOCSPX-|ya29\.[A-Za-z0-9_-]{4}",
        EDGE + r"(?:AIza[A-Za-z0-9_-]{35}|GOCSPX-[A-Za-z0-9_-]{20,64}|ya29\.[A-Za-z0-9_-]{20,512})",
    ),
    Detector("npm_token", r"npm_[A-Za-z0-9]{12}", EDGE + r"npm_[A-Za-z0-9]{36,64}"),
    Detector("pypi_token", r"pypi-[A-Za-z0-9_-]{12}", EDGE_DASH + r"pypi-[A-Za-z0-9_-]{40,512}", _mixed),
    Detector("huggingface_token", r"hf_[A-Za-z0-9]{12}", EDGE + r"hf_[A-Za-z0-9]{30,64}", _mixed),
    Detector("sendgrid_key", r"SG\.[A-Za-z0-9_-]{4}", EDGE + r"SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,128}"),
    Detector("platform_token", gate_of(PLATFORM), pattern_of(PLATFORM, EDGE_DASH), _has_digits_and_letters),
    Detector("app_token", gate_of(SERVICE), pattern_of(SERVICE, EDGE_DASH), _has_digits_and_letters),
    Detector("payment_token", gate_of(PAYMENT), pattern_of(PAYMENT, EDGE_DASH), _has_digits_and_letters),
    Detector(
        "webhook",
        r"discord(?:app)?\.com/api/webhooks/[0-9a-f]|webhook\.office\.com/webhookb2/",
        r"(?:discord(?:app)?\.com/api/webhooks/|webhook\.office\.com/webhookb2/(?=[0-9a-f-]{36}@))"
        r"(?P<secret>[0-9a-f][0-9a-f@-]{14,80}/[A-Za-z0-9/_-]{40,200})",
    ),
    Detector("azure_key", r"AccountKey=[A-Za-z0-9+/]{4}", r"AccountKey=(?P<secret>[A-Za-z0-9+/]{40,120}={0,2})"),
    Detector(
        "discord_token",
        r"[MNO][DTjz][A-Za-z0-9_-]{4}[A-Za-z0-9_-]*\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]",
        EDGE_DASH + r"[MNO][DTjz][A-Za-z0-9_-]{21,26}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{25,45}(?![A-Za-z0-9_-])",
        _mixed,
    ),
    Detector(
        "mailgun_key",
        r"[a-f0-9]-[a-f0-9]{8}-[a-f0-9]{8}",
        EDGE_DASH + r"[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8}(?![A-Za-z0-9_-])",
    ),
    Detector(
        "putty_key",
        r"PuTTY-User-Key-File-[0-9]",
        r"PuTTY-User-Key-File-[0-9]: [^-]{0,4096}(?:-(?!Lines)[^-]{0,512}){0,8}-Lines: \d{1,3}(?:\r?\n|\\{1,8}n)[A-Za-z0-9+/=\s\\]{16,4096}"
        r"Private-Lines: \d{1,3}(?:\r?\n|\\{1,8}n){1,2}(?P<secret>[A-Za-z0-9+/=](?:[A-Za-z0-9+/=]|\r?\n|\\{1,8}n){15,8192})",
        _any,
        is_multiline=True,
    ),
    Detector(
        "static_key",
        r"BEGIN OpenVPN Static|BEGIN SSH2 ENCRYPTED",
        r"-----BEGIN OpenVPN Static key V1-----(?P<secret>(?:[\s\\nr]{1,8}[0-9a-fA-F]{32}){2,32})"
        r"|---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----(?P<local>(?:[\s\\nr]{1,8}[A-Za-z0-9+/=]{16,76}){2,200})",
        _any,
        is_multiline=True,
    ),
    Detector(
        "json_web_key",
        r"""kty[\\"']+ *: *[\\"']+[A-Za-z]""",
        r"""["']kty\\{0,3}["'] ?: ?\\{0,3}["'](?:RSA|EC|OKP|oct)\\{0,3}["'][^{}]{0,4096}?["'](?:d|k)\\{0,3}["'] ?: ?\\{0,3}["'](?P<secret>[A-Za-z0-9_-]{20,2048})"""
        r"""|["'](?:d|k)\\{0,3}["'] ?: ?\\{0,3}["'](?P<local>[A-Za-z0-9_-]{20,2048})\\{0,3}["'][^{}]{0,4096}?["']kty\\{0,3}["'] ?: ?\\{0,3}["'](?:RSA|EC|OKP|oct)""",
        lambda match: not is_placeholder(match["secret"] or match["local"]),
        is_multiline=True,
    ),
    Detector(
        "app_key",
        r"base64:[A-Za-z0-9+/]{8}",
        r"(?:^|[^A-Za-z0-9_])(?:APP_KEY|APP_PREVIOUS_KEYS|app_key|[\w]{0,30}(?:KEY|key|SECRET|secret))[\\\"']{0,4} ?[=:,] ?[\\\"']{0,4}base64:(?P<secret>[A-Za-z0-9+/]{22,88}={0,2})",
    ),
    Detector(
        "jdbc_password",
        r"jdbc:[a-z0-9]+:",
        r"(?i)\bjdbc:[a-z0-9]{2,20}:[^\s\"'<>]{1,300}?[?&;](?:password|pwd|passwd)=(?P<secret>[^\s\"'<>&;\\]{4,200})",
    ),
    Detector("telegram_token", r":AA[A-Za-z0-9_-]{12}", EDGE + r"[0-9]{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])"),
    Detector(
        "jwt",
        r"eyJ[A-Za-z0-9_-]+\.eyJ",
        EDGE_DASH + r"eyJ[A-Za-z0-9_-]{8,4096}\.eyJ[A-Za-z0-9_-]{8,8192}(?:\.[A-Za-z0-9_-]{0,2048})?",
    ),
    *CONTEXTS,
    *CODE_CONTEXTS,
)  # fmt: skip

_OF_ONE_PROVIDER = {
    "aws_access_key": "Amazon Web Services", "github_token": "GitHub", "gitlab_token": "GitLab", "slack_token": "Slack",
    "stripe_key": "Stripe", "anthropic_key": "Anthropic", "openai_key": "OpenAI", "google_key": "Google",
    "npm_token": "npm", "pypi_token": "PyPI", "huggingface_token": "Hugging Face", "sendgrid_key": "SendGrid",
    "webhook": "Discord and Teams webhooks", "azure_key": "Azure Storage", "telegram_token": "Telegram",
    "discord_token": "Discord", "mailgun_key": "Mailgun", "putty_key": "PuTTY", "static_key": "OpenVPN",
    "app_key": "Laravel", "json_web_key": "JSON Web Key", "jwt": "JSON Web Token", "private_key": "PEM and OpenPGP",
}  # fmt: skip


def providers() -> tuple[str, ...]:
    """Returns the names of the providers whose published formats the tables hold, sorted, each once."""
    rows = [name for provider, _, _ in (*PLATFORM, *SERVICE, *PAYMENT) for name in provider.split(", ")]
    return tuple(sorted({*rows, *_OF_ONE_PROVIDER.values()}, key=str.casefold))


def formats_page() -> str:
    """Returns the reference page of the providers, in Markdown."""
    lines = [
        "# Credential formats",
        "",
        "`skillc scan` and the redaction at capture know the published formats of these providers.",
        "Other credentials are found by the name, header, option or sentence that tells them.",
        "This page is generated from the tables in `core/scan`.",
        "",
        *(f"- {name}" for name in providers()),
    ]
    return "\n".join(lines) + "\n"
