"""Another repository in a throw-away clone."""

from pathlib import Path

import pytest

from skillc.errors import RepoError, UsageError
from skillc.repo.commits import RefUpdate
from skillc.repo.elsewhere import address_of, clone_of, push_all
from skillc.repo.repository import Repository
from tests.repositories import commit_files, put_commit, run_git


@pytest.fixture
def other(new_repository) -> Path:
    root = new_repository("other", files={"README.md": "there\n"})
    run_git(root, "branch", "skillc/ledger")
    run_git(root, "branch", "skillc/traces")
    run_git(root, "branch", "work")
    return root


def test_the_clone_has_base_and_ledger_and_no_traces_and_is_gone_afterwards(repository: Repository, other: Path):
    run_git(other, "switch", "--quiet", "work")
    commit_files(other, {"not": "base\n"})
    with clone_of(repository, str(other)) as folder:
        there = Repository.open(folder)
        assert sorted(there.refs("refs/heads")) == ["refs/heads/main", "refs/heads/skillc/ledger"]
        assert there.base().commit == run_git(other, "rev-parse", "main")
        assert not (folder / "README.md").exists()
    assert not folder.exists()


def test_all_refs_move_or_none(repository: Repository, other: Path):
    ledger = run_git(other, "rev-parse", "skillc/ledger")
    with clone_of(repository, str(other)) as folder:
        there = Repository.open(folder)
        made = put_commit(there, "refs/heads/skillc/candidate/a", {"x": b"1"})
        moved = put_commit(there, "refs/heads/skillc/ledger", {"y": b"1"})
        run_git(other, "update-ref", "refs/heads/skillc/ledger", "main~0")
        other_tip = commit_files(other, {"z": "1\n"})
        run_git(other, "update-ref", "refs/heads/skillc/ledger", other_tip)
        updates = [
            RefUpdate("refs/heads/skillc/candidate/a", None, made),
            RefUpdate("refs/heads/skillc/ledger", ledger, moved),
        ]
        with pytest.raises(RepoError, match="moved meanwhile"):
            push_all(there, updates)
        assert "skillc/candidate/a" not in run_git(other, "for-each-ref")
        push_all(there, updates[:1])
    assert run_git(other, "rev-parse", "skillc/candidate/a") == made


@pytest.mark.parametrize("place", ["-x", "--upload-pack=x", "ext::sh", "a\nb"])
def test_a_place_that_is_an_option_or_runs_a_program_is_refused(repository: Repository, place: str):
    with pytest.raises(UsageError):
        address_of(repository, place)


def test_a_remote_a_folder_and_a_url_are_places(repository: Repository, other: Path):
    run_git(repository.root, "remote", "add", "web", "https://example.org/web.git")
    assert address_of(repository, "web") == "https://example.org/web.git"
    assert address_of(repository, str(other)) == str(other)
    assert address_of(repository, "git@example.org:web.git") == "git@example.org:web.git"
