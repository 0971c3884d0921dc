"""A checked-out base moves along safely: what a person changed is never touched, and a broken move is mended."""

import json
import os
import stat
from pathlib import Path

import pytest

from skillc.errors import RepoError
from skillc.repo import checkout as module
from skillc.repo import layout
from skillc.repo.checkout import advance_branch, finish_broken_move, move_branch
from skillc.repo.commits import Delete, NewCommit, Put, PutObject, RefMovedError, write_commits
from skillc.repo.repository import Repository
from tests.repositories import AT, commit_files, run_git, seen_by_a_person

SKILL = ".claude/skills/refunds/SKILL.md"


class Killed(BaseException):
    """Stands for a kill: no `except Exception` catches it."""


def change(*changes: Put | Delete | PutObject) -> list[NewCommit]:
    return [NewCommit("skill\n", list(changes), AT)]


def advance(repository: Repository, *changes: Put | Delete | PutObject) -> str:
    return advance_branch(repository, repository.base(), change(*changes), label="test")


def is_clean(root: Path) -> bool:
    return run_git(root, "status", "--porcelain", "--ignored") == ""


# A move


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_new_changed_and_removed_files_appear_in_the_checkout(new_repository, object_format: str):
    root = new_repository(object_format=object_format, files={"a/b/old": "1\n", SKILL: "1\n"})
    repository = Repository.open(root)
    new = advance(repository, Put(SKILL, b"2\n"), Put("x y/\u00fc", b"3\n"), Delete("a"))
    assert run_git(root, "rev-parse", "HEAD") == new
    assert (root / SKILL).read_text("utf-8") == "2\n"
    assert (root / "x y" / "\u00fc").read_text("utf-8") == "3\n"
    assert not (root / "a").exists(), "folders that are empty now are gone"
    assert is_clean(root)


def test_a_base_that_is_not_checked_out_moves_alone(root: Path, repository: Repository):
    run_git(root, "switch", "-q", "-c", "topic")
    before = seen_by_a_person(root)
    new = advance(repository, Put(SKILL, b"1\n"))
    after = seen_by_a_person(root)
    assert run_git(root, "rev-parse", "main") == new
    before.pop(":branches"), after.pop(":branches")
    assert after == before


def test_a_detached_head_on_the_same_commit_is_left_alone(root: Path, repository: Repository):
    run_git(root, "switch", "-q", "--detach")
    advance(repository, Put(SKILL, b"1\n"))
    assert not (root / SKILL).exists()
    assert is_clean(root)


def test_every_worktree_of_the_branch_comes_along_and_no_other(root: Path, tmp_path: Path, repository: Repository):
    run_git(root, "worktree", "add", "-q", "-f", str(tmp_path / "same"), "main")
    run_git(root, "worktree", "add", "-q", "-b", "topic", str(tmp_path / "other"))
    advance(repository, Put(SKILL, b"1\n"))
    assert (tmp_path / "same" / SKILL).exists()
    assert is_clean(tmp_path / "same")
    assert not (tmp_path / "other" / SKILL).exists()
    assert is_clean(tmp_path / "other")


def test_a_move_from_a_linked_worktree_brings_the_main_one_along(root: Path, tmp_path: Path):
    run_git(root, "worktree", "add", "-q", str(tmp_path / "linked"))
    advance(Repository.open(tmp_path / "linked"), Put(SKILL, b"1\n"))
    assert (root / SKILL).exists()
    assert is_clean(root)


def test_a_move_in_a_submodule_writes_into_its_work_tree(root: Path, new_repository):
    """git lists the git folder of a submodule as its main work tree; nothing may be written there."""
    parent = new_repository("parent", files={"a": "a\n"})
    run_git(parent, "submodule", "add", "-q", str(root), "sub")
    sub = parent / "sub"
    run_git(sub, "remote", "remove", "origin")
    advance(Repository.open(sub), Put(SKILL, b"1\n"))
    assert (sub / SKILL).exists()
    assert is_clean(sub)
    assert not (parent / ".git" / "modules" / "sub" / ".claude").exists()


