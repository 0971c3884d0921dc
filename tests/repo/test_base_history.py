"""The newest part of base's history: which commit came in where."""

from pathlib import Path

from skillc.repo.base_history import BaseHistory
from skillc.repo.repository import Repository
from tests.repositories import commit_files, run_git


def test_every_commit_lands_with_the_first_parent_that_brought_it(root: Path):
    start = run_git(root, "rev-parse", "HEAD")
    run_git(root, "switch", "--quiet", "-c", "side")
    side = [commit_files(root, {"s": f"{n}\n"}, f"s{n}") for n in range(2)]
    run_git(root, "switch", "--quiet", "main")
    main = commit_files(root, {"m": "x\n"}, "m")
    run_git(root, "merge", "--quiet", "--no-ff", "-m", "merge", "side")
    merge = run_git(root, "rev-parse", "HEAD")
    history = BaseHistory(Repository.open(root), merge, known=[])

    assert history.chain == [start, main, merge]
    assert [history.landed_at[c] for c in (start, main, *side, merge)] == [0, 1, 2, 2, 2]
    assert history.landed_with(2) == [*side, merge]
    assert history.landed_with(9) == []
    assert history.chain_paths == {start: {"README.md"}, main: {"m"}, merge: {"s"}}
    assert history.commits[main].message.strip() == "m"
    assert not history.is_cut


def test_nothing_older_than_the_known_commits_is_read(root: Path):
    commits = [commit_files(root, {"a": f"{n}\n"}, f"c{n}") for n in range(6)]
    history = BaseHistory(Repository.open(root), commits[-1], known=[commits[4], commits[3]])
    assert history.chain == commits[3:]


def test_known_commits_without_a_common_past_limit_nothing(root: Path):
    last = commit_files(root, {"a": "1\n"})
    run_git(root, "switch", "--quiet", "--orphan", "else")
    other = commit_files(root, {"b": "1\n"})
    assert len(BaseHistory(Repository.open(root), last, known=[other]).chain) == 2


def test_a_message_may_hold_anything_but_an_end(root: Path):
    commit = commit_files(root, {"a": "1\n"}, "one\n\n\x01 two \x02\n" + "x" * 1000)
    assert "\x01 two" in BaseHistory(Repository.open(root), commit, known=[]).commits[commit].message
