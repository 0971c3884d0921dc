"""The answer of `skillc scan`: what was found, what was not looked at, and a verdict for each Skill.

Not here: how it is written (core.scan.sarif, core.scan.annotations, cli.show_scan), reading files (lifecycle.scan).
"""

from collections.abc import Iterable
from typing import Literal

from skillc.core.record import Record
from skillc.core.scan.finding import Finding, Severity
from skillc.core.scan.suppression import IgnoreNote

Verdict = Literal["blocked", "incomplete", "warned", "clean"]
_ORDER = {Severity.INFO: 0, Severity.WARN: 1, Severity.BLOCK: 2}


class Unread(Record):
    """A file that was not looked at, and why. One that the policy names with a reason is told and stops nobody."""

    path: str
    reason: str
    suppressed: bool = False
    suppressed_reason: str | None = None


class FileNote(Record):
    """What is odd about a file that was looked at."""

    path: str
    note: str


class Scanned(Record):
    """How much was looked at."""

    files: int
    bytes: int


class ScannedSkill(Record):
    """One Skill of a scan: its folder, a verdict, and what stands behind it. Suppressed findings are counted apart."""

    name: str
    path: str
    verdict: Verdict
    block: int
    warn: int
    info: int
    suppressed: int
    files: int
    unread: tuple[str, ...]


class LeftOut(Record):
    """Findings that are not in the report, by reason."""

    unchanged: int = 0
    below_severity: int = 0
    excluded_files: int = 0
    unchanged_files: int = 0


class ScanReport(Record):
    """The answer of `skillc scan`. `severity` is the level that was asked for, None where none was."""

    format: Literal["skillc.scan/1"] = "skillc.scan/1"
    findings: tuple[Finding, ...]
    unread: tuple[Unread, ...]
    scanned: Scanned
    skills: tuple[ScannedSkill, ...] = ()
    ignores: tuple[IgnoreNote, ...] = ()
    file_notes: tuple[FileNote, ...] = ()
    notes: tuple[str, ...] = ()
    left_out: LeftOut = LeftOut()
    severity: Severity | None = None

    @property
    def is_blocked(self) -> bool:
        return any(f.severity is Severity.BLOCK and not f.suppressed for f in self.findings)

    @property
    def is_whole(self) -> bool:
        return all(u.suppressed for u in self.unread)

    def exit_code(self) -> int:
        """1: a finding counts; 3: something was not looked at; 0: clean. Without a level only `block` counts."""
        level = self.severity or Severity.BLOCK
        if any(is_at_least(f.severity, level) and not f.suppressed for f in self.findings):
            return 1
        return 0 if self.is_whole else 3


def is_at_least(severity: Severity, level: Severity) -> bool:
    """Says whether a severity is this level or above it."""
    return _ORDER[severity] >= _ORDER[level]


def verdict_of(findings: Iterable[Finding], unread: Iterable[Unread]) -> Verdict:
    """Returns the one word for a Skill: what blocks comes before what was not looked at, and that before a warning."""
    open_findings = {f.severity for f in findings if not f.suppressed}
    if Severity.BLOCK in open_findings:
        return "blocked"
    if any(not u.suppressed for u in unread):
        return "incomplete"
    return "warned" if Severity.WARN in open_findings else "clean"
