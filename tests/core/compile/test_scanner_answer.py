"""A model scanner adds findings, locates quotes or blocks without a place, and clears nothing."""

import json
from typing import Any

import pytest

from skillc.core.compile.answer_text import AnswerProblem
from skillc.core.compile.scanner_answer import ScannedText, ScannerAnswer, read_scanner, scanned_texts
from skillc.core.scan.finding import Severity
from tests.makers import make_contract

TEXTS = {"x1": ScannedText("a/contract.json#steps/s", "Call Ada.\nAsk Ada and Bob."), "x2": ScannedText("a/c#n", "a")}
FINDING = {"path": "x1", "start": 5, "end": 8, "kind": "person", "confidence": "high", "quote": "Ada"}


def read(findings: Any, verdict: str = "clean") -> Any:
    return read_scanner(json.dumps({"findings": findings, "verdict": verdict}), TEXTS)


def test_a_quote_at_its_place_is_located():
    (finding,) = read([FINDING]).findings
    assert (finding.path, finding.line, finding.column) == ("a/contract.json#steps/s", 1, 6)
    assert finding.severity is Severity.BLOCK
    assert "Ada" not in finding.model_dump_json()


def test_a_quote_that_stands_once_is_located_wherever_it_was_said_to_be():
    (finding,) = read([FINDING | {"quote": "Bob", "start": 0, "end": 1}]).findings
    assert (finding.line, finding.column) == (2, 13)


@pytest.mark.parametrize(
    "change", [{"quote": "Eve"}, {"start": 6, "end": 9}, {"path": "x9"}, {"quote": "", "start": 0, "end": 0}]
)
def test_a_finding_without_a_place_still_blocks(change: dict[str, Any]):
    (finding,) = read([FINDING | change | {"confidence": "low"}]).findings
    assert finding.severity is Severity.BLOCK
    assert finding.path == "(unlocated)"


def test_little_confidence_holds_for_a_person_and_a_rejection_blocks():
    assert [f.severity for f in read([FINDING | {"confidence": "low"}]).findings] == [Severity.WARN]
    rejected = read([FINDING | {"confidence": "low"}], "reject").findings
    assert {f.severity for f in rejected} == {Severity.WARN, Severity.BLOCK}
    assert [f.severity for f in read([], "reject").findings] == [Severity.BLOCK]
    assert read([]).findings == ()


def test_a_finding_that_cannot_be_read_is_a_finding():
    for bad in ({}, FINDING | {"more": 1}, "text", FINDING | {"start": "5"}):
        answer = read([bad])
        assert isinstance(answer, ScannerAnswer)
        assert [f.severity for f in answer.findings] == [Severity.BLOCK]
    assert read({}).findings[0].severity is Severity.BLOCK


def test_no_answer_is_no_scan():
    for text in ("clean", "{}", '{"findings": [], "verdict": "maybe"}', '{"findings": []}'):
        assert isinstance(read_scanner(text, TEXTS), AnswerProblem)


def test_every_text_of_a_contract_is_asked_about_under_an_alias():
    contract = make_contract()
    texts = scanned_texts((contract,))
    assert list(texts) == ["x1", "x2"]
    assert texts["x2"].text == contract.description.text
