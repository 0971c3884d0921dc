"""How much of planted credentials and personal data capture replaces, and what it changes in honest documents.

A planted text counts as found when it is not in the redacted text any more. An honest document counts as changed
outside true hits when everything that was replaced in it is told only by a word beside it: a value with a published
shape, a check digit or a private address is a true hit wherever it stands.
"""

import json
from collections import Counter

import pytest

from skillc.core.scan.private_values import private_spans
from skillc.core.scan.redact import Redactor
from skillc.importers.paths import PathShortener
from tests.corpora import corpus

pytestmark = pytest.mark.benchmark
MIN_CREDENTIALS = 0.95
MIN_PERSONAL = 0.80
MAX_BENIGN = 0.02
_BY_WORD = {"assigned_secret", "authorization_header", "bearer_token", "phone", "personal_id", "birth_date"} | {
    "street_address", "ip_address", "signature_name", "header_secret", "cookie", "session_cookie", "netrc_password",
    "connection_secret", "option_secret", "told_secret", "assigned_key",
}  # fmt: skip


def redacted(text: str) -> str:
    return Redactor().text(PathShortener().text(text))


def recall(category: str) -> float:
    found: Counter[bool] = Counter()
    for line in (corpus("scan") / "cases.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        if row["category"] == category and row["label"] == "flag" and row["span"]:
            text = "".join(row["text_parts"])
            planted = text[row["span"][0] : row["span"][1]]
            found[planted not in redacted(text)] += 1
    assert found.total() >= 10
    print(f"\n{category}: {found[True]} of {found.total()} planted values are gone")
    return found[True] / found.total()


def test_credentials_are_found():
    assert recall("secret") >= MIN_CREDENTIALS


def test_personal_data_is_found():
    assert recall("pii") >= MIN_PERSONAL


def test_private_urls_are_found():
    assert recall("private-url") >= MIN_PERSONAL


def test_honest_documents_are_left_as_they_are():
    documents = [json.loads(line) for line in (corpus("scan") / "benign.jsonl").read_text("utf-8").splitlines()]
    changed, outside = 0, []
    kinds: Counter[str] = Counter()
    for row in documents:
        spans = private_spans(row["text"])
        kinds.update(span.kind for span in spans)
        changed += bool(spans)
        if spans and all(span.kind in _BY_WORD for span in spans):
            outside.append(row["id"])
    print(f"\n{changed} of {len(documents)} honest documents changed, {len(outside)} outside true hits: {dict(kinds)}")
    assert len(outside) <= MAX_BENIGN * len(documents)