def test_other_changes_of_the_person_stay_as_they_are(root: Path, repository: Repository):
    commit_files(root, {"work.py": "1\n", "staged.py": "1\n", ".gitignore": "*.log\n"})
    (root / "work.py").write_text("changed\n", "utf-8")
    (root / "staged.py").write_text("staged\n", "utf-8")
    run_git(root, "add", "staged.py")
    (root / "staged.py").write_text("and changed again\n", "utf-8")
    (root / "untracked").write_text("mine\n", "utf-8")
    (root / "x.log").write_text("mine\n", "utf-8")
    (root / "link").symlink_to("/nowhere")
    before = seen_by_a_person(root)
    advance(repository, Put(SKILL, b"1\n"))
    after = seen_by_a_person(root)
    assert after.pop(SKILL) == b"1\n"
    for name in (":staged", ":branches"):
        before.pop(name), after.pop(name)
    assert after == before
    status = run_git(root, "status", "--porcelain").splitlines()
    assert status == ["MM staged.py", " M work.py", "?? link", "?? untracked"]


def test_an_executable_file_is_written_as_one(root: Path, repository: Repository):
    blob = run_git(root, "rev-parse", "HEAD:README.md")
    advance(repository, PutObject("run.sh", blob, "100755"))
    assert (root / "run.sh").stat().st_mode & stat.S_IXUSR
    assert is_clean(root)


@pytest.mark.parametrize("autocrlf", ["true", "input"])
def test_line_end_conversion_does_not_look_like_a_change(root: Path, autocrlf: str):
    run_git(root, "config", "core.autocrlf", autocrlf)
    commit_files(root, {SKILL: "one\ntwo\n"})
    (root / SKILL).unlink()
    run_git(root, "checkout", "--", SKILL)
    assert ((root / SKILL).read_bytes() == b"one\r\ntwo\r\n") is (autocrlf == "true")
    advance(Repository.open(root), Put(SKILL, b"three\n"), Put("new.md", b"four\n"))
    assert is_clean(root)


def test_files_that_a_sparse_checkout_leaves_out_stay_out(root: Path, repository: Repository):
    commit_files(root, {SKILL: "1\n", "keep/a": "1\n"})
    run_git(root, "sparse-checkout", "set", "--no-cone", "/keep/")
    assert not (root / SKILL).exists()
    advance(repository, Put(SKILL, b"2\n"))
    assert not (root / SKILL).exists()
    assert is_clean(root)


# What stops a move, with nothing changed


def stopped(repository: Repository, *changes: Put | Delete | PutObject) -> RepoError:
    """Tries a move that must stop, and proves that a person sees no difference."""
    before = seen_by_a_person(repository.root)
    with pytest.raises(RepoError) as caught:
        advance(repository, *changes)
    assert seen_by_a_person(repository.root) == before
    assert not (repository.private / layout.JOURNAL_FILE).exists()
    assert caught.value.hint or "no plain file" in caught.value.message
    return caught.value


@pytest.mark.parametrize("ignored", [False, True])
def test_a_file_in_the_way_stops_the_move(root: Path, repository: Repository, ignored: bool):
    """An ignored file is the worst: git itself overwrites it silently."""
    if ignored:
        commit_files(root, {".gitignore": ".claude/\n"})
    (root / SKILL).parent.mkdir(parents=True)
    (root / SKILL).write_text("mine\n", "utf-8")
    assert "a file that git does not track is in the way" in stopped(repository, Put(SKILL, b"1\n")).message
    assert (root / SKILL).read_text("utf-8") == "mine\n"


