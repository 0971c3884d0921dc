"""Opening a repository in every state that a person can bring it into, and finding base."""

from pathlib import Path

import pytest

from skillc.errors import RepoError
from skillc.repo.repository import Repository
from tests.repositories import commit_files, run_git


def test_a_repository_is_found_from_a_folder_below(root: Path):
    (root / "a" / "b").mkdir(parents=True)
    repository = Repository.open(root / "a" / "b")
    assert (repository.root, repository.git_dir) == (root, root / ".git")
    assert repository.private == root / ".git" / "skillc"


def test_outside_a_repository_the_next_step_is_named(tmp_path: Path):
    with pytest.raises(RepoError, match="not inside a git repository") as caught:
        Repository.open(tmp_path)
    assert "git init" in str(caught.value.hint)


def test_a_bare_repository_is_refused(tmp_path: Path):
    run_git(tmp_path, "init", "-q", "--bare", "bare.git")
    with pytest.raises(RepoError, match="bare repository"):
        Repository.open(tmp_path / "bare.git")


def test_a_bare_repository_in_a_folder_of_another_is_not_used(root: Path):
    """A cloned repository can carry one as plain files, with a configuration that runs programs."""
    run_git(root, "init", "-q", "--bare", "docs")
    with pytest.raises(RepoError, match="bare repository"):
        Repository.open(root / "docs")


def test_the_inside_of_a_git_folder_is_refused(root: Path):
    with pytest.raises(RepoError, match="inside of a git folder"):
        Repository.open(root / ".git")


def test_an_empty_or_broken_git_folder_is_refused(tmp_path: Path):
    (tmp_path / ".git").mkdir()
    with pytest.raises(RepoError):
        Repository.open(tmp_path)
    (tmp_path / ".git").rmdir()
    (tmp_path / ".git").write_text("gitdir: /nowhere\n", "utf-8")
    with pytest.raises(RepoError):
        Repository.open(tmp_path)


def test_a_configuration_that_moves_the_work_tree_is_refused(root: Path, tmp_path: Path):
    run_git(root, "config", "core.worktree", str(tmp_path))
    with pytest.raises(RepoError, match="moves its work tree"):
        Repository.open(root)


def test_a_path_with_a_line_break_is_refused(tmp_path: Path):
    folder = tmp_path / "two\nlines"
    folder.mkdir()
    run_git(folder, "init", "-q")
    with pytest.raises(RepoError, match="line break"):
        Repository.open(folder)


@pytest.mark.parametrize("name", ["with blank", "with 'quotes\"", "ünïcode", "-dash", "tab\there", "\udcff\udcfe"])
def test_an_odd_folder_name_works(new_repository, name: str):
    root = new_repository(name, files={"a": "a\n"})
    assert Repository.open(root).root == root


@pytest.mark.parametrize(("object_format", "digits"), [("sha1", 40), ("sha256", 64)])
def test_both_object_formats_work(new_repository, object_format: str, digits: int):
    repository = Repository.open(new_repository(object_format=object_format, files={"a": "a\n"}))
    commit = repository.base().commit
    assert commit is not None
    assert (len(commit), len(repository.zero)) == (digits, digits)


def test_a_shallow_clone_is_known_and_named(root: Path, tmp_path: Path):
    commit_files(root, {"b": "b\n"})
    run_git(tmp_path, "clone", "-q", "--depth=1", f"file://{root}", "shallow")
    repository = Repository.open(tmp_path / "shallow")
    assert repository.is_shallow
    with pytest.raises(RepoError, match="shallow") as caught:
        repository.require_full_history()
    assert caught.value.hint == "run: git fetch --unshallow"


def test_a_full_clone_has_its_history(repository: Repository):
    repository.require_full_history()


def test_a_linked_worktree_shares_the_private_folder(root: Path, tmp_path: Path):
    run_git(root, "worktree", "add", "-q", str(tmp_path / "linked"))
    linked = Repository.open(tmp_path / "linked")
    assert linked.root == tmp_path / "linked"
    assert linked.private == root / ".git" / "skillc"
    assert [w.branch for w in linked.worktrees()] == ["main", "linked"]


def test_a_submodule_is_a_repository_of_its_own(root: Path, new_repository):
    parent = new_repository("parent", files={"a": "a\n"})
    run_git(parent, "submodule", "add", "-q", str(root), "sub")
    repository = Repository.open(parent / "sub")
    assert repository.root == parent / "sub"
    assert repository.private == parent / ".git" / "modules" / "sub" / "skillc"


# Base


def test_base_is_main_when_nothing_says_otherwise(root: Path, repository: Repository):
    commit = run_git(root, "rev-parse", "HEAD")
    base = repository.base()
    assert (base.branch, base.commit, base.policy_commit, base.has_remote) == ("main", commit, commit, False)


def test_base_is_the_branch_that_git_config_names(root: Path, repository: Repository):
    run_git(root, "branch", "trunk")
    run_git(root, "config", "skillc.base", "trunk")
    assert Repository.open(root).base().ref == "refs/heads/trunk"


@pytest.mark.parametrize("name", ["two words", "a..b", "x\ndelete refs/heads/main", "", "@{-1}"])
def test_a_base_that_is_no_branch_name_is_refused(root: Path, name: str):
    run_git(root, "config", "skillc.base", name)
    repository = Repository.open(root)
    if not name:
        assert repository.base().branch == "main"
        return
    with pytest.raises(RepoError, match=r"skillc\.base"):
        repository.base()


