"""Changes of stored Traces are found in the history; additions are none."""

from datetime import UTC, datetime

from skillc.repo import layout
from skillc.repo.commits import Delete, NewCommit, Put, RefUpdate, update_refs, write_commits
from skillc.repo.repository import Repository
from skillc.repo.trace_history import changed_traces

AT = datetime(2026, 1, 1, tzinfo=UTC)
PATH = "traces/2026/01/t-00000001.jsonl"


def commit(repository: Repository, parent: str | None, *changes: Put | Delete) -> str:
    written = write_commits(repository, [NewCommit("x\n", changes, AT)], parent=parent, label="test")
    update_refs(repository, [RefUpdate(layout.TRACES_REF, parent, written.ids[-1])], drop=[written.tmp_ref])
    return written.ids[-1]


def test_additions_are_no_changes(repository: Repository):
    first = commit(repository, None, Put(PATH, b"a"))
    second = commit(repository, first, Put(PATH.replace("1.jsonl", "2.jsonl"), b"b"))
    assert changed_traces(repository, second) == ()


def test_a_change_and_a_removal_are_told_with_their_commits_and_files(repository: Repository):
    first = commit(repository, None, Put(PATH, b"a"))
    second = commit(repository, first, Put(PATH, b"b"))
    third = commit(repository, second, Delete(PATH))
    found = changed_traces(repository, third)
    assert [(c.commit, c.path, c.new is None) for c in found] == [(third, PATH, True), (second, PATH, False)]
    assert found[0].old == found[1].new
    assert [c.commit for c in changed_traces(repository, third, since=second)] == [third]
