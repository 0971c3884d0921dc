"""Records that belong to a ref move are appended when it happened, by whoever comes next, and never else."""

import dataclasses
from pathlib import Path

import pytest

from skillc.errors import RepoError
from skillc.repo import layout
from skillc.repo.commits import RefUpdate, update_refs
from skillc.repo.due import DueRecords, finish_due_records, move_with_records
from skillc.repo.ledger import LedgerFile, ledger_commit
from skillc.repo.repository import Repository
from tests.repositories import AT, commit_files, run_git

REF = "refs/heads/skillc/candidate/deploy"


class Killed(BaseException):
    """Stands for kill -9: nothing handles it."""


def due(new: str | None) -> DueRecords:
    return DueRecords(REF, new, (LedgerFile("runs", b'{"a":1}'),), "run r-1\n", AT)


def head(repository: Repository) -> str:
    return repository.git.line("rev-parse", "HEAD")


def recorded(repository: Repository) -> bool:
    return ledger_commit(repository) is not None


def kill_before(repository: Repository, records: DueRecords) -> None:
    def move() -> None:
        raise Killed

    with pytest.raises(Killed):
        move_with_records(repository, records, move)


def kill_after(repository: Repository, records: DueRecords, update: RefUpdate) -> None:
    def move() -> None:
        update_refs(repository, [update])
        raise Killed

    with pytest.raises(Killed):
        move_with_records(repository, records, move)


def test_a_move_brings_its_records_along(repository: Repository):
    tip = head(repository)
    move_with_records(repository, due(tip), lambda: update_refs(repository, [RefUpdate(REF, None, tip)]))
    assert recorded(repository)
    assert finish_due_records(repository) is None


def test_a_move_that_never_happened_owes_nothing(repository: Repository, root: Path):
    new = commit_files(root, {"new": "1\n"})
    run_git(root, "reset", "-q", "--hard", "HEAD^")
    kill_before(repository, due(new))
    assert finish_due_records(repository) is None
    assert not recorded(repository)


def test_the_next_command_records_a_move_that_happened(repository: Repository):
    tip = head(repository)
    kill_after(repository, due(tip), RefUpdate(REF, None, tip))
    assert not recorded(repository)
    assert finish_due_records(repository) == "finished an interrupted command: recorded run r-1"
    assert recorded(repository)
    assert finish_due_records(repository) is None


def test_a_move_counts_when_its_commit_was_merged_and_the_branch_deleted(repository: Repository, root: Path):
    run_git(root, "switch", "-q", "-c", "skillc/candidate/deploy")
    new = commit_files(root, {"new": "1\n"})
    kill_before(repository, due(new))
    run_git(root, "switch", "-q", "main")
    run_git(root, "merge", "-q", "skillc/candidate/deploy")
    run_git(root, "branch", "-q", "-d", "skillc/candidate/deploy")
    assert finish_due_records(repository) is not None
    assert recorded(repository)


@pytest.mark.parametrize("is_there", [True, False])
def test_a_commit_that_was_there_before_proves_the_move_by_its_own_ref_alone(
    repository: Repository, root: Path, is_there: bool
):
    """A candidate that is admitted lies on its own branch all the time."""
    tip = head(repository)
    run_git(root, "branch", "-q", "skillc/candidate/other", tip)
    records = dataclasses.replace(due(tip), is_made=False)
    if is_there:
        kill_after(repository, records, RefUpdate(REF, None, tip))
    else:
        kill_before(repository, records)
    finish_due_records(repository)
    assert recorded(repository) is is_there


@pytest.mark.parametrize("is_deleted", [True, False])
def test_a_deletion_is_recorded_only_when_the_ref_is_gone(repository: Repository, is_deleted: bool):
    tip = head(repository)
    update_refs(repository, [RefUpdate(REF, None, tip)])
    if is_deleted:
        kill_after(repository, due(None), RefUpdate(REF, tip, None))
    else:
        kill_before(repository, due(None))
    finish_due_records(repository)
    assert recorded(repository) is is_deleted


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"ref":1}', '{"ref":"HEAD","new":null,"files":[],"message":"","at":"2026-01-01"}']
)
def test_a_note_that_is_none_is_forgotten(repository: Repository, text: str):
    note = repository.private / layout.DUE_FILE
    note.parent.mkdir(exist_ok=True)
    note.write_text(text, "utf-8")
    assert finish_due_records(repository) == "forgot an unreadable note of due records"
    assert not note.exists()
    assert not recorded(repository)


def test_an_error_of_the_move_is_told_and_the_next_move_works(repository: Repository):
    tip = head(repository)
    with pytest.raises(RepoError):
        move_with_records(repository, due("0" * 39 + "1"), lambda: update_refs(repository, [RefUpdate(REF, tip, tip)]))
    assert not recorded(repository)
    move_with_records(repository, due(tip), lambda: update_refs(repository, [RefUpdate(REF, None, tip)]))
    assert recorded(repository)
