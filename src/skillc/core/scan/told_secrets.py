# ruff: noqa: E501 - a pattern is one line
"""Secrets that a sentence tells: the password is this, type that when it asks, the door code is such.

A value counts when it looks random or mixed, when its sentence speaks of a secret, and when the words right before or
after it hand it over. Only scans of written text read this: the table of redaction (core.scan.contexts) has the surest
of these forms. Paper: 5.3, Scanners. Not here: names with an assigned value (core.scan.contexts).
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from skillc.core.scan.detectors import gate, gate_for, passing_lines
from skillc.core.scan.secret_values import is_call, is_made_up, is_mixed_case, is_placeholder, is_strong

_NOUN = (
    r"(?:pass(?:word|wort|phrase|code|wd| ?phrase)?|pwd|pw|secret|token|credentials?|log-?ins?|sign-?in|pin|(?:api|access|account|licen[cs]e|master|shared|signing|storage|session|root|encryption|wifi|wi-fi|network|product|activation|pre-shared|recovery)[ -]?(?:key|code)"
    r"|key|psk|kennwort|mot de passe|contrase\u00f1a|clave|senha|parola|wachtwoord|has\u0142o|l\u00f6senord|\u043f\u0430\u0440\u043e\u043b\u044c|\u5bc6\u7801|\u30d1\u30b9\u30ef\u30fc\u30c9)"
)
_TOLD = rf"(?i)(?:{_NOUN}|codes?[ :]|combination|authenticat|unlock|decrypt|log(?:ged)? ?in|sign in|[A-Z]_(?:KEY|TOKEN|SECRET|PASSWORD|PASS|PAT))"
_MIXED = r"[0-9]|[a-z][A-Z]"  # every value that counts has a digit, or changes case
_ANY_SECRET = re.compile(
    rf"(?i)(?<![a-z]){_NOUN}s?(?![a-z])|authenticat|\bunlock|\bdecrypt|\blog(?:ged|s)? ?(?:in|on)\b|\bsign(?:ed|s)? in\b|[A-Z]_(?:KEY|TOKEN|SECRET|PASSWORD|PASS|PAT)\b"
)
_VALUE = re.compile(
    r"(?<![^\s`'\"\u201c\u2018(:=\u300c])[`'\"\u201c\u2018\u300c]?(?P<value>[^\s`'\"\u201c\u201d\u2018\u2019()<>{},;\u300c\u300d\u3002]{8,128})"
)
# What hands a value over: a form of to be after the secret's name, the name itself, or an order to enter it.
_NAMED = re.compile(
    rf"(?i)(?<![a-z]){_NOUN}s?[`'\"*]{{0,2}}(?: (?:for|to|of|on|at|in|behind|that|which|we use|used|by|from)\b[^.;!?\n]{{0,60}})?"
    r"(?: ?(?:is|are|was|were|be|(?:was |is |has been )?(?:changed|reset|rotated|updated|set|switched) to|remains?|stays?|reads?|says|equals?|=|:|\?|\||\uff1a|\u306f|\u662f|ist|lautet|est|es|\u00e9|\u00e8|to|being)(?: (?:now|still|always|set to|called|simply|currently))?)?[ :|]*$"
    r"|\b(?:credentials?|log-?ins?|accounts?)(?: is| are|:)? \S{2,40} ?(?:/|with|:) ?$"
)
_LEADS = re.compile(
    r"(?i)\b(?:type|enter|use|give|supply|paste|send|provide|submit|put|pass|present|quote|insert|fill in|answer(?: with)?|reply(?: with)?|respond with|log ?in (?:with|using|by|as \S{1,40} (?:with|using|and))|sign in (?:with|using)|authenticate (?:with|using|by)|connect (?:with|using)|(?:unlock|decrypt|open)s? (?:\S{1,20} ){0,3}with|identified by|set to|falls? back to|default(?:s|ed)? to)(?: (?:the|this|your|our|my|key|value|string|token|code|word|in))*[ :]*$"
    r"|\b(?:as|user(?:name)?|login) \S{2,40} ?(?:/|with|and|,|:) ?$"
)
_NAMED_AFTER = re.compile(
    rf"(?i)^[`'\"\u201d\u2019\u300d]?,? (?:as|for|is|being|\() ?(?:the |its |your |our |my |a |an |their |his |her )?(?:\w+ ){{0,2}}{_NOUN}(?![a-z])"
)
_AFTER = re.compile(
    r"(?i)^[`'\"\u201d\u2019\u300d]?,? (?:(?:when|if|once|whenever|after|wherever|where) (?:it|you|they|the|sudo|asked|prompted|we|one)\b[^.\n]{0,60}(?:ask|prompt|want|need|request|demand|log|sign|pass)|and (?:press|hit|then) )"
)
_CODE = re.compile(
    r"(?i)\b(?P<what>(?:back-?up|recovery|rescue|scratch|two-factor|2fa|one-time|emergency|security|verification) codes?|(?:door|gate|alarm|entry|access|key ?(?:box|pad|safe)|lock ?box|safe|locker|building|garage|intercom|bin store|padlock|disarm|entrance|cellar|garden|office)(?: (?:door|gate))? (?:code|pin|combination|number)|(?:phone|sim|card|bank|voicemail|mailbox|tablet|device|till|terminal|screen|lock|printer)(?: \w+)? pin|pin(?: code)?(?=[^\n]{1,40}?\b\d{4,8}\b))"
    r"(?: (?:for|to|of|on|at|in) [^.;\n]{0,30}?)?(?: is| are| was|:| =)? {0,2}[`'\"#*]?(?P<value>(?=[A-Z#*-]{0,8}\d)[A-Z0-9#*]{3,8}(?:[- ](?=[A-Z]{0,8}\d)[A-Z0-9]{3,8}){0,4}[#*]?)(?![\w.]\w)"
)
_NO_VALUE = re.compile(
    r"^(?:https?|ftp|file|git|ssh)[:@]|^[/~.@%$&#-]|[/\\].*[/\\]|^[\w.+-]+@[\w-]+\.\w|\.(?:md|py|js|ts|json|ya?ml|toml|txt|sh|env|pem|key|com|org|net|io|dev|html?)\b|^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|^[a-z]+(?:[_.-][a-z0-9]{1,12})+$|^\d[\d.,:/-]*[a-zA-Z%]{0,3}$|[|=\[\]]|::|->|^[a-z0-9-]+:[A-Za-z*]+$"
)
_WORD_LIKE = re.compile(
    r"^[A-Za-z]{1,10}-?\d{1,4}$|^(?:[A-Z]{2,6}\d{0,4}[-_/]?){1,4}\d{0,4}$|^(?:[A-Z]?[a-z]+)(?:[A-Z][a-z]+)*\d{0,2}$|[*$]|^(?:Ctrl|Cmd|Alt|Shift|Command|Option|Meta)\\b|^(?:OAuth|PKCS|Base|Ed|ES|RS|HS|PS|SHA|AES|x|v)-?\d"
)
_MENTIONED = re.compile(
    r"(?i)\b(?:e\.g\.|such as|for example|example|like|format|looks like|sample|dummy|fake|placeholder)[^.\n]{0,20}$"
)


_BARE_KEY = re.compile(r"(?i)keys?\b")


def is_word_like(value: str) -> bool:
    """Says whether a value is a name of code or of a product: `ServiceAccount2`, `ES256`, `Ctrl+C`."""
    return _WORD_LIKE.search(value) is not None


# Commands and calls that take a password at a place of its own, behind no name that tells it.
_COMMANDS = (
    r"\bunzip\b[^\n|;&]{0,80}? -P ?|\bzip\b[^\n|;&]{0,80}? -P ?|\b7z[az]? \w[^\n|;&]{0,80}? -p|\b(?:keytool|jarsigner|apksigner)\b[^\n|;&]{0,200}? -{1,2}(?:store|key|ks-|new|dest(?:store|key)|src(?:store|key))-?pass(?:word)? (?:pass:)?"
    r"|\bopenssl\b[^\n|;&]{0,160}? (?:-k |-pass(?:in|out)? pass:)|\bnet use\b[^\n]{0,120}?/user:\S{1,60} |\b(?:az|helm registry|podman|buildah|skopeo|oras|cf|oc|argocd) login\b[^\n|;&]{0,160}? -p[ =]|\bConvertTo-SecureString(?: -String)? |\bhtpasswd\b[^\n|;&]{0,20}? -\w{0,4}b\w{0,4} \S{1,80} \S{1,60} "
    r"|\b(?:smbclient|rpcclient|smbmap|mount\.cifs)\b[^\n|;&]{0,120}? -U ?[\w.@\\/-]{1,60}%|\b(?:sqlplus|sqlldr|expdp|impdp|rman target|exp|imp) [\w.]{1,40}/|jdbc:oracle:(?:thin|oci):[\w.]{1,40}/|\b(?:psexec|wmic|winrm|evil-winrm|xfreerdp|rdesktop|ldapsearch|ldapmodify|mongodump|mongorestore|mongoimport|clickhouse-client|influx|rabbitmqadmin|ipmitool|lftp|ncftp|vncviewer)\b[^\n|;&]{0,200}? (?:-p|-w|-P|/p:|--password=?) ?"
    r"|\becho (?:-n )?(?=[^\n|]{6,80}\| ?(?:kinit|sudo|su|passwd|cryptsetup|gpg|docker login|ssh-add|openssl|chpasswd)\b)|\bauth ?= ?\([\"'][^\"'\n]{1,60}[\"'], ?|HTTPBasicAuth\([\"'][^\"'\n]{1,60}[\"'], ?|\.login\([\"'][^\"'\n]{1,60}[\"'], ?|\bsend(?:_user)? (?=\"[^\"\n]{6,60}\\[rn]\")|\bgpg\b[^\n|;&]{0,80}? --passphrase[ =]|\b(?:username|enable|user) (?:\S{1,40} )?(?:password|secret) [0-9] "
    r"|\b(?:wifi connect|wifi-sec\.psk|wpa_passphrase|wlan connect) ?[^\n|;&]{0,60}?(?:password |psk |(?<=wpa_passphrase )\S{1,32} )"
)
_COMMAND = re.compile(rf"(?:{_COMMANDS})(?P<quote>[\"'`]?)(?P<value>[^\s\"'`|;&<>$\\@][^\s\"'`|;&<>$\\@]{{5,127}})")


class ToldSecret(NamedTuple):
    """text[start:end] is told as a secret; `is_sure` where the value itself looks like one."""

    start: int
    end: int
    is_sure: bool


def told_secrets(text: str) -> Iterator[ToldSecret]:
    """Yields the values that sentences of a text tell as secrets."""
    yield from _in_commands(text)
    may_code = gate_for(_CODE)
    for start, line in passing_lines(_may_tell, text):
        if len(line) > 4096:
            continue
        for told in _in_line(line):
            yield ToldSecret(start + told.start, start + told.end, told.is_sure)
        if may_code(line):
            for match in _CODE.finditer(line):
                if not is_made_up(match["value"]):
                    yield ToldSecret(start + match.start("value"), start + match.end("value"), is_sure=False)


def _may_tell(text: str | bytes) -> bool:
    return gate(_TOLD)(text) and gate(_MIXED)(text)


def _in_commands(text: str) -> Iterator[ToldSecret]:
    for start, line in passing_lines(gate_for(_COMMAND), text):
        for match in _COMMAND.finditer(line[:4096]):
            value = match["value"]
            is_code = is_placeholder(value) or is_call(value) or is_made_up(value) or value[0] in "-/.~%{[("
            if not is_code and (not value.isalpha() or is_mixed_case(value)):
                yield ToldSecret(start + match.start("value"), start + match.end("value"), is_strong(value))


def _in_line(line: str) -> Iterator[ToldSecret]:
    for match in _VALUE.finditer(line):
        value = match["value"].rstrip(".!?:*_")
        if len(value) < 8 or _NO_VALUE.search(value) or not _is_random(value) or is_placeholder(value):
            continue
        start, end = match.start("value"), match.start("value") + len(value)
        before = line[max(0, start - 120) : match.start()]
        after = line[end : end + 100]
        if is_made_up(value) or after[:3] == "..." or after[:1] == "\u2026" or _MENTIONED.search(before):
            continue
        sentence = re.split(r"[.!?;](?=\s)", before)[-1]
        spoken = sentence + " " + re.split(r"[.!?;](?=\s)", after)[0]
        named = _NAMED.search(sentence)
        if (
            named
            and _BARE_KEY.match(named.group())
            and (not is_strong(value) or len(value) < 16 or set(value) & set("./-:"))
        ):
            named = None  # the key of a record, or of a pair
        is_named = named is not None or _NAMED_AFTER.search(after) is not None
        if not is_named and _WORD_LIKE.search(value):
            continue
        if is_named or (_ANY_SECRET.search(spoken) and (_LEADS.search(sentence) or _AFTER.search(after))):
            yield ToldSecret(start, end, is_strong(value) or _is_tangled(value))


def _is_random(value: str) -> bool:
    kinds = sum((any(map(str.islower, value)), any(map(str.isupper, value)), any(map(str.isdigit, value))))
    has_sign = any(not c.isalnum() and c not in "-_." for c in value)
    return (
        kinds == 3
        or is_mixed_case(value)
        or (kinds == 2 and any(map(str.isdigit, value)) and (has_sign or _is_tangled(value)))
    )


def _is_tangled(value: str) -> bool:
    """Says whether digits stand among the letters, or letters change case within the value."""
    return re.search(r"[A-Za-z]\d+[A-Za-z]|[a-z][A-Z]+[a-z]", value) is not None
