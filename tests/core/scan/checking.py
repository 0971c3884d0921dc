"""Checks for scan rules: a text is found, with the span that is masked, or it is clean."""

from skillc.core.scan.rule import ScanRule
from skillc.core.scan.views import views_of


def spans(rule: ScanRule, text: str) -> list[str]:
    return [view.text[hit.start : hit.end] for view in views_of(text) for hit in rule.find(view)]


def check_found(rule: ScanRule, text: str, *, span: str | None = None) -> None:
    found = spans(rule, text)
    assert found, f"{rule.id} does not find anything in {text!r}"
    if span is not None:
        assert span in found


def check_clean(rule: ScanRule, text: str) -> None:
    assert spans(rule, text) == []
