"""A check runs in a checkout of its own, without input, without our variables, and with an end."""

import sys
import tempfile
import time
from pathlib import Path

import pytest

from skillc.errors import RepoError
from skillc.repo.repository import Repository
from skillc.repo.sandbox import run_in, temporary_checkout
from tests.repositories import commit_files, run_git, seen_by_a_person


@pytest.fixture(autouse=True)
def own_temporary_folder(tmp_path: Path, monkeypatch) -> Path:
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def python(folder: Path, code: str, timeout_s: int = 30):
    return run_in(folder, [sys.executable, "-c", code], timeout_s=timeout_s)


def test_the_checkout_holds_exactly_the_commit_and_is_gone_afterwards(root: Path, repository: Repository):
    old = run_git(root, "rev-parse", "HEAD")
    commit_files(root, {"later": "1\n"})
    (root / "untracked").write_text("x", "utf-8")
    before = seen_by_a_person(root)
    with temporary_checkout(repository, old) as folder:
        assert sorted(p.name for p in folder.iterdir()) == [".git", "README.md"]
        assert run_git(folder, "rev-parse", "HEAD") == old
        assert root not in folder.parents
    assert not folder.exists()
    assert len(repository.worktrees()) == 1
    assert seen_by_a_person(root) == before


def test_the_checkout_is_gone_after_an_error_too(repository: Repository, own_temporary_folder: Path):
    with pytest.raises(ValueError, match="x"), temporary_checkout(repository, "HEAD"):
        raise ValueError("x")
    assert list(own_temporary_folder.iterdir()) == []
    with pytest.raises(RepoError), temporary_checkout(repository, "0" * 40):
        pass
    assert list(own_temporary_folder.iterdir()) == []


def test_neither_hooks_nor_filters_of_the_repository_run_on_the_way(root: Path, tmp_path: Path):
    mark = tmp_path / "ran"
    commit_files(root, {".gitattributes": "*.md filter=evil\n"})
    run_git(root, "config", "filter.evil.smudge", f"touch {mark}; cat")
    hook = root / ".git" / "hooks" / "post-checkout"
    hook.write_text(f"#!/bin/sh\ntouch {mark}\n", "utf-8")
    hook.chmod(0o755)
    with temporary_checkout(Repository.open(root), "HEAD") as folder:
        assert (folder / "README.md").read_text("utf-8") == "hello\n"
    assert not mark.exists()


def test_a_check_sees_the_tags_and_cannot_move_a_ref_of_the_repository(root: Path, repository: Repository):
    run_git(root, "tag", "v1")
    before = seen_by_a_person(root)
    with temporary_checkout(repository, "HEAD") as folder:
        assert run_git(folder, "describe", "--tags") == "v1"
        run_git(folder, "checkout", "-q", "-b", "main")
        commit_files(folder, {"evil": "1\n"})
        run_git(folder, "tag", "-d", "v1")
    assert run_git(root, "tag") == "v1"
    assert seen_by_a_person(root) == before


def test_a_commit_of_a_shallow_clone_can_be_checked_out(root: Path, tmp_path: Path):
    commit_files(root, {"later": "1\n"})
    run_git(tmp_path, "clone", "-q", "--depth=1", f"file://{root}", "shallow")
    with temporary_checkout(Repository.open(tmp_path / "shallow"), "HEAD") as folder:
        assert (folder / "later").is_file()
        assert run_git(folder, "log", "--format=%s") == "work"


def test_the_exit_code_and_the_end_of_the_output_come_back(tmp_path: Path):
    result = python(tmp_path, "import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)")
    assert result.code == 3
    assert "out" in result.tail
    assert "err" in result.tail


def test_a_flood_of_output_keeps_its_end_only(tmp_path: Path):
    result = python(tmp_path, "print('x' * 5_000_000); print('the end')")
    assert len(result.tail) <= 4096
    assert result.tail.endswith("the end\n")


def test_output_that_is_no_text_stops_nothing(tmp_path: Path):
    assert "\ufffd" in python(tmp_path, "import sys; sys.stdout.buffer.write(b'\\xff\\xfe')").tail


def test_a_command_has_no_input_and_no_variables_of_a_hook(tmp_path: Path, monkeypatch):
    monkeypatch.setenv("GIT_DIR", "/elsewhere")
    code = "import os, sys; print(repr(sys.stdin.read()), 'GIT_DIR' in os.environ)"
    assert python(tmp_path, code).tail == "'' False\n"


def test_a_command_may_use_every_protocol_of_git(root: Path, tmp_path: Path):
    """What holds for our own git calls must not break a check that clones a fixture."""
    result = run_in(tmp_path, ["git", "clone", "-q", f"file://{root}", "copy"], timeout_s=30)
    assert (result.code, result.tail) == (0, "")


def test_a_command_that_does_not_end_is_ended_with_all_its_children(tmp_path: Path):
    code = (
        "import subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        "open('pid', 'w').write(str(child.pid)); time.sleep(60)"
    )
    start = time.monotonic()
    result = python(tmp_path, code, timeout_s=2)
    assert result.code is None
    assert time.monotonic() - start < 20
    pid = int((tmp_path / "pid").read_text("utf-8"))
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline and _runs(pid):
        time.sleep(0.05)
    assert not _runs(pid)


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8").rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_a_command_that_left_a_child_behind_ends(tmp_path: Path):
    code = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])"
    start = time.monotonic()
    assert python(tmp_path, code).code == 0
    assert time.monotonic() - start < 20


def test_an_argument_is_never_read_by_a_shell(tmp_path: Path):
    assert run_in(tmp_path, ["echo", "$(touch x); `touch y`"], timeout_s=10).tail == "$(touch x); `touch y`\n"
    assert list(tmp_path.glob("[xy]")) == []


@pytest.mark.parametrize("argv", [["no-such-program"], ["./README.md"], ["/"]])
def test_a_command_that_cannot_start_is_named(root: Path, argv: list[str]):
    with pytest.raises(RepoError, match="cannot run") as caught:
        run_in(root, argv, timeout_s=10)
    assert repr(argv[0]) in caught.value.message
