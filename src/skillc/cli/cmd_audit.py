"""`audit`: what happened, in order, and whether the record of it is whole."""

from typing import Annotated

import typer
from typer import Option

from skillc.cli import view
from skillc.cli.cmd_setup import Json
from skillc.cli.opening import opened

EXPERT = "Expert"


def register(app: typer.Typer) -> None:
    """Adds the command of this module."""
    app.command("audit", rich_help_panel=EXPERT)(audit_command)


def audit_command(
    since: Annotated[str | None, Option(help="A day or time, as 2026-11-30.")] = None,
    skill: Annotated[str | None, Option(help="One Skill, by name or id.")] = None,
    verify: Annotated[bool, Option("--verify", help="Check that the record is whole, unchanged and in order.")] = False,
    pin: Annotated[str | None, Option(help="With --verify: a ledger commit that you kept elsewhere.")] = None,
    pin_anew: Annotated[
        bool, Option("--pin-anew", help="Keep the ledger as it is now, after you took records back on purpose.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Lists every verification, approval, admission, rejection, evaluation, publication and deletion, oldest first.

    With --verify it finds any record that was changed, removed or reordered, any admission without its approval, any
    commit to a Skill's folder that no admission explains, and a ledger that does not descend from a pinned commit.
    Exit code 1 where it finds one.

    Examples:

      skillc audit --since 2026-11-01 --skill refund-order

      skillc audit --verify --json
    """
    from skillc.cli.show_audit import show_audit, show_verified
    from skillc.lifecycle.audit import audit
    from skillc.lifecycle.audit_verify import pin_anew as pin_it
    from skillc.lifecycle.audit_verify import verify_audit

    if pin_anew:
        from skillc.cli.terminal import require_person

        require_person("audit --pin-anew")
        view.say(f"pinned  {pin_it(opened())[:12]}")
        return
    if verify or pin is not None:
        report = verify_audit(opened(), pin=pin)
        if as_json:
            view.show_json(report)
        else:
            show_verified(report)
        raise typer.Exit(0 if report.ok else 1)
    events = audit(opened(for_reading=True), since=since, skill=skill)
    if as_json:
        view.show_json(events)
    else:
        show_audit(events)
