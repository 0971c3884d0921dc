"""GitHub's workflow commands: one line a finding, which the code host shows beside the code.

A runner obeys what a log line says, so nothing that was scanned may begin a command: every value is escaped, line
ends and `::` included. Not here: SARIF (core.scan.sarif).
"""

from collections.abc import Iterator

from skillc.core.scan.finding import Finding, Severity
from skillc.core.scan.report import ScanReport

_COMMANDS = {Severity.BLOCK: "error", Severity.WARN: "warning", Severity.INFO: "notice"}


def annotations_of(report: ScanReport) -> Iterator[str]:
    """Yields one line for each finding that counts and each file that was not looked at."""
    for finding in report.findings:
        if not finding.suppressed:
            yield _line(finding)
    for unread in report.unread:
        if not unread.suppressed:
            yield f"::warning file={escaped_property(unread.path)},title=not looked at::{escaped(unread.reason)}"


def escaped(text: str) -> str:
    """Returns a message with nothing left that a runner reads as a line end or as a command."""
    plain = "".join(c if c.isprintable() or c in "\r\n" else "\ufffd" for c in text)
    while "::" in plain:
        plain = plain.replace("::", ": :")
    plain = plain.replace("##[", "## [")  # the older form of a command
    return plain.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def escaped_property(text: str) -> str:
    """Returns a value of a property: also without what ends it."""
    plain = "".join(c if c.isprintable() or c in "\r\n" else "\ufffd" for c in text)
    plain = plain.replace("##[", "## [").replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return plain.replace(":", "%3A").replace(",", "%2C")


def _line(finding: Finding) -> str:
    place = f"line={finding.line}"
    if finding.end_line is not None:
        place += f",endLine={finding.end_line}"
    place += f",col={finding.column}"
    if finding.end_column is not None and finding.end_line == finding.line:
        place += f",endColumn={finding.end_column}"
    title = escaped_property(f"{finding.rule} ({finding.severity.value})")
    where = f" in {finding.place}" if finding.place is not None else ""
    message = escaped(f"{finding.title}{where}: {finding.excerpt}")
    return f"::{_COMMANDS[finding.severity]} file={escaped_property(finding.file)},{place},title={title}::{message}"
