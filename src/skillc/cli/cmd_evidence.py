"""`capture`, `verify`, `traces`, `trust`, `families`: evidence in, and what it is worth."""

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from skillc.cli import view
from skillc.cli.cmd_setup import EVERYDAY, DryRun, Json
from skillc.cli.opening import opened

TEAM = "Team"
# The kinds of importers.table, which is not loaded to show a help text; tests/cli holds the two together.
FORMATS = "native, claude-code, codex, gemini, atif, swe-agent, intercode, messages"


def register(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    app.command("capture", rich_help_panel=EVERYDAY)(capture_command)
    app.command("verify", rich_help_panel=EVERYDAY)(verify_command)
    app.command("traces", rich_help_panel=TEAM)(traces_command)
    app.command("trust", rich_help_panel=TEAM)(trust_command)
    families = typer.Typer(help="Lists task families, and accepts groups of Traces as families.", no_args_is_help=False)
    families.callback(invoke_without_command=True)(families_command)
    families.command("accept")(accept_command)
    families.command("assign")(assign_command)
    app.add_typer(families, name="families", rich_help_panel=TEAM)


def capture_command(
    paths: Annotated[list[str] | None, Argument(help="Session files or folders, or - for standard input.")] = None,
    kind: Annotated[str | None, Option("--from", help=f"Format, one of: {FORMATS}; default: detected.")] = None,
    everything: Annotated[
        bool, Option("--all", help="Every session of this project: Claude Code, Codex, Gemini CLI.")
    ] = False,
    family: Annotated[str | None, Option(help="Declare the task family of these Traces.")] = None,
    verifier: Annotated[str | None, Option(help="Take outcomes from the source by this registered mapping.")] = None,
    messages_field: Annotated[str, Option(help="messages: field that holds the chat messages.")] = "messages",
    attempt_key: Annotated[
        str | None, Option(help="messages: field that is the same for attempts at one task.")
    ] = None,
    outcome_file: Annotated[str | None, Option(help="messages: a file beside it that holds the outcomes.")] = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Imports agent sessions as Traces: redacted, salted, stored once.

    Examples:

      skillc capture --all

      skillc capture ~/.claude/projects/-home-me-app/4fa9a9f2.jsonl

      skillc capture ~/.codex/sessions/2026/12/04

      skillc capture --from messages --messages-field traj --attempt-key task_id --verifier reward runs.json
    """
    from skillc.errors import DataError, UsageError
    from skillc.lifecycle.capture import CaptureOptions, MessagesOptions, capture
    from skillc.lifecycle.sources import sessions_of_project

    context = opened()
    sources = list(paths or [])
    if everything:
        sources += sessions_of_project(context.repository.root)
    if not sources:
        what = "no host keeps a session of this project folder" if everything else "name a session file, or use --all"
        raise UsageError(what, hint="skillc capture PATH" + ("" if everything else ", or skillc capture --all"))
    if family is not None:
        from skillc.lifecycle.families import require_slug

        require_slug(family)
    options = CaptureOptions(
        kind=kind,
        task_family=family,
        messages=MessagesOptions(messages_field, attempt_key, outcome_file),
        verifier_id=verifier,
        dry_run=dry_run,
    )
    report = capture(context, sources, options)
    if as_json:
        view.show_json(report)
    else:
        from skillc.cli.show_evidence import show_capture

        check = next((v.id for v in context.policy.verifiers if v.run), None)
        show_capture(report, dry_run=dry_run, check=check)
    raise typer.Exit(DataError.code if report.failed else 0)


def verify_command(
    traces: Annotated[
        list[str] | None, Argument(help="Trace ids or their beginnings; default: all unverified.")
    ] = None,
    run: Annotated[str | None, Option("--run", help="Run this registered check at the session's last commit.")] = None,
    at: Annotated[
        str | None, Option("--at", help="The commit that holds the work, where the transcript shows none.")
    ] = None,
    as_person: Annotated[
        str | None, Option("--as", help="Judge as this registered person, with a key of theirs.")
    ] = None,
    outcome: Annotated[str | None, Option(help="With --as: success, partial, failure or abandoned.")] = None,
    key: Annotated[
        Path | None, Option(help="With --as: your private key, or the public half of one in your agent.")
    ] = None,
    reason: Annotated[str, Option(help="With --as: one line in your words.")] = "",
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Settles how attempts ended: by a check that runs, or by a person's word. Signed, on the ledger.

    The check runs in a temporary checkout of the commit that the session ended with. It does not count when the
    session changed the files that the check protects.

    Examples:

      skillc verify --run unit-tests

      skillc verify --run unit-tests t-1b2c --at HEAD

      skillc verify --as alice --outcome success t-1b2c
    """
    from skillc.core.trace.records import Outcome
    from skillc.errors import UsageError
    from skillc.lifecycle.verify import verify_by_check, verify_by_person

    if (run is None) == (as_person is None):
        raise UsageError("say who verifies: --run CHECK or --as NAME", hint="skillc verify --run unit-tests")
    context = opened()
    if run is not None:
        report = verify_by_check(context, run, trace_ids=traces or [], at=at, dry_run=dry_run)
    else:
        from skillc.cli.terminal import require_person

        require_person("verify --as")
        try:
            verdict = Outcome(outcome or "")
        except ValueError:
            raise UsageError("--outcome must be success, partial, failure or abandoned") from None
        path = key or Path(context.repository.settings.get("user.signingkey", "")).expanduser()
        if not path.name:
            raise UsageError("name your key: --key PATH", hint="or set user.signingkey in your git configuration")
        report = verify_by_person(context, as_person or "", verdict, traces or [], key_path=path, reason=reason)
    if as_json:
        view.show_json(report)
        return
    from skillc.cli.show_evidence import show_verify

    show_verify(report, dry_run=dry_run)


def traces_command(
    family: Annotated[str | None, Option(help="Only this task family.")] = None, as_json: Json = False
) -> None:
    """Lists the Traces: outcome, strength, assurance, family, and why each can or cannot support a Skill.

    Example: skillc traces --family fix-failing-test
    """
    from skillc.lifecycle.attempts import load_attempts
    from skillc.lifecycle.traces_list import traces_report

    report = traces_report(load_attempts(opened()), task_family=family)
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
) -> None:
    """Accepts groups of Traces as task families; later Traces that change the same things join them.

    Example: skillc families accept cancel-reservation
    """
    from skillc.lifecycle.attempts import load_attempts
    from skillc.lifecycle.families import accept_groups

    context = opened()
    least = minimum or context.policy.thresholds.minimum_families
    records = accept_groups(context, load_attempts(context), groups or [], minimum=least, name=name)
    for record in records:
        view.say(f"accepted  {record.slug}  {len(record.trace_ids)} Traces")
    if not records:
        view.say(f"no group has {least} attempt families")
        raise typer.Exit(1)
    view.hint("next: skillc compile")


def assign_command(
    family: Annotated[str, Argument(help="The task family.")],
    traces: Annotated[list[str], Argument(help="Trace ids or their beginnings.")],
) -> None:
    """Puts Traces into a task family, whatever they declared.

    Example: skillc families assign fix-failing-test t-1b2c t-77aa
    """
    from skillc.lifecycle.attempts import chosen_attempts
    from skillc.lifecycle.families import assign_traces

    context = opened()
    record = assign_traces(context, chosen_attempts(context, traces), family)
    view.say(f"assigned {len(record.trace_ids)} Traces to {record.slug}")
