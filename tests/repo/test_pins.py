"""Pins keep the commits of sessions alive, and never move."""

from skillc.repo.commits import update_refs
from skillc.repo.pins import pinned, pins_for
from skillc.repo.repository import Repository
from tests.world import World

ONE, TWO = "t-" + "1" * 24, "t-" + "2" * 24


def pin_sessions(repository: Repository, commits: dict[str, str]) -> int:
    updates = pins_for(repository, commits)
    update_refs(repository, updates)
    return len(updates)


def test_a_short_id_is_pinned_whole_and_outlives_its_branch(fresh: World):
    fresh.git("switch", "-q", "-c", "side")
    commit = fresh.commit({"a.txt": "a"})
    repository = Repository.open(fresh.root)
    assert pin_sessions(repository, {ONE: commit[:8]}) == 1
    fresh.git("switch", "-q", "main")
    fresh.git("branch", "-q", "-D", "side")
    fresh.git("reflog", "expire", "--expire=now", "--all")
    fresh.git("gc", "-q", "--prune=now")

    assert pinned(repository) == {ONE: commit}
    assert fresh.git("cat-file", "-t", commit) == "commit"


def test_a_pin_never_moves(fresh: World):
    repository = Repository.open(fresh.root)
    first = fresh.git("rev-parse", "HEAD")
    pin_sessions(repository, {ONE: first})
    assert pin_sessions(repository, {ONE: fresh.commit({"a.txt": "a"})}) == 0
    assert pinned(repository) == {ONE: first}


def test_what_is_no_commit_here_is_left_out(fresh: World):
    repository = Repository.open(fresh.root)
    tree = fresh.git("rev-parse", "HEAD^{tree}")
    assert pin_sessions(repository, {ONE: "f" * 40, TWO: tree, "t-33333333": "--all", "t-44444444": ""}) == 0
    assert pinned(repository) == {}
