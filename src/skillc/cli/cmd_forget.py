"""`forget`: content goes, and what rests on it goes out of service."""

from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from skillc.cli import view
from skillc.cli.cmd_setup import DryRun, Json
from skillc.cli.opening import opened, who
from skillc.errors import UsageError

if TYPE_CHECKING:
    from skillc.lifecycle.context import Context
    from skillc.lifecycle.forget import ForgetReport
    from skillc.lifecycle.forget_left import PurgeReport

TEAM = "Team"


def register(app: typer.Typer) -> None:
    """Adds the command of this module."""
    app.command("forget", rich_help_panel=TEAM)(forget_command)


def forget_command(
    names: Annotated[list[str], Argument(help="Traces, or events as TRACE#e3,e5.", metavar="TRACE[#EVENTS]…")],
    reason: Annotated[str, Option(help="Why; kept with the record. Do not repeat what goes.")] = "",
    yes: Annotated[bool, Option("--yes", help="Do not ask.")] = False,
    purge: Annotated[
        bool, Option("--purge", help="Rewrite this clone's history too, with git-filter-repo; nothing is pushed.")
    ] = False,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Deletes the content of Traces or events; every Skill that cites them goes out of service at once.

    A hash stays in each place. The next compilation mends the Skills from what evidence is left. There is no undo;
    git's history keeps the content until it is rewritten, and the answer says where. With --purge it is rewritten
    here: commits get new ids and lose their signatures, a backup bundle is left beside the repository, and remotes and
    other clones keep what they have.

    Examples:

      skillc forget t-4f1c20ab --dry-run

      skillc forget t-4f1c20ab#e3,e5 --reason "a customer asked" --yes

      skillc forget t-4f1c20ab --purge --dry-run
    """
    from skillc.cli.show_forget import show_forgotten
    from skillc.lifecycle.forget import forget

    if purge:
        from skillc.lifecycle.purge import require_purgeable

        require_purgeable(opened(for_reading=True, drains=False, dry_run=True))
    if not dry_run and not yes:
        looking = opened(for_reading=True, drains=False, dry_run=True)
        planned = forget(looking, names, by="", reason=reason, dry_run=True)
        if planned.is_news or purge:
            _confirm(planned, _planned_purge(looking, planned) if purge else None)
    context = opened(dry_run=dry_run, drains=False)
    by = who(context)
    report = forget(context, names, by=by, reason=reason, dry_run=dry_run)
    if purge:
        report = report.model_copy(update={"purge": _purged(report, dry_run=dry_run)})
    if as_json:
        view.show_json(report)
    else:
        show_forgotten(report, dry_run=dry_run)


def _planned_purge(context: "Context", planned: "ForgetReport") -> "PurgeReport":
    from skillc.lifecycle.purge import plan_purge, targets_of

    return plan_purge(context, targets_of(planned))


def _purged(report: "ForgetReport", *, dry_run: bool) -> "PurgeReport":
    """Opens anew: base and Traces moved with the deletion."""
    from skillc.lifecycle.purge import purge, targets_of

    context = opened(dry_run=dry_run, drains=False)
    return _planned_purge(context, report) if dry_run else purge(context, targets_of(report))


def _confirm(planned: "ForgetReport", purging: "PurgeReport | None" = None) -> None:
    """Asks at the terminal; without one nothing is deleted."""
    import sys

    from skillc.cli.terminal import confirm

    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError("forget deletes content for good and asks first", hint="look with --dry-run, then say --yes")
    count = sum(len(t.events) for t in planned.traces if t.state == "forgotten")
    skills = f", and take {', '.join(planned.withdrawn)} out of service" if planned.withdrawn else ""
    if purging is not None:
        skills += f", and rewrite {', '.join(purging.refs)}" if purging.refs else ""
    if not confirm(f"delete {count} lines of {len(planned.traces)} Traces for good{view.literal(skills)}?"):
        raise typer.Abort
