"""Of two candidates that do not descend from each other one stays, the same in every clone, and no work is lost."""

from pathlib import Path

import pytest

from skillc.core.skill.contract import Contract
from skillc.lifecycle.amend import amend
from skillc.lifecycle.candidates import candidate_named
from skillc.lifecycle.reject import reject
from skillc.lifecycle.sync import sync
from skillc.lifecycle.sync_candidates import SyncedRef
from tests.races.together import clone, shared
from tests.world import FIELD, World

pytestmark = pytest.mark.slow  # two clones and a remote for each case
BRANCH = f"skillc/candidate/{FIELD}"


@pytest.fixture
def clones(world: World, tmp_path: Path) -> tuple[World, World]:
    """Two clones that hold the same candidate, as the remote does."""
    world.compile(FIELD)
    remote = shared(world, tmp_path / "remote.git")
    sync(world.context(), "origin", consent=True)
    other = clone(remote, tmp_path / "other", world.home)
    sync(other.context(), "origin")
    assert tip(world) == tip(other)
    return world, other


def tip(world: World, ref: str = BRANCH) -> str:
    return world.git("rev-parse", ref)


def contract_of(world: World) -> Contract:
    contract = candidate_named(world.context(), FIELD).versions[0].contract
    assert contract is not None
    return contract


def synced(world: World) -> SyncedRef:
    return next(r for r in sync(world.context(), "origin").refs if r.branch == BRANCH)


def without_a_line(world: World) -> str:
    """Rejects a line and compiles anew; returns the new tip."""
    reject(world.context(), FIELD, contract_of(world).steps[-1].id, reason="no", by="Ada")
    world.compile(FIELD)
    return tip(world)


@pytest.mark.parametrize("is_second", [True, False])
def test_an_older_run_never_goes_over_the_one_that_replaced_it(clones: tuple[World, World], is_second: bool):
    old, new = clones if is_second else clones[::-1]
    before, after = tip(old), without_a_line(new)
    assert after != before
    assert synced(new).state == "pushed"
    done = synced(old)
    assert (done.state, tip(old)) == ("fetched", after)
    assert before[:12] in done.reason
    assert [synced(world).state for world in (new, old)] == ["up to date", "up to date"]
    assert tip(new, f"origin/{BRANCH}") == after


def test_the_newer_run_goes_over_the_one_that_it_replaced(clones: tuple[World, World]):
    old, new = clones
    after = without_a_line(new)
    old.git("fetch", "--quiet", "origin")
    assert synced(new).state == "pushed"
    assert tip(new, f"origin/{BRANCH}") == after


def test_an_amendment_and_a_newer_run_of_what_it_was_made_on_wait_for_a_person(clones: tuple[World, World]):
    one, two = clones
    without_a_line(two)
    assert synced(two).state == "pushed"
    one.git("switch", "--quiet", BRANCH)
    path = one.root / ".claude" / "skills" / FIELD / "SKILL.md"
    path.write_text(path.read_text("utf-8").replace("## When to use\n\n", "## When to use\n\n- Mine.\n", 1), "utf-8")
    amend(one.context(), FIELD, by="Ada")
    one.git("switch", "--quiet", "main")
    mine, theirs = tip(one), tip(two)
    assert synced(one).state == "diverged"
    assert (tip(one), tip(one, f"origin/{BRANCH}")) == (mine, theirs)
