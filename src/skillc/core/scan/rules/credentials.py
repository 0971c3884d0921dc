"""Rule `credential`: a text holds a credential in a published format."""

from collections.abc import Iterator

from skillc.core.scan.finding import Severity
from skillc.core.scan.private_values import PRIVATE_KINDS, shown_spans
from skillc.core.scan.rule import Hit, ScanRule
from skillc.core.scan.secret_values import looks_random
from skillc.core.scan.views import View

_SAFE_LENGTH = 16


def find(view: View) -> Iterator[Hit]:
    """Yields every credential. One that only its name gives away warns, unless it is long and random."""
    for span in shown_spans(view.text):
        if span.kind in PRIVATE_KINDS:
            continue
        value = view.text[span.start : span.end]
        is_sure = span.has_prefix or (len(value) >= _SAFE_LENGTH and looks_random(value))
        yield Hit(span.start, span.end, f"<{span.kind}>", None if is_sure else Severity.WARN)


RULE = ScanRule(
    id="credential",
    family="secrets",
    title="Credential in the text",
    severity=Severity.BLOCK,
    meaning="The text holds what looks like a live key, token or password. Git history would keep it.",
    fix="Revoke the credential, then replace it by a placeholder such as <api_key> and say where to get it.",
    find=find,
)
