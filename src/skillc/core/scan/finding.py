"""Findings: what a scan rule saw, where, and how bad it is.

A finding never holds the secret it found: its excerpt is masked and its fingerprint is a digest.
Paper: 5.3, Scanners. Not here: the rules (core.scan.rules), running them (core.scan.scanner).
"""

from enum import StrEnum

from skillc.core.record import Record


class Severity(StrEnum):
    """`block` rejects, `warn` holds for a person, `info` is told."""

    BLOCK = "block"
    WARN = "warn"
    INFO = "info"


class Finding(Record):
    """One place that a rule matched.

    `line` and `column` are 1-based; `span` is the place in code points, from the start of the file, [start, end);
    `view` names the decoded text, or `raw`.
    """

    path: str
    line: int
    column: int
    span: tuple[int, int] = (0, 0)
    rule: str
    severity: Severity
    title: str
    excerpt: str
    view: str = "raw"
    fingerprint: str
    suppressed: bool = False
