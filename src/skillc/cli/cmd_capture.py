"""`capture`: evidence in, from files, from every session of a project, or from what the hook saw end."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from skillc.cli import view
from skillc.cli.cmd_setup import EVERYDAY, DryRun, Json
from skillc.cli.opening import opened

if TYPE_CHECKING:
    from skillc.core.policy import SplitRule
    from skillc.lifecycle.capture import CaptureOptions
    from skillc.lifecycle.context import Context

# The kinds of importers.table, which is not loaded to show a help text; tests/cli holds the two together.
FORMATS = (
    "native, claude-code, codex, gemini, atif, swe-agent, intercode, tau-bench, tau2, langsmith, braintrust, langfuse,"
    " otel, messages"
)

_ABOUT_SOURCES = ("paths", "kind", "everything", "family", "verifier", "attempt_key", "outcome_file", "split")


def register(app: typer.Typer) -> None:
    """Adds the command of this module."""
    app.command("capture", rich_help_panel=EVERYDAY)(capture_command)


def capture_command(
    ctx: typer.Context,
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
    outcome_file: Annotated[
        str | None, Option(help="A file that holds the outcomes of messages, or the feedback of a store.")
    ] = None,
    split: Annotated[
        str | None, Option(help="session, or objective: a new task of yours begins a new attempt; default: policy.")
    ] = None,
    hook: Annotated[
        bool, Option("--hook", help="Take one event of a host on standard input; hosts call this.")
    ] = False,
    agent: Annotated[str | None, Option(help="With --hook: claude-code, codex or gemini; default: told by it.")] = None,
    drain_spool: Annotated[bool, Option("--drain", help="Capture the sessions that the hook saw end.")] = False,
    off: Annotated[bool, Option("--off", help="Stop the hook in this repository, until --on.")] = False,
    on: Annotated[bool, Option("--on", help="Let the hook work again in this repository.")] = False,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Imports agent sessions as Traces: redacted, salted, stored once.

    With a hook (skillc init --host claude-code) sessions are captured by themselves: the next skillc command takes
    what has ended. SKILLC_OFF=1 stops the hook for one process.

    Examples:

      skillc capture --all

      skillc capture ~/.claude/projects/-home-me-app/4fa9a9f2.jsonl

      skillc capture ~/.codex/sessions/2026/12/04

      skillc capture --from messages --messages-field traj --attempt-key task_id --verifier reward runs.json
    """
    if hook or agent is not None or off or on or drain_spool:
        _hook(ctx.params, is_drain=drain_spool, off=off, dry_run=dry_run, as_json=as_json)
        return
    context = opened(dry_run=dry_run)
    from skillc.lifecycle.capture import CaptureOptions, MessagesOptions

    options = CaptureOptions(
        kind=kind,
        task_family=family,
        messages=MessagesOptions(messages_field, attempt_key, outcome_file),
        verifier_id=verifier,
        split=_split_rule(split),
        skips_empty=everything,
        dry_run=dry_run,
    )
    _capture(context, list(paths or []), everything, options, as_json)


def _split_rule(split: str | None) -> "SplitRule | None":
    from skillc.core.policy import SplitRule
    from skillc.errors import UsageError

    try:
        return SplitRule(split) if split is not None else None
    except ValueError:
        raise UsageError(f"--split takes session or objective, not {split!r}") from None


def _capture(
    context: "Context", sources: list[str], everything: bool, options: "CaptureOptions", as_json: bool
) -> None:
    from skillc.errors import DataError, UsageError
    from skillc.lifecycle.capture import capture
    from skillc.lifecycle.sources import sessions_of_project

    if everything:
        sources += sessions_of_project(context.repository.root)
    if not sources:
        what = "no host keeps a session of this project folder" if everything else "name a session file, or use --all"
        raise UsageError(what, hint="skillc capture PATH" + ("" if everything else ", or skillc capture --all"))
    if options.task_family is not None:
        from skillc.lifecycle.families import require_slug

        require_slug(options.task_family)
    from skillc.lifecycle.compile_on_close import compile_on_close

    report = capture(context, sources, options)
    for line in compile_on_close(context, report):
        view.note(line)
    if as_json:
        view.show_json(report)
    else:
        from skillc.cli.show_evidence import show_capture

        check = next((v.id for v in context.policy.verifiers if v.run), None)
        show_capture(report, dry_run=options.dry_run, check=check)
    raise typer.Exit(DataError.code if report.failed else 0)


def _require_alone(given: dict[str, object]) -> None:
    """Raises UsageError unless one thing is asked of the hook, and nothing about sources."""
    from skillc.errors import UsageError

    if given["hook"] or given["agent"] is not None:  # the real one is answered before the command line is loaded
        raise UsageError("--hook stands right after `capture`", hint="skillc capture --hook [--agent NAME]")
    ways = [bool(given[name]) for name in ("off", "on", "drain_spool")]
    about_sources = [given[name] for name in _ABOUT_SOURCES] + [given["messages_field"] != "messages"]
    if sum(ways) > 1:
        raise UsageError("--off, --on or --drain, one at a time")
    if any(about_sources):
        raise UsageError(
            "--off, --on and --drain name no sources, and take no option about them",
            hint="skillc capture --drain takes what the hook saw end; skillc capture PATH takes a file",
        )


def _hook(given: dict[str, object], *, is_drain: bool, off: bool, dry_run: bool, as_json: bool) -> None:
    """What concerns the hook: its switch, and what it left in the spool."""
    _require_alone(given)
    if is_drain:
        _drain(dry_run=dry_run, as_json=as_json)
        return
    from skillc.lifecycle.capture_report import HookSwitch
    from skillc.lifecycle.drain import switch_hook

    if not dry_run:
        switch_hook(Path.cwd(), is_off=off)
    if as_json:
        view.show_json(HookSwitch(is_on=not off))
        return
    verb = "would be" if dry_run else "is"
    view.say(f"capture by hook {verb} " + ("off here; again: skillc capture --on" if off else "on here"))


def _drain(*, dry_run: bool, as_json: bool) -> None:
    from skillc.lifecycle.compile_on_close import compile_on_close
    from skillc.lifecycle.drain import drain
    from skillc.lifecycle.drain_preview import preview_drain

    context = opened(drains=False, dry_run=dry_run)
    report = preview_drain(context) if dry_run else drain(context, idle_s=0)
    for line in compile_on_close(context, report.captured):
        view.note(line)
    if as_json:
        view.show_json(report)
        return
    from skillc.cli.show_evidence import show_drain

    show_drain(report, dry_run=dry_run)
