"""The call in a turn, in each of the three ways of saying it."""

from typing import Any

import pytest

from skillc.importers.swe_agent_calls import PlannedCall, calls_in, text_without_call

XML = "Look\n<function=str_replace_editor>\n<parameter=command>view</parameter>\n<parameter=path>/a</parameter>\n</function>"


@pytest.mark.parametrize(
    ("item", "response", "calls"),
    [
        (
            {"tool_calls": [{"id": "c", "function": {"name": "f", "arguments": '{"a": 1}'}}]},
            "",
            [PlannedCall("f", {"a": 1}, "c")],
        ),
        ({}, XML, [PlannedCall("str_replace_editor", {"command": "view", "path": "/a"}, None)]),
        ({}, "Look\n<command>\nls -F\n</command>", [PlannedCall("bash", {"command": "ls -F"}, None)]),
        ({"action": "ls | wc\n"}, "", [PlannedCall("bash", {"command": "ls | wc"}, None)]),
        ({"action": 'open "a b.py" 3'}, "", [PlannedCall("open", {"arguments": '"a b.py" 3'}, None)]),
        ({"action": "submit"}, "", [PlannedCall("submit", {}, None)]),
        ({"action": "submitted.sh"}, "", [PlannedCall("bash", {"command": "submitted.sh"}, None)]),
        ({"action": " \n"}, "", []),
        ({"action": 7, "tool_calls": [7, {"function": 3}, {"function": {"name": None}}]}, "", []),
    ],
)
def test_each_way_of_calling_is_read(item: dict[str, Any], response: str, calls: list[PlannedCall]):
    assert calls_in(item, response) == calls


def test_what_is_said_beside_a_call_is_kept():
    call = [PlannedCall("bash", {}, None)]

    assert text_without_call(XML, call) == "Look\n"
    assert text_without_call("See\n```py\nx\n```\nRun\n```\nls\n```", call) == "See\n```py\nx\n```\nRun\n"
    assert text_without_call("See\n```\nx\n```", []) == "See\n```\nx\n```"
