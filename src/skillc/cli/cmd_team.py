"""`check`, `sync`: the gate in CI, and the ways between clones."""

from typing import Annotated

import typer
from typer import Argument, Option

from skillc.cli import view
from skillc.cli.cmd_setup import Json
from skillc.cli.opening import opened

TEAM = "Team"


def register(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    app.command("check", rich_help_panel=TEAM)(check_command)
    app.command("sync", rich_help_panel=TEAM)(sync_command)


def check_command(
    revision: Annotated[str | None, Argument(help="A branch or commit; default: HEAD.")] = None,
    against: Annotated[str | None, Option(help="What it is compared with; default: base.")] = None,
    as_json: Json = False,
) -> None:
    """Checks every Skill of a revision: records, citations, rendering, limits, scan, groups, trailers.

    Exit code 0: all is right. 1: a problem, or evidence that is not here.

    Examples:

      skillc check

      skillc check skillc/candidate/fix-failing-test
    """
    context = opened(for_reading=True)
    from skillc.cli.show_compile import show_check
    from skillc.lifecycle.check import check

    report = check(context, revision, against)
    if as_json:
        view.show_json(report)
    else:
        show_check(report)
    raise typer.Exit(0 if report.ok else 1)


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
