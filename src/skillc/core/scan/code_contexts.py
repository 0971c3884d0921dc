# ruff: noqa: E501 - a pattern is one line
"""Credentials by their place in code and in documents: typed declarations, calls, tables, queries of URLs, hashes.

The rows go on from those of core.scan.contexts; a name or a frame says that a value is secret, and the value is judged.
Paper: 5.3, Scanners. Not here: assignments, headers and options (core.scan.contexts).
"""

import re

from skillc.core.scan.detector import EDGE, Detector
from skillc.core.scan.secret_values import is_assigned_secret, is_call, is_placeholder, looks_random

_WORDS = (
    r"(?:password|passwd|passphrase|secret|token(?!iz)|api_?key|access_?key|private_?key|credential|master_?key|pwd)"
)
_GATE_WORDS = (
    "(?i:password|passwd|passphrase|secret|token|api_?key|access_?key|private_?key|credential|master_?key|pwd)"
)
_NAME = rf"(?P<name>[A-Za-z0-9_.-]{{0,40}}?{_WORDS}[A-Za-z0-9_-]{{0,30}})"
_VALUE = r"(?P<secret>[^\s\"'`\\<>|]{4,512})"
_Q = r"\\{0,3}[\"'`]"


def _named(match: re.Match[str]) -> bool:
    return is_assigned_secret(match["name"], match["secret"], quoted=True)


def _random(match: re.Match[str]) -> bool:
    value = match["secret"]
    return looks_random(value) and not is_placeholder(value) and not is_call(value)


def _plain(match: re.Match[str]) -> bool:
    value = match["secret"]
    return not is_placeholder(value) and not is_call(value) and not value.isalpha()


CODE_CONTEXTS: tuple[Detector, ...] = (
    Detector(
        "typed_secret",
        rf"{_GATE_WORDS}[A-Za-z0-9_-]*(?:\[|[ :]+[&'A-Za-z_]| *\{{)[^\n=]*= *[\\\"'`]",
        rf"(?i){EDGE}{_NAME}(?:\[\d{{0,5}}\]| {{0,4}}: {{0,4}}[&']{{0,2}}[a-z_][\w<>\[\].& ]{{0,40}}?| {{1,4}}[a-z_][\w.\[\]*]{{0,30}}| {{0,4}}\{{[^}}\n]{{0,30}}\}})"
        rf" {{0,4}}= {{0,4}}{_Q}{_VALUE}",
        _named,
        has_prefix=False,
    ),
    Detector(
        "argument_secret",
        rf"{_GATE_WORDS}[A-Za-z0-9_-]*[\\\"'`]+ *, *[\\\"'`]|[pP]assword\( *[\\\"'`]",
        rf"(?i)(?:{_Q}{_NAME}{_Q} {{0,4}}, {{0,4}}{_Q}|(?P<setter>password)\( {{0,4}}{_Q}){_VALUE}{_Q}",
        lambda match: is_assigned_secret(match["name"] or "password", match["secret"], quoted=True)
        and any(not c.isalpha() for c in match["secret"]),
        has_prefix=False,
    ),
    Detector(
        "spaced_secret",
        rf"(?i:env|arg|setenv|setx|set -gx|#define) +[A-Za-z0-9_.-]*{_GATE_WORDS}|(?i:requirepass|masterauth) ",
        rf"(?i)(?:\b(?:(?:ENV|ARG|setenv|setx|set -gx)|(?<=\#)define) {{1,4}}{_NAME} {{1,8}}|\b(?:requirepass|masterauth) {{1,4}})"
        rf"[\"'`]?{_VALUE}",
        lambda match: is_assigned_secret(match["name"] or "password", match["secret"], quoted=True)
        and not match["secret"].isalpha(),
        has_prefix=False,
    ),
    Detector(
        "query_secret",
        r"[?&](?:sig|[sS]ignature|key|code|pwd|pass|password|token|access_token|api_?key|client_secret)=",
        r"[?&](?:sig|[sS]ignature|key|code|pwd|pass|password|token|access_token|api_?key|client_secret)="
        r"(?P<secret>[A-Za-z0-9%._~+/=-]{16,1024})",
        _random,
        has_prefix=False,
    ),
    Detector(
        "password_hash",
        r"\$(?:2[aby]\$[0-9]|[156]\$[A-Za-z0-9./]|y\$|[89]\$|apr1\$|argon2)|\{S?SHA[0-9]*\}|SCRAM-SHA-|pbkdf2_sha|[0-9a-f]{8}:[0-9a-f]{32}:::",
        r"\$(?:2[aby]\$\d\d\$[./A-Za-z0-9]{53}|[56]\$(?:rounds=\d{1,9}\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{43,86}|1\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{22}|y\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{1,86}\$[./A-Za-z0-9]{43}|[89]\$[./A-Za-z0-9]{14}\$[./A-Za-z0-9]{43}"
        r"|apr1\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{22}|argon2(?:id|i|d)\$v=\d{1,3}\$m=\d{1,9},t=\d{1,5},p=\d{1,3}\$[A-Za-z0-9+/]{8,128}\$[A-Za-z0-9+/]{16,256})"
        r"|\{S?SHA(?:256|512)?\}[A-Za-z0-9+/]{27,120}={0,2}|SCRAM-SHA-(?:1|256)\$\d{1,7}:[A-Za-z0-9+/]{8,64}={0,2}\$[A-Za-z0-9+/]{27,64}={0,2}:[A-Za-z0-9+/]{27,64}={0,2}"
        r"|pbkdf2_sha(?:1|256|512)\$\d{1,8}\$[A-Za-z0-9./+]{4,64}\$[A-Za-z0-9+/]{27,120}={0,2}|(?<![0-9a-f])[0-9a-f]{32}:[0-9a-f]{32}:::",
        lambda match: True,
    ),
    Detector(
        "keyed_header",
        r"(?i:api|app|application|subscription|auth|access)-(?i:key|token|secret)[\\\"'\]]* *:",
        r"(?i)\b(?:[a-z0-9]{1,20}-){0,4}(?:api|app|application|subscription|auth|access)-(?:key|token|secret)(?:\\{0,3}[\"'\]]){0,2} {0,5}: {0,5}"
        r"(?:\\{0,3}[\"'`])?(?P<secret>[^\s\"'`<>,;\\]{8,4096})",
        _plain,
        has_prefix=False,
    ),
)  # fmt: skip
