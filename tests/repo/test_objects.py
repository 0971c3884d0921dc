"""Reading trees and files: what is there, and nothing that only looks like it."""

from pathlib import Path

import pytest

from skillc.errors import RepoError
from skillc.repo.objects import Entry, TooLargeError, list_tree, open_reader, read_blob
from skillc.repo.repository import Repository
from tests.repositories import commit_files, put_commit, run_git


def test_a_tree_is_listed_with_its_folders(root: Path, repository: Repository):
    commit = commit_files(root, {"d/e/f": "1\n", "d/g": "2\n"})
    paths = [(e.kind, e.path) for e in list_tree(repository, commit)]
    assert paths == [
        ("blob", "README.md"),
        ("tree", "d"),
        ("tree", "d/e"),
        ("blob", "d/e/f"),
        ("blob", "d/g"),
    ]


def test_a_folder_is_listed_without_itself_and_without_its_neighbours(root: Path, repository: Repository):
    commit = commit_files(root, {"d/a": "1\n", "d-more/b": "2\n", "d.txt": "3\n"})
    assert [e.path for e in list_tree(repository, commit, "d")] == ["d/a"]
    assert [e.path for e in list_tree(repository, commit, "d", recursive=False)] == ["d/a"]
    assert list_tree(repository, commit, "gone") == []
    assert list_tree(repository, commit, "d.txt") == []


def test_a_path_with_wildcards_is_itself(root: Path, repository: Repository):
    commit = commit_files(root, {"s*/a": "1\n", "skills/b": "2\n"})
    assert [e.path for e in list_tree(repository, commit, "s*")] == ["s*/a"]


def test_links_and_submodules_are_seen_as_what_they_are(root: Path, repository: Repository):
    (root / "link").symlink_to("/etc/passwd")
    head = run_git(root, "rev-parse", "HEAD")
    run_git(root, "add", "link")
    run_git(root, "update-index", "--add", "--cacheinfo", f"160000,{head},sub")
    run_git(root, "commit", "-q", "-m", "x")
    found = {e.path: (e.mode, e.kind) for e in list_tree(repository, "HEAD")}
    assert found["link"] == ("120000", "blob")
    assert found["sub"] == ("160000", "commit")


def test_names_that_are_not_utf8_survive(repository: Repository):
    commit = put_commit(repository, "refs/heads/x", {"caf\udce9": b"1", "two\nlines": b"2"})
    assert [e.path for e in list_tree(repository, commit)] == ["caf\udce9", "two\nlines"]
    assert read_blob(repository, commit, "caf\udce9", limit=10) == b"1"


def test_a_revision_that_does_not_exist_is_an_error(repository: Repository):
    with pytest.raises(RepoError, match="cannot list"):
        list_tree(repository, "gone")


def test_an_entry_is_a_value():
    assert Entry("100644", "blob", "a", "p") == Entry("100644", "blob", "a", "p")


def test_many_files_come_through_one_reader(root: Path, repository: Repository):
    commit = commit_files(root, {f"f{n}": f"{n}\n" * n for n in range(50)})
    with open_reader(repository) as reader:
        for n in range(50):
            assert reader.read(f"{commit}:f{n}") == f"{n}\n".encode() * n


@pytest.mark.parametrize("name", ["HEAD:gone", "gone:README.md", "0" * 40, "HEAD:d", "HEAD:sub", "HEAD", "HEAD:",
                                  "HEAD:a\nb", "HEAD:a\0b", "", " ", "HEAD:README.md/x"])  # fmt: skip
def test_what_is_no_file_reads_as_nothing(root: Path, repository: Repository, name: str):
    head = commit_files(root, {"d/a": "1\n"})
    run_git(root, "update-index", "--add", "--cacheinfo", f"160000,{head},sub")
    run_git(root, "commit", "-q", "-m", "x")
    with open_reader(repository) as reader:
        assert reader.read(name) is None
        assert reader.read("HEAD:README.md") == b"hello\n", "the reader goes on"


def test_a_file_over_the_limit_is_not_read(root: Path, repository: Repository):
    commit = commit_files(root, {"big": "x" * 3_000_000})
    with open_reader(repository) as reader:
        with pytest.raises(TooLargeError, match="larger than 100 bytes"):
            reader.read(f"{commit}:big", limit=100)
        assert reader.read("HEAD:README.md", limit=6) == b"hello\n", "the reader goes on"
    with pytest.raises(RepoError, match="'big' in "):
        read_blob(repository, commit, "big", limit=100)


def test_one_file_of_a_revision_is_read_or_is_not_there(root: Path, repository: Repository):
    commit_files(root, {"d/a": "1\n"})
    assert read_blob(repository, "HEAD", "README.md", limit=6) == b"hello\n"
    for revision, path in (("HEAD", "gone"), ("gone", "README.md"), ("HEAD", "d")):
        assert read_blob(repository, revision, path, limit=100) is None


def test_a_damaged_object_is_an_error_and_not_half_a_file(root: Path, repository: Repository):
    blob = run_git(root, "rev-parse", "HEAD:README.md")
    path = root / ".git" / "objects" / blob[:2] / blob[2:]
    path.chmod(0o644)
    path.write_bytes(path.read_bytes()[:10])
    with open_reader(repository) as reader, pytest.raises(RepoError) as caught:
        reader.read(blob)
    assert caught.value.hint == "run: git fsck"


def test_sha256_objects_are_read(new_repository):
    repository = Repository.open(new_repository(object_format="sha256", files={"a": "1\n"}))
    entry = list_tree(repository, "HEAD")[0]
    assert len(entry.object_id) == 64
    with open_reader(repository) as reader:
        assert reader.read(entry.object_id) == b"1\n"
