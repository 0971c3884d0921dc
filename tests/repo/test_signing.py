"""Commits are signed where the person signs commits, with the person's own programs, and never half."""

import subprocess
from pathlib import Path

import pytest

from skillc.errors import RepoError
from skillc.repo.commits import NewCommit, Put, WrittenCommits, write_commits
from skillc.repo.repository import Repository
from skillc.repo.signing import signed
from tests.repositories import AT, run_git


@pytest.fixture
def key(home: Path) -> Path:
    path = home / "signing"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path)], check=True)
    (home / "signers").write_text(f"ada@example.org {path.with_suffix('.pub').read_text('utf-8')}", "utf-8")
    for name, value in {
        "commit.gpgSign": "true",
        "gpg.format": "ssh",
        "user.signingKey": str(path),
        "gpg.ssh.allowedSignersFile": str(home / "signers"),
    }.items():
        run_git(home, "config", "--global", name, value)
    return path


def two_commits(repository: Repository) -> WrittenCommits:
    new = [NewCommit(f"{name}\n", [Put(name, b"1")], AT) for name in ("a", "b")]
    return write_commits(repository, new, parent=repository.resolve("HEAD"), label="test")


def test_commits_stay_as_they_are_where_nobody_signs(repository: Repository):
    written = two_commits(repository)
    assert signed(repository, written) is written


def test_each_commit_of_a_line_is_signed_and_else_the_same(key: Path, root: Path):
    repository = Repository.open(root)
    plain = two_commits(repository)
    made = signed(repository, plain)
    form = "--format=%G? %T %an %ae %ad %cn %cd %s"
    one, two = (run_git(root, "log", "-2", form, line.ids[-1]).splitlines() for line in (plain, made))

    assert [line[0] for line in two] == ["G", "G"]
    assert [line[2:] for line in two] == [line[2:] for line in one]
    assert run_git(root, "rev-parse", f"{made.ids[1]}^") == made.ids[0]
    assert run_git(root, "rev-parse", f"{made.ids[0]}^") == run_git(root, "rev-parse", "HEAD")


def test_a_key_that_does_not_work_leaves_no_work_under_way(key: Path, root: Path):
    key.write_text("no key", "utf-8")
    repository = Repository.open(root)
    with pytest.raises(RepoError, match="could not be signed"):
        signed(repository, two_commits(repository))
    assert run_git(root, "for-each-ref", "refs/skillc") == ""


def test_a_program_that_the_repository_names_does_not_sign(key: Path, root: Path, tmp_path: Path):
    script = tmp_path / "evil.sh"
    script.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\nexit 1\n", "utf-8")
    script.chmod(0o755)
    run_git(root, "config", "gpg.ssh.program", str(script))
    repository = Repository.open(root)
    signed(repository, two_commits(repository))
    assert not (tmp_path / "ran").exists()
