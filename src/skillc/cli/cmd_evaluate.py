"""`evaluate`: how good what skillc does is, measured on your own Traces."""

from typing import Annotated

import typer
from typer import Option

from skillc.cli import view
from skillc.cli.cmd_setup import Json
from skillc.cli.opening import opened

EXPERT = "Expert"


def register(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    group = typer.Typer(no_args_is_help=True, help="Measures the compiler on Traces that it did not see.")
    group.command("induction")(evaluate_induction_command)
    app.add_typer(group, name="evaluate", rich_help_panel=EXPERT)


def evaluate_induction_command(
    family: Annotated[
        list[str] | None, Option("--family", "-f", help="Only this task family; may be repeated.")
    ] = None,
    group_by: Annotated[
        str | None,
        Option("--group-by", metavar="FIELD", help="What keeps attempts together: a name of an argument, repo ..."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Leaves each group of attempts out once, and asks what the offline engine learned from the others.

    Every figure stands beside what simpler methods reach on the same cases, with a 95 % interval of the difference
    to the best of them. Exit code 1: a baseline is better, or a contract breaks a promise. Nothing is written.

    Examples:

      skillc evaluate induction --group-by user_id

      skillc evaluate induction --family fix-failing-test --group-by repo --json
    """
    context = opened(for_reading=True)
    from skillc.lifecycle.evaluate_induction import evaluate_induction

    report = evaluate_induction(context, families=family or [], group_by=group_by)
    if as_json:
        view.show_json(report)
    else:
        from skillc.cli.show_evaluate import show_induction

        show_induction(report)
    raise typer.Exit(0 if report.ok else 1)
