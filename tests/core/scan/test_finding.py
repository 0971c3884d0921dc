"""Findings are values with a fixed form."""

import pytest
from pydantic import ValidationError

from skillc.core.scan.finding import Finding, Severity


def test_a_finding_is_frozen_and_raw_unless_said():
    finding = Finding(
        path="a", line=1, column=1, rule="r", severity=Severity.WARN, title="t", excerpt="e", fingerprint="f"
    )

    assert finding.view == "raw"
    assert finding.suppressed is False
    with pytest.raises(ValidationError):
        finding.line = 2  # type: ignore[misc]


def test_severities_are_three():
    assert [s.value for s in Severity] == ["block", "warn", "info"]
