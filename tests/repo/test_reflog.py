"""What git's log of HEAD tells of a session."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.repo.reflog import LogPlace, commits_made
from tests.world import World


class Log:
    """The log of HEAD of a repository, and how long it was at the beginning."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.place = LogPlace(world.root / ".git")
        self.head = world.git("rev-parse", "HEAD")
        self.size = self.now()

    def now(self) -> int:
        return (self.world.root / ".git/logs/HEAD").stat().st_size

    def made(self) -> tuple[str, ...] | None:
        return commits_made(self.place, self.size, self.now(), self.head)


@pytest.fixture
def log(fresh: World) -> Log:
    return Log(fresh)


def test_commits_merges_and_picks_are_made_and_other_moves_are_not(log: Log):
    world = log.world
    world.git("checkout", "-q", "-b", "side")
    first = world.commit({"a.txt": "1"})
    world.git("checkout", "-q", "main")
    world.git("merge", "-q", "--ff-only", "side")
    world.git("reset", "-q", "--hard", "HEAD^")
    second = world.commit({"b.txt": "1"})
    world.git("merge", "-q", "--no-ff", "-m", "m", "side")
    merge = world.git("rev-parse", "HEAD")
    world.git("revert", "--no-edit", "-m1", "HEAD")
    revert = world.git("rev-parse", "HEAD")

    assert log.made() == (first, second, merge, revert)


def test_a_rebased_commit_counts_when_it_was_made_here(log: Log):
    world = log.world
    world.git("checkout", "-q", "-b", "side")
    own = world.commit({"a.txt": "1"}, "own work")
    world.git("checkout", "-q", "main")
    base = world.commit({"b.txt": "1"}, "base")
    world.git("rebase", "-q", "main", "side")
    rebased = world.git("rev-parse", "HEAD")

    assert log.made() == (own, base, rebased)


def test_a_rebase_of_other_peoples_commits_makes_none(fresh: World):
    fresh.git("checkout", "-q", "-b", "side")
    fresh.commit({"a.txt": "1"}, "theirs")
    fresh.git("checkout", "-q", "main")
    fresh.commit({"b.txt": "1"}, "base")
    log = Log(fresh)
    fresh.git("rebase", "-q", "main", "side")

    assert log.made() == ()


def test_a_log_that_does_not_tell_gives_none(log: Log):
    world = log.world
    world.commit({"a.txt": "1"})

    assert commits_made(log.place, log.size, log.now(), "f" * 40) is None, "it does not go on from there"
    assert commits_made(log.place, log.size - 3, log.now(), log.head) is None, "no line begins there"
    assert commits_made(log.place, log.size, log.now() + 1, log.head) is None, "it is shorter by now"
    assert commits_made(LogPlace(world.root), 0, 0, None) is None, "there is none"
    assert commits_made(log.place, log.now(), log.now(), None) == ()


@pytest.mark.parametrize("name", ["..", "../x", "a/b", "", "a\0b"])
def test_a_work_trees_name_leads_nowhere_else(name: str, fresh: World):
    place = LogPlace(fresh.root / ".git", name)

    assert place.path in (None, fresh.root / ".git/logs/HEAD")


def test_a_linked_work_tree_has_its_own_log(fresh: World):
    fresh.git("worktree", "add", "-q", "-b", "side", "../linked")
    place = LogPlace(fresh.root / ".git", "linked")
    assert place.path is not None
    before = place.path.stat().st_size
    fresh.git("-C", "../linked", "commit", "-q", "--allow-empty", "-m", "x")

    assert commits_made(place, before, place.path.stat().st_size, None) == (fresh.git("rev-parse", "side"),)


@given(st.binary(max_size=300), st.integers(-1, 400), st.integers(-1, 400))
def test_any_file_is_borne(data: bytes, start: int, end: int):
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "logs").mkdir()
        (Path(folder) / "logs/HEAD").write_bytes(data)
        commits_made(LogPlace(Path(folder)), start, end, None)
