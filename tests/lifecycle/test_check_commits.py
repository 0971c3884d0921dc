"""A change against base holds whole groups and versions that touch only what is theirs."""

import json

import pytest

from skillc.core.compile.group import Change, make_group, skill_files
from skillc.core.record import pretty_json
from skillc.core.skill.contract import ChangeKind, Replaced, SkillOrigin
from skillc.lifecycle.candidates import write_group
from skillc.lifecycle.check import check
from skillc.lifecycle.skills import current_skills
from skillc.repo.commits import RefUpdate, update_refs
from tests.reward_world import FAMILY, refund_run, take
from tests.world import NOW, World

BRANCH = f"skillc/candidate/{FAMILY}"


def codes(world: World, revision: str = "HEAD") -> set[str]:
    return {p.code for p in check(world.context(), revision).problems}


@pytest.fixture
def withdrawn(shop: World) -> World:
    """The candidate takes the Skill out of service; it is checked out on a branch of its own."""
    take(shop, "vouchers", *(refund_run(n, method="voucher") for n in range(10, 13)))
    shop.compile(FAMILY)
    shop.git("switch", "--quiet", "--detach", BRANCH)
    return shop


def amend(world: World, *files: str) -> None:
    message = world.git("log", "-1", "--format=%B")
    world.git("add", "--all", *files)
    world.git("commit", "--quiet", "--amend", "--no-edit", "-m", message)


def test_a_withdrawal_as_skillc_wrote_it_is_right(withdrawn: World):
    assert codes(withdrawn) == set()


def test_a_withdrawal_that_takes_more_along_is_a_problem(withdrawn: World):
    withdrawn.write("other.txt", "x")
    amend(withdrawn, "other.txt")
    assert "smuggled-file" in codes(withdrawn)


def test_a_withdrawal_whose_note_names_another_version_is_a_problem(withdrawn: World):
    path = f".skillc/withdrawn/{FAMILY}.json"
    note = json.loads((withdrawn.root / path).read_text("utf-8"))
    withdrawn.write(path, json.dumps(note | {"tree": "0" * 40}))
    amend(withdrawn, path)
    assert "false-trailer" in codes(withdrawn)


def merged_group(world: World, *, removes: bool) -> str:
    """A second Skill of the same evidence, and a successor that takes the place of both; returns its commit."""
    stored = current_skills(world.context())[FAMILY]
    twin = stored.contract.model_copy(
        update={
            "name": "refund-twin",
            "skill_id": "s-aaaaaaaaaaaaaaaa",
            "origin": SkillOrigin(skill_id="s-aaaaaaaaaaaaaaaa", run="r-0", group=""),
        }
    )
    folder = ".claude/skills/refund-twin"
    world.commit({f"{folder}/{n}": d.decode() for n, d in skill_files(twin).items()}, "twin")
    context = world.context()
    gone = current_skills(context)["refund-twin"]
    replaced = Replaced(skill="refund-twin", skill_id=twin.skill_id, tree=gone.tree)
    origin = stored.contract.origin.model_copy(update={"replaces": (replaced,), "group": ""})
    change = Change(
        kind=ChangeKind.MERGE,
        contract=stored.contract.model_copy(update={"origin": origin}),
        base_tree=stored.tree,
        proposal_id="p-1",
        removes=(replaced,) if removes else (),
    )
    written = write_group(context, make_group("r-merge", FAMILY, (change,)), NOW)
    ref = "refs/heads/merging"
    update_refs(context.repository, [RefUpdate(ref, None, written.ids[-1])], drop=[written.tmp_ref])
    return written.ids[-1]


def test_a_merge_removes_the_folders_that_it_takes_the_place_of_in_the_same_commit(shop: World):
    commit = merged_group(shop, removes=True)
    assert "refund-twin" not in shop.git("ls-tree", "--name-only", f"{commit}:.claude/skills")
    assert not {"smuggled-file", "group-mismatch", "false-trailer"} & codes(shop, commit)


def test_a_merge_that_leaves_the_other_folder_is_a_problem(shop: World):
    assert "group-mismatch" in codes(shop, merged_group(shop, removes=False))


def test_the_contract_says_what_a_version_took_the_place_of(shop: World):
    commit = merged_group(shop, removes=True)
    stored = shop.git("show", f"{commit}:.claude/skills/{FAMILY}/contract.json")
    assert json.loads(stored)["origin"]["replaces"][0]["skill"] == "refund-twin"
    assert pretty_json(json.loads(stored)).decode().rstrip("\n") == stored
