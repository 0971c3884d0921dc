"""Long answers on a terminal go through the pager; on a pipe, and when they fit, they are printed.

Not here: which pager (lifecycle.pager).
"""

import io
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout


class _Kept(io.StringIO):
    """What is printed, kept for now; it is a terminal, so that colours stay."""

    def isatty(self) -> bool:
        return True


@contextmanager
def paged(*, is_wanted: bool = True) -> Iterator[None]:
    """Collects what is printed inside, and shows it in a pager when it is longer than the terminal is high."""
    if not (is_wanted and sys.stdout.isatty()):
        yield
        return
    kept = _Kept()
    try:
        with redirect_stdout(kept):
            yield
    finally:
        _show(kept.getvalue())


def _show(text: str) -> None:
    from skillc.lifecycle.pager import show_in_pager

    sys.stdout.flush()
    is_long = text.count("\n") >= shutil.get_terminal_size().lines
    if not (is_long and show_in_pager(text)):
        sys.stdout.write(text)
