"""A runner obeys lines of a log: nothing that was scanned may begin a command or end one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.core.scan.annotations import annotations_of, escaped, escaped_property
from skillc.core.scan.finding import Finding, Severity
from skillc.core.scan.report import Scanned, ScanReport, Unread


def report(**changes) -> ScanReport:
    fields = {
        "path": "a.md", "line": 3, "column": 5, "rule": "credential", "severity": Severity.BLOCK, "title": "T",
        "excerpt": "key <x>", "fingerprint": "f", "end_line": 3, "end_column": 9,
    }  # fmt: skip
    found = Finding(**fields | changes)
    return ScanReport(
        findings=(found,),
        unread=(Unread(path="b,c:d.png", reason="is a PNG image"),),
        scanned=Scanned(files=1, bytes=1),
    )


def test_a_finding_is_one_command_with_its_place():
    assert list(annotations_of(report())) == [
        "::error file=a.md,line=3,endLine=3,col=5,endColumn=9,title=credential (block)::T: key <x>",
        "::warning file=b%2Cc%3Ad.png,title=not looked at::is a PNG image",
    ]


@pytest.mark.parametrize(("severity", "command"), [("warn", "::warning "), ("info", "::notice ")])
def test_a_severity_is_a_command_of_its_own(severity: str, command: str):
    assert next(annotations_of(report(severity=Severity(severity)))).startswith(command)


def test_the_file_of_an_event_or_claim_is_the_file():
    line = next(annotations_of(report(path="t.jsonl#e7", place="e7", end_line=None, end_column=None)))
    assert line == "::error file=t.jsonl,line=3,col=5,title=credential (block)::T in e7: key <x>"


def test_a_suppressed_finding_is_no_annotation():
    assert len(list(annotations_of(report(suppressed=True)))) == 1


def test_a_message_cannot_begin_a_command_and_a_property_cannot_end():
    assert escaped("100%\r\n::add-mask::x") == "100%25%0D%0A: :add-mask: :x"
    assert escaped("##[error]x") == "## [error]x"
    assert escaped_property("a,b:c%\n") == "a%2Cb%3Ac%25%0A"


@given(st.text(max_size=80), st.text(max_size=40))
def test_any_text_stays_one_line_of_one_command(text: str, path: str):
    lines = list(annotations_of(report(excerpt=text, title=text, path=path)))
    assert len(lines) == 2
    for line in lines:
        assert "\n" not in line
        assert "\r" not in line
        assert all(c.isprintable() for c in line)
        assert line.count("::") == 2 or line.endswith(":")
