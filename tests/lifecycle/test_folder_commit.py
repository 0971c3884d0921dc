"""A person's commit on a Skill's folder and its records: both or neither, on base or on a branch that waits."""

from pathlib import Path

import pytest

from skillc.errors import RepoError
from skillc.lifecycle.folder_commit import branch_of, commit_folder
from skillc.repo.commits import NewCommit, Put
from skillc.repo.ledger import LedgerFile, ledger_commit
from tests.world import World

pytestmark = pytest.mark.slow  # a repository for each case

RECORD = LedgerFile("withdrawals", b'{"a":1}')


def commit(world: World, *records: LedgerFile) -> str:
    context = world.context()
    new = NewCommit("skill(x): restore\n", [Put("skillc/x.json", b"{}\n")], context.now)
    return commit_folder(context, new, skill="x", command="restore", records=records, told="restored: x\n")


def ledger(world: World) -> str | None:
    return ledger_commit(world.context().repository)


def test_it_goes_to_base_and_into_the_checkout_with_its_records(world: World):
    before = ledger(world)
    made = commit(world, RECORD)
    assert world.git("rev-parse", "main") == made
    assert (world.root / "skillc" / "x.json").read_text("utf-8") == "{}\n"
    assert ledger(world) != before


def test_without_a_record_the_ledger_stays_as_it_is(world: World):
    before = ledger(world)
    commit(world)
    assert ledger(world) == before


def test_on_a_protected_base_it_waits_on_a_branch_of_its_own(world: World):
    world.set_policy("protected_base: false", "protected_base: true")
    base = world.git("rev-parse", "main")
    made = commit(world, RECORD)
    assert branch_of(world.context(), "x", "restore") == "skillc/candidate/x-restore"
    assert world.git("rev-parse", "skillc/candidate/x-restore") == made
    assert world.git("rev-parse", "main") == base


def test_a_file_in_the_way_stops_both(world: World):
    before, base = ledger(world), world.git("rev-parse", "main")
    world.write("skillc/x.json", "mine")
    with pytest.raises(RepoError, match="in the way"):
        commit(world, RECORD)
    world.context()  # the next command looks whether anything is due
    assert (ledger(world), world.git("rev-parse", "main")) == (before, base)
    assert Path(world.root / "skillc" / "x.json").read_text("utf-8") == "mine"
