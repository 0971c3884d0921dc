"""`status`, `doctor`: what is known and what waits, and whether this machine is set up well."""

from pathlib import Path
from typing import Annotated

import typer
from typer import Option

from skillc.cli import view
from skillc.cli.cmd_setup import EVERYDAY, Json
from skillc.cli.opening import opened


def register(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    app.command("status", rich_help_panel=EVERYDAY)(status_command)
    app.command("doctor", rich_help_panel=EVERYDAY)(doctor_command)


def status_command(as_json: Json = False) -> None:
    """Shows what is captured, what waits, what is verified, and the one command that helps most now.

    Reads only: sessions that the hook saw end are counted, and left for the next command.

    Example: skillc status
    """
    context = opened(for_reading=True, drains=False)
    from skillc.lifecycle.status import status  # after the question to git, which needs less

    report = status(context)
    if as_json:
        view.show_json(report)
        return
    from skillc.cli.show_status import show_status

    show_status(report)


def doctor_command(
    forge: Annotated[
        bool, Option("--forge", help="Ask the forge too whether approval is enforced there; uses the network.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Checks what skillc stands on: git, keys, hooks, settings, the repository, stored secrets.

    Every check says what it means and what to do; nothing is changed, and no network is used but with --forge. That
    asks the API of GitHub, with the token of GH_TOKEN, GITHUB_TOKEN or gh, what protects base, the ledger and what
    decides over Skills; SKILLC_FORGE_API names another API. Ends with 1 when a check fails.

    Examples:

      skillc doctor

      skillc doctor --forge
    """
    from skillc.lifecycle.doctor.table import examine

    report = examine(Path.cwd(), asks_forge=forge)
    if as_json:
        view.show_json(report)
    else:
        from skillc.cli.show_status import show_doctor

        show_doctor(report)
    raise typer.Exit(1 if report.failed else 0)
