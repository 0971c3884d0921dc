"""What doctor says of the repository: its state, policy, registry, leftovers and stored Traces."""

import os
import subprocess
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.lifecycle.context import open_context
from skillc.lifecycle.doctor import repository
from skillc.lifecycle.doctor.finding import State, Surroundings
from skillc.lifecycle.doctor.repository import is_public_key
from skillc.lifecycle.init import init
from skillc.repo.repository import Repository
from tests.bad_input.mounts import read_only, small_disk
from tests.lifecycle.doctor.looking import at, found, nowhere, states, without_namespace
from tests.lifecycle.test_stored_secrets import TOKEN, store
from tests.makers import make_trace, user
from tests.world import CHECK, World

KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJz0VfDkVb1wmYvH6h0u0m3Jw2fVQmZy9aZ0m1m4b8kq ada"


def test_outside_a_repository_the_reason_is_told(tmp_path: Path):
    (finding,) = repository.check_repository(nowhere(tmp_path))
    assert finding.state is State.FAIL
    assert finding.next_step == "run: git init"
    for check in (repository.check_base, repository.check_policy, repository.check_locks, repository.check_secrets):
        assert states(check, nowhere(tmp_path)) == []


def test_a_shallow_clone_and_an_unfinished_merge_are_told(fresh: World, tmp_path: Path):
    assert states(repository.check_repository, at(fresh)) == ["ok"]
    (fresh.root / ".git" / "MERGE_HEAD").write_text(fresh.git("rev-parse", "HEAD"))
    assert found(repository.check_repository, at(fresh), State.WARN) == ["a merge is under way"]
    clone = tmp_path / "shallow"
    subprocess.run(
        ["git", "clone", "--quiet", "--depth", "1", f"file://{fresh.root}", str(clone)], check=True, capture_output=True
    )
    assert found(repository.check_repository, without_namespace(clone), State.WARN) == ["a shallow clone"]


def test_base_is_told_or_why_it_is_not_clear(fresh: World, new_repository):
    assert states(repository.check_base, at(fresh)) == ["ok"]
    fresh.git("checkout", "--quiet", "--detach")
    assert found(repository.check_base, at(fresh), State.WARN) == ["HEAD is detached"]
    unclear = new_repository("unclear", files={"a": "a"})
    for name in ("one", "two"):
        subprocess.run(["git", "branch", name], cwd=unclear, check=True)
    subprocess.run(["git", "checkout", "--quiet", "one"], cwd=unclear, check=True)
    subprocess.run(["git", "branch", "--quiet", "-D", "main"], cwd=unclear, check=True)
    (finding,) = repository.check_base(without_namespace(unclear))
    assert (finding.state, finding.next_step) == (State.FAIL, "run: git config skillc.base NAME")


def test_a_branch_without_a_commit_is_told(new_repository):
    assert states(repository.check_base, without_namespace(new_repository("unborn"))) == ["warn"]


def test_a_policy_is_on_base_or_a_draft_or_missing(fresh: World, root: Path):
    assert states(repository.check_policy, at(fresh)) == ["ok"]
    assert states(repository.check_policy, without_namespace(root)) == ["fail"]
    init(root)
    context = open_context(root, for_reading=True)
    assert states(repository.check_policy, Surroundings(root, context.repository, context)) == ["warn"]


def test_a_policy_that_would_stop_every_command_once_merged_fails(fresh: World):
    assert states(repository.check_work_tree_policy, at(fresh)) == []
    (fresh.root / "skillc.yaml").write_text("namespace: [\n", "utf-8")
    (finding,) = repository.check_work_tree_policy(at(fresh))
    assert finding.state is State.FAIL
    assert finding.found.startswith("of the work tree cannot be read: ")
    assert fresh.run("doctor").returncode == 1
    (fresh.root / "skillc.yaml").unlink()
    assert states(repository.check_work_tree_policy, at(fresh)) == []


def test_a_base_that_is_no_branch_fails_and_is_named(fresh: World):
    place = at(fresh)
    fresh.git("config", "skillc.base", "nope")
    (finding,) = repository.check_base(without_namespace(place.folder))
    assert finding.state is State.FAIL
    assert finding.found == "skillc.base in git config names 'nope', and there is no such branch"


def test_a_repository_that_takes_no_files_fails(fresh: World, tmp_path: Path):
    assert states(repository.check_writable, at(fresh)) == ["ok"]
    with small_disk(tmp_path / "disk", 32) as disk:
        clone = disk / "clone"
        subprocess.run(["git", "clone", "--quiet", str(fresh.root), str(clone)], check=True)
        with read_only(disk):
            (told,) = found(repository.check_writable, without_namespace(clone), State.FAIL)
    assert told == f"{clone / '.git'} takes no files"


