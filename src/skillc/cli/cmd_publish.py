"""`publish`: a Skill for another repository of the same security domain."""

from typing import Annotated

import typer
from typer import Argument, Option

from skillc.cli import view
from skillc.cli.cmd_setup import DryRun, Json
from skillc.cli.cmd_upkeep import Key
from skillc.cli.opening import opened

TEAM = "Team"


def register(app: typer.Typer) -> None:
    """Adds the command of this module."""
    app.command("publish", rich_help_panel=TEAM)(publish_command)


def publish_command(
    skill: Annotated[str, Argument(help="A compiled Skill of base, by name or id.")],
    to: Annotated[str, Option("--to", help="A folder, a remote of this repository, or the URL of a repository.")],
    key: Key = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Brings a Skill as a candidate into another repository of the same security domain.

    Its text and where it comes from go, its Traces and citations stay. Needs a person at a terminal and a registered
    approver's key; the other repository counts the signature when it registers that key under `people:` too, and a
    merge there admits it. The same Skill again is a new version there.

    Examples:

      skillc publish add-route --to ../web-shop --dry-run

      skillc publish add-route --to git@example.org:acme/web-shop.git
    """
    if not dry_run:
        from skillc.cli.terminal import require_person

        require_person("publish")
    from skillc.cli.show_publish import show_published
    from skillc.lifecycle.publish import publish

    report = publish(opened(dry_run=dry_run), skill, to, key_path=key, dry_run=dry_run)
    if as_json:
        view.show_json(report)
    else:
        show_published(report)