def test_base_of_an_unborn_repository_has_no_commit(new_repository):
    base = Repository.open(new_repository()).base()
    assert (base.branch, base.commit, base.policy_commit) == ("main", None, None)


def test_base_does_not_depend_on_what_is_checked_out(root: Path):
    run_git(root, "switch", "-q", "-c", "topic")
    commit_files(root, {"b": "b\n"})
    repository = Repository.open(root)
    assert repository.base().branch == "main"
    run_git(root, "switch", "-q", "--detach")
    assert repository.base().branch == "main"
    assert repository.head_branch() is None


def test_base_follows_the_head_of_origin(root: Path, tmp_path: Path):
    run_git(root, "branch", "-m", "trunk")
    run_git(tmp_path, "clone", "-q", str(root), "clone")
    assert Repository.open(tmp_path / "clone").base().branch == "trunk"


def test_policy_is_read_from_the_remote_base_and_admitted_state_from_the_newer_one(root: Path, tmp_path: Path):
    """A local commit cannot change the registry, but a Skill that was merged locally is admitted here."""
    remote_tip = run_git(root, "rev-parse", "HEAD")
    run_git(tmp_path, "clone", "-q", str(root), "clone")
    local_tip = commit_files(tmp_path / "clone", {"b": "b\n"})
    base = Repository.open(tmp_path / "clone").base()
    assert (base.commit, base.policy_commit, base.has_remote) == (local_tip, remote_tip, True)


def test_a_local_base_that_is_behind_or_diverged_gives_way_to_the_remote_one(root: Path, tmp_path: Path):
    run_git(tmp_path, "clone", "-q", str(root), "clone")
    newer = commit_files(root, {"b": "b\n"})
    run_git(tmp_path / "clone", "fetch", "-q")
    assert Repository.open(tmp_path / "clone").base().commit == newer
    commit_files(tmp_path / "clone", {"c": "c\n"})
    assert Repository.open(tmp_path / "clone").base().commit == newer


# Refs and revisions


@pytest.mark.parametrize("name", ["a\u2028b", "a\x85b", "ünï", "a'b\"c", "-dash"])
def test_an_odd_branch_name_does_not_stop_anything(root: Path, repository: Repository, name: str):
    """A contributor can push such a name; git allows every line break but the newline."""
    commit = run_git(root, "rev-parse", "HEAD")
    run_git(root, "update-ref", f"refs/heads/{name}", commit)
    assert repository.refs("refs/heads") == {"refs/heads/main": commit, f"refs/heads/{name}": commit}
    assert repository.base().branch == "main"


def test_a_symbolic_ref_is_no_ref_of_ours(root: Path, repository: Repository):
    run_git(root, "symbolic-ref", "refs/heads/alias", "refs/heads/main")
    assert "refs/heads/alias" not in repository.refs("refs/heads")


def test_a_revision_resolves_to_a_commit_or_to_nothing(root: Path, repository: Repository):
    commit = run_git(root, "rev-parse", "HEAD")
    assert repository.resolve("main") == commit
    assert repository.resolve(commit[:10]) == commit
    for name in ("gone", "", "--all", "-n1", "HEAD:README.md", "main:", "a b", "\n"):
        assert repository.resolve(name) is None


def test_ancestry_is_known(root: Path, repository: Repository):
    first = run_git(root, "rev-parse", "HEAD")
    second = commit_files(root, {"b": "b\n"})
    assert repository.is_ancestor(first, second)
    assert repository.is_ancestor(first, first)
    assert not repository.is_ancestor(second, first)
    assert not repository.is_ancestor("0" * 40, first)


def test_settings_keep_the_last_value_and_odd_ones(root: Path):
    run_git(root, "config", "skillc.note", "two\nlines = yes")
    run_git(root, "config", "--global", "commit.gpgSign", "true")
    settings = Repository.open(root).settings
    assert settings["skillc.note"] == "two\nlines = yes"
    assert settings["commit.gpgsign"] == "true"
    assert settings["user.name"] == "Ada Tester"
    assert "protocol.file.allow" not in settings


@pytest.mark.parametrize("operation", ["merge", "rebase", "cherry-pick", "revert", "bisect"])
def test_work_that_is_not_finished_is_seen(root: Path, repository: Repository, operation: str):
    assert repository.operation_under_way() is None
    commit_files(root, {"README.md": "one\n"})
    run_git(root, "switch", "-q", "-c", "topic", "HEAD^")
    theirs = commit_files(root, {"README.md": "two\n"})
    start = {
        "merge": ("merge", "main"),
        "rebase": ("rebase", "main"),
        "cherry-pick": ("cherry-pick", "main"),
        "revert": ("revert", "main"),
        "bisect": ("bisect", "start"),
    }[operation]
    with pytest.raises(AssertionError) if operation != "bisect" else _nothing():
        run_git(root, *start)
    assert theirs
    assert repository.operation_under_way() == operation


class _nothing:
    def __enter__(self) -> None: ...
    def __exit__(self, *_: object) -> None: ...


def test_base_does_not_move_with_head_where_no_branch_is_called_main(new_repository):
    root = new_repository("trunk", files={"a": "a\n"})
    run_git(root, "branch", "-m", "develop")
    assert Repository.open(root).base().branch == "develop"
    run_git(root, "switch", "--quiet", "-c", "feature")
    with pytest.raises(RepoError, match="not clear which one is base") as stop:
        Repository.open(root).base()
    assert stop.value.hint == "run: git config skillc.base NAME"
    run_git(root, "config", "skillc.base", "develop")
    assert Repository.open(root).base().branch == "develop"
