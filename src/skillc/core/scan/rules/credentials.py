"""Rule `credential`: a text holds a credential: in a published format, under a secret's name, or told in a sentence."""

import base64
import binascii
import re
from collections.abc import Iterator

from skillc.core.scan.finding import Severity
from skillc.core.scan.private_values import PRIVATE_KINDS, shown_spans
from skillc.core.scan.rule import Hit, ScanRule
from skillc.core.scan.secret_values import is_made_up, is_strong
from skillc.core.scan.told_secrets import is_word_like, told_secrets
from skillc.core.scan.views import View

# Claims of the token that every page about the format shows.
_SHOWN_CLAIMS = re.compile(
    rb'"(?:sub|user_?[iI]d|id)" ?: ?"?(?:1234567890|123456?|user_?123|user-id)"?\b|1516239022|John Doe'
)
_FRAMED = frozenset({"netrc_password", "connection_secret", "shell_secret"})  # the frame leaves no doubt


def find(view: View) -> Iterator[Hit]:
    """Yields every credential. One that only its name gives away warns, unless it is random or mixed."""
    spans = [span for span in shown_spans(view.text) if span.kind not in PRIVATE_KINDS]
    for span in spans:
        value = view.text[span.start : span.end]
        if span.kind == "told_secret" and is_word_like(value):
            continue
        if _is_shown_to_readers(span.kind, value, view.text[span.end : span.end + 4]):
            continue
        is_sure = span.has_prefix or is_strong(value) or (span.kind in _FRAMED and not value.isalpha())
        yield Hit(span.start, span.end, f"<{span.kind}>", None if is_sure else Severity.WARN)
    for told in told_secrets(view.text):
        if any(told.start < span.end and span.start < told.end for span in spans):
            continue
        yield Hit(told.start, told.end, "<told_secret>", None if told.is_sure else Severity.WARN)


def _is_shown_to_readers(kind: str, value: str, after: str) -> bool:
    """Says whether a value only shows what the kind looks like: it counts up, is cut off, or is the documented one."""
    if kind == "jwt":
        return _holds_shown_claims(value)
    return is_made_up(value) or after.startswith(("...", "\u2026"))


def _holds_shown_claims(token: str) -> bool:
    payload = token.split(".")[1]
    try:
        claims = base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4))
    except (binascii.Error, ValueError):
        return False
    return _SHOWN_CLAIMS.search(claims) is not None


RULE = ScanRule(
    id="credential",
    family="secrets",
    title="Credential in the text",
    severity=Severity.BLOCK,
    meaning="The text holds what looks like a live key, token or password. Git history would keep it.",
    fix="Revoke the credential, then replace it by a placeholder such as <api_key> and say where to get it.",
    find=find,
    references=("CWE-798: Use of Hard-coded Credentials", "OWASP LLM02: Sensitive Information Disclosure"),
)
