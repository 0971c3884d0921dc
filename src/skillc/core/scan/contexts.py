# ruff: noqa: E501 - a pattern is one line
"""Credentials by what stands beside them: URLs, headers, options, assignments, lines of known files, sentences.

Here a name or a frame says that a value is secret, and the value itself is judged (core.scan.secret_values). The rows
come after the formats, so that a published format keeps its own kind. Paper: 5.3, Scanners.
Not here: token formats (core.scan.formats, core.scan.service_formats).
"""

import re
from collections.abc import Iterable

from skillc.core.scan.detector import Detector
from skillc.core.scan.secret_values import is_assigned_secret, is_call, is_mixed_case, is_placeholder, looks_random


def _accept_url(match: re.Match[str]) -> bool:
    return not is_placeholder(match["secret"])


def _accept_header(match: re.Match[str]) -> bool:
    value = match["secret"]
    return not is_placeholder(value) and (len(value) >= 16 or any(c.isdigit() for c in value)) and not is_call(value)


def _accept_bearer(match: re.Match[str]) -> bool:
    value = match["secret"]
    return any(c.isdigit() for c in value) and not is_placeholder(value)


def _accept_cookie(match: re.Match[str]) -> bool:
    values = [part.partition("=")[2] for part in match["secret"].split(";")]
    return any(len(value) >= 12 and looks_random(value) and not is_placeholder(value) for value in values)


def _accept_option(match: re.Match[str]) -> bool:
    value = match["secret"]
    is_told = looks_random(value) or not value.isalpha() or is_mixed_case(value)
    return not is_placeholder(value) and not is_call(value) and is_told


def _accept_told(match: re.Match[str]) -> bool:
    """A word of a sentence is a secret when it is random: in quotes of any mix, else with digits among letters."""
    value = match["secret"]
    kinds = sum((any(c.islower() for c in value), any(c.isupper() for c in value), any(c.isdigit() for c in value)))
    if is_placeholder(value) or is_call(value) or not looks_random(value) or (match["weak"] and len(value) < 12):
        return False
    return kinds == 3 or (len(value) >= 8 and _TANGLED.search(value) is not None)


def _accept_key(match: re.Match[str]) -> bool:
    value = match["secret"]
    if _KEY_OF_RECORDS.search(match["name"]) or ("/" in value and "://" not in value) or _FILE.search(value):
        return False
    return len(value) >= 16 and looks_random(value) and not is_placeholder(value) and not is_call(value)


def _accept_assignment(match: re.Match[str]) -> bool:
    if match["separator"].strip() == "is" and not any(c.isdigit() for c in match["secret"]):
        return False  # prose: the password is wrong
    return is_assigned_secret(
        match["name"], match["secret"], quoted=bool(match["quote"]), env=match["separator"] == "="
    )


# Keys of tables and stores, and hooks of git, hold names and no secrets.
_KEY_OF_RECORDS = re.compile(
    r"(?:primary|foreign|partition|sort|object|s3|cache|registry|dict|unique|index|git|pre_commit)_(?:key|hook)$", re.I
)
_FILE = re.compile(r"\.[A-Za-z]{1,5}$")
_TANGLED = re.compile(r"[A-Za-z][0-9]+[A-Za-z]")


def _accept_named(match: re.Match[str]) -> bool:
    return is_assigned_secret(match["name"], match["secret"], quoted=True)


_NAMES = (
    "password", "passwd", "passphrase", "secret", "token", "api_key", "api-key", "apikey", "access_key",
    "access-key", "accesskey", "private_key", "privatekey", "credential", "auth_key", "encryption_key", "signing_key",
    "master_key", "shared_key", "application_key", "passcode",
)  # fmt: skip


def _written(name: str) -> set[str]:
    """Returns a name in the cases and with the separators that people write: api_key, apiKey, Api-Key, APIKEY."""
    words = re.split("[_-]", name)
    titles = [word.capitalize() for word in words]
    every = {sep.join(parts) for sep in ("", "_", "-") for parts in (words, titles, [words[0], *titles[1:]])}
    return every | {form.upper() for form in every} | {form.capitalize() for form in every}


