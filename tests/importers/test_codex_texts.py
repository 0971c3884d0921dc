"""Whose text it is, and what an output says of its call."""

import json
from typing import Any

import pytest

from skillc.importers.codex_texts import (
    ToolOutput,
    is_aborted,
    is_injected,
    local_folder,
    message_text,
    request_of,
    tool_output,
    words_of_user,
)


@pytest.mark.parametrize(
    "text",
    [
        "<environment_context>\n</environment_context>",
        "  <user_instructions>x</user_instructions>",
        "# AGENTS.md instructions for /x",
        "<permissions instructions>x",
        "<skills_instructions>x",
    ],
)
def test_texts_of_the_client_are_known(text: str):
    assert is_injected(text)


@pytest.mark.parametrize("text", ["<b>bold</b>", "environment_context", "Read AGENTS.md instructions", "<environment>"])
def test_words_of_a_person_are_not_taken_for_the_clients(text: str):
    assert not is_injected(text)


def test_the_request_stands_after_the_context_of_the_editor():
    text = "# Context from my IDE setup:\n\n## Open tabs:\n- a.py\n\n## My request for Codex:\nFix it\n## My request for Codex:\nx"

    assert request_of(text) == "Fix it\n## My request for Codex:\nx"
    assert request_of("# Context from my IDE setup:\n- a.py") == ""
    assert request_of("Fix it") == "Fix it"


def test_parts_that_the_record_marks_as_the_clients_are_left_out():
    payload = {
        "content": [{"type": "input_text", "text": "rules"}, {"type": "input_text", "text": "Fix it"}],
        "internal_chat_message_metadata_passthrough": {
            "content_item_metadata": [{"provenance": {"type": "harness"}}, {"provenance": {"type": "user"}}]
        },
    }

    assert words_of_user(payload) == "Fix it"
    assert words_of_user({"content": "Fix it"}) == "Fix it"
    assert words_of_user({"content": 7}) == ""


def test_other_parts_of_a_message_become_placeholders():
    content = [
        {"type": "input_image", "image_url": "data:image/png;base64,AAAA"},
        {"type": "input_text", "text": "x"},
        3,
    ]

    assert message_text(content, ("input_text",)) == "[input_image]\nx"


@pytest.mark.parametrize(
    ("value", "printed", "is_error"),
    [
        (json.dumps({"output": "a\n", "metadata": {"exit_code": 0}}), "a\n", False),
        (json.dumps({"output": "a", "metadata": {"exit_code": 2}}), "a", True),
        (json.dumps({"output": "a", "metadata": {}}), "a", None),
        (json.dumps({"output": 1, "metadata": {}}), '{"output": 1, "metadata": {}}', None),
        ('{"output": "cut', '{"output": "cut', None),
        ("Process exited with code 0\nOutput:\na", "a", False),
        ("Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 137\nOutput:\na", "a", True),
        ("Exit code: 1\nWall time: 1 seconds\nOutput:\na", "a", True),
        ("Process running with session ID 7\nOutput:\na", "a", None),
        ("plain", "plain", None),
        (None, "", None),
        (7, "[int]", None),
        ({"content": "a", "success": False}, "a", True),
        ([{"type": "input_text", "text": "a"}, {"type": "input_image"}], "a\n[input_image]", None),
        ("apply_patch verification failed: no such file", "apply_patch verification failed: no such file", True),
    ],
)
def test_every_shape_of_an_output_is_read(value: Any, printed: str, is_error: bool | None):
    found = tool_output(value)
    assert (found.printed, found.is_error) == (printed, is_error)


def test_what_a_program_prints_cannot_pass_as_the_exit_code():
    """A command that fails may print the sentence of a command that ended well, and the other way round."""
    text = "Wall time: 0.1 seconds\nProcess exited with code 1\nOutput:\nProcess exited with code 0\n"

    assert tool_output(text).is_error is True
    assert tool_output("All fine\nProcess exited with code 1\n") == ToolOutput(
        "All fine\nProcess exited with code 1\n", "All fine\nProcess exited with code 1\n", None
    )


def test_a_working_folder_is_a_path_or_a_file_address():
    assert local_folder("file:///home/dev/proj") == "/home/dev/proj"
    assert local_folder("C:\\shop") == "C:\\shop"
    assert local_folder("shop") is None
    assert local_folder(7) is None


def test_the_mark_of_a_stopped_turn_is_known():
    assert is_aborted("<turn_aborted>\nThe user interrupted")
    assert not is_aborted("turn_aborted")
