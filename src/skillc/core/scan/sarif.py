"""SARIF 2.1.0: the answer of a scan as code hosts take it in.

Rules carry their help; results carry level, region, fingerprint and suppression; what was not looked at is a
notification of the run. Nothing here shows more than a finding does. Not here: GitHub's one-line form
(core.scan.annotations).
"""

from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

from skillc.core.scan.finding import Finding, Severity
from skillc.core.scan.report import ScanReport, Unread
from skillc.core.scan.rule_catalogue import RuleDescription, catalogue, help_text

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
VERSION = "2.1.0"
FINGERPRINT = "skillcFinding/v1"
_LEVELS = {Severity.BLOCK: "error", Severity.WARN: "warning", Severity.INFO: "note"}
_SCORES = {Severity.BLOCK: "8.0", Severity.WARN: "5.0", Severity.INFO: "1.0"}  # "security-severity" of code hosts


def sarif_of(report: ScanReport, *, version: str) -> dict[str, Any]:
    """Returns the log as a JSON value. `version` is the tool's own."""
    rules = [*catalogue(), *_foreign_rules(report.findings)]
    places = {rule.id: number for number, rule in enumerate(rules)}
    driver = {"name": "skillc", "version": version, "rules": [_rule(rule) for rule in rules]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": True,  # what was not looked at is told, and is no failure of the tool
                "toolExecutionNotifications": [_notification(unread) for unread in report.unread],
            }
        ],
        "results": [_result(finding, places[finding.rule]) for finding in report.findings],
    }
    return {"$schema": SCHEMA, "version": VERSION, "runs": [run]}


def uri_of(path: str) -> str:
    """Returns a path as a URI reference: relative as it is, absolute as a file URI."""
    quoted = quote(path.encode("utf-8", "replace"), safe="/-._~!$&'()*+,=@")
    return f"file://{quoted}" if path.startswith("/") else quoted


def _foreign_rules(findings: Iterable[Finding]) -> list[RuleDescription]:
    """Describes rules that a model's scanner reports under, which no table has."""
    known = {rule.id for rule in catalogue()}
    found = {f.rule: f for f in findings if f.rule not in known}
    return [
        RuleDescription(
            id=f.rule, family="other", title=f.title, severity=f.severity, severity_when_compiled=f.severity,
            meaning=f"{f.title}.", fix="Look at the place that the finding names.",
        )
        for _, f in sorted(found.items())
    ]  # fmt: skip


def _rule(rule: RuleDescription) -> dict[str, Any]:
    more = f"\n\nSee also: {'; '.join(rule.references)}." if rule.references else ""
    return {
        "id": rule.id,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.meaning},
        "help": {"text": help_text(rule) + more, "markdown": f"{rule.meaning}\n\n**To mend it:** {rule.fix}{more}"},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {"tags": ["security", rule.family], "security-severity": _SCORES[rule.severity]},
    }


def _result(finding: Finding, index: int) -> dict[str, Any]:
    location: dict[str, Any] = {
        "physicalLocation": {"artifactLocation": {"uri": uri_of(finding.file)}, "region": _region(finding)}
    }
    if finding.place is not None:
        location["logicalLocations"] = [{"fullyQualifiedName": finding.place}]
    seen = "" if finding.view == "raw" else f" (read as {finding.view})"
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "level": _LEVELS[finding.severity],
        "message": {"text": f"{finding.title}{seen}: {finding.excerpt}"},
        "locations": [location],
        "partialFingerprints": {FINGERPRINT: finding.fingerprint},
    }
    if finding.suppressed:
        kind = "inSource" if finding.suppressed_by == "comment" else "external"
        result["suppressions"] = [{"kind": kind, "status": "accepted", "justification": finding.reason or ""}]
    return result


def _region(finding: Finding) -> dict[str, int]:
    region = {"startLine": finding.line, "startColumn": finding.column}
    if finding.end_line is not None and finding.end_column is not None:
        region |= {"endLine": finding.end_line, "endColumn": finding.end_column}
    return region


def _notification(unread: Unread) -> dict[str, Any]:
    return {
        "level": "note" if unread.suppressed else "warning",
        "message": {"text": f"not looked at: {unread.reason}"},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": uri_of(unread.path)}}}],
    }
