"""Commits are written off-ref, and refs move all at once from where they were, or not at all."""

import io
import os
import subprocess
import sys
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillc.errors import RepoError
from skillc.repo import layout
from skillc.repo.commits import (
    FOLDER_MODE,
    Delete,
    NewCommit,
    Put,
    PutObject,
    RefMovedError,
    RefUpdate,
    drop_tmp_refs,
    quote_path,
    update_refs,
    write_commits,
)
from skillc.repo.objects import list_tree, open_reader
from skillc.repo.repository import Repository
from tests.repositories import AT, commit_files, run_git

ODD_PATHS = [
    "a b/c", 'quo"te', "back\\slash", "line\nbreak", "tab\tthere", "ünï", "-dash", "$HOME", "a'b", "#x", " lead",
    "trail ", "\x01\x7f", "\udcff\udcfe", "*.[md]", ":(glob)x", "~", "con", "x" * 200, "\r", "e\u0301",
]  # fmt: skip


def write(repository: Repository, *commits: NewCommit, parent: str | None = None) -> list[str]:
    return write_commits(repository, commits, parent=parent, label="test").ids


def test_a_line_of_commits_is_written_and_no_branch_moves(root: Path, repository: Repository):
    before = run_git(root, "for-each-ref", "refs/heads")
    first = NewCommit("one\n", [Put("a", b"1"), Put("d/b", b"2")], AT)
    second = NewCommit("two\n", [Put("a", b"3"), Delete("d")], AT)

    ids = write(repository, first, second, parent=repository.base().commit)

    assert run_git(root, "rev-parse", f"{ids[1]}^") == ids[0]
    assert [e.path for e in list_tree(repository, ids[1])] == ["README.md", "a"]
    assert run_git(root, "for-each-ref", "refs/heads") == before
    assert run_git(root, "status", "--porcelain") == ""
    run_git(root, "fsck", "--strict")


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_the_same_input_gives_the_same_commit_in_any_repository(new_repository, monkeypatch, object_format: str):
    ids = []
    for name, zone in (("one", "Asia/Tokyo"), ("two", "America/New_York")):
        repository = Repository.open(new_repository(name, object_format=object_format))
        monkeypatch.setenv("TZ", zone)
        monkeypatch.setenv("GIT_AUTHOR_NAME", name)
        run_git(repository.root, "config", "user.name", name)
        run_git(repository.root, "config", "i18n.commitEncoding", "ISO-8859-1" if name == "one" else "UTF-8")
        ids.append(write(repository, NewCommit("grün\n", [Put("a", b"1")], AT)))
    assert ids[0] == ids[1]


def test_commits_carry_the_fixed_identity_and_their_own_time(root: Path, repository: Repository):
    commit = write(repository, NewCommit("x\n", [], AT))[0]
    shown = run_git(root, "show", "-s", "--format=%an <%ae> %cn %aI %cI", commit)
    assert shown == "skillc <skillc@localhost> skillc 2026-01-05T09:00:00+00:00 2026-01-05T09:00:00+00:00"


def test_no_user_name_is_needed(root: Path, repository: Repository, home: Path):
    (home / "gitconfig").write_text("[user]\n\tuseConfigOnly = true\n", "utf-8")
    commit = write(repository, NewCommit("x\n", [Put("a", b"1")], AT))[0]
    update_refs(repository, [RefUpdate("refs/heads/new", None, commit)])
    assert run_git(root, "rev-parse", "new") == commit


@pytest.mark.parametrize("at", [datetime(1960, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, tzinfo=UTC)])
def test_a_time_that_git_does_not_know_stops_nothing(root: Path, repository: Repository, at: datetime):
    commit = write(repository, NewCommit("x\n", [Put("a", b"1")], at))[0]
    run_git(root, "fsck", "--strict", commit)


def test_a_stream_is_copied_from_its_start(root: Path, repository: Repository):
    stream = io.BytesIO(b"line\n" * 1000)
    stream.read(10)
    commit = write(repository, NewCommit("x\n", [Put("big", stream, 5000)], AT))[0]
    assert run_git(root, "cat-file", "-s", f"{commit}:big") == "5000"


