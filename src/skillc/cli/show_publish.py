"""How a publication looks on a terminal."""

from typing import TYPE_CHECKING

from skillc.cli import view
from skillc.cli.view import literal, say, styled

if TYPE_CHECKING:
    from skillc.lifecycle.publish import PublishReport


def show_published(report: "PublishReport") -> None:
    """Prints where a Skill arrived, whether the signature counts there, and what comes next."""
    where = f"{literal(report.namespace)}, {literal(report.branch)}"
    if report.state == "planned":
        say(f"would publish {literal(report.skill)} as {literal(report.name_there)} ({report.change}) to {where}")
        return
    if report.state == "known":
        say(f"{literal(report.skill)} waits in {where} already")
        return
    say(f"{styled('published', 'green')}  {literal(report.skill)}  to {where}  {(report.commit or '')[:12]}")
    if not report.counts:
        view.note(f"{report.namespace} registers no approver with this key, so its check holds the candidate")
    view.hint(f"there: skillc review {report.name_there}, then merge {report.branch}; or git branch -D {report.branch}")