def _by_first_letter(patterns: Iterable[str]) -> str:
    """Returns a pattern for one of several, which looks at the first letter once: tried at every place, that tells."""
    letters: dict[str, list[str]] = {}
    for pattern in patterns:
        letters.setdefault(pattern[0], []).append(pattern[1:])
    branches = "|".join(f"{letter}(?:{'|'.join(rest)})" for letter, rest in letters.items())
    return f"(?=[{''.join(letters)}])(?:{branches})"


_GATE_NAMES = "|".join(sorted({form for name in _NAMES for form in _written(name)}))
# Between a name and its value; quotes may be JSON-escaped, so the gate allows a backslash before each.
_GATE_TAIL = r"""[\\"'\]]*(?:[ \t]|\\+t)*(?:[:=]|is )"""
_GATE_ASSIGN = "[A-Za-z0-9_-]*" + _GATE_TAIL
_ASSIGN = (
    r"""(?<![A-Za-z0-9])(?P<name>[A-Za-z0-9_.-]{0,40}?"""
    + _by_first_letter("token(?!iz)" if name == "token" else name.replace("_", "[_]?") for name in _NAMES)
    + r"""[A-Za-z0-9_-]{0,30}|(?:[A-Za-z0-9_-]{1,40}_p(?:ass|wd|w)|p(?:wd|sk)))"""
    r"""(?:\\{0,3}["'\]]){0,2}[ \t]{0,40}(?P<separator>::?=|=>|==?|:|(?<=[ \t])is ) {0,40}"""
    r"""(?P<quote>\\{0,3}["'`])?(?P<secret>[^\s"'`,;\\<>]{4,512})"""
)

