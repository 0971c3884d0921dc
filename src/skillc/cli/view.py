"""What a person sees: plain lines on a pipe, the same with a little colour on a terminal.

Text from Traces and Skills is printed literally: control characters are shown, never sent. `literal` makes it one
line where it is put into a line of ours, and `say` lets no escape through that is not ours. Data goes to
standard output, everything else to standard error.
"""

import os
import re
import sys
from collections.abc import Iterable

from pydantic import BaseModel

_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff\U000e0000-\U000e007f]"
)
# What stands for an escape of ours until a line is sent. Nobody else knows it, so no Trace can hold it.
_MARK = os.urandom(8).hex()
_STYLES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}


def printable(text: str) -> str:
    """Returns the text with control and invisible characters as visible escapes; lines and tabs stay."""
    return _UNPRINTABLE.sub(lambda m: f"\\x{ord(m[0]):02x}" if ord(m[0]) < 256 else f"\\u{ord(m[0]):04x}", text)


def literal(text: str, *, width: int | None = None) -> str:
    """Returns Trace or Skill text on one printable line, cut to a width where one is given."""
    line = " ".join(printable(text.replace("\t", " ")).split())
    return line if width is None or len(line) <= width else line[: width - 1] + "…"


def has_colour() -> bool:
    """Says whether standard output is a terminal that wants colour."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def styled(text: str, style: str) -> str:
    """Returns the text in a style on a terminal, and as it is anywhere else."""
    return f"{_MARK}[{_STYLES[style]}m{text}{_MARK}[0m" if has_colour() else text


def say(line: str = "") -> None:
    """Prints one line of data; of all escapes only those of `styled` reach the terminal."""
    print(printable(line).replace(_MARK, "\x1b"))


def note(line: str) -> None:
    """Prints one line that is not data."""
    print(printable(line), file=sys.stderr)


def hint(line: str) -> None:
    """Prints what to do next, on its own line after an empty one."""
    print(f"\nhint: {printable(line)}", file=sys.stderr)


def show_json(record: BaseModel) -> None:
    """Prints a record as indented JSON; absent values are null, so that every field is there."""
    print(record.model_dump_json(indent=2))


def table(rows: Iterable[tuple[str, ...]], *, header: tuple[str, ...]) -> None:
    """Prints aligned columns; the last one is not padded."""
    found = [header, *rows]
    widths = [max(len(row[i]) for row in found) for i in range(len(header))]
    for number, row in enumerate(found):
        cells = [cell.ljust(width) for cell, width in zip(row[:-1], widths[:-1], strict=True)] + [row[-1]]
        line = "  ".join(cells).rstrip()
        say(styled(line, "dim") if number == 0 else line)
