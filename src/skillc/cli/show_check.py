"""How a check looks on a terminal: every problem, then the gates of each group."""

from typing import TYPE_CHECKING

from skillc.cli.show_govern import say_gates
from skillc.cli.view import literal, say, styled
from skillc.core.skill.render import plural

if TYPE_CHECKING:
    from skillc.lifecycle.check import CheckReport


def show_check(report: "CheckReport") -> None:
    """Prints every problem, then the gates."""
    for problem in report.problems:
        word = styled("hold", "yellow") if problem.hold else styled("problem", "red")
        say(f"{word}  {literal(problem.path)}: [{problem.code}] {literal(problem.message)}")
        say(styled(f"         next: {literal(problem.next)}", "dim"))
    for group in report.groups:
        say(f"group {group.group[7:19]} of {literal(group.task_family)}: {', '.join(map(literal, group.skills))}")
        say_gates(group.gates, only_open=True)
    for gone in report.removed:
        say(f"{styled('removed', 'yellow')}  {literal(gone.skill)}: this takes it out of service, {gone.tree[:12]}")
    for admission in report.unproven:
        where = f"{literal(admission.skill)} in {admission.commit[:12]}"
        say(f"{styled('unproven', 'yellow')}  {where}: {literal(admission.reason)}")
    for found in report.unmanaged:
        what = f"[{found.rule}] {found.severity.value}: {literal(found.title)}, and skillc did not compile this Skill"
        say(f"{styled('unmanaged', 'yellow')}  {literal(found.path)}:{found.line}: {what}")
    for let in report.suppressed:
        what = f"[{let.rule}] {let.severity.value}: {literal(let.title)}: {literal(let.reason)}"
        say(styled(f"suppressed  {literal(let.path)}: {what}", "dim"))
    gates = ", ".join(f"{g.gate} {g.result.value}" for g in report.gates)
    skills = f"{report.checked} compiled {plural('Skill', report.checked)}"
    problems = f"{len(report.problems)} {plural('problem', len(report.problems))}"
    say(f"{report.revision[:12]}: {skills}, {problems}; {gates}")
