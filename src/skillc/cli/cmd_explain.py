"""`why`, `show`, `log`, `undo`, `restore`: the evidence behind a line, versions, and the way back."""

from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from skillc.cli import view
from skillc.cli.cmd_setup import EVERYDAY, DryRun, Json
from skillc.cli.cmd_upkeep import Key
from skillc.cli.opening import opened

if TYPE_CHECKING:
    from skillc.lifecycle.context import Context
    from skillc.lifecycle.restore import RestoreReport

TEAM = "Team"


def register(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    app.command("why", rich_help_panel=EVERYDAY)(why_command)
    app.command("show", rich_help_panel=EVERYDAY)(show_command)
    app.command("log", rich_help_panel=EVERYDAY)(log_command)
    app.command("undo", rich_help_panel=EVERYDAY)(undo_command)
    app.command("restore", rich_help_panel=TEAM)(restore_command)


def why_command(
    skill: Annotated[str, Argument(help="A Skill, by name or id.")],
    field: Annotated[str | None, Argument(help="A field such as steps, or the id of one line.")] = None,
    as_json: Json = False,
) -> None:
    """Prints every line of a Skill with the events it came from, and who verified them.

    Examples:

      skillc why fix-failing-test

      skillc why fix-failing-test steps
    """
    context = opened(for_reading=True)
    from skillc.lifecycle.explain import why

    report = why(context, skill, field)
    for line in context.notes:
        view.note(line)
    if as_json:
        view.show_json(report)
        return
    from skillc.cli.show_explain import show_why

    show_why(report)


def show_command(
    name: Annotated[str | None, Argument(help="A Skill, or a Trace by id; default: lists the Skills.")] = None,
    full: Annotated[bool, Option("--full", help="The full form of a Skill, with evidence marks.")] = False,
    as_json: Json = False,
) -> None:
    """Shows a Skill as an agent reads it, or a Trace with its summary and its events.

    Examples:

      skillc show

      skillc show fix-failing-test --full

      skillc show t-1b2c
    """
    from skillc.cli.show_explain import show_skill, show_skills, show_trace

    context = opened(for_reading=True)
    if name is None:
        show_skills(context, as_json=as_json)
    elif name.startswith("t-") and name not in _skill_names(context):
        from skillc.lifecycle.attempts import chosen_attempts
        from skillc.lifecycle.summaries import shown_trace

        show_trace(shown_trace(context, chosen_attempts(context, [name])[0]), as_json=as_json)
    else:
        show_skill(context, name, full=full, as_json=as_json)


def _skill_names(context: object) -> set[str]:
    from skillc.lifecycle.context import Context
    from skillc.lifecycle.skills import current_skills

    assert isinstance(context, Context)
    return set(current_skills(context))


def log_command(skill: Annotated[str, Argument(help="The name of a Skill.")], as_json: Json = False) -> None:
    """Lists the versions of a Skill on base, and which earlier one each brings back.

    Example: skillc log fix-failing-test
    """
    context = opened(for_reading=True)
    from skillc.lifecycle.explain import log

    report = log(context, skill)
    for line in context.notes:
        view.note(line)
    if as_json:
        view.show_json(report)
        return
    from skillc.cli.show_explain import show_log

    show_log(report)


def undo_command(
    skill: Annotated[str, Argument(help="The name of a Skill.")],
    key: Key = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Takes the newest version of a Skill back, as a new version.

    Example: skillc undo fix-failing-test
    """
    context = opened(dry_run=dry_run)
    from skillc.cli.show_explain import show_restore
    from skillc.lifecycle.restore import undo

    if not dry_run:
        _require_person_to_end(context, undo(context, skill, dry_run=True))
    show_restore(undo(context, skill, key_path=key, dry_run=dry_run), as_json=as_json, dry_run=dry_run)


def restore_command(
    skill: Annotated[str, Argument(help="The name of a Skill.")],
    version: Annotated[str, Argument(help="A version number of `skillc log`, a commit, or a folder's tree id.")],
    key: Key = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Makes an earlier version of a Skill the newest one again.

    To end a retirement needs a person at a terminal where an approver is registered, and their signature.

    Example: skillc restore fix-failing-test 2
    """
    context = opened(dry_run=dry_run)
    from skillc.cli.show_explain import show_restore
    from skillc.lifecycle.restore import restore

    if not dry_run:
        _require_person_to_end(context, restore(context, skill, version, dry_run=True))
    report = restore(context, skill, version, key_path=key, dry_run=dry_run)
    show_restore(report, as_json=as_json, dry_run=dry_run)


def _require_person_to_end(context: "Context", planned: "RestoreReport") -> None:
    """Raises PolicyError where the end of a retirement is to be signed and no person is at a terminal."""
    from skillc.lifecycle.signers import approvers

    if planned.ends_withdrawal and approvers(context.policy):
        from skillc.cli.terminal import require_person

        require_person("the end of a retirement")
