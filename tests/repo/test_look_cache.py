"""A look is remembered for exactly the file that was looked at."""

import os
from pathlib import Path

import pytest

from skillc.repo import layout
from skillc.repo.look_cache import LookCache
from skillc.repo.repository import Repository

SEEN = ("t-1", "t-2")


def test_an_unchanged_file_is_known_and_a_changed_one_is_not(repository: Repository):
    cache = LookCache(repository, "key")
    cache.put("/a", 10, 99, SEEN)
    cache.put("/empty", 3, 1, ())
    cache.save()
    again = LookCache(repository, "key")

    assert again.get("/a", 10, 99) == SEEN
    assert again.get("/empty", 3, 1) == ()
    assert again.get("/a", 11, 99) is None
    assert again.get("/a", 10, 100) is None
    assert again.get("/b", 10, 99) is None


def test_looks_under_another_policy_are_forgotten(repository: Repository):
    cache = LookCache(repository, "key")
    cache.put("/a", 10, 99, SEEN)
    cache.save()
    assert LookCache(repository, "other").get("/a", 10, 99) is None


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[1]",
        b"{",
        b'{"key": "key", "files": []}',
        b'{"key": "key", "files": {"/a": [10, 99]}}',
        b'{"key": "key", "files": {"/a": [10, 99, [1, 2]]}}',
        b'{"key": "key", "files": {"/a": [10, 99, 7]}}',
        b"[" * 100_000,
        b"\xff\xfe",
    ],
)
def test_a_cache_that_cannot_be_read_is_an_empty_one(repository: Repository, data: bytes):
    path = repository.private / layout.LOOK_CACHE
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    assert LookCache(repository, "key").get("/a", 10, 99) is None


def test_a_link_in_its_place_is_not_followed(repository: Repository, tmp_path: Path):
    target = tmp_path / "theirs"
    target.write_bytes(b'{"key": "key", "files": {"/a": [10, 99, []]}}')
    path = repository.private / layout.LOOK_CACHE
    path.parent.mkdir(parents=True)
    path.symlink_to(target)
    cache = LookCache(repository, "key")
    assert cache.get("/a", 10, 99) is None
    cache.put("/a", 10, 99, SEEN)
    cache.save()
    assert target.read_bytes() == b'{"key": "key", "files": {"/a": [10, 99, []]}}'


def test_a_cache_that_cannot_be_written_costs_time_only(repository: Repository):
    repository.private.mkdir()
    (repository.private / "cache").write_text("in the way")
    cache = LookCache(repository, "key")
    cache.put("/a", 10, 99, SEEN)
    cache.save()
    assert cache.get("/a", 10, 99) == SEEN


def test_nothing_new_writes_nothing(repository: Repository):
    LookCache(repository, "key").save()
    assert not os.path.lexists(repository.private / layout.LOOK_CACHE)
