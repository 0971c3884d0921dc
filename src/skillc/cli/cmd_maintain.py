"""`stale`, `maintain`: what the Skills in service name that is gone, and upkeep on a schedule."""

from typing import Annotated

import typer
from typer import Argument

from skillc.cli import view
from skillc.cli.cmd_setup import DryRun, Json
from skillc.cli.opening import opened

TEAM = "Team"
EXPERT = "Expert"


def register(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    app.command("stale", rich_help_panel=TEAM)(stale_command)
    app.command("maintain", rich_help_panel=EXPERT)(maintain_command)


def stale_command(
    skill: Annotated[str | None, Argument(help="One compiled Skill, by name or id; default: all.")] = None,
    as_json: Json = False,
) -> None:
    """Finds commands, paths and flags that a Skill names and that the checked-out commit has no more.

    Only what was there before the Skill's evidence or its admission counts, so a made-up example is no alarm; nothing
    is run. Names what a file became where git knows it. Ends with 1 when something is gone.

    Examples:

      skillc stale

      skillc stale add-route --json
    """
    from skillc.cli.show_maintain import show_stale_names
    from skillc.lifecycle.stale import stale

    report = stale(opened(for_reading=True), skill)
    if as_json:
        view.show_json(report)
    else:
        show_stale_names(report)
    raise typer.Exit(0 if report.ok else 1)


def maintain_command(dry_run: DryRun = False, as_json: Json = False) -> None:
    """Does the upkeep that nobody has to remember; made for a scheduled job.

    Withdraws Skills whose validity is past, retires those that no session used for as long as skillc.yaml says
    (maintain.retire_unused_after), records admissions that a merge made, and tells stale Skills. One commit each; where
    policy protects base, each removal waits on a branch. The way back: skillc restore SKILL VERSION.

    Example: skillc maintain --dry-run
    """
    from skillc.cli.show_maintain import show_maintained
    from skillc.lifecycle.maintain import maintain

    report = maintain(opened(dry_run=dry_run), dry_run=dry_run)
    if as_json:
        view.show_json(report)
    else:
        show_maintained(report, dry_run=dry_run)
