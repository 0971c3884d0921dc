"""How Skills that name what is gone look on a terminal."""

from typing import TYPE_CHECKING

from skillc.cli import view
from skillc.cli.view import literal, say, styled
from skillc.core.skill.render import plural

if TYPE_CHECKING:
    from skillc.lifecycle.maintain import MaintainReport
    from skillc.lifecycle.stale import OutdatedSkill, StaleReport


def show_stale_names(report: "StaleReport") -> None:
    """Prints what is gone, Skill by Skill, with what it became and the commands that mend it."""
    for skill in report.skills:
        _show_outdated(skill)
    if report.ok:
        say(f"nothing is stale: {report.checked} {plural('name', report.checked)} looked up at HEAD")


def _show_outdated(skill: "OutdatedSkill") -> None:
    say(f"{styled('stale', 'yellow')}  {literal(skill.skill)}")
    for item in skill.items:
        became = f", now {literal(item.became)}" if item.became else ""
        since = f" since {item.commit[:12]}" if item.commit else ""
        say(f"  {item.state} {item.kind.value}  {literal(item.named)}{became}{since}  ({item.field})")
    view.hint("mend it by one of:\n  " + "\n  ".join(literal(command) for command in skill.next))


def show_maintained(report: "MaintainReport", *, dry_run: bool) -> None:
    """Prints what upkeep did or would do, each with its reason and the way back."""
    would = "would " if dry_run else ""
    for gone in report.withdrawn:
        word = styled("withdraw" if dry_run else "withdrawn", "yellow")
        say(f"{would}{word}  {literal(gone.skill)}  {gone.reason.value}: {literal(gone.detail)}")
        if gone.commit is not None:
            say(f"  on {literal(gone.branch)}  {gone.commit[:12]}")
            view.hint(f"take it back: skillc restore {gone.skill} {gone.tree[:12]}")
    for found in report.recorded:
        names = literal(", ".join(found.skills))
        word = "record" if dry_run else "recorded"
        say(f"{would}{word}  admission of {names} in {found.commit[:12]}: {found.proof}, {literal(found.by)}")
    for skill in report.stale:
        _show_outdated(skill)
    for line in report.notes:
        view.note(line)
    if not (report.withdrawn or report.recorded or report.stale):
        say("nothing is due")
