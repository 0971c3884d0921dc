"""One writer at a time, and no lock that outlives its owner."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from skillc.errors import RepoError
from skillc.repo import layout, lock
from skillc.repo.repository import Repository

HOLDER = """
import sys
from pathlib import Path
from skillc.repo.lock import write_lock
from skillc.repo.repository import Repository
with write_lock(Repository.open(Path(sys.argv[1]))):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def holder(root: Path):
    process = subprocess.Popen([sys.executable, "-c", HOLDER, str(root)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"held\n"
    yield process
    process.kill()
    process.communicate()


def test_a_second_writer_waits_and_then_says_so(repository: Repository, holder, monkeypatch):
    monkeypatch.setattr(lock, "_WAIT_S", 0.2)
    with pytest.raises(RepoError, match="another skillc is writing"), lock.write_lock(repository):
        pass


def test_a_killed_writer_leaves_no_lock(repository: Repository, holder, monkeypatch):
    monkeypatch.setattr(lock, "_WAIT_S", 5.0)
    holder.kill()
    with lock.write_lock(repository):
        pass


def test_the_lock_is_free_after_an_error(repository: Repository, monkeypatch):
    monkeypatch.setattr(lock, "_WAIT_S", 0.2)
    with pytest.raises(ValueError, match="x"), lock.write_lock(repository):
        raise ValueError("x")
    with lock.write_lock(repository):
        pass


def test_a_link_in_place_of_the_lock_is_not_followed(repository: Repository, tmp_path: Path):
    repository.private.mkdir()
    (repository.private / layout.LOCK_FILE).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(RepoError, match="cannot write"), lock.write_lock(repository):
        pass
    assert not os.path.lexists(tmp_path / "elsewhere")


def test_worktrees_share_one_lock(root: Path, holder, tmp_path: Path, monkeypatch, new_repository):
    subprocess.run(["git", "worktree", "add", "-q", str(tmp_path / "linked")], cwd=root, check=True)
    monkeypatch.setattr(lock, "_WAIT_S", 0.2)
    with pytest.raises(RepoError), lock.write_lock(Repository.open(tmp_path / "linked")):
        pass
