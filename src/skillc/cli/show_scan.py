"""How the answer of a scan looks: as text, as SARIF, as annotations of GitHub, and the rules for a reader.

Not here: the forms themselves (core.scan.sarif, core.scan.annotations), exit codes (core.scan.report).
"""

import json
from collections import Counter
from collections.abc import Iterable
from typing import Literal

from skillc.cli import view
from skillc.cli.view import literal, say, styled
from skillc.core.record import Record
from skillc.core.scan.finding import Finding, Severity
from skillc.core.scan.report import ScannedSkill, ScanReport, is_at_least
from skillc.core.scan.rule_catalogue import RuleDescription
from skillc.core.skill.render import plural

_COLOURS = {"block": "red", "warn": "yellow", "info": "dim"}
_VERDICTS = ("blocked", "incomplete", "warned", "clean")
_MAX_NAMES = 40


class RuleList(Record):
    """The answer of `skillc scan --rules --json`."""

    format: Literal["skillc.scan-rules/1"] = "skillc.scan-rules/1"
    rules: tuple[RuleDescription, ...]


def show_scan(report: ScanReport) -> None:
    """Prints a table of the Skills where there are several, then a line a finding, then what was left out."""
    if len(report.skills) > 1:
        _show_skills(report.skills)
    level = report.severity or Severity.WARN
    shown = [f for f in report.findings if is_at_least(f.severity, level)]
    lists_suppressed = report.severity is Severity.INFO
    for finding in shown:
        if lists_suppressed or not finding.suppressed:
            _show_finding(finding)
    for note in report.file_notes:
        view.note(f"note: {literal(note.path)}: {literal(note.note)}")
    for unread in report.unread:
        why = f" (let stand: {literal(unread.suppressed_reason or '')})" if unread.suppressed else ""
        view.note(f"not looked at: {literal(unread.path)}: {literal(unread.reason)}{why}")
    for ignore in report.ignores:
        if not ignore.counts:
            place = f"{literal(ignore.path)}:{ignore.line}" if ignore.line else literal(ignore.path)
            view.note(f"does not count: {place}: ignore {literal(ignore.rule)}: {literal(ignore.problem or '')}")
    for line in report.notes:
        view.note(f"note: {literal(line)}")
    _show_totals(report, len(report.findings) - len(shown))


def show_sarif(report: ScanReport) -> None:
    """Prints the SARIF log."""
    from skillc.core.scan.sarif import sarif_of
    from skillc.version import __version__

    print(json.dumps(sarif_of(report, version=__version__), indent=2, ensure_ascii=True))


def show_github(report: ScanReport) -> None:
    """Prints one workflow command a finding; without a level, what blocks and what warns."""
    from skillc.core.scan.annotations import annotations_of

    level = report.severity or Severity.WARN
    wanted = tuple(f for f in report.findings if is_at_least(f.severity, level))
    for line in annotations_of(report.model_copy(update={"findings": wanted})):
        print(line)
    view.note(_totals(report))


def show_rules(rules: Iterable[RuleDescription]) -> None:
    """Prints one line a rule."""
    rows = [(r.id, r.severity.value, r.severity_when_compiled.value, r.family, r.title) for r in rules]
    view.table(rows, header=("rule", "severity", "compiled", "family", "finds"))
    view.hint("one of them: skillc scan --explain RULE")


def show_rule(rule: RuleDescription) -> None:
    """Prints what a rule means and how to mend a finding."""
    say(f"{styled(rule.id, 'bold')}: {rule.title}")
    compiled = rule.severity_when_compiled.value
    say(f"severity: {rule.severity.value}; in a compiled text: {compiled}; family: {rule.family}")
    say(f"\n{rule.meaning}\n\nmend: {rule.fix}")
    if rule.needs:
        say(f"needs: {rule.needs}")
    for reference in rule.references:
        say(f"see: {reference}")
    say(f"\nlet one stand: <!-- skillc-scan: ignore {rule.id} -- reason -->")


def _show_skills(skills: Iterable[ScannedSkill]) -> None:
    rows = []
    told = tuple(skills)
    times = Counter(skill.name for skill in told)
    for skill in told:
        unread = f"{len(skill.unread)} not looked at" if skill.unread else ""
        name = literal(skill.name if times[skill.name] == 1 else skill.path, width=_MAX_NAMES)
        rows.append((name, skill.verdict, str(skill.block), str(skill.warn), str(skill.files), unread))
    view.table(rows, header=("skill", "verdict", "block", "warn", "files", ""))
    verdicts: Counter[str] = Counter(row[1] for row in rows)
    counts = ", ".join(f"{verdicts[v]} {v}" for v in _VERDICTS if verdicts[v])
    say(f"{len(rows)} Skills: {counts}\n")


def _show_finding(finding: Finding) -> None:
    severity = styled(finding.severity.value, _COLOURS[finding.severity.value])
    place = f"{literal(finding.path)}:{finding.line}:{finding.column}"
    seen = "" if finding.view == "raw" else f" (read as {literal(finding.view)})"
    by = f"suppressed by {finding.suppressed_by}: {literal(finding.reason or '')}: " if finding.suppressed else ""
    say(f"{place}: {severity} [{literal(finding.rule)}] {by}{literal(finding.title)}{seen}: {literal(finding.excerpt)}")


def _show_totals(report: ScanReport, hidden: int) -> None:
    left = report.left_out
    lines = [
        (left.unchanged, "finding", "on lines that did not change: left out"),
        (left.unchanged_files, "file", "that did not change: not scanned"),
        (left.excluded_files, "file", "by --exclude: not scanned"),
    ]
    for count, word, what in lines:
        if count:
            view.note(f"note: {count} {plural(word, count)} {what}")
    say(_totals(report))
    open_rules = [f.rule for f in report.findings if f.severity is Severity.BLOCK and not f.suppressed]
    if open_rules:
        view.hint(f"what it means: skillc scan --explain {literal(open_rules[0])}")
    elif hidden + left.below_severity:
        view.hint("see everything: skillc scan PATH --severity info")


def _totals(report: ScanReport) -> str:
    counts = Counter(f.severity for f in report.findings if not f.suppressed)
    suppressed = sum(f.suppressed for f in report.findings)
    more = f", {suppressed} suppressed" if suppressed else ""
    unread = sum(not u.suppressed for u in report.unread)
    below = f" ({report.left_out.below_severity} below the level)" if report.left_out.below_severity else ""
    found = ", ".join(f"{counts[s]} {s.value}" for s in (Severity.BLOCK, Severity.WARN, Severity.INFO))
    files = report.scanned.files
    return f"{files} file{'' if files == 1 else 's'}: {found}{more}{below}; {unread} not looked at"
