"""Containment and reverts on bare histories; whose word they are is tested in tests/lifecycle/test_landings.py."""

from pathlib import Path

from skillc.core.trace.edits import Edit
from skillc.repo.base_history import BaseHistory
from skillc.repo.landings import MAX_TESTED, Landing, Work, find_content, find_landing, follow
from skillc.repo.repository import Repository
from skillc.repo.scratch import open_scratch
from tests.repositories import commit_files, run_git

TEXT = "".join(f"{n}\n" for n in range(30))


def work_on(root: Path) -> Work:
    start = commit_files(root, {"a": TEXT})
    run_git(root, "switch", "--quiet", "-c", "work")
    tip = commit_files(root, {"a": TEXT.replace("5\n", "five\n")})
    run_git(root, "switch", "--quiet", "main")
    return Work(start, tip, frozenset((tip,)))


def landing_of(root: Path, work: Work) -> tuple[Landing | None, bool]:
    repository = Repository.open(root)
    base = run_git(root, "rev-parse", "main")
    with open_scratch(repository) as scratch:
        history = BaseHistory(repository, base, known=[work.start, work.tip])
        found = find_landing(scratch, history, work)
        return found, found is not None and follow(scratch, history, found).is_undone


def test_work_is_found_behind_a_renamed_file(root: Path):
    work = work_on(root)
    run_git(root, "mv", "a", "renamed")
    run_git(root, "commit", "--quiet", "-m", "rename")
    run_git(root, "cherry-pick", work.tip)
    found, undone = landing_of(root, work)
    assert found is not None
    assert (found.commit, found.is_whole, undone) == (run_git(root, "rev-parse", "main"), True, False)


def test_a_long_window_is_narrowed_to_commits_that_touch_the_work(root: Path):
    work = work_on(root)
    stream = "".join(
        f"commit refs/heads/main\ncommitter a <a@b> {n} +0000\ndata 1\nx\n"
        + (f"from {run_git(root, 'rev-parse', 'main')}\n" if n == 0 else "")
        + f"M 100644 inline other\ndata {len(str(n))}\n{n}\n"
        for n in range(MAX_TESTED + 5)
    )
    run_git(root, "fast-import", "--quiet", stdin=stream.encode())
    run_git(root, "reset", "--quiet", "--hard")
    run_git(root, "cherry-pick", work.tip)
    found, _ = landing_of(root, work)
    assert found is not None
    assert found.commit == run_git(root, "rev-parse", "main")


def test_work_that_undoes_earlier_work_of_its_branch_changes_nothing_in_base(root: Path):
    start = commit_files(root, {"a": TEXT})
    run_git(root, "switch", "--quiet", "-c", "work")
    begun = commit_files(root, {"a": TEXT + "more\n"})
    tip = commit_files(root, {"a": TEXT})
    run_git(root, "switch", "--quiet", "main")
    commit_files(root, {"other": "x\n"})
    assert start
    assert landing_of(root, Work(begun, tip, frozenset((tip,)))) == (None, False)


def test_a_revert_that_shortens_the_id_is_known(root: Path):
    work = work_on(root)
    run_git(root, "merge", "--quiet", "--no-ff", "-m", "m", "work")
    merge = run_git(root, "rev-parse", "main")
    commit_files(root, {"a": TEXT}, f"undo\n\nThis reverts commit {merge[:9]}.")
    assert landing_of(root, work)[1]


def test_content_is_the_first_commit_that_shows_the_most(root: Path):
    first = commit_files(root, {"a": "old\n"})
    commit_files(root, {"a": "new\n"})
    both = commit_files(root, {"b": "text\n"})
    commit_files(root, {"b": "text\nmore\n"})
    edits = [
        Edit(path=path, text=text, removed="", whole=True, event_id="e1")
        for path, text in (("a", "new\n"), ("b", "text\n"))
    ]
    history = BaseHistory(Repository.open(root), run_git(root, "rev-parse", "main"), known=[first])

    def content_of(commit: str, path: str) -> str | None:
        done = run_git(root, "ls-tree", "--name-only", commit, path)
        return run_git(root, "show", f"{commit}:{path}") if done else None

    found = find_content(history, edits, history.landed_at[first], content_of)
    assert found is not None
    assert (found.commit, found.shown, found.total) == (both, 2, 2)
    assert find_content(history, [], 0, content_of) is None
    assert find_content(history, edits, 99, content_of) is None
