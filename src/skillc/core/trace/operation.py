"""Operations: what a tool call does, named without its arguments' values.

`operation` is the part of a call that may decide a task family, so it carries no instance data. Paper: 5.1.
"""

from collections.abc import Mapping
from typing import Any


def operation_of(tool: str, arguments: Mapping[str, Any] | None) -> str | None:
    """Returns the operation of a call, or None where the tool's name says it all."""
    if tool != "Bash" or not arguments or not isinstance(arguments.get("command"), str):
        return None
    words = str(arguments["command"]).split()
    return " ".join(words[:1]) or None