def test_skills_without_fixed_bytes_are_told(fresh: World):
    assert states(repository.check_attributes, at(fresh)) == ["ok"]
    (fresh.root / ".gitattributes").write_text("* text=auto\n")
    assert states(repository.check_attributes, at(fresh)) == ["warn"]


def test_a_folder_of_skills_that_git_ignores_is_told(fresh: World):
    assert states(repository.check_ignored, at(fresh)) == ["ok"]
    (fresh.root / ".gitignore").write_text(".claude/\n")
    assert states(repository.check_ignored, at(fresh)) == ["warn"]


def test_a_file_system_that_does_not_tell_case_is_told(fresh: World):
    assert states(repository.check_file_system, at(fresh)) == ["ok"]
    (fresh.root / ".GIT").mkdir()  # what such a file system answers
    assert states(repository.check_file_system, at(fresh)) == ["warn"]


def test_a_key_that_is_no_public_key_fails(fresh: World):
    assert states(repository.check_people, at(fresh)) == ["ok"]
    fresh.set_policy(
        "people: []", "people: [{id: ada, roles: [verifier], key: nonsense}, {id: bob, roles: [approver]}]"
    )
    assert found(repository.check_people, at(fresh), State.FAIL) == ["the key of ada is no OpenSSH public key"]
    assert found(repository.check_people, at(fresh), State.WARN) == ["bob has no key"]


def test_a_person_whose_key_needs_no_person_is_told(fresh: World):
    fresh.set_policy("people: []", f"people: [{{id: ada, roles: [verifier], key: {KEY!r}, key_class: local}}]")
    assert found(repository.check_people, at(fresh), State.WARN) == ["the key of ada is `local`"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ssh-ed25519",
        "ssh-ed25519 ****",
        "ssh-rsa " + KEY.split()[1],
        KEY[:40],
        f"{KEY}\n{KEY}",
        "a " + "A" * 70_000,
    ],
)
def test_what_is_no_public_key_is_told_from_one(text: str):
    assert is_public_key(KEY)
    assert not is_public_key(text)


@given(st.text())
def test_any_text_is_a_key_or_not(text: str):
    assert is_public_key(text) in (True, False)


def test_each_check_is_trusted_changed_or_was_never_trusted(fresh: World):
    fresh.trust()
    assert states(repository.check_trust, at(fresh)) == ["ok"]
    fresh.set_policy('"-q"', '"-v"')
    (words,) = found(repository.check_trust, at(fresh), State.WARN)
    assert words == f"{CHECK} changed since it was trusted"
    (fresh.home / ".config" / "skillc" / "trusted-checks.json").unlink()
    (words,) = found(repository.check_trust, at(fresh), State.WARN)
    assert words == f"{CHECK} was never trusted on this machine"


def test_locks_that_a_dead_git_left_are_told_with_their_age(fresh: World):
    git = fresh.root / ".git"
    old = time.time() - 3600
    locks = [git / "index.lock", git / "refs" / "heads" / "main.lock", git / "objects" / "info" / "commit-graph.lock"]
    for path in locks:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        os.utime(path, (old, old))
    (git / "config.lock").touch()  # a moment old: another git may be at work
    (git / "skillc").mkdir(exist_ok=True)
    (git / "skillc" / "write.lock").touch()  # ours: the kernel holds it, not the file
    os.utime(git / "skillc" / "write.lock", (old, old))
    told = repository.stale_locks(Repository.open(fresh.root))
    assert sorted(path for path, _ in told) == sorted(locks)
    assert all(3590 < age < 3700 for _, age in told)
    assert states(repository.check_locks, at(fresh)) == ["warn"] * 3


def test_a_move_that_was_not_finished_is_told(fresh: World):
    assert states(repository.check_locks, at(fresh)) == ["ok"]
    place = at(fresh)
    assert place.repository is not None
    place.repository.private.mkdir(exist_ok=True)
    (place.repository.private / "admission.journal").write_text("{}")
    assert states(repository.check_locks, place) == ["ok", "warn"]


def test_a_stored_credential_fails_and_is_not_shown(fresh: World):
    assert states(repository.check_secrets, at(fresh)) == ["ok"]
    store(fresh, make_trace(user(f"use {TOKEN}"), trace_id="t-leaky001"))
    (finding,) = repository.check_secrets(at(fresh))
    assert finding.state is State.FAIL
    assert "in 1 Traces, first t-leaky001" in finding.found
    assert TOKEN not in finding.model_dump_json()


def test_a_policy_behind_a_link_is_told(root: Path):
    (root / "skillc.yaml").symlink_to("/etc/passwd")
    assert states(repository.check_links, without_namespace(root)) == ["fail"]
