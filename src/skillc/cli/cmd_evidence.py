"""`traces`, `trust`, `families`: what the evidence is, and what it is worth."""

from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from skillc.cli import view
from skillc.cli.cmd_setup import DryRun, Json
from skillc.cli.opening import opened

if TYPE_CHECKING:
    from skillc.lifecycle.families import FamiliesChange

TEAM = "Team"


def register(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    app.command("traces", rich_help_panel=TEAM)(traces_command)
    app.command("trust", rich_help_panel=TEAM)(trust_command)
    families = typer.Typer(help="Lists task families, and accepts groups of Traces as families.", no_args_is_help=False)
    families.callback(invoke_without_command=True)(families_command)
    families.command("accept")(accept_command)
    families.command("assign")(assign_command)
    families.command("suggest")(suggest_command)
    app.add_typer(families, name="families", rich_help_panel=TEAM)


def traces_command(
    family: Annotated[str | None, Option(help="Only this task family.")] = None, as_json: Json = False
) -> None:
    """Lists the Traces: outcome, strength, assurance, family, and why each can or cannot support a Skill.

    Example: skillc traces --family fix-failing-test
    """
    context = opened()
    from skillc.lifecycle.attempts import load_attempts
    from skillc.lifecycle.traces_list import traces_report

    report = traces_report(load_attempts(context), task_family=family)
    if as_json:
        view.show_json(report)
        return
    from skillc.cli.show_evidence import show_traces

    show_traces(report)


def trust_command(
    check: Annotated[str, Argument(help="A registered check.")],
    yes: Annotated[bool, Option("--yes", "-y", help="Do not ask again; a terminal is needed all the same.")] = False,
) -> None:
    """Lets a registered check run on this machine, as it is now.

    A check is a command from the repository. It runs with your rights, so read it first. When its command or a
    repository file that it names changes, it must be trusted again.

    Example: skillc trust unit-tests
    """
    from skillc.cli.terminal import confirm, require_person
    from skillc.lifecycle.trust import registered_check, trust_check

    require_person("trust")
    context = opened()
    verifier = registered_check(context, check)
    view.say(f"{verifier.id}: {view.literal(' '.join(verifier.run))}")
    if verifier.setup:
        view.say(f"set-up: {view.literal(' '.join(verifier.setup))}")
    if not yes and not confirm("Let this run on this machine?"):
        view.note("not trusted")
        raise typer.Exit(1)
    trust_check(context, check)
    view.say(f"trusted {verifier.id} in this repository, on this machine")


def families_command(ctx: typer.Context, as_json: Json = False) -> None:
    """Lists the task families, and the groups that Traces without a family form.

    Example: skillc families
    """
    if ctx.invoked_subcommand is not None:
        return
    from skillc.lifecycle.attempts import load_attempts
    from skillc.lifecycle.families import families_report

    context = opened()
    report = families_report(context, load_attempts(context))
    if as_json:
        view.show_json(report)
        return
    from skillc.cli.show_evidence import show_families

    show_families(report, context.policy.thresholds.minimum_families)


def accept_command(
    groups: Annotated[
        list[str] | None, Argument(help="Groups to accept; default: all with enough attempt families.")
    ] = None,
    name: Annotated[str | None, Option(help="Another slug for the one accepted group.")] = None,
    minimum: Annotated[int | None, Option(help="Accept groups of at least this many attempt families.")] = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Accepts groups of Traces as task families; later Traces that change the same things join them.

    Example: skillc families accept cancel-reservation
    """
    from skillc.lifecycle.attempts import load_attempts
    from skillc.lifecycle.families import accept_groups

    context = opened(dry_run=dry_run)
    least = minimum or context.policy.thresholds.minimum_families
    change = accept_groups(context, load_attempts(context), groups or [], minimum=least, name=name, dry_run=dry_run)
    _show_change(change, "would accept" if dry_run else "accepted", dry_run=dry_run, as_json=as_json)
    if not change.records:
        view.note(f"no group has {least} attempt families")
        raise typer.Exit(1)


def assign_command(
    words: Annotated[
        list[str], Argument(metavar="TRACE... FAMILY", help="Trace ids or their beginnings, then the task family.")
    ],
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Puts Traces into a task family, whatever they declared.

    Example: skillc families assign t-1b2c t-77aa fix-failing-test
    """
    from skillc.errors import UsageError
    from skillc.lifecycle.attempts import chosen_attempts
    from skillc.lifecycle.families import assign_traces, read_assignment, require_slug

    if len(words) < 2:
        raise UsageError("name a Trace and a family", hint="skillc families assign TRACE FAMILY")
    context = opened(dry_run=dry_run)
    traces, family = read_assignment(context.traces.stored(), words)
    require_slug(family)
    change = assign_traces(context, chosen_attempts(context, traces), family, dry_run=dry_run)
    _show_change(change, "would assign to" if dry_run else "assigned to", dry_run=dry_run, as_json=as_json)


def suggest_command(
    engine: Annotated[str, Option(help="Who is asked: claude, claude-code, or recorded (earlier answers).")] = "claude",
    max_cost: Annotated[
        float | None, Option("--max-cost", min=0, help="US dollars: no call is made that could pass this limit.")
    ] = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Asks a model which family each Trace without one belongs to; nothing is assigned.

    It sees objective, summary and names of tools and operations. Exit code 5: a call failed.

    Example: skillc families suggest --engine claude-code
    """
    context = opened(dry_run=dry_run)
    from skillc.core.skill.render import plural
    from skillc.errors import EngineError
    from skillc.lifecycle.attempts import load_attempts
    from skillc.lifecycle.compile import CompileOptions
    from skillc.lifecycle.family_suggestions import suggest_families

    options = CompileOptions(engine=engine, max_cost=max_cost, dry_run=dry_run, tell=view.note)
    report = suggest_families(context, load_attempts(context), options)
    if as_json:
        view.show_json(report)
    else:
        for item in report.suggestions:
            view.say(f"{item.trace_id}  {item.task_family or '-'}  {item.confidence:.2f}, by its own word")
        if report.would_ask:
            count = len(report.would_ask)
            view.say(f"would ask {engine} about {count} {plural('Trace', count)}; no model was asked")
        elif not report.suggestions and report.failure is None:
            view.say("every Trace belongs to a task family")
        if any(item.task_family for item in report.suggestions):
            view.hint("look at a Trace: skillc show TRACE\n      agree: skillc families assign TRACE FAMILY")
    if report.failure is not None:
        if not as_json:
            view.note(f"error: {report.failure.reason}")
            view.hint(report.failure.hint or "run the command again")
        raise typer.Exit(EngineError.code)


def _show_change(change: "FamiliesChange", verb: str, *, dry_run: bool, as_json: bool) -> None:
    if as_json:
        view.show_json(change)
        return
    for record in change.records:
        view.say(f"{verb}  {record.slug}  {len(record.trace_ids)} Traces")
    if dry_run:
        view.say("dry run: nothing was written")
    if change.commit is not None:
        view.say(f"on the ledger in {change.commit[:12]}")
        view.hint(f"next: skillc compile\n      undo: {change.undo}")
