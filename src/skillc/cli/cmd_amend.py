"""`amend`: a person's edit of SKILL.md becomes a version that keeps the evidence of what did not change."""

from typing import Annotated

import typer
from typer import Argument, Option

from skillc.cli import view
from skillc.cli.cmd_setup import DryRun, Json
from skillc.cli.cmd_upkeep import Key
from skillc.cli.opening import opened, who

TEAM = "Team"


def register(app: typer.Typer) -> None:
    """Adds the command of this module."""
    app.command("amend", rich_help_panel=TEAM)(amend_command)


def amend_command(
    skill: Annotated[str, Argument(help="A Skill whose SKILL.md was edited, by name or id.")],
    source: Annotated[
        str | None,
        Option("--from", help="A branch or commit with the edit; default: the work tree where it differs, else HEAD."),
    ] = None,
    key: Key = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Takes your edit of a Skill's SKILL.md over: the text as you wrote it, with the evidence that still holds.

    Lines that did not change keep their evidence, changed and new ones are your word, and later compiles keep them.
    On base it is one commit; an edit on a candidate branch goes on that branch; a protected base gets a candidate.
    Where an approver is registered it needs a person at a terminal, and their signature.

    Examples:

      skillc amend refund-order --dry-run

      skillc amend refund-order --from skillc/candidate/refund-order
    """
    from skillc.cli.show_amend import show_amended
    from skillc.lifecycle.amend import amend
    from skillc.lifecycle.signers import approvers

    context = opened(dry_run=dry_run)
    if not dry_run and approvers(context.policy):
        from skillc.cli.terminal import require_person

        require_person("amend")
    by = who(context)
    report = amend(context, skill, by=by, source=source, key_path=key, dry_run=dry_run)
    for line in context.notes:
        view.note(line)
    if as_json:
        view.show_json(report)
    else:
        show_amended(report, dry_run=dry_run)
