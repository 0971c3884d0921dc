"""Which policy counts, and what opening finishes or forgets."""

import json

import pytest

from skillc.errors import PolicyError, RepoError
from skillc.lifecycle.context import DRAFT_BANNER, open_context
from tests.world import World


def test_the_policy_of_base_counts_and_not_the_work_tree(fresh: World):
    text = (fresh.root / "skillc.yaml").read_text("utf-8")
    fresh.write("skillc.yaml", text.replace("mode: pr", "mode: auto"))
    assert fresh.context().policy.approval.mode == "pr"
    assert not fresh.context().is_draft


def test_another_branchs_policy_does_not_count(fresh: World):
    fresh.git("switch", "--quiet", "-c", "topic")
    fresh.set_policy("mode: pr", "mode: auto")
    assert fresh.context().policy.approval.mode == "pr"


def test_until_it_is_on_base_the_work_trees_policy_is_a_draft(fresh: World):
    fresh.git("rm", "--quiet", "--cached", "skillc.yaml")
    fresh.git("commit", "--quiet", "-m", "gone")
    context = fresh.context()
    assert context.is_draft
    assert context.notes == [DRAFT_BANNER]


def test_without_a_policy_it_says_init(fresh: World):
    fresh.git("rm", "--quiet", "skillc.yaml")
    fresh.git("commit", "--quiet", "-m", "gone")
    with pytest.raises(PolicyError) as stop:
        fresh.context()
    assert stop.value.hint == "run: skillc init"


def test_outside_a_repository_it_says_what_to_do(tmp_path):
    with pytest.raises(RepoError):
        open_context(tmp_path)


def test_opening_for_work_finishes_a_broken_move_and_reading_does_not(fresh: World):
    journal = fresh.root / ".git" / "skillc" / "admission.journal"
    journal.parent.mkdir(exist_ok=True)
    head = fresh.git("rev-parse", "HEAD")
    record = {"ref": "refs/heads/main", "old": head, "new": "0" * 40, "roots": [str(fresh.root)]}
    journal.write_text(json.dumps(record), "utf-8")
    open_context(fresh.root, for_reading=True)
    assert journal.exists()
    assert "never became visible" in fresh.context().notes[0]
    assert not journal.exists()


def test_the_ledger_is_read_once_until_it_is_forgotten(world: World):
    context = world.context()
    first = context.ledger
    assert context.ledger is first
    context.forget_ledger()
    assert context.ledger is not first