CONTEXTS: tuple[Detector, ...] = (
    Detector(
        "url_password",
        r"://[^\s/:@<>]*:[^\s/@<>]+@",
        r"""://[^\s/:@"'<>]{0,128}:(?P<secret>[^\s/@"'<>]{3,256})@""",
        _accept_url,
    ),
    Detector(
        "basic_auth",
        r"curl [^\n]*-(?:[a-zA-Z]*u|-user)[ =]",
        r"""\bcurl [^\n|;&]{0,300}?-(?:[a-zA-Z]{0,8}u|-user)[ =]["']?[^\s:"'\\]{1,64}:(?P<secret>[^\s"'\\]{4,128})""",
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
        r"""(?:[A-Za-z0-9-]{2,24} {1,5})?(?P<secret>[^\s"'`<>,;\\]{8,8192})""",
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
        "header_secret",
        r"""-(?:[kK]ey|KEY|[tT]oken|TOKEN|[sS]ecret|SECRET|[sS]ignature|SIGNATURE)[\\"'\]]* *:""",
        r"""(?i)\bx-(?:[a-z0-9]{1,20}-){0,3}(?<=-)(?:key|token|secret|signature)(?:\\{0,3}["'\]]){0,2} {0,5}: {0,5}(?:\\{0,3}"""
        r"""["'`])?(?P<secret>[^\s"'`<>,;\\]{8,4096})""",
        _accept_header,
        has_prefix=False,
    ),
    Detector(
        "cookie",
        r"""(?:[cC]ookie|COOKIE)[\\"'\]]* *[:=]""",
        r"""(?:[cC]ookie|COOKIE)(?:\\{0,3}["'\]]){0,2} {0,5}[:=] {0,5}(?:\\{0,3}["'`])?(?P<secret>[A-Za-z0-9_.-]{1,64}="""
        r"""[^\s"'`<>;\\]{0,4096}(?:; {0,2}[A-Za-z0-9_.-]{1,64}(?:=[^\s"'`<>;\\]{0,4096})?){0,40})""",
        _accept_cookie,
        has_prefix=False,
    ),
    Detector(
        "session_cookie",
        r"(?i:sess|csrf|xsrf|connect\.sid)[A-Za-z_-]{0,12}=",
        r"(?i)(?:PHPSESSID|JSESSIONID|sess(?:ion)?_?id|connect\.sid|csrf_?token|xsrf-token)="
        r"(?P<secret>[A-Za-z0-9%._+/-]{16,512})",
        _accept_bearer,
        has_prefix=False,
    ),
    Detector(
        "netrc_password",
        r"login(?:\s|\\[nrtfuv])",
        r"login(?<!\wlogin)(?:[ \t\r\n]|\\n){1,8}[^\s\\]{1,128}(?:[ \t\r\n]|\\n){1,8}password(?:[ \t\r\n]|\\n){1,8}(?P<secret>[^\s\\\"']{4,256})",
        _accept_url,
        is_multiline=True,
        has_prefix=False,
    ),
    Detector(
        "npmrc_token",
        r"_auth(?:Token)? ?=|_password ?=",
        r"""(?:^|[:\s])_(?:auth(?:Token)?|password) ?= ?["']?(?P<secret>[^\s"'\\$(]{6,512})(?![(\w.])""",
        _accept_url,
    ),
    Detector(
        "pgpass_password",
        r":(?:[0-9]{4,5}|\*):[^\s:]+:[^\s:]+:",
        r"(?<![\w.*:-])[\w.*-]{1,128}:(?:\d{4,5}|\*):[\w.*-]{1,64}:[\w.*-]{1,64}:(?P<secret>[^\s:\\\"']{4,128})",
        _accept_url,
    ),
    Detector(
        "kubeconfig_key",
        r"client-key-data",
        r"""client-key-data\\{0,3}["']?: {0,3}\\{0,3}["']?(?P<secret>[A-Za-z0-9+/=]{16,16384})""",
        _accept_url,
    ),
    Detector(
        "key_id",
        r"private_?[kK]ey_?[iI]d",
        r"""private_?[kK]ey_?[iI]d\\{0,3}["'] {0,3}: {0,3}\\{0,3}["'](?P<secret>[a-f0-9]{16,64})""",
        _accept_url,
    ),
    Detector(
        "connection_secret",
        r"(?:[pP]wd|PWD|[sS]hared[aA]ccess[kK]ey|[sS]hared[sS]ecret[vV]alue|[pP]assword|PASSWORD) ?=",
        r"""(?i)(?:^|[;"'\s])(?:pwd|password|sharedaccesskey|sharedsecretvalue) ?= ?(?P<secret>[^\s;"'\\<>]{4,256})"""
        r"""(?=;|["'\\])""",
        _accept_option,
        has_prefix=False,
    ),
    Detector(
        "option_secret",
        r"--[a-z-]*(?:pass(?:word|wd)?|token|api-?key|secret)[ =]|sshpass -p",
        r"""(?:--(?:[a-z]{1,16}-){0,2}(?:password|passwd|pass|token|api-?key|secret)[ =]|\bsshpass -p ?)"""
        r"""["']?(?P<secret>[^\s"'\\<>$|;&-][^\s"'\\<>$|;&]{5,256})""",
        _accept_option,
        has_prefix=False,
    ),
    Detector(
        "element_secret",
        r"(?:assword|asswd|assphrase|ecret|oken|[kK]ey|KEY|PASSWORD|TOKEN|SECRET)>[^<\s]{4}",
        r"(?i)<[\w.:-]{0,30}(?:password|passwd|passphrase|secret|token|api[_-]?key)>(?P<secret>[^<>\s]{4,256})</",
        _accept_option,
        has_prefix=False,
    ),
    Detector(
        "named_value",
        r"""(?i:password|passwd|secret|token|api_?key)[A-Za-z0-9_-]*[\\"']*,?(?:\s|\\+[nrt])*[\\"']*"""
        r"""(?i:value|parametervalue)[\\"']*\s*[:=]""",
        r"""(?i)(?:name|key|parameterkey)\\{0,3}["']?[ ]{0,3}[:=][ ]{0,3}\\{0,3}["']?"""
        r"""(?P<name>[\w./-]{0,60}(?:password|passwd|secret|token|api_?key)[\w-]{0,30})\\{0,3}["']?,?(?:[ \t\r\n]|\\n){0,60}"""
        r"""\\{0,3}["']?(?:value|parametervalue)\\{0,3}["']?[ ]{0,3}[:=][ ]{0,3}\\{0,3}["']?"""
        r"""(?P<secret>[^\s"'\\,}]{4,512})""",
        _accept_named,
        is_multiline=True,
        has_prefix=False,
    ),
    Detector(
        "shell_secret",
        r"(?:mysql|mariadb)[^\n]* -p[^ ]|redis-cli[^\n]*-a |(?:docker|podman) login|mongo[^\n]*-p |sudo -S",
        r"""(?:\b(?:mysql(?:dump|admin)?|mariadb)\b[^\n|;&]{0,300}? -p|\bredis-cli\b[^\n|;&]{0,300}? -a """
        r"""|\b(?:docker|podman) login\b[^\n|;&]{0,300}? -p |\bmongosh?\b[^\n|;&]{0,300}? -p """
        r"""|\becho (?=[^\n|]{1,200}\| ?sudo -S))["']?(?P<secret>[^\s"'\\|;&<>$-][^\s"'\\|;&<>$]{3,128})""",
        _accept_option,
        has_prefix=False,
    ),
    Detector(
        "sql_secret",
        r"(?i:password|identified by)(?:\s|\\+[nt])+\\*'",
        r"(?i)\b(?:password|identified by)[ \t]{1,8}'(?P<secret>[^'\s\\]{4,128})'",
        _accept_option,
        has_prefix=False,
    ),
    Detector(
        "assigned_secret",
        f"(?:{_GATE_NAMES}){_GATE_ASSIGN}|_(?:pass|PASS|Pass|pw|PW){_GATE_TAIL}|(?:pwd|PWD|Pwd|psk|PSK){_GATE_TAIL}",
        "(?i)" + _ASSIGN,
        _accept_assignment,
        has_prefix=False,
    ),
    Detector(
        "assigned_key",
        r"_(?:key|KEY|pat|PAT|auth|AUTH|cookie|session|sid|hook|HOOK|webhook|WEBHOOK|dsn|DSN|sas|SAS|cred|creds|jwt|JWT)"
        rf"""{_GATE_TAIL}>? *[\\"'`]{{0,8}}[^\s"'`,;\\<>]{{16}}""",
        r"""(?i)(?P<name>(?<![A-Za-z0-9])[A-Za-z0-9.-]{0,20}(?:_[A-Za-z0-9.-]{1,20}){0,3}_(?:key|pat|auth|cookie|session|sid"""
        r"""|hook|webhook|dsn|sas|cred|creds|jwt))(?:\\{0,3}["'\]]){0,2} {0,3}(?::?=|=>|:) {0,3}(?:\\{0,3}["'`])?"""
        r"""(?P<secret>[^\s"'`,;\\<>]{16,512})""",
        _accept_key,
        has_prefix=False,
    ),
    Detector(
        "told_secret",
        r"(?:[lL]og ?in|uthenticat[a-z]*|[sS]ign ?in|onnect)s? (?:with|using|by) [^\n]{0,8}[^\s<>,;()]*[0-9]"
        r"|(?:assword|assphrase|asscode|oken|ecret|[kK]ey|redential|[pP]in|PIN)s?(?: for [^\n]{1,40})?(?: is| was| =|:)? +"
        r"[^\sA-Za-z0-9]{0,4}[^\s<>,;()]*[0-9]",
        r"""(?i)\b(?:(?P<weak>(?:log ?in|authenticat[a-z]{1,4}|sign ?in|connect)s? (?:with|using|by))|(?<!unexpected )"""
        r"""(?<!invalid )(?:password|passphrase|passcode|token|secret|(?:api|access|secret|license|signing) key|credential"""
        r"""|pin)s?(?: for (?:(?:the|our|this) )?[\w.-]{1,30}(?: \w{1,20}){0,2})?(?: (?:is|was|=)|:)?)"""
        r""" {1,2}(?:\\{0,3}[`'"])?(?P<secret>[^\s`'"\\<>,;()=]{8,200}(?<![.:!?]))""",
        _accept_told,
        has_prefix=False,
    ),
)  # fmt: skip