@pytest.mark.parametrize("kind", ["changed", "deleted", "link", "folder", "staged", "unstaged", "added"])
def test_a_changed_file_stops_the_move(root: Path, repository: Repository, kind: str):
    commit_files(root, {SKILL: "1\n"})
    path = root / SKILL
    if kind == "changed":
        path.write_text("mine\n", "utf-8")
    elif kind in ("deleted", "link", "folder"):
        path.unlink()
        if kind == "link":
            path.symlink_to("/etc/passwd")
        elif kind == "folder":
            path.mkdir()
    elif kind == "staged":
        path.write_text("mine\n", "utf-8")
        run_git(root, "add", SKILL)
        path.write_text("1\n", "utf-8")
    elif kind == "unstaged":
        run_git(root, "rm", "-q", "--cached", SKILL)
    elif kind == "added":
        (root / "new").write_text("mine\n", "utf-8")
        run_git(root, "add", "new")
        (root / "new").unlink()
    assert stopped(repository, Put(SKILL, b"2\n"), Put("new", b"2\n"))


@pytest.mark.parametrize("target", ["folder outside", "file"])
def test_a_link_or_file_in_place_of_a_folder_stops_the_move(
    root: Path, repository: Repository, tmp_path: Path, target: str
):
    if target == "file":
        (root / ".claude").write_text("mine\n", "utf-8")
    else:
        (tmp_path / "outside").mkdir()
        (root / ".claude").symlink_to(tmp_path / "outside")
    assert "is no folder" in stopped(repository, Put(SKILL, b"1\n")).message
    assert not (tmp_path / "outside" / "skills").exists()


def test_a_file_in_the_way_in_another_checkout_stops_the_move_everywhere(
    root: Path, tmp_path: Path, repository: Repository
):
    run_git(root, "worktree", "add", "-q", "-f", str(tmp_path / "same"), "main")
    (tmp_path / "same" / SKILL).parent.mkdir(parents=True)
    (tmp_path / "same" / SKILL).write_text("mine\n", "utf-8")
    assert stopped(repository, Put(SKILL, b"1\n"))


@pytest.mark.parametrize("operation", ["merge", "cherry-pick", "revert"])
def test_unfinished_work_stops_the_move(root: Path, repository: Repository, operation: str):
    commit_files(root, {"a": "1\n"})
    run_git(root, "switch", "-q", "-c", "topic")
    commit_files(root, {"a": "2\n"})
    run_git(root, "switch", "-q", "main")
    commit_files(root, {"a": "3\n"})
    with pytest.raises(AssertionError):
        run_git(root, operation, "topic")
    run_git(root, "checkout", "--ours", "a")
    assert "under way" in stopped(repository, Put(SKILL, b"1\n")).message


def test_a_conflict_in_the_staging_area_stops_the_move(root: Path, repository: Repository):
    commit_files(root, {SKILL: "1\n"})
    blob = run_git(root, "rev-parse", f"HEAD:{SKILL}")
    run_git(root, "update-index", "--force-remove", SKILL)
    lines = "".join(f"100644 {blob} {stage}\t{SKILL}\n" for stage in (1, 2, 3))
    run_git(root, "update-index", "--index-info", stdin=lines.encode())
    assert "staged with other content" in stopped(repository, Put(SKILL, b"2\n")).message


def test_a_lock_of_another_git_stops_the_move_and_stays(root: Path, repository: Repository):
    lock = root / ".git" / "index.lock"
    lock.write_text("", "utf-8")
    os.utime(lock, (0, 0))
    with pytest.raises(RepoError, match="a lock file is in the way") as caught:
        advance(repository, Put(SKILL, b"1\n"))
    assert str(lock) in caught.value.message
    assert " s old" in caught.value.message
    assert lock.exists()


def test_an_unborn_branch_stops_the_move(new_repository):
    root = new_repository()
    with pytest.raises(RepoError, match="no commit yet"):
        advance(Repository.open(root), Put(SKILL, b"1\n"))
    assert not (root / ".claude").exists()


def test_a_link_is_never_written(root: Path, repository: Repository):
    blob = run_git(root, "hash-object", "-w", "--stdin", stdin=b"/etc/passwd")
    assert "no plain file" in stopped(repository, PutObject("link", blob, "120000")).message


def test_a_branch_that_moved_meanwhile_is_said_so(root: Path, repository: Repository):
    base = repository.base()
    commit_files(root, {"b": "b\n"})
    written = write_commits(repository, change(Put(SKILL, b"1\n")), parent=base.commit, label="t")
    run_git(root, "switch", "-q", "-c", "topic")
    with pytest.raises(RefMovedError):
        move_branch(repository, base, old=base.commit, new=written.ids[0])
    assert not (repository.private / layout.JOURNAL_FILE).exists()
    assert finish_broken_move(repository) is None


