"""The lines of a newer Gemini CLI session are replayed: the last form of each message, in its first place."""

import io
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from skillc.importers.base import ImportReport
from skillc.importers.gemini_log import MessageLog, is_log
from tests.importers.fuzzing import lines, mutated, survives

HEAD = {"sessionId": "s", "projectHash": "h", "startTime": "2026-01-05T09:00:00Z"}


def message(name: str, content: str = "x", kind: str = "user") -> dict[str, Any]:
    return {"id": name, "type": kind, "content": content}


def replayed(*records: Any) -> tuple[list[str], ImportReport]:
    report = ImportReport(path="x", kind="gemini")
    log = MessageLog(io.BytesIO(lines([HEAD, *records])), report)
    return [f"{m.get('id')}={m.get('content')}" for m in log.messages()], report


def test_the_last_form_of_a_message_counts_in_its_first_place():
    found, report = replayed(message("a"), message("b"), message("a", "y"))

    assert found == ["a=y", "b=x"]
    assert report.skipped["earlier form of a message"] == 1


def test_a_rewind_takes_back_its_target_and_all_after_it():
    found, report = replayed(message("a"), message("b"), message("c"), {"$rewindTo": "b"}, message("d"))

    assert found == ["a=x", "d=x"]
    assert report.skipped["message of an abandoned branch"] == 2


def test_a_rewind_to_nothing_known_takes_back_everything():
    assert replayed(message("a"), {"$rewindTo": "z"}, message("b"))[0] == ["b=x"]


def test_messages_of_a_change_are_added_and_none_is_lost_by_it():
    """A client replaces its own list when it compresses it; what was said before stays evidence."""
    change = {"$set": {"lastUpdated": "x", "messages": [message("b", "y"), message("c"), 7]}}

    assert replayed(message("a"), message("b"), change)[0] == ["a=x", "b=y", "c=x"]


def test_what_the_first_line_says_can_change():
    log = MessageLog(io.BytesIO(lines([HEAD, {"$set": {"directories": ["/srv"]}}])), ImportReport(path="x", kind="g"))
    assert log.meta["directories"] == ["/srv"]


def test_a_cut_last_line_and_other_lines_are_counted():
    report = ImportReport(path="x", kind="gemini")
    data = lines([HEAD, message("a"), 7, {"x": 1}]) + b"{bad\n" + b'{"id":"b"'
    assert [m["id"] for m in MessageLog(io.BytesIO(data), report).messages()] == ["a"]
    assert report.skipped == {
        "line that is no object": 1,
        "line that is no message": 1,
        "line that is not JSON": 1,
        "cut last line": 1,
    }


def test_a_bom_and_crlf_do_not_move_the_places():
    data = b"\xef\xbb\xbf" + lines([HEAD | {"messages": [message("a")]}, message("b")]).replace(b"\n", b"\r\n")
    log = MessageLog(io.BytesIO(data), ImportReport(path="x", kind="gemini"))
    assert [m["id"] for m in log.messages()] == ["a", "b"]


def test_only_a_head_makes_a_log():
    assert is_log([HEAD])
    assert not is_log([HEAD | {"type": "user"}])
    assert not is_log([])


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_no_line_of_any_shape_breaks_the_replay(data: st.DataObject):
    records = [
        HEAD,
        message("a"),
        message("b", kind="gemini"),
        {"$set": {"messages": [message("c")]}},
        {"$rewindTo": "c"},
    ]
    survives("gemini", lines(data.draw(mutated(records))))
