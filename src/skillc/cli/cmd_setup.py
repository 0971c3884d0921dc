"""`init`, `demo`, `schema`: before the first Trace."""

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from skillc.cli import view

EVERYDAY = "Everyday"
EXPERT = "Expert"
Json = Annotated[bool, Option("--json", help="Print the answer as one JSON object.")]
DryRun = Annotated[bool, Option("--dry-run", "-n", help="Say what would be done, and write nothing.")]


def register(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    app.command("init", rich_help_panel=EVERYDAY)(init_command)
    app.command("demo", rich_help_panel=EVERYDAY)(demo_command)
    app.command("schema", rich_help_panel=EXPERT)(schema_command)


def init_command(
    namespace: Annotated[str | None, Option(help="Name of the namespace; default: the folder's name.")] = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Makes a namespace here: skillc.yaml, .gitattributes, and a key of this machine for local checks.

    Writes files and commits nothing. Running it again changes nothing.

    Example: skillc init && git add skillc.yaml .gitattributes && git commit -m "skillc: namespace"
    """
    from skillc.lifecycle.init import init

    report = init(Path.cwd(), namespace=namespace, dry_run=dry_run)
    if as_json:
        view.show_json(report)
        return
    for name in report.written:
        view.say(f"{'would write' if dry_run else 'wrote'}  {name}")
    for name in report.kept:
        view.say(f"kept   {name}")
    where = "in the tree of this branch" if report.traces == "tree" else "on the branch skillc/traces"
    view.say(f"namespace {report.namespace}; Traces go {where}")
    view.say(f"check: {' '.join(report.check)}" if report.check else "no check found: add one with skillc verifier add")
    view.say(f"{report.past_sessions} past sessions, {report.verifiable} verifiable now")
    view.hint("next:\n  " + "\n  ".join(report.commands))


def demo_command(
    keep: Annotated[bool, Option("--keep", help="Keep the temporary repository and say where it is.")] = False,
    as_json: Json = False,
) -> None:
    """Shows the whole loop on shipped sessions in a temporary repository, offline.

    Captures real sessions, runs the project's tests at their commits, compiles, reviews, merges, explains a
    line, and takes the Skill back with git revert. Nothing outside the temporary folder is touched.

    Example: skillc demo
    """
    from skillc.cli.demo import run_demo

    raise typer.Exit(run_demo(keep=keep, as_json=as_json))


def schema_command(
    name: Annotated[str | None, Argument(help="Name of a record; without one, the names are listed.")] = None,
) -> None:
    """Prints the published JSON Schema of a record.

    Example: skillc schema contract > contract.schema.json
    """
    from skillc.lifecycle.schemas import schema_names, schema_of

    if name is None:
        for known in schema_names():
            view.say(known)
        return
    view.say(schema_of(name))