def test_a_local_base_behind_its_remote_is_not_moved(root: Path, tmp_path: Path):
    run_git(tmp_path, "clone", "-q", str(root), "clone")
    commit_files(root, {"b": "b\n"})
    run_git(tmp_path / "clone", "fetch", "-q")
    with pytest.raises(RepoError, match="behind its remote") as caught:
        advance(Repository.open(tmp_path / "clone"), Put(SKILL, b"1\n"))
    assert "git pull" in str(caught.value.hint)


# A broken move


def break_at(monkeypatch, step: str) -> None:
    def kill(*_: object, **__: object) -> None:
        raise Killed

    monkeypatch.setattr(module, step, kill)


def broken_move(repository: Repository, monkeypatch, step: str, *changes: Put | Delete) -> None:
    with monkeypatch.context() as patch:
        break_at(patch, step)
        with pytest.raises(Killed):
            advance(repository, *changes)


def test_a_move_killed_before_the_ref_moved_is_forgotten(root: Path, repository: Repository, monkeypatch):
    before = seen_by_a_person(root)
    broken_move(repository, monkeypatch, "update_refs", Put(SKILL, b"1\n"))
    assert finish_broken_move(repository) == "forgot a move of refs/heads/main that never became visible"
    assert finish_broken_move(repository) is None
    assert seen_by_a_person(root) == before
    advance(repository, Put(SKILL, b"1\n"))
    assert is_clean(root)


def test_a_move_killed_after_the_ref_moved_is_finished(root: Path, repository: Repository, monkeypatch):
    commit_files(root, {SKILL: "1\n", "gone/a": "1\n"})
    broken_move(repository, monkeypatch, "follow", Put(SKILL, b"2\n"), Put("new", b"2\n"), Delete("gone"))
    assert not is_clean(root)
    said = finish_broken_move(repository)
    assert said is not None
    assert said.startswith("finished an interrupted move of refs/heads/main")
    assert (root / SKILL).read_text("utf-8") == "2\n"
    assert not (root / "gone").exists()
    assert is_clean(root)
    assert finish_broken_move(repository) is None


@pytest.mark.parametrize("writes", range(5))
def test_a_move_killed_between_two_files_is_finished(root: Path, repository: Repository, monkeypatch, writes: int):
    from skillc.repo import worktree

    commit_files(root, {"a": "1\n", "b": "1\n", "c": "1\n"})
    real, done = worktree._write_path, []

    def count(*arguments: object) -> None:
        if len(done) == writes:
            raise Killed
        done.append(1)
        real(*arguments)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(worktree, "_write_path", count)
        with pytest.raises(Killed):
            advance(
                repository,
                Put("a", b"2\n"),
                Delete("b"),
                Put("c", b"2\n"),
                Put("d", b"2\n"),
                Put("e", b"2\n"),
            )
    assert finish_broken_move(repository) is not None
    assert is_clean(root)
    assert sorted(p.name for p in root.iterdir()) == [".git", "README.md", "a", "c", "d", "e"]


def test_the_next_move_finishes_the_broken_one_first(root: Path, repository: Repository, monkeypatch):
    broken_move(repository, monkeypatch, "follow", Put("one", b"1\n"))
    advance(repository, Put("two", b"2\n"))
    assert is_clean(root)
    assert (root / "one").exists()


def test_a_lock_between_ref_and_files_leaves_a_move_that_can_be_finished(root: Path, repository: Repository):
    """Another git takes its lock after we looked."""
    from skillc.repo import worktree

    lock = root / ".git" / "index.lock"
    real = worktree._write_path
    try:
        worktree._write_path = lambda *a: (lock.write_text("", "utf-8"), real(*a))  # type: ignore[assignment]
        with pytest.raises(RepoError, match="a lock file is in the way"):
            advance(repository, Put(SKILL, b"1\n"))
    finally:
        worktree._write_path = real
    lock.unlink()
    assert finish_broken_move(repository) is not None
    assert is_clean(root)


