"""Answers are kept for this account alone, whole or not at all, and set aside when they were no good."""

import os
import stat

import pytest

from skillc.repo.answers import KeptAnswers
from skillc.repo.repository import Repository

DIGEST = "sha256:" + "ab" * 32


def test_an_answer_is_kept_privately_and_read_again(repository: Repository):
    store = KeptAnswers(repository)
    assert store.get(DIGEST) is None
    store.put(DIGEST, b"{}")
    assert KeptAnswers(repository).get(DIGEST) == b"{}"
    folder = repository.private / "answers-1"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert [stat.S_IMODE(p.stat().st_mode) for p in folder.iterdir()] == [0o600]


def test_a_refused_answer_is_found_by_a_replay_only(repository: Repository):
    store = KeptAnswers(repository)
    store.put(DIGEST, b"bad")
    store.set_aside(DIGEST)
    store.set_aside(DIGEST)
    assert store.get(DIGEST) is None
    replay = KeptAnswers(repository, replays=True)
    assert replay.get(DIGEST) == b"bad"
    replay.put(DIGEST, b"new")
    replay.set_aside(DIGEST)
    assert replay.get(DIGEST) == b"bad"


def test_a_dry_run_keeps_nothing_and_no_link_is_followed(repository: Repository, tmp_path):
    KeptAnswers(repository.dry()).put(DIGEST, b"x")
    assert not (repository.private / "answers-1").exists()
    (repository.private / "answers-1").mkdir(parents=True)
    (tmp_path / "target").write_text("secret")
    os.symlink(tmp_path / "target", repository.private / "answers-1" / f"{'ab' * 32}.json")
    assert KeptAnswers(repository).get(DIGEST) is None


def test_a_digest_is_never_a_path(repository: Repository):
    with pytest.raises(AssertionError):
        KeptAnswers(repository).get("sha256:../../etc/passwd")


def test_a_folder_that_cannot_be_written_costs_no_run(repository: Repository):
    repository.private.mkdir(parents=True, exist_ok=True)
    (repository.private / "answers-1").write_text("in the way")
    KeptAnswers(repository).put(DIGEST, b"x")
    assert KeptAnswers(repository).get(DIGEST) is None


def test_an_answer_that_somebody_put_there_or_changed_is_none(repository: Repository):
    store = KeptAnswers(repository)
    store.put(DIGEST, b'{"verdict": "no"}')
    (path,) = (repository.private / "answers-1").iterdir()
    written = path.read_bytes()
    assert store.get(DIGEST) == b'{"verdict": "no"}'
    for planted in (b'{"verdict": "yes"}', written.replace(b"no", b"ok"), b"0" * 64 + b"\nyes", b""):
        path.write_bytes(planted)
        assert store.get(DIGEST) is None
    other = "sha256:" + "cd" * 32
    path.with_name(f"{'cd' * 32}.json").write_bytes(written)
    assert store.get(other) is None, "an answer is bound to its question"
