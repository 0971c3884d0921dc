# ruff: noqa: E501 - a pattern is one line
"""Rule `personal-data`: a text names a person, or a number, address or contact that belongs to one."""

import re
from collections.abc import Iterator

from skillc.core.scan.finding import Severity
from skillc.core.scan.personal import PERSONAL
from skillc.core.scan.personal_numbers import personal_numbers
from skillc.core.scan.persons import person_names
from skillc.core.scan.private_values import shown_spans
from skillc.core.scan.rule import Hit, ScanRule
from skillc.core.scan.secret_values import is_made_up
from skillc.core.scan.views import DECODED, RAW, View

_KINDS = frozenset(row.kind for row in PERSONAL)
_EXAMPLE = re.compile(
    r"\b(?:samples?|examples?|test(?:ing)?|dummy|fake|fictitious|placeholder|mock|documented|e\.g\.|such as|format|like)\b(?! (?:to|for|at|from|in|and|with)\b)[^.\n]{0,32}$",
    re.I,
)
# Numbers of cards that payment providers print in their test pages: 15 or 16 digits, most of them zeros or repeated.
_TEST_CARD = re.compile(
    r"^(?:4242|4000000|4111111111111111|4012888|4222|5555555555554444|5200828282828210|5105105105105100|2223003122003222|378282246310005|371449635398431|378734493671000|6011111111111117|6011000990139424|3056930009020004|30569309025904|38520000023237|3566002020360505|6205500000000000004|4917610000000000|5454545454545454|4444333322221111|4988438843884305)"
)


def find(view: View) -> Iterator[Hit]:
    """Yields personal data that the words before it do not call an example."""
    for hit in _found(view):
        if not _EXAMPLE.search(view.text[max(0, hit.start - 48) : hit.start].rsplit("\n", 1)[-1]):
            yield hit


def _found(view: View) -> Iterator[Hit]:
    """Yields personal data by its published shape, then by the words around it, then names."""
    if view.name not in (RAW, DECODED):
        return
    for span in shown_spans(view.text):
        value = view.text[span.start : span.end]
        if span.kind in _KINDS and not _is_test_card(span.kind, value) and not is_made_up(value):
            yield Hit(span.start, span.end, f"<{span.kind}>")
    for start, end, kind in personal_numbers(view.text):
        yield Hit(start, end, f"<{kind}>")
    for start, end in person_names(view.text):
        yield Hit(start, end, "<name>")


def _is_test_card(kind: str, value: str) -> bool:
    digits = "".join(c for c in value if c.isdigit())
    return kind == "payment_card" and (_TEST_CARD.match(digits) is not None or "00000000" in digits)


RULE = ScanRule(
    id="personal-data",
    family="personal data",
    title="Personal data",
    severity=Severity.WARN,
    meaning="The text holds a person's name, contact, number or address. A Skill outlives the case it came from.",
    fix="Name the role instead of the person, and say where to look the value up.",
    references=("GDPR Article 4(1)", "OWASP LLM02: Sensitive Information Disclosure"),
    find=find,
)
