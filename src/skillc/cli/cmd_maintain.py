"""`stale`: what the Skills in service name that the project has no more."""

from typing import Annotated

import typer
from typer import Argument

from skillc.cli import view
from skillc.cli.cmd_setup import Json
from skillc.cli.opening import opened

TEAM = "Team"


def register(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    app.command("stale", rich_help_panel=TEAM)(stale_command)


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