def test_a_folder_that_git_has_already_is_put_by_its_id(root: Path, repository: Repository):
    base = commit_files(root, {"d/a": "1\n", "d/b": "2\n"})
    tree = run_git(root, "rev-parse", f"{base}:d")
    change = [PutObject("copy", tree, FOLDER_MODE), Delete("d")]
    commit = write(repository, NewCommit("x\n", change, AT), parent=base)[0]
    assert run_git(root, "rev-parse", f"{commit}:copy") == tree


def test_a_second_parent_is_written(root: Path, repository: Repository):
    left = write(repository, NewCommit("l\n", [Put("l", b"1")], AT))[0]
    right = write(repository, NewCommit("r\n", [Put("r", b"1")], AT))[0]
    both = write(repository, NewCommit("m\n", [Put("r", b"1")], AT, merged=right), parent=left)[0]
    assert run_git(root, "rev-list", "--parents", "-1", both).split() == [both, left, right]


@pytest.mark.parametrize("path", ODD_PATHS)
def test_an_odd_path_is_stored_as_it_is(repository: Repository, path: str):
    commit = write(repository, NewCommit("x\n", [Put(f"d/{path}", b"content")], AT))[0]
    assert [e.path for e in list_tree(repository, commit) if e.kind == "blob"] == [f"d/{path}"]
    with open_reader(repository) as reader:
        entry = next(e for e in list_tree(repository, commit) if e.kind == "blob")
        assert reader.read(entry.object_id) == b"content"


@given(st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1))
def test_a_quoted_path_is_one_quoted_word(part: str):
    """Nothing of a path can end the quote or the line, so a path cannot smuggle in a command."""
    if part in (".", "..") or part.lower() == ".git":
        return
    quoted = quote_path(part)
    assert quoted[:1] == quoted[-1:] == b'"'
    inner = quoted[1:-1]
    assert b"\n" not in inner
    assert b'"' not in inner.replace(b"\\\\", b"").replace(b'\\"', b"")
    assert inner.replace(b"\\n", b"\n") == part.encode() or b"\\" in inner


@pytest.mark.parametrize(
    "path", ["", "/a", "a/", "a//b", ".", "..", "a/../b", "./a", ".git/config", "a/.GIT/x", "a\0b"]
)
def test_a_path_that_git_must_not_hold_is_refused(repository: Repository, path: str):
    with pytest.raises(RepoError, match="no path for a file"):
        quote_path(path)
    with pytest.raises(RepoError, match="no path for a file"):
        write(repository, NewCommit("x\n", [Put(path, b"x")], AT))


