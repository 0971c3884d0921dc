"""How the audit looks on a terminal."""

from typing import TYPE_CHECKING

from skillc.cli.view import literal, say, styled, table

if TYPE_CHECKING:
    from skillc.lifecycle.audit import AuditReport
    from skillc.lifecycle.audit_verify import AuditVerifyReport


def show_audit(report: "AuditReport") -> None:
    """Prints one line for each event."""
    if not report.events:
        say("nothing happened yet")
        return
    rows = [
        (
            ("from " if event.is_bound else "") + event.at.strftime("%Y-%m-%d %H:%M"),
            event.event,
            literal(event.skill or "-"),
            literal(event.subject, width=20),
            literal(event.by, width=24),
            literal(event.detail),
        )
        for event in report.events
    ]
    table(rows, header=("at", "event", "Skill", "subject", "by", "detail"))


def show_verified(report: "AuditVerifyReport") -> None:
    """Prints every problem, then what was looked at."""
    for problem in report.problems:
        say(f"{styled('problem', 'red')}  {literal(problem.where)}: [{problem.code}] {literal(problem.message)}")
        say(styled(f"         next: {literal(problem.next)}", "dim"))
    where = f"ledger {report.ledger[:12]}" if report.ledger else "no ledger"
    said = styled("whole", "green") if report.ok else f"{len(report.problems)} problems"
    say(f"{where}: {report.records} records, {report.admissions} changes of Skills on base: {said}")
