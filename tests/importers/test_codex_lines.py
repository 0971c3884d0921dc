"""The lines of a rollout: wrapped, bare, cut, or nothing of the kind."""

import io
from typing import Any

import pytest

from skillc.importers.base import ImportReport
from skillc.importers.codex_lines import ids_named, is_bare_meta, item_of, iter_items, session_id_of, source_of
from tests.importers.rollouts import ID, PARENT, Rollout


def items(data: bytes) -> tuple[list[str], ImportReport]:
    report = ImportReport(path="x", kind="codex")
    return [item.type for item in iter_items(io.BytesIO(data), report)], report


def test_a_cut_last_line_is_left_out_and_told():
    found, report = items(b'{"type":"event_msg","payload":{}}\n{"type":"event_m')

    assert found == ["event_msg"]
    assert report.skipped == {"cut last line": 1}
    assert report.notes == ["the last line is cut off and was left out"]


def test_lines_that_are_no_items_are_counted():
    found, report = items(b'7\n"text"\n[1]\n{"type":3,"payload":{}}\n{x\n\n{"type":"new","payload":{}}\n')

    assert found == ["new"]
    assert report.skipped == {"line that is no rollout item": 4, "line that is not JSON": 1}


def test_bom_crlf_and_raw_line_separators_are_read():
    data = b'\xef\xbb\xbf{"type":"a","payload":{}}\r\n{"type":"b","payload":{"t":"\xe2\x80\xa8\x0c"}}\r\n'

    assert items(data)[0] == ["a", "b"]


def test_nesting_too_deep_is_a_counted_line():
    deep = b'{"type":"a","payload":' + b'{"x":' * 5000 + b"1" + b"}" * 5001 + b"\n"

    assert items(deep)[1].skipped == {"line that is not JSON": 1}


@pytest.mark.parametrize(
    ("record", "kind"),
    [
        ({"type": "message", "role": "user"}, "response_item"),
        ({"id": "x", "timestamp": "t", "instructions": None}, "session_meta"),
        ({"record_type": "state"}, "state"),
        ({"type": "message", "payload": {}}, "message"),
    ],
)
def test_a_bare_line_is_given_the_type_of_newer_files(record: dict[str, Any], kind: str):
    found = item_of(record)
    assert found is not None
    assert found.type == kind


def test_a_bare_head_is_no_record_of_messages():
    assert not is_bare_meta({"id": "x", "timestamp": "t", "git": {}, "messages": []})


def test_the_source_of_a_session_is_the_fork_or_the_spawner():
    spawned = {"source": {"subagent": {"thread_spawn": {"parent_thread_id": PARENT}}}}

    assert source_of({"forked_from_id": PARENT}) == PARENT
    assert source_of(spawned) == PARENT
    assert source_of({"source": "exec", "forked_from_id": None}) is None
    assert session_id_of({"session_id": ID}) == ID
    assert session_id_of({"id": 7}) == ""


def test_a_head_names_its_source_and_the_head_that_was_copied_into_it():
    rollout = Rollout(forked_from_id=PARENT)
    rollout.records += Rollout(session="01a229bf-0000-7000-8000-00000000000b").records

    assert ids_named(rollout.data()) == (PARENT, "01a229bf-0000-7000-8000-00000000000b")
