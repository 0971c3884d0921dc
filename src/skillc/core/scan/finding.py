"""Findings: what a scan rule saw, where, and how bad it is.

A finding never holds the secret it found: its excerpt is masked and its fingerprint is a digest.
Paper: 5.3, Scanners. Not here: the rules (core.scan.rules), running them (core.scan.scanner).
"""

from enum import StrEnum
from typing import Literal

from skillc.core.record import Record


class Severity(StrEnum):
    """`block` rejects, `warn` holds for a person, `info` is told."""

    BLOCK = "block"
    WARN = "warn"
    INFO = "info"


class Finding(Record):
    """One place that a rule matched.

    `line` and `column` are 1-based; `span` is the place in code points, from the start of the file, [start, end);
    `view` names the decoded text, or `raw`. The end is absent where nobody computed it (core.scan.regions).
    `place` is the part of a record that was looked at by itself, an event or a claim: it ends `path` after a `#`,
    and then line and column are the file's, and the span counts within that part. `reason` says why a finding is
    suppressed.
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
    end_line: int | None = None
    end_column: int | None = None
    place: str | None = None
    suppressed: bool = False
    suppressed_by: Literal["comment", "policy", "baseline"] | None = None
    reason: str | None = None

    @property
    def file(self) -> str:
        """The path without the place inside the file."""
        return self.path if self.place is None else self.path.removesuffix(f"#{self.place}")
