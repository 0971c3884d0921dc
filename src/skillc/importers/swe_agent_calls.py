"""The call in one turn of a SWE-agent run: function calls, XML in the text, or a command line.

Not here: the order of turns and observations (importers.swe_agent).
"""

import re
from typing import Any, NamedTuple

from skillc.core.words import names
from skillc.importers.attempt import arguments_of

SHELL_TOOL = "bash"

# Commands of the agent's own interface: they are no programs of a shell.
_COMMANDS = names(
    "open goto scroll_up scroll_down create edit insert search_dir search_file find_file submit view_image "
    "str_replace_editor exit_forfeit exit_cost exit_context exit_format exit_error"
)
_FUNCTION = re.compile(r"<function=([\w.-]{1,64})>(.*?)</function>", re.DOTALL)
_PARAMETER = re.compile(r"<parameter=([\w.-]{1,64})>(.*?)</parameter>", re.DOTALL)
_COMMAND_TAG = re.compile(r"<command>\s*\n?(.*?)\n?\s*</command>", re.DOTALL)
_FENCE = re.compile(r"^```[^\n]*\n.*?^```[ \t]*$", re.DOTALL | re.MULTILINE)


class PlannedCall(NamedTuple):
    """A call as the turn says it."""

    tool: str
    arguments: dict[str, Any]
    id: str | None


def calls_in(item: dict[str, Any], response: str) -> list[PlannedCall]:
    """Returns the calls of a turn: its function calls, else those in XML, else its action."""
    found = item.get("tool_calls")
    planned = [call for call in map(_function_call, found) if call] if isinstance(found, list) else []
    if planned:
        return planned
    planned = [
        PlannedCall(name, {key: value.strip("\n") for key, value in _PARAMETER.findall(body)}, None)
        for name, body in _FUNCTION.findall(response)
    ]
    if planned:
        return planned
    tagged = _COMMAND_TAG.search(response)
    action = item.get("action") or (tagged[1] if tagged else None)
    if not isinstance(action, str) or not action.strip():
        return []
    word, _, rest = action.strip().partition(" ")
    word = word.partition("\n")[0]
    if word in _COMMANDS:
        return [PlannedCall(word, {"arguments": action.strip()[len(word) :].lstrip(" ")} if rest else {}, None)]
    return [PlannedCall(SHELL_TOOL, {"command": action.rstrip("\n")}, None)]


def text_without_call(response: str, planned: list[PlannedCall]) -> str:
    """Returns what a turn says beside its call."""
    if not planned:
        return response
    text = _COMMAND_TAG.sub("", _FUNCTION.sub("", response))
    fences = list(_FENCE.finditer(text))
    return text[: fences[-1].start()] if fences and text == response else text


def _function_call(call: Any) -> PlannedCall | None:
    function = call.get("function") if isinstance(call, dict) else None
    if not isinstance(function, dict) or not isinstance(function.get("name"), str):
        return None
    name = call.get("id")
    return PlannedCall(
        function["name"], arguments_of(function.get("arguments")), name if isinstance(name, str) and name else None
    )
