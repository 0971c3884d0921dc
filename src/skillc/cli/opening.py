"""Opening the namespace for a command, and telling on standard error what opening found."""

from typing import TYPE_CHECKING

from skillc.cli import view

if TYPE_CHECKING:
    from skillc.lifecycle.context import Context


def opened(*, for_reading: bool = False) -> "Context":
    """Returns the context around the current folder; its notes are printed."""
    from skillc.lifecycle.context import open_context

    context = open_context(for_reading=for_reading)
    for line in context.notes:
        view.note(line)
    context.notes.clear()
    return context
