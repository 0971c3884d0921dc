"""Blobs that were never in a history."""

import shutil
from pathlib import Path

import pytest

from skillc.errors import RepoError
from skillc.repo.repository import Repository
from skillc.repo.rewrite import (
    drop_unreachable,
    is_installed,
    objects_below,
    refs_holding,
    signed_commits,
    still_here,
    strip_blobs,
    write_backup,
)
from tests.repositories import commit_files, run_git

needs_program = pytest.mark.skipif(shutil.which("git-filter-repo") is None, reason="git-filter-repo is not installed")


@pytest.fixture
def blob(root: Path) -> str:
    """A file that was in two versions of a folder and is gone from the tip."""
    commit_files(root, {"a/secret": "one\n", "a/kept": "k\n"})
    found = run_git(root, "rev-parse", "HEAD:a/secret")
    run_git(root, "branch", "old")
    commit_files(root, {"a/secret": "two\n"})
    return found


def test_everything_that_was_ever_below_a_path_is_found(root: Path, repository: Repository, blob: str):
    found = objects_below(repository, "a/secret")
    assert found == {blob: "a/secret", run_git(root, "rev-parse", "HEAD:a/secret"): "a/secret"}
    assert set(objects_below(repository, "a").values()) == {"a", "a/secret", "a/kept"}
    assert objects_below(repository, "nothing") == {}


def test_refs_that_hold_a_blob_are_named_and_no_others(root: Path, repository: Repository, blob: str):
    run_git(root, "branch", "clean", run_git(root, "rev-list", "--max-parents=0", "HEAD"))
    assert refs_holding(repository, [blob]) == ("refs/heads/main", "refs/heads/old")
    assert refs_holding(repository, ["0" * 40]) == ()
    assert signed_commits(repository, ["refs/heads/main"]) == 0


@needs_program
def test_stripped_blobs_are_gone_and_the_rest_stays(root: Path, repository: Repository, blob: str):
    clean = run_git(root, "rev-list", "--max-parents=0", "HEAD")
    assert is_installed()
    strip_blobs(repository, [blob], refs_holding(repository, [blob]))
    drop_unreachable(repository)
    assert still_here(repository, [blob]) == ()
    assert run_git(root, "show", "HEAD:a/secret") == "two"
    assert run_git(root, "show", "old:a/kept") == "k"
    assert run_git(root, "rev-list", "--max-parents=0", "HEAD") == clean
    assert run_git(root, "log", "--format=%s", "old").split() == ["work", "work"]
    assert not (root / ".git" / "filter-repo").exists()


def test_a_backup_is_this_accounts_and_replaces_nothing(repository: Repository, blob: str, tmp_path: Path):
    path = tmp_path / "backup.bundle"
    write_backup(repository, path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith(".skillc")] == []
    with pytest.raises(RepoError, match="already"):
        write_backup(repository, path)
    with pytest.raises(RepoError, match="cannot write the backup"):
        write_backup(repository, tmp_path / "nothing" / "b")
