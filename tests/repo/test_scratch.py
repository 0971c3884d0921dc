"""Merges that only answer a question: the same everywhere, started by nobody's configuration, and gone afterwards."""

import shutil
from pathlib import Path

import pytest

from skillc.errors import RepoError
from skillc.repo.repository import Repository
from skillc.repo.scratch import MergeAnswer, Scratch, open_scratch
from tests.repositories import commit_files, run_git

TEXT = "".join(f"{n}\n" for n in range(20))


def sides(root: Path) -> tuple[str, str, str]:
    """Two branches from one commit: they agree on a.txt, and not on b.txt."""
    first = commit_files(root, {"a.txt": TEXT, "b.txt": TEXT})
    run_git(root, "switch", "--quiet", "-c", "side")
    side = commit_files(root, {"a.txt": TEXT + "side\n", "b.txt": TEXT.replace("3\n", "three\n")})
    run_git(root, "switch", "--quiet", "main")
    return first, side, commit_files(root, {"b.txt": TEXT.replace("3\n", "drei\n")})


def test_many_merges_are_answered_in_order(root: Path):
    first, side, main = sides(root)
    with open_scratch(Repository.open(root)) as scratch:
        answers = scratch.merges([(first, side), (main, side), (side, side)])
        one_by_one = Scratch(scratch.git, (2, 38)).merges([(first, side), (main, side), (side, side)])
    tree = run_git(root, "rev-parse", f"{side}^{{tree}}")
    assert answers[0] == answers[2] == MergeAnswer(tree, ())
    assert answers[1].conflicts == ("b.txt",)
    assert one_by_one == answers


def test_no_driver_filter_hook_or_attribute_of_the_repository_has_a_say(root: Path, tmp_path: Path):
    trap = tmp_path / "ran"
    commit_files(root, {".gitattributes": "* merge=evil filter=evil diff=evil\n"})
    _, side, main = sides(root)
    for name, value in (
        ("merge.evil.driver", f"touch {trap}"), ("merge.default", "evil"), ("filter.evil.smudge", f"touch {trap}"),
        ("filter.evil.clean", f"touch {trap}"), ("diff.evil.textconv", f"touch {trap}"), ("diff.external", f"touch {trap}"),
    ):  # fmt: skip
        run_git(root, "config", name, value)
        run_git(root, "config", "--global", name, value)
    (root / ".git" / "info").mkdir(exist_ok=True)
    (root / ".git" / "info" / "attributes").write_text("* merge=evil\n", "utf-8")
    with open_scratch(Repository.open(root)) as scratch:
        assert scratch.merges([(main, side)])[0].conflicts == ("b.txt",)
        assert scratch.patch_id(main, side)
    assert not trap.exists()


def test_what_a_merge_writes_is_gone_afterwards(root: Path):
    _, side, main = sides(root)
    before = run_git(root, "count-objects")
    with open_scratch(Repository.open(root)) as scratch:
        folder = scratch.git.folder
        tree = scratch.merges([(main, side)])[0].tree
    assert run_git(root, "count-objects") == before
    assert not folder.exists()
    with pytest.raises(AssertionError):
        run_git(root, "cat-file", "-e", tree)


def test_a_patch_and_its_inverse_have_one_id_each_way(root: Path):
    first, side, _ = sides(root)
    with open_scratch(Repository.open(root)) as scratch:
        assert scratch.patch_id(first, side) not in (None, scratch.patch_id(side, first))
        assert scratch.patch_id(first, first) is None
        assert scratch.changed_paths(first, side) == {"a.txt", "b.txt"}


def test_an_old_git_is_named_with_what_is_needed(root: Path, tmp_path: Path, monkeypatch):
    """Without merges in memory nothing is guessed."""
    real = shutil.which("git")
    (tmp_path / "git").write_text(
        f'#!/bin/sh\ncase "$*" in *version) echo "git version 2.37.1"; exit 0;; esac\nexec {real} "$@"\n', "utf-8"
    )
    (tmp_path / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(RepoError, match=r"git 2\.37") as stop, open_scratch(Repository.open(root)):
        pass
    assert stop.value.hint == "install git 2.38 or newer"