def test_finishing_spares_what_a_person_did_meanwhile(root: Path, repository: Repository, monkeypatch):
    commit_files(root, {"a": "1\n", "b": "1\n"})
    broken_move(repository, monkeypatch, "follow", Put("a", b"2\n"), Put("b", b"2\n"), Put("c", b"2\n"))
    (root / "a").write_text("mine\n", "utf-8")
    (root / "c").write_text("mine too\n", "utf-8")
    finish_broken_move(repository)
    assert (root / "a").read_text("utf-8") == "mine\n"
    assert (root / "c").read_text("utf-8") == "mine too\n"
    assert (root / "b").read_text("utf-8") == "2\n"
    assert run_git(root, "status", "--porcelain").splitlines() == [" M a", " M c"]


def test_finishing_leaves_a_checkout_alone_that_has_another_branch_now(root: Path, repository: Repository, monkeypatch):
    run_git(root, "branch", "topic")
    broken_move(repository, monkeypatch, "follow", Put(SKILL, b"1\n"))
    run_git(root, "symbolic-ref", "HEAD", "refs/heads/topic")
    assert is_clean(root)
    finish_broken_move(repository)
    assert is_clean(root)
    assert not (root / SKILL).exists()


def test_a_branch_that_moved_on_is_not_followed_back(root: Path, repository: Repository, monkeypatch):
    broken_move(repository, monkeypatch, "follow", Put(SKILL, b"1\n"))
    run_git(root, "reset", "-q", "--hard")
    commit_files(root, {"more": "1\n"})
    assert finish_broken_move(repository) == (
        "forgot an interrupted move of refs/heads/main: the branch has moved on since"
    )
    assert is_clean(root)


@pytest.mark.parametrize(
    "journal",
    [
        b"", b"{", b"[]", b"null", b"\xff", b"[" * 100_000, b'{"ref": 1, "old": 2, "new": 3, "roots": 4}',
        json.dumps({"ref": "refs/heads/main", "old": "--output=/tmp/x", "new": "0" * 40, "roots": []}).encode(),
        json.dumps({"ref": "HEAD", "old": None, "new": "0" * 40, "roots": []}).encode(),
        json.dumps({"ref": "refs/heads/main", "old": None, "new": None, "roots": []}).encode(),
        b"x" * (2 << 20),
    ],
    ids=range(11),
)  # fmt: skip
def test_a_journal_that_somebody_else_wrote_does_nothing(root: Path, repository: Repository, journal: bytes):
    before = seen_by_a_person(root)
    repository.private.mkdir()
    (repository.private / layout.JOURNAL_FILE).write_bytes(journal)
    assert finish_broken_move(repository) == "forgot an unreadable journal of a move that never began"
    assert finish_broken_move(repository) is None
    assert seen_by_a_person(root) == before


def test_a_journal_that_is_a_link_is_removed_and_not_followed(root: Path, repository: Repository, tmp_path: Path):
    (tmp_path / "mine").write_text("{}", "utf-8")
    repository.private.mkdir()
    (repository.private / layout.JOURNAL_FILE).symlink_to(tmp_path / "mine")
    finish_broken_move(repository)
    assert (tmp_path / "mine").read_text("utf-8") == "{}"
    assert finish_broken_move(repository) is None


def test_a_journal_cannot_name_a_folder_that_is_no_checkout(root: Path, repository: Repository, tmp_path: Path):
    old = run_git(root, "rev-parse", "HEAD")
    new = advance(repository, Put(SKILL, b"1\n"))
    (tmp_path / "elsewhere").mkdir()
    record = {
        "ref": "refs/heads/main",
        "old": old,
        "new": new,
        "roots": [str(tmp_path / "elsewhere"), 7, None],
    }
    (repository.private / layout.JOURNAL_FILE).write_text(json.dumps(record), "utf-8")
    finish_broken_move(repository)
    assert list((tmp_path / "elsewhere").iterdir()) == []
