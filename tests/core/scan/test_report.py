"""Exit code and verdict: a block comes first, and what was not looked at is never clean."""

import pytest

from skillc.core.scan.finding import Finding, Severity
from skillc.core.scan.report import Scanned, ScanReport, Unread, is_at_least, verdict_of

UNREAD = Unread(path="x.png", reason="is a PNG image")
EXCUSED = Unread(path="x.png", reason="is a PNG image", suppressed=True, suppressed_reason="a logo")


def finding(severity: str, suppressed: bool = False) -> Finding:
    return Finding(
        path="a", line=1, column=1, rule="r", severity=Severity(severity), title="t", excerpt="e",
        fingerprint=severity, suppressed=suppressed,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("findings", "unread", "level", "code"),
    [
        ((), (), None, 0),
        (("info",), (), None, 0),
        (("warn",), (), None, 0),
        (("warn",), (), "warn", 1),
        (("info",), (), "warn", 0),
        (("info",), (), "info", 1),
        (("warn",), (), "block", 0),
        (("block",), (), "block", 1),
        (("block",), (), None, 1),
        ((), (UNREAD,), None, 3),
        (("warn",), (UNREAD,), None, 3),
        (("block",), (UNREAD,), None, 1),
        (("warn",), (UNREAD,), "warn", 1),
        ((), (EXCUSED,), None, 0),
    ],
)
def test_the_exit_code_says_clean_blocked_or_not_looked_at(findings, unread, level, code: int):
    report = ScanReport(
        findings=tuple(map(finding, findings)), unread=unread, scanned=Scanned(files=1, bytes=1),
        severity=Severity(level) if level else None,
    )  # fmt: skip
    assert report.exit_code() == code


def test_a_suppressed_finding_stops_nobody():
    report = ScanReport(findings=(finding("block", True),), unread=(), scanned=Scanned(files=1, bytes=1))
    assert (report.exit_code(), report.is_blocked) == (0, False)


def test_a_verdict_tells_the_worst_first():
    assert verdict_of([finding("block"), finding("warn")], [UNREAD]) == "blocked"
    assert verdict_of([finding("warn")], [UNREAD]) == "incomplete"
    assert verdict_of([finding("warn"), finding("info")], [EXCUSED]) == "warned"
    assert verdict_of([finding("info"), finding("block", True)], []) == "clean"


def test_a_level_takes_what_is_above_it():
    assert is_at_least(Severity.BLOCK, Severity.WARN)
    assert not is_at_least(Severity.INFO, Severity.WARN)
