"""`resolve`, `retire`: a person's decisions on Skills that are in service or were taken out of it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from typer import Argument, Option

from skillc.cli import view
from skillc.cli.cmd_setup import DryRun, Json
from skillc.cli.opening import opened, who
from skillc.errors import UsageError

if TYPE_CHECKING:
    from skillc.lifecycle.context import Context

TEAM = "Team"


Key = Annotated[
    Path | None,
    Option(
        help="Private key of a registered approver; default: the registered one of your git setting or your ssh-agent."
    ),
]


def register(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    app.command("resolve", rich_help_panel=TEAM)(resolve_command)
    app.command("retire", rich_help_panel=TEAM)(retire_command)


def resolve_command(
    skill: Annotated[str, Argument(help="A Skill with an open conflict, by name or id, or the conflict's id.")],
    keep: Annotated[
        Literal["A", "B", "split"] | None,
        Option(help="A: what the Skill says. B: what spoke against it. split: each under the condition that is known."),
    ] = None,
    reason: Annotated[str, Option(help="Why; kept with the record.")] = "",
    conflict: Annotated[str | None, Option(help="Which one, where a Skill has several.")] = None,
    key: Key = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Ends a conflict of two opposite rules, each from verified attempts.

    A Skill in conflict is out of service. With A it is in service again and the other attempts stay out of later
    runs; with B or split the next run makes a new version. Needs a person at a terminal.

    Example: skillc resolve refund-order --keep A --reason "vouchers ended in May"
    """
    from skillc.cli.show_upkeep import show_resolved
    from skillc.lifecycle.resolve import resolve

    if keep is None:
        _show_sides(opened(for_reading=True), skill)
        raise UsageError(
            "say which side is kept: --keep A, B or split",
            hint=f"A is what the Skill says, B what spoke against it: skillc resolve {skill} --keep A|B --reason TEXT",
        )
    if not dry_run:
        from skillc.cli.terminal import require_person

        require_person("resolve")
    context = opened(dry_run=dry_run)
    report = resolve(
        context, skill, keep, reason=reason, by=who(context), conflict=conflict, key_path=key, dry_run=dry_run
    )
    if as_json:
        view.show_json(report)
    else:
        show_resolved(report, dry_run=dry_run)


def retire_command(
    skill: Annotated[str, Argument(help="A compiled Skill, by name or id.")],
    reason: Annotated[str, Option(help="Why; kept with the record.")] = "",
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Takes a Skill out of service: its folder goes, a note and every version stay.

    Where policy protects base, the removal waits on a branch. The way back: skillc restore SKILL VERSION.

    Example: skillc retire refund-order --reason "the shop does not refund any more"
    """
    from skillc.cli.show_upkeep import show_withdrawn
    from skillc.lifecycle.withdrawal import retire

    context = opened(dry_run=dry_run)
    report = retire(context, skill, reason=reason, by=who(context), dry_run=dry_run)
    if as_json:
        view.show_json(report)
    else:
        show_withdrawn(report, f"skillc restore {report.skill} {report.tree[:12]}" if report.commit else None)


def _show_sides(context: "Context", name: str) -> None:
    """Prints both sides of the open conflicts of a Skill: what a person decides on."""
    from skillc.lifecycle.resolve import open_conflicts_of
    from skillc.lifecycle.review import conflict_lines

    for conflict in open_conflicts_of(context, name):
        for line in conflict_lines(context, conflict):
            view.say(view.literal(line))
