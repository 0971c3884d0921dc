"""Checks for scan rules: a text is found, with the span that is masked, or it is clean."""

from skillc.core.scan.finding import Severity
from skillc.core.scan.rule import ScanRule
from skillc.core.scan.views import views_of


def spans(rule: ScanRule, text: str, path: str = "") -> list[str]:
    """What a rule finds in a text that is more than told by the way."""
    hits = ((view, hit) for view in views_of(text, path) for hit in rule.find(view))
    return [view.text[hit.start : hit.end] for view, hit in hits if hit.severity is not Severity.INFO]


def check_found(rule: ScanRule, text: str, *, span: str | None = None, path: str = "") -> None:
    found = spans(rule, text, path)
    assert found, f"{rule.id} does not find anything in {text!r}"
    if span is not None:
        assert span in found


def check_clean(rule: ScanRule, text: str, *, path: str = "") -> None:
    assert spans(rule, text, path) == []
