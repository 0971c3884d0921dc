"""Where an edit is found: in the work tree before HEAD, or at the revision that is named."""

import os

import pytest

from skillc.errors import DataError, RepoError, UsageError
from skillc.lifecycle.edited_page import EditedPage, find_edit
from tests.reward_world import FAMILY
from tests.world import World

PAGE = f".claude/skills/{FAMILY}/SKILL.md"


def found(world: World, revision: str | None = None) -> EditedPage:
    return find_edit(world.context(), FAMILY, revision)


def test_the_work_tree_comes_before_head_and_a_named_revision_before_both(shop: World):
    committed = (shop.root / PAGE).read_text("utf-8")
    assert (found(shop).text, found(shop).place.split()[0]) == (committed, "HEAD")
    shop.write(PAGE, "mine\n")
    assert (found(shop).text, found(shop).place) == ("mine\n", "the work tree")
    assert (found(shop, "main").text, found(shop, "main").place) == (committed, "main")
    assert found(shop).candidate is None
    (shop.root / PAGE).unlink()
    assert found(shop).text == committed


def test_a_skill_is_found_by_its_id_too(shop: World):
    skill_id = found(shop).contract.skill_id
    assert find_edit(shop.context(), skill_id).skill == FAMILY


def test_what_is_no_text_of_a_compiled_skill_is_said(shop: World):
    (shop.root / PAGE).write_bytes(b"---\n\xff\n")
    with pytest.raises(DataError, match=r"SKILL\.md:2: is no UTF-8"):
        found(shop)
    (shop.root / PAGE).unlink()
    os.symlink("/etc/hostname", shop.root / PAGE)
    with pytest.raises(RepoError):
        found(shop)
    with pytest.raises(UsageError, match="no Skill 'other'"):
        find_edit(shop.context(), "other")
    with pytest.raises(UsageError, match="no commit"):
        found(shop, "no-such-branch")
    shop.commit({".claude/skills/hand/SKILL.md": "mine\n", f".claude/skills/{FAMILY}/contract.json": "{}"})
    with pytest.raises(UsageError, match="written by hand"):
        find_edit(shop.context(), "hand")
    with pytest.raises(DataError, match=r"contract\.json"):
        found(shop)


def test_a_candidate_branch_without_a_version_is_none(shop: World):
    shop.git("branch", "skillc/candidate/other")
    with pytest.raises(RepoError, match="holds no version"):
        found(shop, "skillc/candidate/other")


def test_a_candidate_of_another_clone_is_taken_here_first(shop: World):
    shop.git("update-ref", f"refs/remotes/origin/skillc/candidate/{FAMILY}", "main")
    with pytest.raises(UsageError, match="another clone") as told:
        found(shop, f"origin/skillc/candidate/{FAMILY}")
    assert told.value.hint == f"take it here first: git switch skillc/candidate/{FAMILY}"
