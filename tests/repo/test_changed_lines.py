"""Which lines of the work tree differ, whatever the files are called."""

from pathlib import Path

import pytest

from skillc.repo.changed_lines import changed_lines, tracked_files
from skillc.repo.repository import Repository
from tests.repositories import commit_files, run_git

NAMES = ["plain.md", "with space.md", 'quo"te.md', "new\nline.md", "ünï.md", "--option.md"]


@pytest.mark.parametrize("name", NAMES)
def test_changed_lines_of_a_file_are_told_whatever_its_name(root: Path, name: str):
    commit = commit_files(root, {name: "one\ntwo\nthree\nfour\n", "same.md": "x\n"})
    (root / name).write_text("one\nTWO\nthree\nfour\nfive\n", "utf-8")
    found = changed_lines(Repository.open(root), commit)
    assert found.files == {name: ((2, 2), (5, 5))}
    assert found.is_changed(name, 1, 2)
    assert not found.is_changed(name, 3, 4)
    assert not found.is_changed("same.md", 1, 1)


def test_new_files_are_new_in_every_line_and_ignored_ones_are_left_out(root: Path):
    commit = commit_files(root, {".gitignore": "ignored.md\n"})
    for name in ("untracked.md", "staged.md", "ignored.md"):
        (root / name).write_text("x\n", "utf-8")
    run_git(root, "add", "staged.md")
    commit_files(root, {"committed.md": "x\n"})
    found = changed_lines(Repository.open(root), commit)
    assert found.files == {"untracked.md": None, "staged.md": None, "committed.md": None}
    assert found.is_changed("staged.md", 7, 9)


def test_a_deleted_line_changes_no_line_and_a_deleted_file_is_not_there(root: Path):
    commit = commit_files(root, {"a.md": "one\ntwo\n", "b.md": "x\n"})
    (root / "a.md").write_text("one\n", "utf-8")
    (root / "b.md").unlink()
    assert changed_lines(Repository.open(root), commit).files == {"a.md": ()}


def test_nothing_of_the_repositorys_configuration_runs(root: Path, tmp_path: Path):
    mark = tmp_path / "ran"
    commit = commit_files(root, {"a.md": "one\n", ".gitattributes": "*.md diff=x filter=x\n"})
    for key in ("diff.external", "diff.x.command", "diff.x.textconv", "filter.x.clean"):
        run_git(root, "config", key, f"touch {mark}")
    (root / "a.md").write_text("two\n", "utf-8")
    assert changed_lines(Repository.open(root), commit).files == {"a.md": ((1, 1),)}
    assert not mark.exists()


def test_a_file_that_becomes_a_link_is_new(root: Path):
    commit = commit_files(root, {"a.md": "one\n", "b.md": "one\n"})
    (root / "a.md").unlink()
    (root / "a.md").symlink_to("b.md")
    (root / "b.md").write_text("two\n", "utf-8")
    assert changed_lines(Repository.open(root), commit).files == {"a.md": None, "b.md": ((1, 1),)}


def test_tracked_files_are_those_of_the_staging_area(root: Path):
    commit_files(root, {"a.md": "x\n"})
    (root / "b.md").write_text("x\n", "utf-8")
    assert "a.md" in tracked_files(Repository.open(root))
    assert "b.md" not in tracked_files(Repository.open(root))
