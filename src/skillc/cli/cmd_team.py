"""`check`, `sync`: the gate in CI, and the ways between clones."""

import os
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from skillc.cli import view
from skillc.cli.cmd_setup import Json
from skillc.cli.opening import opened

if TYPE_CHECKING:
    from skillc.lifecycle.check import CheckReport

TEAM = "Team"
CHECK_FORMATS = ("text", "json", "github")


def register(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    app.command("check", rich_help_panel=TEAM)(check_command)
    app.command("sync", rich_help_panel=TEAM)(sync_command)


def check_command(
    revision: Annotated[str | None, Argument(help="A branch or commit; default: HEAD.")] = None,
    against: Annotated[str | None, Option(help="What it is compared with; default: base.")] = None,
    form: Annotated[str, Option("--format", help="text, json or github.")] = "text",
    as_json: Annotated[bool, Option("--json", help="The same as --format json.")] = False,
) -> None:
    """Checks every Skill of a revision: records, citations, rendering, limits, scan, groups, trailers.

    Exit code 0: all is right. 1: a problem, or evidence that is not here. With --format github each problem is an
    annotation beside its file, and the whole answer goes to the file that GITHUB_STEP_SUMMARY names.

    Examples:

      skillc check

      skillc check skillc/candidate/fix-failing-test

      skillc check --format github
    """
    if form not in CHECK_FORMATS or (as_json and form == "github"):
        from skillc.errors import UsageError

        what = f"there is no format {form!r}" if form not in CHECK_FORMATS else "--json and --format github are two"
        raise UsageError(what, hint=f"formats: {', '.join(CHECK_FORMATS)}")
    context = opened(for_reading=True)
    from skillc.lifecycle.check import check

    report = check(context, revision, against)
    if as_json or form == "json":
        view.show_json(report)
    elif form == "github":
        _tell_github(report)
    else:
        from skillc.cli.show_check import show_check

        show_check(report)
    raise typer.Exit(0 if report.ok else 1)


def _tell_github(report: "CheckReport") -> None:
    """Prints the annotations, then appends the summary where the runner wants it."""
    from skillc.lifecycle.check_told import check_annotations, check_summary

    for line in check_annotations(report):
        view.say(line)
    place = os.environ.get("GITHUB_STEP_SUMMARY")
    if place:
        with open(place, "ab") as file:
            file.write(check_summary(report).encode("utf-8"))
    verdict = "all is right" if report.ok else f"problems: {len(report.problems)}"
    view.say(f"{report.revision[:12]}: compiled Skills: {report.checked}, {verdict}")


def sync_command(
    remote: Annotated[str, Argument(help="The remote.")] = "origin",
    share_traces: Annotated[
        bool, Option("--share-traces", help="Consent to push Traces to this remote, and remember it.")
    ] = False,
    no_push: Annotated[bool, Option("--no-push", help="Fetch and merge only.")] = False,
    as_json: Json = False,
) -> None:
    """Moves ledger, candidates and, with recorded consent, Traces between this clone and a remote.

    Ledgers of two clones merge by union. Traces stay here until you consent once per remote.

    Example: skillc sync
    """
    from skillc.cli.show_compile import show_sync
    from skillc.lifecycle.sync import sync

    if share_traces:
        from skillc.cli.terminal import require_person

        require_person("sync --share-traces")
    report = sync(opened(), remote, consent=share_traces, push=not no_push)
    if as_json:
        view.show_json(report)
    else:
        show_sync(report)
    raise typer.Exit(0)
