"""What stands for each version on base: nothing by default, and each kind of proof when it is there."""

from pathlib import Path

import pytest

from skillc.lifecycle.admissions import Admission, Admissions
from skillc.lifecycle.approve import approve
from skillc.repo.objects import open_reader
from tests.approvers import key_that_asks, make_key, public_of, register_person, signing
from tests.world import FIELD, World

FOLDER = f".claude/skills/{FIELD}"


def admissions(world: World) -> list[Admission]:
    context = world.context()
    with open_reader(context.repository) as reader:
        return list(Admissions(context, reader).all())


def proof(world: World) -> tuple[str, str | None]:
    found = admissions(world)[-1]
    return found.proof, found.by


def test_a_merge_without_any_proof_is_unproven(world: World):
    world.compile(FIELD)
    world.merge(FIELD)
    (found,) = admissions(world)
    assert (found.proof, found.by, found.change) == ("unproven", None, "add")
    assert found.run is not None


def test_a_merge_that_a_registered_approver_signed_is_proven(world: World, tmp_path: Path):
    key = tmp_path / "alice"
    make_key(key)
    register_person(world, public_of(key))
    world.compile(FIELD)
    world.git(*signing(key), "merge", "--quiet", "--no-ff", "-S", "-m", "ok", f"skillc/candidate/{FIELD}")
    assert proof(world) == ("signed", "alice")


def test_a_merge_that_a_stranger_signed_is_unproven(world: World, tmp_path: Path):
    make_key(tmp_path / "alice")
    make_key(tmp_path / "mallory")
    register_person(world, public_of(tmp_path / "alice"))
    world.compile(FIELD)
    key = tmp_path / "mallory"
    world.git(*signing(key), "merge", "--quiet", "--no-ff", "-S", "-m", "ok", f"skillc/candidate/{FIELD}")
    assert proof(world) == ("unproven", None)


@pytest.mark.parametrize("how", [("--no-ff", "-m", "ok"), ("--ff-only",), ("--squash",)])
def test_an_approval_record_stands_for_a_merge_a_squash_and_a_fast_forward(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: tuple[str, ...]
):
    key = key_that_asks(tmp_path, monkeypatch)
    register_person(world, public_of(key))
    world.compile(FIELD)
    approve(world.context(), FIELD, key_path=key)
    world.merge(FIELD, *how)
    if how == ("--squash",):
        world.git("commit", "--quiet", "-m", "squashed")
    assert proof(world) == ("approval", "alice")


def test_policy_stands_for_what_it_admitted_and_not_for_a_merge_by_hand(world: World):
    world.set_policy("mode: pr", "mode: auto")
    world.set_policy("minimum_assurance: attended", "minimum_assurance: local")
    world.compile(FIELD)
    assert proof(world) == ("policy", "policy")


def test_a_protected_base_stands_for_its_merges_and_only_from_then_on(world: World):
    world.compile(FIELD)
    world.merge(FIELD)
    world.set_policy("protected_base: false", "protected_base: true")
    assert proof(world) == ("unproven", None)
    world.git("revert", "--no-edit", "-m", "1", "HEAD~1")
    assert proof(world) == ("protected-base", None)


def test_a_policy_that_comes_with_the_skill_does_not_let_it_in(world: World):
    world.compile(FIELD)
    world.git("merge", "--quiet", "--no-ff", "--no-commit", f"skillc/candidate/{FIELD}")
    world.set_policy("protected_base: false", "protected_base: true")
    assert proof(world) == ("unproven", None)


def test_an_edit_by_hand_is_told_as_one_that_no_run_made(world: World):
    world.compile(FIELD)
    world.merge(FIELD)
    world.commit({f"{FOLDER}/SKILL.md": "changed\n"})
    found = admissions(world)[-1]
    assert (found.change, found.proof, found.run) == ("edit", "unproven", None)
    assert found.reason.startswith("no run made this version")


def test_a_version_that_comes_back_is_a_restore(world: World):
    world.compile(FIELD)
    world.merge(FIELD)
    world.git("revert", "--no-edit", "-m", "1", "HEAD")
    world.git("revert", "--no-edit", "HEAD")
    found = admissions(world)
    assert [a.change for a in found] == ["add", "remove", "restore"]
    assert [a.proof for a in found[1:]] == ["removed", "restored"]


def test_a_skill_that_skillc_never_made_is_none_of_it(world: World):
    world.commit({".claude/skills/by-hand/SKILL.md": "---\nname: by-hand\n---\n"})
    assert admissions(world) == []
