"""Items that another session's file has already are copies."""

import io
from typing import Any

from skillc.importers.base import Companion
from skillc.importers.codex_copies import Copies
from tests.importers.rollouts import Rollout


def copies(rollout: Rollout) -> Copies:
    return Copies([Companion(name="p", open=lambda: io.BytesIO(rollout.data()))])


def message(text: str, **fields: Any) -> dict[str, Any]:
    return {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]} | fields


def test_the_same_id_is_a_copy_wherever_it_stands():
    found = copies(Rollout().user("One", id="u1").shell("c1", "ls", "a"))

    assert not found.holds(message("New", id="u9"))
    assert found.holds(message("One again", id="u1"))
    assert found.holds({"type": "function_call", "call_id": "c1"})
    assert not found.holds({"type": "function_call", "call_id": "c2"})
    assert found.dropped == 2


def test_texts_without_an_id_are_copies_only_from_the_start_on():
    found = copies(Rollout().user("Go on").user("Go on").says("Yes"))

    assert found.holds(message("Go on"))
    assert found.holds(message("Go on"))
    assert not found.holds(message("Go on"))  # said a third time, here
    assert not found.holds(
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Yes"}]}
    )


def test_texts_of_the_client_do_not_end_the_copied_part():
    found = copies(Rollout().user("One"))

    assert not found.holds(message("<environment_context>other day</environment_context>"))
    assert not found.holds({"type": "message", "role": "developer", "content": []})
    assert found.holds(message("One"))


def test_a_file_without_items_is_not_the_source():
    assert not copies(Rollout()).found
    assert copies(Rollout().user("x")).found
