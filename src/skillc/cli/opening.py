"""Opening the namespace for a command, and telling on standard error what opening found."""

from typing import TYPE_CHECKING

from skillc.cli import view

if TYPE_CHECKING:
    from skillc.lifecycle.context import Context


def opened(*, for_reading: bool = False, drains: bool = True, dry_run: bool = False) -> "Context":
    """Returns the context around the current folder; its notes are printed.

    A command opens first and loads what it needs afterwards, so that what is wrong with the place is told at once.
    What the capture hook left in the spool is taken first, unless `drains` is false. That never fails a command.
    A dry run takes nothing and writes nothing.
    """
    from skillc.lifecycle.context import open_context

    context = open_context(for_reading=for_reading, dry_run=dry_run)
    if drains and not dry_run:
        _drain(context)
    for line in context.notes:
        view.note(line)
    context.notes.clear()
    return context


def who(context: "Context") -> str:
    """Returns who gives this command, as git knows them: for records that nobody signs."""
    return context.repository.settings.get("user.name", "somebody")


def _drain(context: "Context") -> None:
    if not context.has_spooled:
        return
    from skillc.errors import SkillcError
    from skillc.lifecycle.compile_on_close import compile_on_close
    from skillc.lifecycle.drain import drain, drained_note

    compiled: list[str] = []
    try:
        report = drain(context)
        note = drained_note(report)
        compiled = compile_on_close(context, report.captured)
    except SkillcError as error:
        note = f"sessions wait in the spool: {error.message}"
    context.notes += [*([note] if note else []), *compiled]
