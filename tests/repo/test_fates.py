"""What became of a file, by the first parents of a history."""

from pathlib import Path

from skillc.repo.fates import Fate, commits_in, fate_of, last_change_of, objects_at, objects_in, paths_named
from skillc.repo.repository import Repository
from tests.repositories import commit_files, run_git

TEXT = "".join(f"line {n}\n" for n in range(30))


def removed(root: Path, path: str) -> str:
    run_git(root, "rm", "-r", "--quiet", path)
    run_git(root, "commit", "--quiet", "-m", "remove")
    return run_git(root, "rev-parse", "HEAD")


def moved(root: Path, old: str, new: str) -> str:
    (root / new).parent.mkdir(parents=True, exist_ok=True)
    run_git(root, "mv", old, new)
    run_git(root, "commit", "--quiet", "-m", "move")
    return run_git(root, "rev-parse", "HEAD")


def test_a_removed_file_names_the_commit(root: Path, repository: Repository):
    commit_files(root, {"a/b.py": TEXT})
    commit = removed(root, "a/b.py")
    assert fate_of(repository, "HEAD", "a/b.py") == Fate(commit)
    assert fate_of(repository, "HEAD", "never.py") == Fate(None)


def test_a_move_is_followed_to_where_the_file_is_now(root: Path, repository: Repository):
    commit_files(root, {"a/b.py": TEXT})
    first = moved(root, "a/b.py", "c/d.py")
    moved(root, "c/d.py", "e/f.py")
    assert fate_of(repository, "HEAD", "a/b.py") == Fate(first, "e/f.py")
    removed(root, "e/f.py")
    assert fate_of(repository, "HEAD", "a/b.py") == Fate(first)


def test_a_folder_moved_as_a_whole(root: Path, repository: Repository):
    commit_files(root, {"a/one.py": TEXT + "1", "a/two.py": TEXT[::-1]})
    commit = moved(root, "a", "b")
    assert fate_of(repository, "HEAD", "a") == Fate(commit, "b")


def test_a_merge_is_one_change(root: Path, repository: Repository):
    commit_files(root, {"a.py": TEXT})
    run_git(root, "switch", "--quiet", "-c", "work")
    removed(root, "a.py")
    run_git(root, "switch", "--quiet", "main")
    commit_files(root, {"other": "x\n"})
    run_git(root, "merge", "--quiet", "--no-ff", "-m", "merge", "work")
    assert fate_of(repository, "HEAD", "a.py").commit == run_git(root, "rev-parse", "HEAD")


def test_objects_names_and_changed_lines_are_found(root: Path, repository: Repository):
    commit_files(root, {"a/b.py": TEXT, "c/b.py": "x\n", "Makefile": "docs:\n\ttrue\n"})
    commit = commit_files(root, {"Makefile": "all:\n\ttrue\n"})
    commit_files(root, {"other": "docs:\n"})
    found = objects_at(repository, "HEAD", ["a", "a/b.py", "nothing", "a/b.py/x"])
    assert found == {p: run_git(root, "rev-parse", f"HEAD:{p}") for p in ("a", "a/b.py")}
    assert paths_named(repository, "HEAD", "b.py") == ["a/b.py", "c/b.py"]
    assert last_change_of(repository, "HEAD", "Makefile", "^docs:") == commit
    assert last_change_of(repository, "HEAD", "Makefile", "^never:") is None


def test_only_commits_of_the_history_are_known_however_many_are_asked_for(root: Path, repository: Repository):
    first = run_git(root, "rev-parse", "HEAD")
    commit_files(root, {"more": "1\n"})
    head = run_git(root, "rev-parse", "HEAD")
    run_git(root, "switch", "--quiet", "-c", "side")
    commit_files(root, {"side": "1\n"})
    side = run_git(root, "rev-parse", "HEAD")
    asked = [first, head, f"{head}^1", f"{first}^1", side, "0" * 40, "no such thing", "", "a\nb"]
    assert commits_in(repository, head, asked) == {first: first, head: head, f"{head}^1": first}
    assert commits_in(repository, head, []) == {}


def test_paths_of_many_commits_are_told_apart(root: Path, repository: Repository):
    first = run_git(root, "rev-parse", "HEAD")
    commit_files(root, {"a/b": "1\n"})
    head = run_git(root, "rev-parse", "HEAD")
    found = objects_in(repository, {first: ["a/b", "README.md"], head: ["a", "a/b", "gone"]})
    assert {commit: sorted(paths) for commit, paths in found.items()} == {first: ["README.md"], head: ["a", "a/b"]}
    assert found[head]["a/b"] == run_git(root, "rev-parse", "HEAD:a/b")
    assert objects_in(repository, {}) == {}
