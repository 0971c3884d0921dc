"""A forked session gives only what is its own, whichever file is read first."""

import copy
import io
import json
from typing import BinaryIO

import pytest

from skillc.core.trace.codec import trace_id_of
from skillc.errors import DataError
from skillc.importers.base import Companion
from skillc.importers.claude_forks import fork_of
from tests.importers.reading import Transcript, read

ORIGINAL = "0b7a8f52-3a0c-4a2e-9d3f-1c2b3a4d5e6f"
FORK = "9d06946c-b41d-482e-8ad2-d1d64f54c34f"


def with_real_ids(session: Transcript) -> Transcript:
    """Ids as hosts write them, the same for the same place in the session."""
    for record in session.records:
        for name in ("uuid", "parentUuid"):
            if record[name] is not None and not record[name].endswith("-8000-000000000000"):
                record[name] = f"{int(record[name][1:]):08d}-0000-4000-8000-000000000000"
    return session


def original() -> Transcript:
    session = Transcript(session=ORIGINAL).user("Fix the failing test").bash("c1", "pytest", "1 failed").says("Seen.")
    return with_real_ids(session)


def forked() -> Transcript:
    """As the host writes it: the records before the fork under the new session, ids and times as they were."""
    session = Transcript(session=FORK)
    session.records = copy.deepcopy(original().records)
    for record in session.records:
        record["sessionId"] = FORK
    session.parent = session.records[-1]["uuid"]
    return with_real_ids(session.user("Look at the other module").bash("c2", "ls", "a.py"))


def test_the_copied_records_are_counted_and_give_no_event():
    found = read(
        "claude-code", forked().data(), path=f"{FORK}.jsonl", companions={f"{ORIGINAL}.jsonl": original().data()}
    )

    assert found.kinds == ["user_message", "tool_call", "tool_result"]
    assert found.trace.header.parent_trace_id == trace_id_of("acme", "claude-code", ORIGINAL)
    assert found.report.skipped["record of the session that this one was forked from"] == len(original().records)


def test_the_original_stays_whole():
    found = read(
        "claude-code", original().data(), path=f"{ORIGINAL}.jsonl", companions={f"{FORK}.jsonl": forked().data()}
    )

    assert found.bodies == read("claude-code", original().data(), path=f"{ORIGINAL}.jsonl").bodies


def test_a_fork_whose_original_is_not_here_is_read_whole():
    found = read("claude-code", forked().data(), path=f"{FORK}.jsonl", companions={"x.jsonl": Transcript().data()})
    assert len(found.kinds) == 7
    assert found.trace.header.parent_trace_id is None


def test_a_fork_that_added_nothing_says_so():
    session = Transcript(session=FORK)
    session.records = copy.deepcopy(original().records)
    beside = {f"{ORIGINAL}.jsonl": forked().data()}
    with pytest.raises(DataError, match="of its own"):
        read(
            "claude-code",
            session.data().replace(ORIGINAL.encode(), FORK.encode()),
            path="zz.jsonl",
            companions={f"{ORIGINAL}.jsonl": original().data()},
        )
    assert read("claude-code", session.data(), path=f"{FORK}.jsonl", companions=beside).kinds


def test_two_forks_of_one_session_each_give_their_own():
    second = copy.deepcopy(forked())
    other = "aaaaaaaa-b41d-482e-8ad2-d1d64f54c34f"
    for number, record in enumerate(second.records):
        record["sessionId"] = other
        if number >= len(original().records):
            record["uuid"] = "f" + record["uuid"][1:]
            record["timestamp"] = "2027" + record["timestamp"][4:]
    files = {f"{ORIGINAL}.jsonl": original().data(), f"{FORK}.jsonl": forked().data(), f"{other}.jsonl": second.data()}
    counts = []
    for name, data in files.items():
        beside = {n: d for n, d in files.items() if n != name}
        counts.append(len(read("claude-code", data, path=name, companions=beside).kinds))
    assert counts == [4, 3, 3]


def test_a_damaged_neighbour_is_no_matter():
    beside = {"x.jsonl": original().data()[:300], "y.jsonl": b"\x00\xff", "z.jsonl": json.dumps([1]).encode()}
    assert read("claude-code", forked().data(), path=f"{FORK}.jsonl", companions=beside).traces


def test_a_backup_beside_a_session_is_no_fork_of_it():
    backup = original().data()[:400]
    found = read("claude-code", original().data(), path=f"{ORIGINAL}.jsonl", companions={"0-backup.jsonl": backup})
    assert found.bodies == read("claude-code", original().data(), path=f"{ORIGINAL}.jsonl").bodies


def test_the_head_of_a_session_is_read_once_for_all_others_of_its_folder():
    opened = []

    def head() -> BinaryIO:
        opened.append(1)
        return io.BytesIO(f'{{"uuid":"{FORK}","sessionId":"another"}}'.encode())

    other = Companion("x.jsonl", head)

    assert [fork_of(io.BytesIO(original().data()), [other], stem) for stem in "ab"] == [None, None]
    assert len(opened) == 1
