"""Which checkouts a branch has: git's list is looked through, and never believed."""

from pathlib import Path

import pytest

from skillc.errors import RepoError
from skillc.repo.repository import Repository
from skillc.repo.worktree import checkouts_of, follow, require_free
from tests.repositories import commit_files, run_git


def roots(repository: Repository, branch: str = "main") -> list[Path]:
    return [checkout.root for checkout in checkouts_of(repository, branch)]


def test_a_branch_has_the_checkouts_that_show_it(root: Path, repository: Repository, tmp_path: Path):
    run_git(root, "worktree", "add", "-q", "-b", "topic", str(tmp_path / "topic"))
    assert roots(repository) == [root]
    assert roots(repository, "topic") == [tmp_path / "topic"]
    assert roots(repository, "gone") == []
    run_git(root, "switch", "-q", "--detach")
    assert roots(repository) == []


def test_an_odd_path_is_a_checkout_like_any_other(root: Path, repository: Repository, tmp_path: Path):
    odd = tmp_path / "two\nlines \udcff"
    run_git(root, "worktree", "add", "-q", "-b", "topic", str(odd))
    assert roots(repository, "topic") == [odd]


def test_a_listed_folder_that_is_gone_is_no_checkout(root: Path, repository: Repository, tmp_path: Path):
    run_git(root, "worktree", "add", "-q", "-b", "topic", str(tmp_path / "topic"))
    (tmp_path / "topic").rename(tmp_path / "moved")
    assert roots(repository, "topic") == []


def test_a_list_cannot_name_a_folder_of_somebody_else(
    root: Path, repository: Repository, tmp_path: Path, new_repository
):
    """A hostile git folder lists a checkout in the person's home, where a Skill would be loaded everywhere."""
    victim = new_repository("victim", files={"a": "a\n"})
    run_git(root, "worktree", "add", "-q", "-b", "topic", str(tmp_path / "topic"))
    (root / ".git" / "worktrees" / "topic" / "gitdir").write_text(f"{victim}/.git\n", "utf-8")
    assert roots(repository, "topic") == []


def test_the_main_work_tree_of_a_separate_git_folder_is_found(tmp_path: Path):
    run_git(tmp_path, "init", "-q", f"--separate-git-dir={tmp_path / 'git'}", str(tmp_path / "work"))
    commit_files(tmp_path / "work", {"a": "a\n"})
    assert roots(Repository.open(tmp_path / "work")) == [tmp_path / "work"]
    run_git(tmp_path / "work", "worktree", "add", "-q", "-b", "topic", str(tmp_path / "linked"))
    with pytest.raises(RepoError, match="cannot be found from here") as caught:
        roots(Repository.open(tmp_path / "linked"))
    assert "main work tree" in str(caught.value.hint)


def test_the_main_work_tree_of_a_submodule_is_found_from_its_linked_one(root: Path, tmp_path: Path, new_repository):
    parent = new_repository("parent", files={"a": "a\n"})
    run_git(parent, "submodule", "add", "-q", str(root), "sub")
    run_git(parent / "sub", "worktree", "add", "-q", "-b", "topic", str(tmp_path / "linked"))
    assert roots(Repository.open(tmp_path / "linked")) == [parent / "sub"]


def test_a_free_checkout_is_followed_once_and_again(root: Path, repository: Repository):
    old = run_git(root, "rev-parse", "HEAD")
    new = commit_files(root, {"a b": "1\n", '"quoted"': "2\n", "two\nlines": "3\n"})
    run_git(root, "reset", "-q", "--hard", old)
    (checkout,) = checkouts_of(repository, "main")
    require_free(checkout, old, new)
    run_git(root, "update-ref", "refs/heads/main", new)
    for _ in range(2):
        follow(repository, [checkout], old, new)
        assert run_git(root, "status", "--porcelain") == ""
    for name in ("a b", '"quoted"', "two\nlines"):
        assert (root / name).exists()
