"""`compile`, `review`, `reject`: from evidence to a candidate, and a person's look at it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from skillc.cli import view
from skillc.cli.cmd_setup import EVERYDAY, DryRun, Json
from skillc.cli.opening import opened, who

if TYPE_CHECKING:
    from skillc.lifecycle.compile_report import CompileReport
    from skillc.lifecycle.context import Context
    from skillc.lifecycle.review import ReviewReport


def register(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    app.command("compile", rich_help_panel=EVERYDAY)(compile_command)
    app.command("review", rich_help_panel=EVERYDAY)(review_command)
    app.command("reject", rich_help_panel=EVERYDAY)(reject_command)


def compile_command(
    family: Annotated[
        list[str] | None, Option("--family", "-f", help="Only this task family; may be repeated.")
    ] = None,
    trace: Annotated[list[str] | None, Option("--trace", help="Only these Traces, under the one --family.")] = None,
    engine: Annotated[
        str, Option(help="Who does the induction: offline, claude, claude-code, or recorded (earlier answers).")
    ] = "offline",
    batch: Annotated[bool, Option("--batch", help="Summaries as one message batch: half the price, slower.")] = False,
    max_cost: Annotated[
        float | None, Option("--max-cost", min=0, help="US dollars: no call is made that could pass this limit.")
    ] = None,
    require: Annotated[bool, Option("--require", help="Exit 1 when no Skill changed.")] = False,
    scheduled: Annotated[
        bool, Option("--scheduled", help="For a workflow: nothing, unless policy says compile.on: schedule.")
    ] = False,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Compiles verified attempts into Skill changes, each on its candidate branch.

    Only strongly verified successes can support a Skill. Running it again with nothing new changes nothing.
    The engines claude (key in ANTHROPIC_API_KEY) and claude-code (your Claude Code) send text of the Traces to a
    model, never restricted events; every answer passes the same checks. With --dry-run they tell calls, tokens and
    cost at most. Answers are kept below .git/skillc/: a run that broke off goes on without paying twice.

    Exit code 5: a model call failed; nothing was admitted and every source is kept.

    Examples:

      skillc compile

      skillc compile --family fix-failing-test --dry-run

      skillc compile --trace t-1b2c --family deploy-docs

      skillc compile --engine claude --dry-run

      skillc compile --engine claude --max-cost 2.50
    """
    context = opened(dry_run=dry_run)
    if scheduled and context.policy.compile.on.value != "schedule":
        view.note(f"compile.on is {context.policy.compile.on.value} in skillc.yaml, so nothing runs on a schedule")
        return
    from skillc.lifecycle.compile import CompileOptions
    from skillc.lifecycle.compile_all import compile_namespace

    options = CompileOptions(engine=engine, dry_run=dry_run, is_batch=batch, max_cost=max_cost, tell=view.note)
    report = compile_namespace(context, families=family or [], traces=trace or [], options=options)
    for line in context.notes:
        view.note(line)
    if as_json:
        view.show_json(report)
    else:
        from skillc.cli.show_compile import show_compile

        show_compile(report, minimum=context.policy.thresholds.minimum_families, base=context.base.branch)
    _end_if_failed(report, as_json)
    if require and not any(f.group.versions for f in report.families):
        raise typer.Exit(1)


def _end_if_failed(report: "CompileReport", as_json: bool) -> None:
    """Tells the first failed model call and ends the command; the report was shown before."""
    from skillc.errors import EngineError

    failed = next((f.failure for f in report.families if f.failure is not None), None)
    if failed is None:
        return
    if not as_json:
        view.note(f"error: {failed.reason}")
        view.hint(failed.hint or "run the command again")
    raise typer.Exit(EngineError.code)


def review_command(
    name: Annotated[str | None, Argument(help="A task family, Skill, run or branch; default: all that wait.")] = None,
    body: Annotated[Path | None, Option(help="Write the pull request's body to this file.")] = None,
    create: Annotated[
        bool, Option("--create-pr", help="Push each branch; open its pull request with gh, or bring it up to date.")
    ] = False,
    field: Annotated[list[str] | None, Option(help="Only these fields, as steps; may be repeated.")] = None,
    skill: Annotated[str | None, Option(help="Only this Skill of a candidate.")] = None,
    only_open: Annotated[
        bool, Option("--only-open", help="Only gates that do not pass, warnings and risks; no lines.")
    ] = False,
    no_pager: Annotated[bool, Option("--no-pager", help="Print, however long it is.")] = False,
    as_json: Json = False,
) -> None:
    """Shows what waits for a decision: each line of a candidate with the events behind it.

    What is longer than the terminal goes through $SKILLC_PAGER, else $PAGER, else `less -FRX`.

    Examples:

      skillc review

      skillc review fix-failing-test --field steps

      skillc review --only-open --json

      skillc review fix-failing-test --body pr.md

      skillc review --create-pr
    """
    context = opened()
    from skillc.errors import UsageError
    from skillc.lifecycle.review import review
    from skillc.lifecycle.review_filter import filtered

    report = review(context, name)
    if (body is not None or create) and (field or skill or only_open):
        raise UsageError("a pull request tells everything", hint="leave --field, --skill and --only-open away")
    if body is not None:
        if len(report.candidates) != 1:
            raise UsageError("a pull request is for one candidate", hint="skillc review FAMILY --body FILE")
        from skillc.lifecycle.pull_request import write_body

        write_body(report.candidates[0], body.absolute())
        view.note(f"wrote {body}")
    if create:
        _put_pull_requests(context, report, as_json=as_json)
        return
    report = filtered(report, fields=field or (), skill=skill, only_open=only_open)
    if as_json:
        view.show_json(report)
        return
    from skillc.cli.paging import paged
    from skillc.cli.show_review import show_review

    with paged(is_wanted=not no_pager):
        show_review(report, context)


def _put_pull_requests(context: "Context", report: "ReviewReport", *, as_json: bool) -> None:
    from skillc.lifecycle.forge import put_pull_requests

    done = put_pull_requests(context, report.candidates)
    if as_json:
        view.show_json(done)
    elif not done.pull_requests:
        view.say("nothing waits for review")
    for put in done.pull_requests if not as_json else ():
        if put.state == "failed":
            view.note(f"error: {put.branch}: {put.reason}")
            view.hint(put.next)
        else:
            view.say(f"{put.state}  {view.literal(put.address)}  {view.literal(put.branch)}")
    if any(put.state == "failed" for put in done.pull_requests):
        from skillc.errors import RepoError

        raise typer.Exit(RepoError.code)


def reject_command(
    name: Annotated[str, Argument(help="A run, family or Skill that waits, or a Skill on base.")],
    claim: Annotated[str | None, Argument(help="One line, by its id in `skillc review` or `skillc why`.")] = None,
    reason: Annotated[str, Option(help="Why; kept with the record.")] = "",
    as_json: Json = False,
) -> None:
    """Rejects a candidate or one line of it; it is not made again from the same evidence.

    Examples:

      skillc reject fix-failing-test --reason "too general"

      skillc reject fix-failing-test step-read-the-file --reason "not needed here"
    """
    from skillc.lifecycle.reject import reject

    context = opened()
    by = who(context)
    report = reject(context, name, claim, reason=reason, by=by)
    if as_json:
        view.show_json(report)
        return
    what = f"line {report.claim} of {report.skill}" if report.claim else f"run {report.run}"
    view.say(f"rejected  {what}")
    if report.branch:
        view.say(f"deleted   {report.branch}")
        view.hint(f"undo: git branch {report.branch} {report.commit}")
    else:
        view.hint("next: skillc compile makes the candidate again without this line")
