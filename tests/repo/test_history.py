"""The history of Skill folders: one pass, and a version is its folder's tree wherever it comes from."""

from pathlib import Path

import pytest

from skillc.errors import RepoError
from skillc.repo.history import current_trees, folder_changes
from skillc.repo.repository import Repository
from tests.repositories import commit_files, put_commit, run_git

DIR = ".claude/skills"


def write_skill(root: Path, name: str, text: str, message: str = "skill") -> str:
    """Commits one version of a Skill; returns its tree."""
    commit = commit_files(root, {f"{DIR}/{name}/SKILL.md": text}, message)
    return run_git(root, "rev-parse", f"{commit}:{DIR}/{name}")


def trees(repository: Repository, name: str, revision: str = "main") -> list[str | None]:
    return [c.tree for c in folder_changes(repository, revision, DIR).get(name, [])]


def test_every_change_of_a_folder_is_a_version_oldest_first(root: Path, repository: Repository):
    one = write_skill(root, "refunds", "1\n")
    commit_files(root, {"other": "x\n"})
    two = write_skill(root, "refunds", "2\n")
    write_skill(root, "mail", "1\n")
    assert trees(repository, "refunds") == [one, two]
    changes = folder_changes(repository, "main", DIR)
    assert sorted(changes) == ["mail", "refunds"]
    assert changes["refunds"][1].commit == run_git(root, "rev-parse", "HEAD^")


def test_a_skill_of_the_first_commit_is_seen(new_repository, home: Path):
    root = new_repository(files={f"{DIR}/refunds/SKILL.md": "1\n"})
    run_git(root, "config", "--global", "log.showRoot", "false")
    assert len(trees(Repository.open(root), "refunds")) == 1


def test_a_revert_gives_the_earlier_identity_back(root: Path, repository: Repository):
    one = write_skill(root, "refunds", "1\n")
    two = write_skill(root, "refunds", "2\n")
    run_git(root, "revert", "--no-edit", "HEAD")
    run_git(root, "revert", "--no-edit", "HEAD")
    assert trees(repository, "refunds") == [one, two, one, two]


def test_a_removed_folder_is_a_version_without_a_tree(root: Path, repository: Repository):
    one = write_skill(root, "refunds", "1\n")
    run_git(root, "revert", "--no-edit", "HEAD")
    assert trees(repository, "refunds") == [one, None]
    assert current_trees(repository, "main", DIR) == {}


@pytest.mark.parametrize("how", ["merge", "squash", "rebase"])
def test_a_candidate_is_known_by_its_tree_however_it_was_merged(root: Path, repository: Repository, how: str):
    run_git(root, "switch", "-q", "-c", "candidate")
    tree = write_skill(root, "refunds", "1\n")
    run_git(root, "switch", "-q", "main")
    commit_files(root, {"meanwhile": "x\n"})
    if how == "merge":
        run_git(root, "merge", "-q", "--no-ff", "--no-edit", "candidate")
    elif how == "squash":
        run_git(root, "merge", "-q", "--squash", "candidate")
        run_git(root, "commit", "-q", "-m", "squashed")
    else:
        run_git(root, "switch", "-q", "candidate")
        run_git(root, "rebase", "-q", "main")
        run_git(root, "switch", "-q", "main")
        run_git(root, "merge", "-q", "--ff-only", "candidate")
    assert trees(repository, "refunds") == [tree]


def test_a_reverted_merge_takes_the_skill_away_and_its_revert_brings_it_back(root: Path, repository: Repository):
    run_git(root, "switch", "-q", "-c", "candidate")
    tree = write_skill(root, "refunds", "1\n")
    run_git(root, "switch", "-q", "main")
    run_git(root, "merge", "-q", "--no-ff", "--no-edit", "candidate")
    run_git(root, "revert", "--no-edit", "-m", "1", "HEAD")
    run_git(root, "revert", "--no-edit", "HEAD")
    assert trees(repository, "refunds") == [tree, None, tree]


def test_a_merged_branch_is_one_step_on_base(root: Path, repository: Repository):
    run_git(root, "switch", "-q", "-c", "candidate")
    write_skill(root, "refunds", "1\n")
    two = write_skill(root, "refunds", "2\n")
    run_git(root, "switch", "-q", "main")
    run_git(root, "merge", "-q", "--no-ff", "--no-edit", "candidate")
    assert trees(repository, "refunds") == [two]


def test_a_range_gives_only_what_came_after(root: Path, repository: Repository):
    write_skill(root, "refunds", "1\n")
    start = run_git(root, "rev-parse", "HEAD")
    two = write_skill(root, "refunds", "2\n")
    assert trees(repository, "refunds", f"{start}..main") == [two]
    assert folder_changes(repository, "main..main", DIR) == {}


def test_a_folder_that_became_a_file_or_a_link_is_a_removal(root: Path, repository: Repository):
    one = write_skill(root, "refunds", "1\n")
    run_git(root, "rm", "-q", "-r", f"{DIR}/refunds")
    (root / DIR).mkdir(parents=True, exist_ok=True)
    (root / DIR / "refunds").symlink_to("/etc")
    run_git(root, "add", "-A")
    run_git(root, "commit", "-q", "-m", "link")
    assert trees(repository, "refunds") == [one, None]
    assert current_trees(repository, "main", DIR) == {}


def test_files_beside_the_folders_and_deeper_folders_are_no_skills(root: Path, repository: Repository):
    commit_files(root, {f"{DIR}/README.md": "x\n", f"{DIR}/refunds/references/a.md": "x\n", "skills/x/y": "1\n"})
    assert sorted(folder_changes(repository, "main", DIR)) == ["refunds"]
    assert sorted(current_trees(repository, "main", DIR)) == ["refunds"]


def test_odd_names_do_not_break_the_pass(repository: Repository):
    files = {f"{DIR}/{name}/SKILL.md": b"x" for name in ("a b", "new\nline", ":colon", "\x01one", "ü", "caf\udce9")}
    put_commit(repository, "refs/heads/odd", files)
    found = folder_changes(repository, "odd", DIR)
    assert sorted(found) == sorted(["a b", "new\nline", ":colon", "\x01one", "ü", "caf\ufffd"])
    assert all(len(changes) == 1 for changes in found.values())


def test_a_commit_message_cannot_look_like_a_change(root: Path, repository: Repository):
    tree = write_skill(root, "refunds", "1\n", message=f"x\n\n:040000 040000 a b M\n{DIR}/evil\x01")
    assert sorted(folder_changes(repository, "main", DIR)) == ["refunds"]
    assert trees(repository, "refunds") == [tree]


def test_sha256_and_deep_skill_folders_work(new_repository):
    root = new_repository(object_format="sha256", files={"a/b/c/refunds/SKILL.md": "1\n"})
    repository = Repository.open(root)
    tree = run_git(root, "rev-parse", "HEAD:a/b/c/refunds")
    assert [c.tree for c in folder_changes(repository, "main", "a/b/c")["refunds"]] == [tree]
    assert current_trees(repository, "main", "a/b/c") == {"refunds": tree}


def test_no_commit_has_no_skills_and_an_unknown_one_is_an_error(repository: Repository):
    assert current_trees(repository, None, DIR) == {}
    with pytest.raises(RepoError):
        folder_changes(repository, "gone", DIR)


def test_the_time_of_a_change_is_in_utc(root: Path, repository: Repository, monkeypatch):
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2026-02-03T04:05:06+09:00")
    write_skill(root, "refunds", "1\n")
    assert folder_changes(repository, "main", DIR)["refunds"][0].at.isoformat() == "2026-02-02T19:05:06+00:00"