def test_a_source_that_breaks_ends_the_write(root: Path, repository: Repository):
    """The stream breaks in the middle: the error comes through, and nothing waits for ever."""

    class Broken(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        write(repository, NewCommit("x\n", [Put("a", Broken(b"xx"), 2)], AT))
    assert run_git(root, "for-each-ref", "refs/skillc") == ""


def test_a_parent_that_does_not_exist_is_gits_error(repository: Repository):
    with pytest.raises(RepoError, match="fast-import"):
        write(repository, NewCommit("x\n", [Put("a", b"1")], AT), parent="1" * 40)


def test_a_large_commit_does_not_block_on_its_pipes(repository: Repository):
    changes = [Put(f"d/{n:05d}", b"x" * 200) for n in range(3000)]
    commits = [NewCommit("x\n", changes, AT)] * 20
    assert len(write(repository, *commits)) == 20


# Refs


def test_refs_move_together_or_not_at_all(root: Path, repository: Repository):
    old = run_git(root, "rev-parse", "HEAD")
    new = write(repository, NewCommit("x\n", [], AT), parent=old)[0]
    with pytest.raises(RefMovedError):
        update_refs(repository, [RefUpdate("refs/heads/a", None, new), RefUpdate("refs/heads/main", new, old)])
    assert repository.refs("refs/heads") == {"refs/heads/main": old}

    update_refs(repository, [RefUpdate("refs/heads/a", None, new), RefUpdate("refs/heads/main", old, new)])
    assert repository.refs("refs/heads") == {"refs/heads/main": new, "refs/heads/a": new}


@pytest.mark.parametrize("case", ["moved", "made", "gone", "deleted"])
def test_a_ref_that_is_not_where_it_was_is_said_so(root: Path, repository: Repository, case: str):
    old = run_git(root, "rev-parse", "HEAD")
    new = write(repository, NewCommit("x\n", [], AT), parent=old)[0]
    update = {
        "moved": RefUpdate("refs/heads/main", new, old),
        "made": RefUpdate("refs/heads/main", None, new),
        "gone": RefUpdate("refs/heads/gone", old, new),
        "deleted": RefUpdate("refs/heads/main", new, None),
    }[case]
    with pytest.raises(RefMovedError, match="moved while this command ran") as caught:
        update_refs(repository, [update])
    assert caught.value.hint == "run the command again; nothing was changed"
    assert caught.value.code == 4
    assert repository.refs("refs/heads") == {"refs/heads/main": old}


def test_a_ref_is_deleted_from_where_it_was(root: Path, repository: Repository):
    old = run_git(root, "rev-parse", "HEAD")
    run_git(root, "branch", "gone")
    update_refs(repository, [RefUpdate("refs/heads/gone", old, None)])
    assert "refs/heads/gone" not in repository.refs("refs/heads")


def test_a_name_cannot_smuggle_in_a_command(root: Path, repository: Repository):
    old = run_git(root, "rev-parse", "HEAD")
    name = f"refs/heads/x\ndelete refs/heads/main {old}\nupdate refs/heads/y"
    with pytest.raises(RepoError):
        update_refs(repository, [RefUpdate(name, None, old)])
    assert repository.refs("refs/heads") == {"refs/heads/main": old}


def test_a_lock_of_another_git_is_named_and_left_alone(root: Path, repository: Repository):
    old = run_git(root, "rev-parse", "HEAD")
    lock = root / ".git" / "refs" / "heads" / "main.lock"
    lock.write_text("", "utf-8")
    new = write(repository, NewCommit("x\n", [], AT), parent=old)[0]
    with pytest.raises(RepoError, match="a lock file is in the way") as caught:
        update_refs(repository, [RefUpdate("refs/heads/main", old, new)])
    assert str(lock) in caught.value.message
    assert lock.exists()


def test_hooks_see_nothing_of_a_ref_update(root: Path, repository: Repository, tmp_path: Path):
    mark = tmp_path / "ran"
    hook = root / ".git" / "hooks" / "reference-transaction"
    hook.write_text(f"#!/bin/sh\ntouch {mark}\nexit 1\n", "utf-8")
    hook.chmod(0o755)
    update_refs(repository, [RefUpdate("refs/heads/x", None, run_git(root, "rev-parse", "HEAD"))])
    assert not mark.exists()


def test_work_under_way_is_pinned_and_dropped_with_the_move(root: Path, repository: Repository):
    written = write_commits(repository, [NewCommit("x\n", [], AT)], parent=None, label="r-1")
    assert repository.refs("refs/skillc") == {written.tmp_ref: written.ids[0]}
    update_refs(repository, [RefUpdate("refs/heads/x", None, written.ids[0])], drop=[written.tmp_ref])
    assert repository.refs("refs/skillc") == {}


def test_work_of_a_killed_command_is_dropped_and_that_of_a_living_one_is_not(root: Path, repository: Repository):
    commit = run_git(root, "rev-parse", "HEAD")
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    for ref in (f"run-{dead.pid}", f"run-{os.getpid()}", "odd-name"):
        run_git(root, "update-ref", layout.TMP_REFS + ref, commit)
    drop_tmp_refs(repository)
    assert set(repository.refs("refs/skillc")) == {layout.TMP_REFS + f"run-{os.getpid()}"}


def test_an_orphan_stays_an_orphan_after_a_killed_run_with_our_number(root: Path, repository: Repository):
    run_git(root, "update-ref", f"{layout.TMP_REFS}test-{threading.get_native_id()}-{os.getpid()}", "HEAD")
    commit = write(repository, NewCommit("x\n", [], AT))[0]
    assert run_git(root, "rev-list", "--parents", "-1", commit) == commit


@settings(max_examples=15, deadline=None)
@given(st.binary(max_size=300), st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")))
def test_any_content_and_any_message_is_stored_as_it_is(tmp_path_factory, data: bytes, message: str):
    folder = tmp_path_factory.getbasetemp() / "property"
    if not folder.exists():
        folder.mkdir()
        run_git(folder, "init", "-q")
    repository = Repository.open(folder)
    commit = write(repository, NewCommit(message, [Put("a", data)], AT))[0]
    assert repository.git.run("cat-file", "blob", f"{commit}:a") == data
    body = repository.git.run("cat-file", "commit", commit).split(b"\n\n", 1)[1]
    assert body == message.encode()
